package format

import (
	"slices"
	"strings"
	"testing"

	"sonde/export"
	"sonde/model"
)

// sampleParts returns a literal, a captured value, another literal, and an environment variable.
func sampleParts(as export.Escaping) []export.TextPart {
	id := &export.Capture{Words: []string{"order", "id"}, Pointer: "/id"}
	return []export.TextPart{
		{Text: "/a$/"},
		{Capture: id, Escaping: as, Original: "7"},
		{Text: "/"},
		{Text: "b"},
		{Variable: "KEY", Escaping: as},
	}
}

// Each format writes values in texts in its own way, escaped for their place.
func TestValuesInTexts(t *testing.T) {
	hurl := &hurlWriter{writer: newWriter(), public: map[string]string{}}
	javaScript := newProgram(javaScript("", ""), export.Script{})
	for name, c := range map[string]struct {
		write       func([]export.TextPart) string
		path, plain string
	}{
		"shell": {
			write: shParts,
			path:  `'/a$/'"$(path "$order_id")"/b"$(path "$(printf '%s' "$KEY" | jq -Rs .)")"`,
			plain: `'/a$/'"$(text "$order_id")"/b"$KEY"`,
		},
		"hurl": {
			write: func(parts []export.TextPart) string { return hurl.parts(parts, hurlURL) },
			path:  "/a$/{{order_id_escaped}}/b{{KEY}}",
			plain: "/a$/{{order_id}}/b{{KEY}}",
		},
		"javascript": {
			write: func(parts []export.TextPart) string { return javaScript.expr(parts, "") },
			path:  `"/a$/" + orderID.path() + "/b" + secret("KEY").path()`,
			plain: `"/a$/" + orderID.text() + "/b" + secret("KEY").text()`,
		},
		"postman": {
			write: postParts,
			path:  "/a$/{{order_id_path}}/b{{KEY_path}}",
			plain: "/a$/{{order_id}}/b{{KEY}}",
		},
		"http": {
			write: variableParts,
			path:  "/a$/{{order_id_path}}/b{{KEY_path}}",
			plain: "/a$/{{order_id}}/b{{KEY}}",
		},
		"bruno": {
			write: (&brunoWriter{}).parts,
			path:  "/a$/{{order_id_path}}/b{{KEY_path}}",
			plain: "/a$/{{order_id}}/b{{process.env.KEY}}",
		},
		"table": {
			write: table{newWriter()}.text,
			path:  `"/a$$/${orderID.path}/b${env KEY.path}"`,
			plain: `"/a$$/${orderID.text}/b${env KEY.text}"`,
		},
		"arazzo": {
			write: arazzoValue,
			path:  "/a$/{$steps.call1.outputs.orderID}/b{$inputs.KEY}",
			plain: "/a$/{$steps.call1.outputs.orderID}/b{$inputs.KEY}",
		},
		"har": {
			write: masked,
			path:  "/a$/7/b" + model.MaskedSecret,
			plain: "/a$/7/b" + model.MaskedSecret,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.write(sampleParts(export.EscapePath)); got != c.path {
				t.Errorf("in a path: got %s, want %s", got, c.path)
			}
			if got := c.write(sampleParts(export.EscapeNone)); got != c.plain {
				t.Errorf("as a text: got %s, want %s", got, c.plain)
			}
		})
	}
}

func TestPartsAreMerged(t *testing.T) {
	parts := sampleParts(export.EscapeNone)
	var texts []string
	for _, p := range merged(parts) {
		texts = append(texts, p.Text)
	}
	if want := []string{"/a$/", "", "/b", ""}; !slices.Equal(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}
	if text, ok := fixed(parts); ok {
		t.Errorf("got the text %q of parts with values", text)
	}
	if text, ok := fixed(parts[2:4]); !ok || text != "/b" {
		t.Errorf("got %q, %t, want the literal text", text, ok)
	}
	if got := joined(nil, "+", hurlText, nil); got != "" {
		t.Errorf("got %q of no parts", got)
	}
}

