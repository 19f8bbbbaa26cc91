package results

import (
	"flag"
	"fmt"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sonde/model/match"
	"sonde/ui/app/doctor"
	"sonde/ui/app/practice"
)

var updatePage = flag.Bool("update", false, "write the tables of docs/json.md again; meanings stay")

// jsonCommands are the commands in docs/json.md, with the types of their JSON.
var jsonCommands = []struct {
	name string
	of   reflect.Type
}{
	{"sonde graph --json", reflect.TypeFor[graphReport]()},
	{"sonde groups --json", reflect.TypeFor[[]GroupReport]()},
	{"sonde clusters --json", reflect.TypeFor[ClusterReport]()},
	{"sonde seqs --json", reflect.TypeFor[SeqReport]()},
	{"sonde seqs --url URL --json", reflect.TypeFor[practice.Report]()},
	{"sonde seqs --url URL --rule both --json", reflect.TypeFor[practice.Comparison]()},
	{"sonde paths --json", reflect.TypeFor[PathsReport]()},
	{"sonde impact --json", reflect.TypeFor[ImpactReport]()},
	{"sonde import --json", reflect.TypeFor[ImportReport]()},
	{"sonde doctor --json", reflect.TypeFor[doctor.Report]()},
	{"sonde units --json", reflect.TypeFor[UnitsReport]()},
	{"sonde generate --units --json", reflect.TypeFor[UnitTestsReport]()},
	{"sonde ci --json", reflect.TypeFor[CIReport]()},
}

// docs/json.md has every member of the JSON of the commands, in order, with its type. To write the tables again from
// the Go types, without a change to the meanings and the text:
//
//	go test ./ui/results -run JSONPage -update
func TestJSONPage(t *testing.T) {
	const file = "../../docs/json.md"
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := readJSONPage(string(have))
	page := p.String()
	if *updatePage {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if page != string(have) {
		t.Errorf("%s does not have the types of the code: go test ./ui/results -run JSONPage -update", file)
	}
	for _, m := range p.unexplained {
		t.Errorf("%s: write what %s means", file, m)
	}
}

// jsonPage has the parts of the page that people wrote.
type jsonPage struct {
	intro       string
	prose       map[string]string // the text below each heading
	meanings    map[string]string // the meaning of each member, by heading and name
	unexplained []string          // members without a meaning
	written     map[string]bool   // the objects that have a table
}

var jsonRow = regexp.MustCompile("^\\| `([^`]+)` \\| [^|]* \\| (.*?) ?\\|$")

func readJSONPage(text string) *jsonPage {
	p := &jsonPage{prose: map[string]string{}, meanings: map[string]string{}, written: map[string]bool{}}
	intro, rest, _ := strings.Cut(text, "\n## ")
	p.intro = strings.TrimSpace(intro)
	heading := ""
	for line := range strings.Lines("## " + rest) {
		line = strings.TrimRight(line, "\n")
		row := jsonRow.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "#"):
			heading = strings.Trim(line, "# `")
		case row != nil:
			p.meanings[heading+"."+row[1]] = row[2]
		case !strings.HasPrefix(line, "|"):
			p.prose[heading] += line + "\n"
		}
	}
	return p
}

// String returns the page with tables generated from the Go types.
func (p *jsonPage) String() string {
	var b strings.Builder
	b.WriteString(p.intro + "\n")
	for _, c := range jsonCommands {
		of := c.of
		if of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		p.write(&b, "## `"+c.name+"`", c.name, of)
	}
	return b.String()
}

// write writes the table of an object, and the tables of nested objects that have none yet.
func (p *jsonPage) write(b *strings.Builder, title, heading string, of reflect.Type) {
	fmt.Fprintf(b, "\n%s\n", title)
	if prose := strings.TrimSpace(p.prose[heading]); prose != "" {
		fmt.Fprintf(b, "\n%s\n", prose)
	}
	b.WriteString("\n| member | type | meaning |\n|---|---|---|\n")
	var inner []reflect.Type
	for _, f := range reflect.VisibleFields(of) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		meaning := p.meanings[heading+"."+name]
		if meaning == "" {
			p.unexplained = append(p.unexplained, heading+"."+name)
		}
		text := jsonType(f.Type)
		if strings.HasPrefix(options, "omit") {
			text += ", optional"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, text, meaning)
		if object := objectIn(f.Type); object != nil {
			inner = append(inner, object)
		}
	}
	for _, object := range inner {
		if name := objectName(object); !p.written[name] {
			p.written[name] = true
			p.write(b, "### "+name, name, object)
		}
	}
}

// jsonType returns the type of a member in the words of JSON.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return jsonType(t.Elem())
	case reflect.Slice:
		return "array of " + jsonType(t.Elem())
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.String:
		return "string"
	case reflect.Interface:
		return "any"
	}
	if objectIn(t) == nil {
		return "object"
	}
	return fmt.Sprintf("[%s](#%s)", objectName(t), strings.ReplaceAll(objectName(t), " ", "-"))
}

// objectIn returns the object type inside a type, or nil if there is none. Types of package model are left
// out, because they are described with the files of a run.
func objectIn(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || path.Base(t.PkgPath()) == "model" {
		return nil
	}
	return t
}

var upper = regexp.MustCompile("([a-z])([A-Z])")

// objectName returns the name of an object on the page: "impact group" for impactGroupReport.
func objectName(t reflect.Type) string {
	return strings.ToLower(upper.ReplaceAllString(strings.TrimSuffix(t.Name(), "Report"), "$1 $2"))
}

// The JSON of a group has the kinds of its values.
func TestGroupReportsHaveKinds(t *testing.T) {
	for _, g := range GroupReports(things(t)) {
		var values []string
		for _, v := range g.ValueKinds {
			values = append(values, v.Value)
			if v.Value == "thing.id" && !slices.Contains(v.Kinds, match.KindIdentifier) {
				t.Errorf("%s is %v", v.Value, v.Kinds)
			}
		}
		if !slices.Equal(values, g.Values) {
			t.Errorf("kinds are of %v, want those of %v", values, g.Values)
		}
	}
}
