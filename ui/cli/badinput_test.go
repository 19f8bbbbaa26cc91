package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"sonde/ui/cli"
)

// reading has command lines that read a spec and send no requests.
var reading = []string{
	"check", "check --json", "groups", "groups --json", "groups --values deep --match qualified", "seqs", "seqs --json",
	"graph", "graph --json", "graph --format dot", "graph --format mermaid", "graph --format svg", "graph --values deep --match qualified",
}

// odd has unusual names that are valid in a spec. Tests use them as names of operations, parameters and the like.
var odd = []string{
	"with space", `quo"te'` + "`", "new\nline\r\ttab", "\u202eright to left\u2066", "\u05e9\u05dc\u05d5\u05dd",
	"\x1b[31mred\x1b]0;title\a", "\u009b1m\u0085", `back\slash`, "\u200b", "<b>&amp;", "\U000e0041",
}

// badSpecs returns documents that each have one mistake or one unusual property.
func badSpecs() map[string]string {
	specs := map[string]string{
		"names differ": `{"openapi": "3.0.0", "paths": {"/a/{x}": {"get": {"parameters": [{"name": "x", "in": "path"}]}},
"/a/{y}": {"get": {"parameters": [{"name": "y", "in": "path"}]}}, "/a": {"post": {"responses": {"201": {"content":
      {"a/b": {"schema": {"properties": {"x": {}, "y": {}}}}}}}}}}}`,
		"little said": `{"swagger": "2.0", "paths": {"/a": {"post": {"parameters": [{"name": "p", "in": "query"},
            {"name": "b", "in": "body", "schema": {"required": [], "items": {"properties": {"q": {}}}}}]}}}}`,
		"booleans": "openapi: 3.0.0\npaths: {/on: {get: {operationId: on, tags: [yes, no, y], parameters: [{name: off, in: query}]}}}\n",
		"circles": `{"openapi": "3.0.0", "paths": {"/a": {"$ref": "#/paths/~1a"}, "/b": {"get":
            {"parameters": [{"$ref": "#/components/parameters/p"}],
"responses": {"200": {"content": {"a/b": {"schema": {"$ref": "#/components/schemas/s"}}}}}}}},
"components": {"parameters": {"p": {"$ref": "#/components/parameters/p"}},
"schemas": {"s": {"allOf": [{"$ref": "#/components/schemas/s"}], "properties": {"s":
      {"$ref": "#/components/schemas/s"}}, "items": {"$ref": "#/components/schemas/s"}}}}}`,
		"nothing": `{"openapi": "3.0.0"}`,
		"names":   oddSpec(),
	}
	for name, tags := range map[string]string{"many without tags": `[]`, "many with one tag": `["all"]`} {
		specs[name] = manyOperations(600, tags)
	}
	return specs
}

// oddSpec returns a spec with an odd name in every place that has a name.
func oddSpec() string {
	var items []string
	for _, name := range odd {
		quoted, _ := json.Marshal(name) // cannot fail for a string
		inside := string(quoted[1 : len(quoted)-1])
		items = append(items, strings.ReplaceAll(`"/NAME/{NAME}": {"get": {"operationId": "NAME", "tags": ["NAME"], "NAME": 1,
"parameters": [{"name": "NAME", "in": "path"}, {"name": "q", "in": "query"}], "responses": {"NAME": {}, "200": {"description": "NAME",
"content": {"NAME": {"schema": {"properties": {"NAME": {"type": "NAME"}, "q": {}, "r": {"$ref": "NAME"}}}}}}}}, "NAME": {}}`,
			"NAME", inside))
	}
	title, _ := json.Marshal(strings.Join(odd, ""))
	return fmt.Sprintf(`{"openapi": "3.0.0", "info": {"title": %s, "version": %s}, "servers": [{"url": %s}], "paths": {%s}}`,
		title, title, title, strings.Join(items, ","))
}

// manyOperations returns a spec with n operations, each of which feeds the next one. tags is the JSON of the tags of
// each operation.
func manyOperations(n int, tags string) string {
	var items []string
	for i := range n {
		items = append(items, fmt.Sprintf(`"/%d": {"get": {"tags": %s, "parameters": [{"name": "p%d", "in": "query", "required": true}],
"responses": {"200": {"content": {"a/b": {"schema": {"properties": {"p%d": {}}}}}}}}}`, i, tags, i, i+1))
	}
	return `{"openapi": "3.0.0", "paths": {` + strings.Join(items, ",") + "}}"
}

