package openapi_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"sonde/model"
	"sonde/model/openapi"
)

func parse(t *testing.T, text string) *model.Spec {
	t.Helper()
	spec, err := openapi.Parse(context.Background(), "x", []byte(text), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// TestThousandsOfOperations checks that a large document is read with all operations and tags in order.
func TestThousandsOfOperations(t *testing.T) {
	const n = 5000
	for name, tags := range map[string]string{"no tags": "", "one tag for all": `"tags": ["all"], `} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString(`{"openapi": "3.0.0", "paths": {`)
			for i := range n {
				fmt.Fprintf(&b, `"/%d": {"get": {%s"responses": {"200": {}}}},`, n-i, tags)
			}
			spec := parse(t, strings.TrimSuffix(b.String(), ",")+"}}")
			if len(spec.Operations) != n || len(spec.Problems) > 0 {
				t.Fatalf("got %d operations and problems %v, want %d and none", len(spec.Operations), spec.Problems, n)
			}
			if first, last := spec.Operations[0].ID, spec.Operations[n-1].ID; first != "GET /5000" || last != "GET /1" {
				t.Errorf("got %q first and %q last", first, last)
			}
			if got := spec.Tags(); len(got) != 1 || len(spec.OperationsByTag(got[0])) != n {
				t.Errorf("got tags %q", got)
			}
		})
	}
}

// odd are unusual names for parts of a document.
var odd = []string{
	"with space", `quo"te'` + "`", "new\nline\r\ttab", "\u202eright to left\u2066", "\u05e9\u05dc\u05d5\u05dd",
	"\x1b[31mred\x1b]0;title\a", "\u009b1m\u0085", `back\slash`, "\u200b", "", "/", "~", "#", "x-", "on",
}

// TestOddNames checks that unusual names are kept as they are in the file, and that the texts of problems have no
// control characters.
func TestOddNames(t *testing.T) {
	for _, name := range odd {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			q := compact(name)
			spec := parse(t, strings.ReplaceAll(`{"openapi": "3.0.0", "info": {"title": NAME}, "paths": {"/a": {"get": {
"operationId": NAME, "tags": [NAME], "parameters": [{"name": NAME, "in": "query"}, {"name": "p", "in": NAME}],
"responses": {NAME: {}, "200": {"headers": {NAME: {"schema": {"type": NAME}}}, "links": {NAME: {"operationId": NAME}},
"content": {NAME: {"schema": {"properties": {NAME: {"$ref": NAME}}}}}}},
"callbacks": {"c": {"$url": {"post": {}}}}}, NAME: 1}}}`, "NAME", q))
			op := spec.Operations[0]
			last := op.Responses[len(op.Responses)-1]
			got := []string{
				spec.Title, op.Name, op.Tags[0], op.Params[0].Name,
				last.Headers[0].Name, last.Contents[0].Media, last.Contents[0].Schema.Properties[0].Name,
			}
			for _, g := range got {
				if g != name {
					t.Errorf("got %q, want %q", got, name)
				}
			}
			checkPrintable(t, spec.Problems)
		})
	}
}

func checkPrintable(t *testing.T, problems []model.Problem) {
	t.Helper()
	if len(problems) == 0 {
		t.Error("got no problems")
	}
	for _, p := range problems {
		if strings.ContainsFunc(p.Text, func(r rune) bool { return !unicode.IsGraphic(r) }) || p.Line == 0 {
			t.Errorf("got problem %q in line %d", p.Text, p.Line)
		}
	}
}

