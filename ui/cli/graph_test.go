package cli_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"sonde/assets/demo"
	"sonde/ui/cli"
)

var update = flag.Bool("update", false, "write the golden files anew")

// graphSpec writes one of graphSpecs to a file, and returns its path.
func graphSpec(t *testing.T, name string) string {
	t.Helper()
	if name != "demo" {
		return filepath.Join("testdata", "graph", name+".yaml")
	}
	path := filepath.Join(t.TempDir(), "demo.json")
	if err := os.WriteFile(path, demo.Specification(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// graph runs sonde graph with values matched by name, so that the output does not depend on changes of the
// default matching.
func graph(t *testing.T, spec string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{"graph", graphSpec(t, spec), "--values", "shallow", "--match", "name"}, args...)
	if code := cli.Main(args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	return out.String()
}

var graphGoldens = []struct {
	file string
	args []string
}{
	{"text", nil},
	{"reduced.text", []string{"--reduce"}},
	{"resources.text", []string{"--of", "resources"}},
	{"json", []string{"--format", "json", "--reduce"}},
	{"dot", []string{"--format", "dot"}},
	{"resources.dot", []string{"--format", "dot", "--of", "resources"}},
	{"reduced.mmd", []string{"--format", "mermaid", "--reduce"}},
	{"resources.mmd", []string{"--format", "mermaid", "--of", "resources"}},
	{"reduced.svg", []string{"--format", "svg", "--reduce"}},
	{"resources.svg", []string{"--format", "svg", "--of", "resources"}},
}

func TestGraphGoldens(t *testing.T) {
	for _, spec := range []string{"demo", "hostile"} {
		for _, g := range graphGoldens {
			t.Run(spec+"."+g.file, func(t *testing.T) {
				path := filepath.Join("testdata", "graph", spec+"."+g.file)
				got := graph(t, spec, g.args...)
				if *update {
					if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("%s is not as it was; -update writes it anew. Got\n%s", path, got)
				}
			})
		}
	}
}

// In each format, names stay inside their quotes, even if the spec has hostile names.
func TestGraphOfAHostileSpec(t *testing.T) {
	for format, check := range map[string]func(*testing.T, string){
		"text": visible, "dot": visible, "mermaid": flowchart, "svg": wellFormed, "json": valid,
	} {
		for _, of := range []string{"operations", "resources"} {
			for _, reduce := range []string{"--reduce=false", "--reduce"} {
				t.Run(strings.Join([]string{format, of, reduce}, " "), func(t *testing.T) {
					check(t, graph(t, "hostile", "--format", format, "--of", of, reduce))
				})
			}
		}
	}
}

// visible fails the test if text has control characters.
func visible(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Fatalf("%q is in\n%q", r, text)
		}
	}
}

// flowchartLine matches a valid line of mermaid.
var flowchartLine = regexp.MustCompile(`^(flowchart LR` +
	`|    (n\d+|note)\["` + entities + `(<br/>` + entities + `)*"\]` +
	`|    n\d+ -->(\|"` + entities + `"\|)? n\d+` +
	`|    classDef [a-z]+ stroke:#[0-9a-f]{6},stroke-width:2px` +
	`|    class n\d+(,n\d+)* [a-z]+)$`)

const entities = `([A-Za-z0-9 /_.,+-]|[^\x00-\x7f]|#\d+;)*`

func flowchart(t *testing.T, text string) {
	t.Helper()
	visible(t, text)
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if !flowchartLine.MatchString(line) || strings.Contains(line, "direction") {
			t.Errorf("line %q", line)
		}
	}
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	visible(t, text)
	names := map[string]bool{}
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := token.(xml.StartElement); ok {
			names[s.Name.Local] = true
		}
	}
	if names["script"] || names["b"] || !names["svg"] {
		t.Errorf("elements %v", names)
	}
}

func valid(t *testing.T, text string) {
	t.Helper()
	if !json.Valid([]byte(text)) {
		t.Errorf("no JSON: %s", text)
	}
}

// If all operations take and emit the same value, the picture has a limited size and a note on what it
// leaves out.
func TestGraphOfMany(t *testing.T) {
	var b strings.Builder
	b.WriteString("openapi: 3.0.3\ninfo: {title: Many, version: '1'}\npaths:\n")
	for i := range 400 {
		b.WriteString("  /r" + strings.Repeat("x", i) + ":\n    get:\n      parameters: [{name: id, in: query, schema: {type: string}}]\n" +
			"      responses: {200: {description: ok, content: {application/json: {schema: {type: object, " +
			"properties: {id: {type: string}}}}}}}\n")
	}
	path := filepath.Join(t.TempDir(), "many.yaml")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{
		"svg":     "Not shown: 100 operations and 89,300 arrows",
		"mermaid": "Not shown: 150 operations and 61,850 arrows",
		"dot":     "Not shown: 139,600 arrows",
	} {
		var out, errs bytes.Buffer
		if code := cli.Main([]string{"graph", path, "--match", "name", "--format", format}, nil, &out, &errs); code != 0 {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		if !strings.Contains(errs.String(), want) {
			t.Errorf("%s: told %q, want %q", format, errs.String(), want)
		}
		if text := strings.ReplaceAll(out.String(), "#58;", ":"); !strings.Contains(text, want) {
			t.Errorf("%s does not say %q", format, want)
		}
	}
}

// If the output leaves something out, it lists the flags that would show it.
func TestGraphHints(t *testing.T) {
	var b strings.Builder
	b.WriteString("openapi: 3.0.3\ninfo: {title: Many, version: '1'}\npaths:\n")
	for i := range 320 {
		b.WriteString("  /r" + strings.Repeat("x", i) + ": {get: {tags: [all], responses: {200: {description: ok}}}}\n")
	}
	path := filepath.Join(t.TempDir(), "many.yaml")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	const tag, resources, reduce = "--tag shows a part", "--of resources shows", "--reduce shows"
	for args, want := range map[string]string{
		"":                                  "; " + tag + ", " + resources + " the whole in short, " + reduce + " fewer arrows",
		"--reduce":                          "; " + tag + ", " + resources + " the whole in short",
		"--of resources":                    "; " + tag + ", " + reduce + " fewer arrows",
		"--tag all --of resources --reduce": "Not shown: 20 resources",
	} {
		var out, errs bytes.Buffer
		line := append([]string{"graph", path, "--format", "svg"}, strings.Fields(args)...)
		if code := cli.Main(line, nil, &out, &errs); code != 0 || !strings.HasSuffix(errs.String(), want+"\n") {
			t.Errorf("%s: exit code %d, told %q, want %q", args, code, errs.String(), want)
		}
	}
}

// A long list of values is wrapped only between names, not at a hyphen inside a name.
func TestGraphKeepsNamesWhole(t *testing.T) {
	var names []string
	for i := range 20 {
		names = append(names, "a-long-hyphenated-name-"+string(rune('a'+i)))
	}
	text := "openapi: 3.0.3\ninfo: {title: Names, version: '1'}\npaths:\n  /a: {get: {responses: {200: {description: ok, content: " +
		"{application/json: {schema: {type: object, properties: {" + strings.Join(names, ": {type: string}, ") +
		": {type: string}}}}}}}}}\n"
	path := filepath.Join(t.TempDir(), "names.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cli.Main([]string{"graph", path, "--match", "name"}, nil, &out, io.Discard)
	for _, name := range names {
		if !strings.Contains(out.String(), name) {
			t.Errorf("%s is not whole in\n%s", name, out.String())
		}
	}
}
