package results_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/ci"
	"sonde/ui/results"
)

// printedCI returns the text of sonde ci for a judgement.
func printedCI(t *testing.T, j ci.Judgement, change func(*results.CIReport)) string {
	t.Helper()
	r := results.NewCIReport("Shop\x1b[2J", model.Summary{Calls: 2000, Covered: 3, Targets: 9}, j)
	r.Run = "sonde-ci/run"
	change(&r)
	var b bytes.Buffer
	if err := results.PrintCI(results.JobLog(&b), r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The text lists the first faults, and says how many more there are. No text of the service is a command of a log.
func TestPrintCI(t *testing.T) {
	var j ci.Judgement
	for i := range 25 {
		f := model.Fault{
			ID: fmt.Sprint("f", i), Op: "GET /a", Oracle: "schema", Severity: model.SeverityError, Status: 500,
			Text: "\n::error::x ##[add-mask]y",
		}
		j.New = append(j.New, ci.Finding{Fault: f, Others: []string{"f99"}, Remark: "late"})
		j.Gone = append(j.Gone, config.KnownFault{Operation: "GET /z", Oracle: "schema", Signature: "z"})
	}
	text := printedCI(t, j, func(r *results.CIReport) { r.Baseline = "my known.yaml" })
	for _, want := range []string{
		"calls 2,000; 3 of 9 targets covered", "new 25 faults f0,f99 error GET /a schema: expected , got 500",
		"::error::x ## [add-mask]y (late)", "5 more", "gone 25 known faults not found this time GET /z schema: z",
		"accept sonde baseline --update 'my known.yaml' sonde-ci/run", "result failed: 25 new faults",
	} {
		if !strings.Contains(squeezed(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.ContainsAny(line, "\x1b\r") || strings.Contains(line, "##[") {
			t.Errorf("the line %q", line)
		}
	}
	if n := strings.Count(text, "GET /z"); n != 20 {
		t.Errorf("%d known faults are listed, want 20", n)
	}
}

// squeezed returns a text with one space in place of several.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestCIResult(t *testing.T) {
	one := ci.Judgement{New: []ci.Finding{{}}}
	for name, c := range map[string]struct {
		judged ci.Judgement
		change func(*results.CIReport)
		want   string
	}{
		"passed":       {ci.Judgement{}, func(r *results.CIReport) { r.Passed = true }, "passed"},
		"a new fault":  {one, func(*results.CIReport) {}, "failed: 1 new fault"},
		"no 2xx":       {ci.Judgement{}, func(r *results.CIReport) { r.Trouble = []string{"no 2xx"} }, "failed: the run proves nothing"},
		"both of them": {one, func(r *results.CIReport) { r.Trouble = []string{"no 2xx"} }, "failed: 1 new fault"},
	} {
		if got := printedCI(t, c.judged, c.change); !strings.HasSuffix(squeezed(got), "result "+c.want) {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
}

func TestPrintBaselineChange(t *testing.T) {
	k := config.KnownFault{Operation: "GET /a\x1b[2J", Oracle: "schema", Signature: "x\ny"}
	var b bytes.Buffer
	if err := results.PrintBaselineChange(&b, "known.yaml", config.BaselineChange{Added: []config.KnownFault{k}}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.HasPrefix(got, "known.yaml: 1 added, 0 removed\n+ GET /a") || strings.Contains(got, "\x1b") {
		t.Errorf("got %q", got)
	}
}

// Without new faults, the text says how entries of mended faults are removed.
func TestPrintCIOfMendedFaults(t *testing.T) {
	gone := ci.Judgement{Gone: []config.KnownFault{{Operation: "GET /z", Oracle: "schema", Signature: "z"}}}
	text := squeezed(printedCI(t, gone, func(r *results.CIReport) { r.Baseline, r.Passed = "known.yaml", true }))
	want := "mended faults that several runs do not find: sonde baseline --update known.yaml --prune RUN..."
	if !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}