// TestBadDetails reads small documents, each with one error or one unusual detail.
func TestBadDetails(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // texts in the rendered spec
	}{
		{
			"two paths that differ in parameter names only",
			`paths: {'/a/{x}': {get: {parameters: [{name: x, in: path}]}}, '/a/{y}': {get: {parameters: [{name: y, in: path}]}}}`,
			[]string{`GET /a/{x} name`, `GET /a/{y} name`, `path "x" required`, `path "y" required`},
		},
		{
			"empty required",
			`paths: {/a: {post: {requestBody: {content: {a/b: {schema: {required: [], properties: {p: {}}}}}}}}}`,
			[]string{"a/b: {.p={}}"},
		},
		{
			"required without a list",
			`paths: {/a: {post: {requestBody: {content: {a/b: {schema: {required: p, properties: {p: {}}}}}}}}}`,
			[]string{"a/b: {.p!={}}"},
		},
		{
			"required that is nothing",
			`paths: {/a: {post: {requestBody: {content: {a/b: {schema: {required: , properties: {p: {}}}}}}}}}`,
			[]string{"a/b: {.p={}}"},
		},
		{
			"required that is a flag",
			`paths: {/a: {post: {requestBody: {content: {a/b: {schema: {required: true, properties: {p: {}}}}}}}}}`,
			[]string{"a/b: {.p={}}", "/schema/required line 2: a list of names belongs here, not true"},
		},
		{
			"items without type",
			`paths: {/a: {post: {requestBody: {content: {a/b: {schema: {items: {type: string}}}}}}}}`,
			[]string{"a/b: {items={string}}"},
		},
		{
			"an array without items",
			`paths: {/a: {post: {requestBody: {content: {a/b: {schema: {type: array}}}}}}}`,
			[]string{"a/b: {array}"},
		},
		{"a parameter without schema", `paths: {/a: {get: {parameters: [{name: p, in: query}]}}}`, []string{`query "p" form* "": {}`}},
		{
			"booleans of YAML 1.1 as names and texts",
			`paths: {/on: {get: {operationId: on, tags: [yes, No, y, off], responses: {200: {content: ` +
				`{a/b: {schema: {required: [no], properties: ` +
				`{on: {enum: [on, off, yes, true]}, no: {}, y: {}, true: {}, null: {}, 1: {}}}}}}}}}}`,
			[]string{
				`GET /on name="on"`, `tags=["yes" "No" "y" "off"]`,
				`.on={enum=["on","off","yes",true]} .no!={} .y={} .true={} .null={} .1={}`,
			},
		},
		{
			"flags that are texts",
			`paths: {/a: {get: {deprecated: 'yes', parameters: [{name: p, in: query, required: on}]}}}`,
			[]string{" deprecated", `query "p" required`},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := render(parse(t, "openapi: 3.0.0\n"+test.text))
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("got %s, want %q in it", got, want)
				}
			}
			if len(test.want) == 1 && strings.Contains(got, "problem") {
				t.Errorf("got problems: %s", got)
			}
		})
	}
}

// TestExpandingAliases reads short YAML whose aliases expand to a thousand million values. The aliases are in each
// place whose value is copied. A document is either read, because aliases share their values, or refused as too
// large.
func TestExpandingAliases(t *testing.T) {
	laughs := func(kind string) string {
		text := "x0: &x0 " + map[string]string{"list": "[ha, ha]", "object": "{a: ha}"}[kind] + "\n"
		for i := 1; i < 10; i++ {
			each := strings.Repeat(fmt.Sprintf("*x%d, ", i-1), 10)
			if kind == "object" {
				for _, key := range "abcdefghij" {
					each = strings.Replace(each, "*", string(key)+": ^", 1)
				}
				text += fmt.Sprintf("x%d: &x%d {%s}\n", i, i, strings.ReplaceAll(each, "^", "*"))
				continue
			}
			text += fmt.Sprintf("x%d: &x%d [%s]\n", i, i, each)
		}
		return text
	}
	const tooMuch, read = "too many values with its aliases expanded", ""
	tests := []struct{ name, kind, text, want string }{
		{"unused", "list", "paths: {}", read},
		{"enum", "list", "paths: {/a: {get: {parameters: [{name: p, in: query, schema: {enum: *x9}}]}}}", tooMuch},
		{"default", "object", "paths: {/a: {get: {parameters: [{name: p, in: query, schema: {default: *x9}}]}}}", tooMuch},
		{"example", "object", "paths: {/a: {get: {parameters: [{name: p, in: query, example: *x9}]}}}", tooMuch},
		{"tags", "list", "paths: {/a: {get: {tags: *x9}}}", read},
		{"required", "list", "paths: {/a: {get: {parameters: [{name: p, in: query, schema: {required: *x9}}]}}}", read},
		{"properties", "object", "paths: {/a: {post: {requestBody: {content: {a/b: {schema: {properties: *x9}}}}}}}", read},
		{"paths", "object", "paths: *x9", read},
		{"callbacks", "object", "paths: {/a: {get: {callbacks: *x9}}}", read},
		{
			"parameters of a link", "object",
			"paths: {/a: {get: {responses: {200: {links: {l: {operationId: o, parameters: *x9}}}}}}}", tooMuch,
		},
		{"merged", "object", "paths: {/a: {<<: [*x9, *x9], get: {}}}", read},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := "openapi: 3.0.0\n" + laughs(test.kind) + test.text
			_, err := openapi.Parse(context.Background(), "x", []byte(text), openapi.Options{MaxNodes: 100_000})
			if test.want == read && err != nil || test.want != read && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
}

// TestExpansionIsBoundedBySize checks that a document of a few kB is refused if it expands to a thousand million
// values. It must be refused before it needs much memory.
func TestExpansionIsBoundedBySize(t *testing.T) {
	nested := func(first, each string) string {
		text := "openapi: 3.0.0\nx0: &x0 " + first + "\n"
		for i := 1; i < 10; i++ {
			var kids []string
			for j := range 10 {
				kids = append(kids, fmt.Sprintf("p%d: *x%d", j, i-1))
			}
			text += fmt.Sprintf("x%d: &x%d %s\n", i, i, strings.ReplaceAll(each, "KIDS", strings.Join(kids, ", ")))
		}
		return text + "paths: {/a: {post: {requestBody: {content: {a/b: {schema: SCHEMA}}}}}}\n"
	}
	wide := "openapi: 3.0.0\nx0: &x0 {"
	for i := range 2000 {
		wide += fmt.Sprintf("p%d: {}, ", i)
	}
	wide += "}\nx1:\n" + strings.Repeat("- {<<: *x0}\n", 2000) + "paths: {}\n"
	tests := []struct{ name, text, want string }{
		{
			"properties", strings.ReplaceAll(nested("{type: string}", "{type: object, properties: {KIDS}}"), "SCHEMA", "*x9"),
			"with its aliases expanded",
		},
		{
			"default", strings.ReplaceAll(nested("{a: ha}", "{KIDS}"), "SCHEMA", "{default: *x9}"),
			"with its aliases expanded",
		},
		{"merged", wide, "its merge keys (<<) add too many values"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := openapi.Parse(context.Background(), "x", []byte(test.text), openapi.Options{})
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q in it", err, test.want)
			}
			if spent := (after.TotalAlloc - before.TotalAlloc) >> 20; spent > 200 {
				t.Errorf("%d kB of YAML took %d MiB", len(test.text)>>10, spent)
			}
		})
	}
}

