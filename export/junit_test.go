package export

import (
	"bytes"
	"encoding/xml"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

// junitAttrs are the attributes that JUnit.xsd or junit-10.xsd requires.
var junitAttrs = map[string][]string{
	"testsuites": {}, "properties": {}, "system-out": {}, "system-err": {}, "skipped": {},
	"testsuite": {"id", "package", "name", "timestamp", "hostname", "tests", "failures", "errors", "time"},
	"property":  {"name", "value"},
	"testcase":  {"name", "classname", "time"},
	"failure":   {"type"},
	"error":     {"type"},
}

// junitMore are attributes that the schemas allow but do not require.
var junitMore = map[string][]string{"testsuite": {"skipped"}, "failure": {"message"}, "error": {"message"}, "skipped": {"message"}}

// junitOrder is the order of elements in their parents.
var junitOrder = map[string][]string{
	"testsuites": {"testsuite"},
	"testsuite":  {"properties", "testcase", "system-out", "system-err"},
	"properties": {"property"},
	"testcase":   {"skipped", "error", "failure"},
}

// checkJUnit checks a file by the rules of the schemas. It returns how often each element occurs.
func checkJUnit(t interface{ Fatalf(string, ...any) }, data []byte) map[string]int {
	count := map[string]int{}
	var open []string
	last := map[int]int{} // for each depth, the place of the last element in the order of its parent
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return count
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%s", err, data)
		}
		switch e := token.(type) {
		case xml.StartElement:
			name := e.Name.Local
			count[name]++
			wanted, known := junitAttrs[name]
			for _, attr := range wanted {
				if !slices.ContainsFunc(
					e.Attr,
					func(a xml.Attr) bool { return a.Name.Local == attr && (a.Value != "" || name == "property") },
				) {
					t.Fatalf("%s has no %s", name, attr)
				}
			}
			for _, a := range e.Attr {
				if !slices.Contains(slices.Concat(wanted, junitMore[name]), a.Name.Local) {
					t.Fatalf("%s must not have %s", name, a.Name.Local)
				}
			}
			if depth := len(open); depth > 0 {
				at := slices.Index(junitOrder[open[depth-1]], name)
				known = known && at >= last[depth]
				if open[depth-1] == "testcase" {
					known = known && last[depth+1] == 0 // at most one
				}
				last[depth] = at
			}
			if !known {
				t.Fatalf("%s must not be there, in %v", name, open)
			}
			open = append(open, name)
			last[len(open)] = 0
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
}

func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	r := outcome()
	r.Trouble = []string{"the run is incomplete"}
	if err := WriteJUnit(&b, r); err != nil {
		t.Fatal(err)
	}
	count := checkJUnit(t, b.Bytes())
	if count["testcase"] != 8 || count["failure"] != 3 || count["error"] != 1 || count["skipped"] != 2 {
		t.Errorf("elements: %v", count)
	}
	if !strings.Contains(b.String(), `<error type="run" message="the run is incomplete">`) {
		t.Errorf("no error in\n%s", b.String())
	}
	var file struct {
		Suites []struct {
			ID       int        `xml:"id,attr"`
			Name     string     `xml:"name,attr"`
			Tests    int        `xml:"tests,attr"`
			Failures int        `xml:"failures,attr"`
			Errors   int        `xml:"errors,attr"`
			Skipped  int        `xml:"skipped,attr"`
			Cases    []struct{} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(b.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	sum := map[string]int{}
	for i, s := range file.Suites {
		sum["testcase"], sum["failure"], sum["error"] = sum["testcase"]+s.Tests, sum["failure"]+s.Failures, sum["error"]+s.Errors
		if s.ID != i || s.Tests != len(s.Cases) || strings.Contains(s.Name, ": ") != (i > 0) {
			t.Errorf("suite %d is %+v", i, s)
		}
	}
	if sum["testcase"] != 8 || sum["failure"] != 3 || sum["error"] != 1 {
		t.Errorf("the suites have %v", sum)
	}
}

// Each resource has a suite.
func TestJUnitResources(t *testing.T) {
	for op, want := range map[model.OpID]string{
		"GET /orders/{id}/items": "orders", "GET /{tenant}/orders": "orders", "GET /": "/", "GET /{id}": "/", "": "/", "GET /a\n b": "a  b",
	} {
		if got := junitResource(op, 0); got != want {
			t.Errorf("%q: got %q, want %q", op, got, want)
		}
	}
	for name, c := range map[string]struct {
		ops  []model.OpID
		want int
	}{
		"a version":         {[]model.OpID{"GET /api/v1/a", "GET /api/v1/b/{id}"}, 2},
		"a path of its own": {[]model.OpID{"GET /api", "GET /api/b"}, 0},
		"one path":          {[]model.OpID{"GET /api/b", "PUT /api/b"}, 1},
		"one operation":     {[]model.OpID{"GET /api/b"}, 0},
		"nothing shared":    {[]model.OpID{"GET /a/x", "GET /b/x"}, 0},
		"none":              {nil, 0},
	} {
		if got := sharedSegments(c.ops); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}

// For all texts of a service or a spec, the file is well-formed and has the same elements. No text can
// imitate a line of the file.
func TestJUnitHoldsAnyText(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.SampledFrom([]string{"]]>", "\nverdict: flaky", "</failure>", "\x00", "\xff\xfe", "\u202e", "\ufffe", "&#0;"}))
	rapid.Check(t, func(t *rapid.T) {
		evil := text.Draw(t, "text")
		r := vile()
		r.Started = outcome().Started
		r.Title, r.Command, r.Trouble = evil, evil, []string{evil}
		f := &r.Faults[0]
		f.Op, f.Oracle, f.Expected, f.Text, f.Signature = model.OpID("GET /"+evil), "x"+evil, evil, evil, evil
		f.Test = &model.Test{
			Calls: []model.Call{
				{
					Op:   f.Op,
					User: evil,
					Args: []model.Arg{{In: model.InPath, Name: evil, Value: evil}},
					Body: &model.Payload{Media: evil, Data: evil},
				},
			},
		}
		var b bytes.Buffer
		if err := WriteJUnit(&b, r); err != nil {
			t.Fatal(err)
		}
		got := checkJUnit(t, b.Bytes())
		n := got["testsuite"] // the text may be a resource of its own
		want := map[string]int{
			"error": 1, "failure": 1, "properties": n, "property": 7 * n, "skipped": 1, "system-err": n, "system-out": n, "testcase": 4,
			"testsuite": n, "testsuites": 1,
		}
		if n < 2 || n > 4 || !maps.Equal(got, want) {
			t.Fatalf("elements %v, want %v", got, want)
		}
		var file struct {
			Failures []string `xml:"testsuite>testcase>failure"`
		}
		if err := xml.Unmarshal(b.Bytes(), &file); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(file.Failures[0]) {
			if strings.HasPrefix(line, "verdict: ") && line != "verdict:  not repeated, seen 0×\n" {
				t.Fatalf("forged: %q", line)
			}
		}
	})
}
