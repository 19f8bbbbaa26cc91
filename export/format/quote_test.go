package format

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"sonde/export"

	"pgregory.net/rapid"
)

func TestTextsAreQuoted(t *testing.T) {
	for name, c := range map[string]struct {
		quote func(string) string
		want  map[string]string
	}{
		"a word of a shell": {shellQuote, map[string]string{
			"":            "''",
			"a/b?c":       "'a/b?c'",
			"it's":        `'it'\''s'`,
			"/a-b_c.d:e":  "/a-b_c.d:e",
			"~root":       "'~root'",
			"a~b":         "a~b",
			"$(rm x) `y`": "'$(rm x) `y`'",
			"a\x00b":      "ab",
		}},
		"bytes for printf": {shBytes, map[string]string{
			"plain":     "'plain'",
			"100%":      `'100\045'`,
			"a'b\\\x00": `'a\047b\134\000'`,
			"--a-":      `'\055-a-'`,
			"ü":         `'\303\274'`,
		}},
		"double quotes of a shell": {inDoubleQuotes, map[string]string{
			`a"b$c` + "`d`" + `\e}`: `a\"b\$c` + "\\`d\\`" + `\\e\}`,
		}},
		"a JSON pointer for a shell": {shPointer, map[string]string{
			"/a/b":    "/a/b",
			"/a b":    "'/a b'",
			"/a\x00b": `'"/a\u0000b"'`,
		}},
		"a text of Hurl": {hurlText, map[string]string{
			"plain text":   "plain text",
			`say "{{x}}"#`: `say \u{22}\u{7b}\u{7b}x\u{7d}\u{7d}\u{22}\u{23}`,
			"ü\n":          `\u{fc}\u{a}`,
		}},
		"a header of Hurl":  {hurlKey, map[string]string{"X-Key_1.a": "X-Key_1.a", "a:b c": `a\u{3a}b\u{20}c`}},
		"a URL of Hurl":     {hurlURL, map[string]string{"/a?b#c": `/a?b\#c`}},
		"a literal of Hurl": {hurlLiteral, map[string]string{`"a\"b"`: `"a\u{22}b"`, "12.50": "12.50", "null": `""`}},
		"a path of jq": {jqPath, map[string]string{
			"":            ".",
			"/items/0/id": ".items[0].id",
			"/items/01":   `.items["01"]`,
			"/a-b/c~1d":   `.["a-b"]["c/d"]`,
		}},
		"a JSONPath": {jsonPath, map[string]string{
			"":              "$",
			"/items/0/id":   "$.items[0].id",
			"/01/it's/a~1b": `$['01']['it\'s']['a/b']`,
		}},
		"a name in snake case": {snake, map[string]string{
			"CreateProductThenGetPrice_404": "create_product_then_get_price_404",
			"GetURLOfHTTPServer":            "get_url_of_http_server",
			"A":                             "a",
		}},
		"a decimal number": {decimal, map[string]string{"12.50": "12.50", "1e3": "1000", "-2.5E-2": "-0.025", "x1e": "x1e"}},
		"a method of Java": {lowered, map[string]string{"GetPrice_200": "getPrice_200"}},
	} {
		t.Run(name, func(t *testing.T) {
			for text, want := range c.want {
				if got := c.quote(text); got != want {
					t.Errorf("%q: got %s, want %s", text, got, want)
				}
			}
		})
	}
}