// TestBadInput runs every command that reads a spec on bad specs. Each command ends with a usual exit
// code and prints no control characters.
func TestBadInput(t *testing.T) {
	for name, spec := range badSpecs() {
		if testing.Short() && strings.HasPrefix(name, "many ") {
			continue // too large
		}
		file := filepath.Join(t.TempDir(), "spec.json")
		if err := os.WriteFile(file, []byte(spec), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, command := range reading {
			t.Run(name+"/"+command, func(t *testing.T) {
				t.Parallel()
				var out, errs bytes.Buffer
				if code := cli.Main(append(strings.Fields(command), file), nil, &out, &errs); code != 0 {
					t.Errorf("exit code %d: %s", code, &errs)
				}
				checkNothingRaw(t, out.String()+errs.String())
				if strings.HasSuffix(command, "--json") && !json.Valid(out.Bytes()) {
					t.Errorf("the JSON is broken: %s", &out)
				}
			})
		}
	}
}

// checkNothingRaw fails the test if text has control characters.
func checkNothingRaw(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSuffix(line, "\n"), "\t")
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }) {
			t.Errorf("got %+q", line)
			return
		}
	}
}

// TestBadInputKeepsNames checks that JSON output has the names exactly as in the document.
func TestBadInputKeepsNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spec.json")
	if err := os.WriteFile(file, []byte(oddSpec()), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cli.Main([]string{"check", "--json", file}, nil, &out, &out)
	var report struct{ Operations []string }
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	for i, name := range odd {
		if want := "GET /" + name + "/{" + name + "}"; i >= len(report.Operations) || report.Operations[i] != want {
			t.Errorf("got %q, want %q among them", report.Operations, want)
		}
	}
}

// TestRefusedInput checks that bad input is refused with an error in one line.
func TestRefusedInput(t *testing.T) {
	laughs := "openapi: 3.0.0\nx0: &x0 [ha, ha]\n"
	for i := 1; i < 10; i++ {
		laughs += fmt.Sprintf("x%d: &x%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d, ", i-1), 10), ", "))
	}
	laughs += "paths: {/a: {get: {parameters: [{name: p, in: query, schema: {enum: *x9}}]}}}\n"
	deep := strings.Repeat("[", 100_000)
	for name, test := range map[string]struct{ text, want string }{
		"aliases that expand": {laughs, "too many values"},
		"deep brackets":       {deep, "nested deeper than 1000 levels"},
		"escapes, no spec":    {"{\"\x1b[31m\\u009b\": 1}", "no OpenAPI document"},
		"nothing":             {"", "it is empty"},
	} {
		file := filepath.Join(t.TempDir(), "spec.yaml")
		if err := os.WriteFile(file, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"check", "groups", "seqs", "graph"} {
			t.Run(name+"/"+command, func(t *testing.T) {
				var out, errs bytes.Buffer
				code := cli.Main(append(strings.Fields(command), file), nil, &out, &errs)
				if code != 2 || out.Len() > 0 || !strings.Contains(errs.String(), test.want) || strings.Count(errs.String(), "\n") != 1 {
					t.Errorf("exit code %d, output %q, errors %q; want 2 and %q", code, &out, &errs, test.want)
				}
				checkNothingRaw(t, errs.String())
			})
		}
	}
}

// TestTooLarge checks that a file of one byte more than 64 MiB is refused before it is read, unless --max-size allows
// it.
func TestTooLarge(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spec.json")
	if err := os.WriteFile(file, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 64<<20+1); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := cli.Main([]string{"check", file}, nil, &out, &errs)
	if code != 2 || !strings.Contains(errs.String(), "is larger than the limit of 64 MiB") {
		t.Errorf("exit code %d, errors %q", code, &errs)
	}
	for size, want := range map[string]string{
		"1kB":   `is larger than the limit of 1000 B: --max-size raises it`,
		"65MiB": "it is binary data",
		"0":     `invalid argument "0" for "--max-size" flag: give a size such as 200MiB`,
		"big":   `invalid argument "big" for "--max-size" flag: give a size such as 200MiB`,
	} {
		errs.Reset()
		code := cli.Main([]string{"check", "--max-size", size, file}, nil, &out, &errs)
		if code != 2 || !strings.Contains(errs.String(), want) {
			t.Errorf("--max-size %s: exit code %d, errors %q, want %q", size, code, &errs, want)
		}
	}
}
