package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

func annotationsOf(t failer, spec SpecFile, all ...Annotation) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteAnnotations(&b, spec, all); err != nil {
		t.Fatalf("%v", err)
	}
	return b.String()
}

func TestAnnotation(t *testing.T) {
	f := outcome().Faults[0]
	spec := SpecFile{URI: "api%20v1/a,b.yaml", Lines: map[model.OpID]int{f.Op: 7}}
	at := func(level AnnotationLevel, title, text string, op model.OpID) Annotation {
		return Annotation{Level: level, Title: title, Text: text, Op: op}
	}
	for name, c := range map[string]struct {
		spec SpecFile
		a    Annotation
		want string
	}{
		"a line": {
			spec,
			at(AnnotateError, "a: b", "50% of\nit", f.Op),
			"::error file=api v1/a%2Cb.yaml,line=7,title=a%3A b::50%25 of it\n",
		},
		"no line": {spec, at(AnnotateNotice, "a", "b", "GET /other"), "::notice file=api v1/a%2Cb.yaml,title=a::b\n"},
		"a run":   {spec, at(AnnotateError, "a", "b", ""), "::error title=a::b\n"},
		"a URL":   {SpecFile{URI: "https://a.example/x"}, at(AnnotateWarning, "a", "b", f.Op), "::warning title=a::b\n"},
		"no file": {
			SpecFile{},
			AnnotationOf(AnnotateError, f, "late"),
			"::error title=Sonde%3A " + f.Oracle + "::" + faultText(f) + " (late)\n",
		},
	} {
		if got := annotationsOf(t, c.spec, c.a); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// GitHub shows ten annotations of a level. The last one says how many more there are.
func TestManyAnnotations(t *testing.T) {
	all := []Annotation{{Level: AnnotateWarning, Title: "w", Text: "w"}}
	for i := range 13 {
		all = append(all, Annotation{Level: AnnotateError, Title: "e", Text: fmt.Sprint("e", i)})
	}
	got := annotationsOf(t, SpecFile{}, all...)
	const last = "e9 (3 more are in the summary of the job)\n"
	if strings.Count(got, "::error ") != 10 || strings.Count(got, "::warning ") != 1 || !strings.HasSuffix(got, last) {
		t.Errorf("got\n%s", got)
	}
}

// Each annotation is one command, whatever its texts are.
func TestAnnotationsHoldAnyText(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"\n::add-mask::x", "\r\n::error::", "%0A", "::", ",line=1", "\xff", strings.Repeat("x", 5000),
	}))
	rapid.Check(t, func(t *rapid.T) {
		evil := text.Draw(t, "text")
		spec := SpecFile{URI: "a.yaml", Lines: map[model.OpID]int{"GET /a": 1}}
		got := annotationsOf(t, spec, Annotation{Level: AnnotateError, Title: evil, Text: evil, Op: "GET /a"})
		head, rest, _ := strings.Cut(strings.TrimPrefix(got, "::error "), "::")
		oneLine := strings.Count(got, "\n") == 1 && strings.HasSuffix(rest, "\n") && !strings.Contains(got, "\r")
		if !oneLine || strings.Count(head, ",") != 2 || len(rest) > 5000 {
			t.Fatalf("got %q", got)
		}
	})
}

// The report has unique fingerprints, also of known faults, and severities and places as GitLab demands.
func TestCodeQuality(t *testing.T) {
	r := outcome()
	r.Known = map[string]string{r.Faults[0].ID: "x"}
	var b bytes.Buffer
	if err := WriteCodeQuality(&b, r, SpecFile{URI: "api%20v1/a.yaml", Lines: map[model.OpID]int{r.Faults[0].Op: 7}}); err != nil {
		t.Fatal(err)
	}
	var issues []qualityIssue
	if err := json.Unmarshal(b.Bytes(), &issues); err != nil {
		t.Fatal(err)
	}
	prints, lines := map[string]bool{}, map[int]bool{}
	for _, i := range issues {
		prints[i.Fingerprint], lines[i.Location.Lines.Begin] = true, true
		if i.Description == "" || i.Check == "" || i.Location.Path != "api v1/a.yaml" || i.Severity != "critical" && i.Severity != "major" {
			t.Errorf("issue %+v", i)
		}
	}
	if len(issues) != 3 || len(prints) != 3 || !lines[7] || !lines[1] {
		t.Errorf("%d issues with fingerprints %v in lines %v", len(issues), prints, lines)
	}
	b.Reset()
	if err := WriteCodeQuality(&b, Report{}, SpecFile{}); err != nil || b.String() != "[]\n" {
		t.Errorf("no fault: %q, error %v", b.String(), err)
	}
}