func TestStringsOfLanguages(t *testing.T) {
	languages := map[string]*program{
		"Java":       javaProgram(export.Script{}),
		"JavaScript": newProgram(javaScript("", ""), export.Script{}),
		"Python":     pythonic(export.Script{}),
	}
	for text, want := range map[string]map[string]string{
		"plain":       {"Java": `"plain"`, "JavaScript": `"plain"`, "Python": `"plain"`},
		`say "x"`:     {"Java": `"say \"x\""`, "JavaScript": `'say "x"'`, "Python": `'say "x"'`},
		`it's "x"`:    {"Java": `"it's \"x\""`, "JavaScript": `"it's \"x\""`, "Python": `"it's \"x\""`},
		"a\\b\n\r\t":  {"Java": `"a\\b\n\r\t"`, "JavaScript": `"a\\b\n\r\t"`, "Python": `"a\\b\n\r\t"`},
		"ü":           {"Java": `"\u00fc"`, "JavaScript": `"ü"`, "Python": `"ü"`},
		"\x00\u202e":  {"Java": `"\u0000\u202e"`, "JavaScript": `"\u0000\u202e"`, "Python": `"\u0000\u202e"`},
		"\U000f0000x": {"Java": `"\udb80\udc00x"`, "JavaScript": `"\udb80\udc00x"`, "Python": `"\U000f0000x"`},
	} {
		for name, w := range languages {
			if got := w.quote(text); got != want[name] {
				t.Errorf("%s of %q: got %s, want %s", name, text, got, want[name])
			}
		}
	}
}

// A comment in a Java file contains no \u, which Java reads as an escape even in comments. The names in the
// description of a body come from a service or a search, so they may contain \u.
func TestCommentsOfJava(t *testing.T) {
	body := &export.RequestBody{Media: "multipart/form-data; boundary=x", Parts: literal(
		"--x\r\nContent-Disposition: form-data; name=\"a\\u000aü\"\r\nContent-Type: image/png\r\n\r\n\xff\r\n--x--\r\n",
	)}
	w := javaProgram(export.Script{})
	w.calls(oneCall(export.Request{Method: "POST", Path: literal("/a"), Body: body}), "")
	if got := w.String(); !strings.Contains(got, "// Its body is a/u000a?: image/png, 1 byte.\n") {
		t.Errorf("got\n%s", got)
	}
}

// A Java string without surrogates is also a JSON string, so a JSON parser can read it back.
func TestStringsAreReadBack(t *testing.T) {
	w := javaProgram(export.Script{})
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		var back string
		if err := json.Unmarshal([]byte(w.quote(text)), &back); err != nil || back != text {
			t.Fatalf("%q: %s is read as %q, %v", text, w.quote(text), back, err)
		}
	})
}

func TestShellReadsWordsBack(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here: ", err)
	}
	for _, text := range []string{"", "it's", "$HOME `id` \\ \"x\"", "a\nb", "~", "*", "ü"} {
		for name, word := range map[string]string{"sh": shellQuote(text), "double quotes": `"` + inDoubleQuotes(text) + `"`} {
			if name == "double quotes" {
				word = `"${unset_variable:-` + inDoubleQuotes(text) + `}"`
			}
			got, err := exec.CommandContext(t.Context(), shell, "-c", "printf %s "+word).Output()
			if err != nil || string(got) != text {
				t.Errorf("%s of %q: got %q, %v", name, text, got, err)
			}
		}
	}
}

func TestStatuses(t *testing.T) {
	for _, c := range []struct {
		wanted             []string
		pattern, condition string
	}{
		{
			wanted:    []string{"404"},
			pattern:   "^(404)$",
			condition: "$statusCode == 404",
		},
		{
			wanted:    []string{"200-299", "409"},
			pattern:   "^([2-2][0-9][0-9]|409)$",
			condition: "($statusCode >= 200 && $statusCode <= 299) || $statusCode == 409",
		},
		{
			wanted:    []string{"100-499", "502-504"},
			pattern:   "^([1-4][0-9][0-9]|502|503|504)$",
			condition: "($statusCode >= 100 && $statusCode <= 499) || ($statusCode >= 502 && $statusCode <= 504)",
		},
	} {
		if got := statusPattern(c.wanted); got != c.pattern {
			t.Errorf("%q: got the pattern %s, want %s", c.wanted, got, c.pattern)
		}
		if got := statusCondition(c.wanted); got != c.condition {
			t.Errorf("%q: got the condition %s, want %s", c.wanted, got, c.condition)
		}
	}
}