// The head of a file has no repeated empty lines, and none at the end.
func TestHeadOfAFile(t *testing.T) {
	s := export.Script{
		Opening:   []string{"Calls Shop and checks its answers."},
		Secrets:   []export.Secret{{Name: "KEY", About: "the key"}, {Name: "MODE", Default: "test"}},
		Command:   "sonde export run",
		Omissions: []string{"Left out: t2."},
	}
	want := []string{
		"Calls Shop and checks its answers.", "", "Sonde wrote this file; it is yours to change. Start the service, then run", "",
		"    run it", "", "It needs nothing.", "Set KEY to the key.", "", "This command writes it again:", "", "    sonde export run", "",
		"Left out: t2.",
	}
	if got := headLines(s, "It needs nothing.", "run it"); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, c := range []struct{ lines, want []string }{
		{[]string{"", "a", "", "", "b", ""}, []string{"a", "", "b"}},
		{[]string{"a"}, []string{"a"}},
		{nil, nil},
	} {
		if got := squeezed(c.lines); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.lines, got, c.want)
		}
	}
}

// Hurl escapes the value of a variable only in a section of the query.
func TestSecretsInQueriesOfHurl(t *testing.T) {
	path := []export.TextPart{
		{Text: "/a?x=1"}, {Text: "&api%20key="}, {Variable: "KEY", Escaping: export.EscapeQuery}, {Text: "&b="}, {Text: "c%26"},
	}
	rest, secrets := secretQuery(path)
	if len(rest) != 1 || rest[0].Text != "/a?x=1" {
		t.Errorf("got the path %v, want the part before the secret", rest)
	}
	if len(secrets) != 2 || secrets[0].Name != "api key" || secrets[0].Value[0].Variable != "KEY" ||
		secrets[1].Name != "b" || secrets[1].Value[0].Text != "c&" {
		t.Errorf("got the parameters %v, want api key and b", secrets)
	}
	if rest, secrets := secretQuery(path[:2]); len(rest) != 2 || secrets != nil {
		t.Errorf("without a variable: got %v and %v, want the whole path", rest, secrets)
	}
}

// Hurl itself sends the cookies of a log-in, so only the other cookies are written.
func TestCookiesOfHurl(t *testing.T) {
	login := export.TextPart{Capture: &export.Capture{Kind: export.CaptureCookies, Words: []string{"ann", "cookies"}}}
	own, ok := ownCookies([]export.TextPart{{Text: "mode=dark"}, {Text: "; "}, login})
	if !ok || len(own) != 1 || own[0].Name != "mode" || own[0].Value[0].Text != "dark" {
		t.Errorf("got %v, %t, want the cookie mode and a log-in", own, ok)
	}
	if own, ok := ownCookies([]export.TextPart{{Text: "a=1"}, {Text: "; "}, {Text: "b="}, {Variable: "KEY"}}); ok || len(own) != 2 {
		t.Errorf("got %v, %t, want two cookies and no log-in", own, ok)
	}
}