// TestSize checks that a document of exactly the maximum size is read, and that one more byte is an error.
func TestSize(t *testing.T) {
	const most = 1 << 20
	text := withSchema("#/a")
	text += strings.Repeat(" ", most-len(text))
	file := filepath.Join(t.TempDir(), "x.json")
	for _, more := range []string{"", " "} {
		write(t, file, text+more)
		_, err := openapi.Load(context.Background(), file, openapi.Options{MaxBytes: most})
		if more == "" && err != nil || more != "" && (err == nil || !strings.Contains(err.Error(), "is larger than the limit of 1.0 MiB")) {
			t.Errorf("with %d bytes more: got error %v", len(more), err)
		}
	}
}

// TestDeepText checks that very deeply nested brackets give a short error.
func TestDeepText(t *testing.T) {
	for _, open := range []string{"[", `{"a":`, "- ", "? ", "{a: "} {
		_, err := openapi.Parse(context.Background(), "x", []byte(strings.Repeat(open, 200_000)), openapi.Options{})
		if err == nil || strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
			t.Errorf("%q: got error %v", open, err)
		}
	}
}

// TestTextsOfJSON checks that escapes and invalid characters are read as by encoding/json.
func TestTextsOfJSON(t *testing.T) {
	tests := []struct{ text, want string }{
		{`"plain"`, "plain"},
		{`""`, ""},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{`"\u0041\ud83d\ude00\ud83dx"`, "A😀\ufffdx"},
		{"\"\xff\xe2\x80\"", "\ufffd\ufffd\ufffd"},
		{`"a\\"`, `a\`},
		{`"]}, "`, "]}, "},
	}
	for _, test := range tests {
		spec := parse(t, `{ "openapi":"3.0.0","info" :{"title":`+test.text+",\"version\" : 1.50 }\r\n,\"paths\":\t{ } }\n")
		if spec.Title != test.want || spec.Version != "1.50" {
			t.Errorf("%s: got %q, version %q, want %q", test.text, spec.Title, spec.Version, test.want)
		}
	}
}

// TestRoundInCircles reads objects that refer to themselves, directly or through another file. Only schemas may do
// this. For all other objects, a problem is listed, and the operation is still read.
func TestRoundInCircles(t *testing.T) {
	const frame = `{"openapi": "3.0.0", "paths": {"/a": {"get": {"responses": {}}}, "/b": %s}, "components": {%s}}`
	operation := func(member string) string { return `{"get": {"responses": {}, ` + member + `}}` }
	response := func(member string) string { return `{"get": {"responses": {"200": {` + member + `}}}}` }
	ref := func(to string) string { return `{"$ref": "` + to + `"}` }
	tests := []struct{ kind, section, path string }{
		{"path item", "", `{"$ref": "TO"}`},
		{"parameter", "parameters", operation(`"parameters": [{"$ref": "TO"}]`)},
		{"request body", "requestBodies", operation(`"requestBody": {"$ref": "TO"}`)},
		{"response", "responses", `{"get": {"responses": {"200": {"$ref": "TO"}}}}`},
		{"header", "headers", response(`"headers": {"h": {"$ref": "TO"}}`)},
		{"link", "links", response(`"links": {"l": {"$ref": "TO"}}`)},
		{"callback", "callbacks", operation(`"callbacks": {"c": {"$ref": "TO"}}`)},
		{"example", "examples", operation(`"parameters": [{"name": "p", "in": "query", "examples": {"e": {"$ref": "TO"}}}]`)},
		{"schema", "schemas", operation(`"requestBody": {"content": {"a/b": {"schema": {"$ref": "TO"}}}}`)},
	}
	for _, test := range tests {
		for _, way := range []string{"itself", "another file"} {
			t.Run(test.kind+" by "+way, func(t *testing.T) {
				to := "#/components/" + test.section + "/x"
				if test.section == "" {
					to = "#/paths/~1b"
				}
				first, second := to, "main.json"+to
				if way == "another file" {
					first = "part.json#/x"
				}
				dir := t.TempDir()
				components := fmt.Sprintf(`%q: {"x": %s}`, test.section, ref(first))
				write(t, filepath.Join(dir, "main.json"), fmt.Sprintf(frame, strings.ReplaceAll(test.path, "TO", first), components))
				write(t, filepath.Join(dir, "part.json"), fmt.Sprintf(`{"x": %s}`, ref(second)))
				spec, err := openapi.Load(context.Background(), filepath.Join(dir, "main.json"), openapi.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if spec.Operation("GET /a") == nil || test.section != "" && spec.Operation("GET /b") == nil {
					t.Errorf("got operations %v", spec.Operations)
				}
				circle := func(p model.Problem) bool { return strings.Contains(p.Text, "is a cycle of references") }
				if !slices.ContainsFunc(spec.Problems, circle) {
					t.Errorf("got problems %+v", spec.Problems)
				}
			})
		}
	}
}

// TestSchemasInCircles reads schemas that contain themselves, once for each keyword that can contain a schema.
func TestSchemasInCircles(t *testing.T) {
	for _, holder := range []string{
		`properties: {p: REF}`, `items: REF`, `additionalProperties: REF`, `allOf: [REF]`, `oneOf: [REF, {type: string}]`, `anyOf: [REF]`,
	} {
		for name, files := range map[string]map[string]string{
			"itself":       {"main.yaml": "#/components/schemas/S"},
			"another file": {"main.yaml": "part.yaml#/S", "part.yaml": "main.yaml#/components/schemas/S"},
		} {
			t.Run(holder+" by "+name, func(t *testing.T) {
				dir := t.TempDir()
				held := func(file string) string {
					return "{type: object, " + strings.Replace(holder, "REF", "{$ref: '"+files[file]+"'}", 1) + "}"
				}
				write(t, filepath.Join(dir, "part.yaml"), "S: "+held("part.yaml"))
				write(t, filepath.Join(dir, "main.yaml"), "openapi: 3.0.0\n"+
					"paths: {/a: {post: {requestBody: {content: {a/b: {schema: {$ref: '#/components/schemas/S'}}}}}}}\n"+
					"components: {schemas: {S: "+held("main.yaml")+"}}\n")
				spec, err := openapi.Load(context.Background(), filepath.Join(dir, "main.yaml"), openapi.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]model.Problem(nil), spec.Problems); diff != "" {
					t.Error(diff)
				}
				if got := render(spec); !strings.Contains(got, "(S again)") {
					t.Errorf("got %s", got)
				}
			})
		}
	}
}