// A body of Hurl is JSON only if no value in it can change its type.
func TestBodiesOfHurl(t *testing.T) {
	w := &hurlWriter{writer: newWriter()}
	id := &export.Capture{Words: []string{"order", "id"}}
	member := func(as export.Escaping) []export.TextPart {
		return []export.TextPart{{Text: `{"a": `}, {Capture: id, Escaping: as}, {Text: "}"}}
	}
	for name, c := range map[string]struct {
		body export.RequestBody
		want string
	}{
		"JSON":   {export.RequestBody{JSON: true, Parts: literal(`{"a": 1}`)}, `{"a": 1}`},
		"a text": {export.RequestBody{Parts: literal("a`b\n")}, "`a\\u{60}b\\u{a}`"},
		"bytes":  {export.RequestBody{Parts: literal("\xff")}, "base64,/w==;"},
		"template": {
			export.RequestBody{JSON: true, Parts: literal(`{"a": "{{b}}"}`)},
			"`\\u{7b}\\u{22}a\\u{22}: \\u{22}\\u{7b}\\u{7b}b\\u{7d}\\u{7d}\\u{22}\\u{7d}`",
		},
		"a string": {
			export.RequestBody{JSON: true, Parts: member(export.EscapeJSON)},
			`{"a": "{{order_id}}"}`,
		},
		"a number or string": {
			export.RequestBody{JSON: true, Parts: member(export.EscapeNumber)},
			"`\\u{7b}\\u{22}a\\u{22}: {{order_id_number}}\\u{7d}`",
		},
	} {
		if got := w.body(&c.body); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// Each format has an expression for a captured value of each kind.
func TestCapturedValues(t *testing.T) {
	javaScript := newProgram(javaScript("", ""), export.Script{})
	for name, c := range map[string]struct {
		capture                       export.Capture
		shell, program, hurl, postman string
	}{
		"value": {
			capture: export.Capture{Pointer: "/id"},
			shell:   "field /id", program: `field("/id")`, hurl: `jsonpath "$.id"`, postman: `at("/id")`,
		},
		"header": {
			capture: export.Capture{Kind: export.CaptureHeader, Header: "X-Token"},
			shell:   "headed X-Token", program: `headed("X-Token")`, hurl: `header "X-Token"`,
			postman: `pm.response.headers.get("X-Token")`,
		},
		"end of a header": {
			capture: export.Capture{Header: "Location"},
			shell:   "ending Location", program: `ending("Location")`,
			hurl:    `header "Location" regex "([^/?#]+)/*(?:[?#].*)?$" urlDecode`,
			postman: `decodeURIComponent(pm.response.headers.get("Location").replace(/[?#].*$/, "").replace(/\/+$/, "").split("/").pop())`,
		},
		"part of a header": {
			capture: export.Capture{Header: "Link", Pattern: `/a/([^/>]+)\b`},
			shell:   `partOf Link '/a/([^/>]+)\b'`, program: `partOf("Link", "/a/([^/>]+)\\b")`,
			hurl:    `header "Link" regex "/a/([^/>]+)\u{5c}b" urlDecode`,
			postman: `decodeURIComponent(new RegExp("/a/([^/>]+)\\b").exec(pm.response.headers.get("Link"))[1])`,
		},
		"part of a value": {
			capture: export.Capture{Pointer: "/self", Pattern: "a/(.+)"},
			shell:   `partOf /self 'a/(.+)'`, program: `partOf("/self", "a/(.+)")`,
			hurl: `jsonpath "$.self" regex "a/(.+)" urlDecode`, postman: `decodeURIComponent(new RegExp("a/(.+)").exec(at("/self"))[1])`,
		},
		"part of the body": {
			capture: export.Capture{Pattern: "<id>([^<]*)<"},
			shell:   "part '<id>([^<]*)<'", program: `part("<id>([^<]*)<")`, hurl: `body regex "<id>([^<]*)<"`,
			postman: `new RegExp("<id>([^<]*)<").exec(pm.response.text())[1]`,
		},
		"body": {
			capture: export.Capture{Kind: export.CaptureBody},
			shell:   "whole", program: "whole()", hurl: `body regex "(?s)^\\s*\"?(.*?)\"?\\s*$"`,
			postman: "(() => { try { return pm.response.json(); } catch (_) { return pm.response.text().trim(); } })()",
		},
	} {
		t.Run(name, func(t *testing.T) {
			fromHurl, _ := hurlCapture(&c.capture)
			for what, pair := range map[string][2]string{
				"shell":   {shCapture(&c.capture), c.shell},
				"program": {javaScript.captureCall(&c.capture), c.program},
				"hurl":    {fromHurl, c.hurl},
				"postman": {newAnswerProgram(postmanAnswers).capture(&c.capture), c.postman},
			} {
				if pair[0] != pair[1] {
					t.Errorf("%s: got %s, want %s", what, pair[0], pair[1])
				}
			}
		})
	}
}
