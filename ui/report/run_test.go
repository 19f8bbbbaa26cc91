package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"sonde/export"
	"sonde/export/picture"
	"sonde/model"
	"sonde/ui/report"

	"github.com/google/go-cmp/cmp"
)

// started is the time at which the runs of tests started.
var started = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// shopRun returns a small white-box run with everything that a page shows. All texts that come from the service, the
// spec or the user contain text.
func shopRun(text string) report.Run {
	op := model.OpID("POST /things/" + text)
	failing := model.Test{Calls: []model.Call{
		{Op: op, Status: 201, User: "ann", Body: &model.Payload{Media: "application/json", Data: `{"name":"` + text + `"}`}},
		{Op: "GET /things/{id}", Status: 500, Args: []model.Arg{{In: model.InPath, Name: "id", Value: text}}},
	}, Links: []model.Link{{From: 0, To: 1, Pointer: "/id", In: model.InPath, Name: "id"}}}
	kept := failing
	kept.ID, kept.Name, kept.Origin, kept.Code = "t2", text, model.OriginSearched, 3
	kept.Covers = []string{"GET /things/{id} 500", text}
	kept.Flaky, kept.EarlierState = text, text
	kept.Lineage = &model.TestLineage{Call: 40, Rule: model.FromTemplate}
	answer := model.ExchangeExcerpt{
		URL: "/things/" + text, Status: 201, Body: text, Cut: true, Header: map[string][]string{"Location": {text}, text: {"a", "b"}},
	}
	failed := model.ExchangeExcerpt{URL: "/things/1", Status: 500, Body: `{"error": "` + text + `"}`}
	return report.Run{
		Report: export.Report{
			Title: text + " shop", Release: "1.2.3", Command: "sonde search shop.yaml --seed 7 " + text, BaseURL: "http://127.0.0.1:8080",
			Seed: 7, Started: started, Operations: []model.OpID{op, "GET /things/{id}", "DELETE /things/{id}"},
			Tests: []model.Test{{ID: text, Calls: []model.Call{{Op: op, Status: 400}}}, kept},
			Faults: []model.Fault{
				{
					ID: "f1", Op: "GET /things/{id}", Oracle: "server-error", Severity: model.SeverityError, Status: 500,
					Expected: "a status below 500", Text: text, Signature: "500 broken", Verdict: model.VerdictReproducible,
					Count: 3, Calls: 2, At: 41, Test: &failing,
					Exchanges: []model.ExchangeExcerpt{answer, failed}, Input: model.Input{Class: model.InputValid},
				},
				{
					ID: text, Op: op, Oracle: text, Severity: model.SeverityWarning, Status: 200,
					Expected: text, Text: text, Signature: text, Verdict: model.VerdictFlaky, Count: 1, Merged: 2,
				},
				{
					ID: "f1", Op: op, Oracle: "undocumented", Severity: model.SeverityNote,
					Expected: "a declared status", Text: text, Count: 1,
				},
			},
			Summary: model.Summary{
				Calls: 400, Budget: 500, SetUp: 20, Checking: 6, Targets: 6, Covered: 4, Operations: 3, With2xx: 1, With5xx: 1, Tests: 2,
				Elapsed: 1500 * time.Millisecond, Rate: 266, Warnings: []model.Warning{{Text: text}},
				Forecast: &model.Forecast{Calls: 1000, Low: 0, High: 2},
				Code: &model.Coverage{Packages: []model.PackageCoverage{{
					Package: "shop", Statements: model.CoverageCount{Covered: 6, All: 8}, Branches: model.CoverageCount{Covered: 1, All: 4},
				}}},
			},
			Reproduce: func(f model.Fault) string { return "curl http://127.0.0.1:8080/\n# " + f.Text },
			Trouble:   []string{text},
		},
		Rules: map[string]string{"server-error": "the service fails on " + text},
		Name:  "run " + text, Spec: "shop.yaml", SpecHash: "abc", Mode: "white-box",
		Tuning: model.Tuning{Smart: 0.6},
		Commands: []model.AppliedCommand{
			{
				Call: 100, Command: model.Command{Change: &model.TuningChange{Knob: model.KnobSmart, Value: 0.8}},
				Tuning: model.Tuning{Smart: 0.8},
			},
			{
				Call: 101, Command: model.Command{Priority: &model.Priority{Kind: model.PriorityMuted, Label: text}},
				Tuning: model.Tuning{Smart: 0.8},
			},
			{
				Call: 300, Command: model.Command{Try: &model.Template{Steps: make([]model.TemplateStep, 2)}},
				Tuning: model.Tuning{Smart: 0.8},
			},
		},
		Curve:    []model.CurvePoint{{Calls: 4, Covered: 1}, {Calls: 50, Covered: 3}, {Calls: 320, Covered: 4}},
		Answers:  map[model.OpID]map[int]int{op: {201: 30, 400: 12, 302: 1}, "GET /things/{id}": {404: 2, 500: 3}},
		Declared: map[model.OpID][]int{op: {201, 409}, "DELETE /things/{id}": {204}},
		Files: []model.SourceFileCoverage{
			{File: "shop/" + text + ".go", Statements: model.CoverageCount{Covered: 6, All: 8}},
			{File: "other/empty.go", Statements: model.CoverageCount{}},
			{File: "other/z.go", Statements: model.CoverageCount{Covered: 1, All: 3}},
		},
		Exchanges: map[string][]report.Exchange{
			"t2": {{ExchangeExcerpt: answer, Sent: text, Took: 3 * time.Millisecond}, {ExchangeExcerpt: failed}},
		},
		Resources: &picture.Graph{
			Title: "Resources of " + text, Nodes: []picture.Node{{
				{Text: "/things"}, {Mark: "✗", State: picture.Failed, Method: "GET", Text: text},
			}}, States: map[int]picture.State{0: picture.Failed}, Note: text,
		},
		Gaps: []string{text},
	}
}

// runPage returns the page of a run, after a check of its structure.
func runPage(t *testing.T, r report.Run) string {
	t.Helper()
	return checkedPage(t, func(w io.Writer) error { return report.WriteRunHTML(w, r) })
}

func TestRunGolden(t *testing.T) {
	golden(t, "run.html", runPage(t, shopRun(hostile)))
}

// A run that was killed early, of an old version, or without a spec has a page, too.
func TestRunWithLittle(t *testing.T) {
	tests := []struct {
		name string
		run  report.Run
		want []string
	}{
		{
			name: "nothing", run: report.Run{},
			want: []string{"a run", "The run found no fault.", "The run has no answers by status.", "The run keeps no test."},
		},
		{
			name: "operations without answers",
			run:  report.Run{Report: export.Report{Operations: []model.OpID{"GET /a"}}, Answers: map[model.OpID]map[int]int{}},
			want: []string{"never answered"},
		},
		{
			name: "a fault without its calls",
			run: report.Run{Report: export.Report{
				Faults: []model.Fault{{Op: "GET /a", Oracle: "hang", Severity: model.SeverityError, Count: 1}},
			}},
			want: []string{"1 fault: 1 error, 0 warnings", "no answer"},
		},
		{
			name: "files without packages",
			run: report.Run{Files: []model.SourceFileCoverage{
				{File: "a/b.go", Statements: model.CoverageCount{Covered: 1, All: 2}},
				{File: "a/c.go", Statements: model.CoverageCount{Covered: 2, All: 2}},
			}},
			want: []string{"b.go", "50.0%", "75.0%", "3 of 4"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			page := runPage(t, test.run)
			for _, want := range test.want {
				if !strings.Contains(page, want) {
					t.Errorf("the page lacks %q", want)
				}
			}
		})
	}
}

// bigRun returns a run with many tests and faults, whose bodies are long and become longer when they are escaped.
func bigRun() report.Run {
	body, _ := json.Marshal(map[string]string{"text": strings.Repeat(`"<&'`, 5000)})
	r := report.Run{
		Report:    export.Report{Title: "Big", Summary: model.Summary{Calls: 20_000, Targets: 9000}},
		Exchanges: map[string][]report.Exchange{}, Answers: map[model.OpID]map[int]int{}, Declared: map[model.OpID][]int{},
	}
	for i := range 3000 {
		op := model.OpID(fmt.Sprintf("GET /collections/{collectionId}/elements/%d", i))
		r.Operations = append(r.Operations, op)
		r.Answers[op] = map[int]int{200: i + 1, 400: 1, 500: 1}
		r.Declared[op] = []int{200, 404}
		test := model.Test{ID: fmt.Sprintf("t%d", i), Calls: make([]model.Call, 4)}
		for k := range test.Calls {
			test.Calls[k] = model.Call{Op: op, Status: 500}
			x := report.Exchange{ExchangeExcerpt: model.ExchangeExcerpt{URL: "/x", Status: 500, Body: string(body)}, Sent: string(body)}
			r.Exchanges[test.ID] = append(r.Exchanges[test.ID], x)
		}
		r.Tests = append(r.Tests, test)
		r.Curve = append(r.Curve, model.CurvePoint{Calls: 6 * i, Covered: 3 * i})
	}
	for i := range 1500 {
		f := model.Fault{
			ID: fmt.Sprintf("f%d", i), Op: r.Operations[i], Oracle: "server-error", Severity: model.SeverityError, Status: 500,
			Test: &r.Tests[i], Count: 1,
		}
		for _, x := range r.Exchanges[f.Test.ID] {
			f.Exchanges = append(f.Exchanges, x.ExchangeExcerpt)
		}
		r.Faults = append(r.Faults, f)
	}
	return r
}

// A page of a large run has less than 5 MB, and says what it leaves out.
func TestRunSize(t *testing.T) {
	var b bytes.Buffer
	if err := report.WriteRunHTML(&b, bigRun()); err != nil {
		t.Fatal(err)
	}
	const limit = 5_000_000
	if b.Len() >= limit {
		t.Errorf("the page has %d bytes, want fewer than %d", b.Len(), limit)
	}
	for _, want := range []string{
		"bytes more", "Left out, so that the page stays small: ", "The folder of the run has all.",
		" operations. The", "the calls of ",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// A fault leads to the tests that get its answer, and a test to the faults that it shows.
func TestRunLinks(t *testing.T) {
	page := runPage(t, shopRun("plain"))
	for _, want := range []string{
		`Kept test with the same operation and status: <a class="reference" href="#t2">t2</a>`,
		`Same operation and status as the fault <a class="reference" href="#f1">f1</a>`,
		`<details class="item fault" id="fault--3">`, // its ID f1 is used already
		`data-statuses="201 500" data-ops="0 1" data-faults="f1"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// The page has the exchange of each call also if some calls of a test were not sent.
func TestRunMatchesExchanges(t *testing.T) {
	r := report.Run{Report: export.Report{Tests: []model.Test{{ID: "t1", Calls: []model.Call{
		{Op: "POST /a", Status: 0}, {Op: "GET /b", Status: 200}, {Op: "GET /c", Status: 404},
	}}}}}
	r.Exchanges = map[string][]report.Exchange{"t1": {
		{ExchangeExcerpt: model.ExchangeExcerpt{URL: "/b", Status: 200, Body: "of b"}},
		{ExchangeExcerpt: model.ExchangeExcerpt{URL: "/c", Status: 404, Body: "of c"}},
	}}
	page := runPage(t, r)
	b, c := strings.Index(page, "of b"), strings.Index(page, "of c")
	second, third := strings.Index(page, "2.</span>"), strings.Index(page, "3.</span>")
	if second >= b || b >= third || third >= c {
		t.Errorf("the places of call 2, its answer, call 3 and its answer are %v", []int{second, b, third, c})
	}
}

func TestCompare(t *testing.T) {
	fault := func(oracle, signature string, verdict model.Verdict) model.Fault {
		return model.Fault{
			Op: "GET /a", Oracle: oracle, Signature: signature, Severity: model.SeverityError, Verdict: verdict, Count: 1,
			Text: "answer " + signature,
		}
	}
	older := report.Run{
		Report: export.Report{
			Title: "Shop", Operations: []model.OpID{"GET /a", "GET /b", "GET /old"},
			Faults: []model.Fault{fault("server-error", "500 no stock", ""), fault("schema", "y", "")},
		},
		Name: "before", SpecHash: "1",
		Answers: map[model.OpID]map[int]int{"GET /a": {200: 1, 404: 1}, "GET /b": {400: 2}, "GET /old": {200: 1}},
		Files: []model.SourceFileCoverage{
			{File: "a.go", Statements: model.CoverageCount{Covered: 1, All: 4}}, {File: "b.go", Statements: model.CoverageCount{All: 1}},
		},
	}
	newer := report.Run{
		Report: export.Report{
			Title: "Shop", Operations: []model.OpID{"GET /a", "GET /b"},
			Faults: []model.Fault{fault("server-error", "500 no stock", ""), fault("server-error", "500 no price", model.VerdictFlaky)},
		},
		Name: "after", SpecHash: "2",
		Answers: map[model.OpID]map[int]int{"GET /a": {200: 5, 500: 1}, "GET /b": {200: 2}},
		Files: []model.SourceFileCoverage{
			{File: "a.go", Statements: model.CoverageCount{Covered: 3, All: 4}}, {File: "b.go", Statements: model.CoverageCount{All: 1}},
		},
	}
	c := report.Compare(older, newer)
	signatures := func(all []model.Fault) (texts []string) {
		for _, f := range all {
			texts = append(texts, f.Signature)
		}
		return texts
	}
	got := map[string]any{
		"new": signatures(c.NewFaults), "gone": signatures(c.GoneFaults), "both": signatures(c.RemainingFaults),
		"gained": c.Gained, "lost": c.Lost, "targets": c.Targets, "files": c.Files, "alike": c.FilesAlike, "differences": c.Differences,
	}
	want := map[string]any{
		"new": []string{"500 no price"}, "gone": []string{"y"}, "both": []string{"500 no stock"},
		"gained": []model.OpID{"GET /b"}, "lost": []model.OpID{"GET /old"},
		"targets": []report.TargetChange{
			{Op: "GET /a", Gained: []int{500}, Lost: []int{404}},
			{Op: "GET /b", Gained: []int{200}, Lost: []int{400}},
			{Op: "GET /old", Lost: []int{200}},
		},
		"files": []report.FileChange{
			{File: "a.go", Old: model.CoverageCount{Covered: 1, All: 4}, New: model.CoverageCount{Covered: 3, All: 4}},
		},
		"alike": 1, "differences": []string{"The spec is another one."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}

// compared returns a comparison of two runs whose texts contain text.
func compared(text string) report.Comparison {
	older, newer := shopRun("plain"), shopRun(text)
	older.Faults = older.Faults[:1]
	older.Answers, older.Seed, older.Trouble, older.Mode = map[model.OpID]map[int]int{"GET /things/{id}": {200: 1}}, 6, nil, "black-box"
	older.SpecHash, older.Summary.Covered, older.Summary.Code.Packages = "abd", 5, []model.PackageCoverage{{
		Package: "shop", Statements: model.CoverageCount{Covered: 7, All: 8}, Branches: model.CoverageCount{Covered: 1, All: 4},
	}}
	newer.Faults[0].Signature = text
	newer.Files[2].Statements.Covered = 2
	return report.Compare(older, newer)
}

// comparisonPage returns a function that writes the page of compared.
func comparisonPage(text string) func(io.Writer) error {
	return func(w io.Writer) error { return report.WriteComparisonHTML(w, compared(text)) }
}

func TestCompareGolden(t *testing.T) {
	tests := []struct {
		file  string
		write func(io.Writer, report.Comparison) error
	}{
		{"compare.txt", report.WriteComparisonText},
		{"compare.md", report.WriteComparisonMarkdown},
		{"compare.html", report.WriteComparisonHTML},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			var b bytes.Buffer
			if err := test.write(&b, compared(hostile)); err != nil {
				t.Fatal(err)
			}
			golden(t, test.file, b.String())
		})
	}
	checkedPage(t, comparisonPage(hostile))
}

// Two equal runs have no differences, and runs of older versions are compared as far as they can be.
func TestCompareWithLittle(t *testing.T) {
	same := report.Compare(shopRun("x"), shopRun("x"))
	same.Differences = nil // the run of the test is no success
	if len(same.NewFaults)+len(same.GoneFaults)+len(same.Targets)+len(same.Files)+len(same.Gained)+len(same.Lost) > 0 {
		t.Errorf("two equal runs differ: %+v", same)
	}
	var b bytes.Buffer
	if err := report.WriteComparisonText(&b, report.Compare(report.Run{}, shopRun("x"))); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a run has no answers by status", "only one of the runs has it", "different services"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the comparison with an empty run lacks %q:\n%s", want, b.String())
		}
	}
}

// FuzzRunPage puts arbitrary texts into all places of a run and of a comparison, and checks the structure of the pages.
func FuzzRunPage(f *testing.F) {
	for _, seed := range []string{
		hostile, "", "'><img src=x onerror=alert(1)>", "javascript:alert(1)", "</style></script></textarea>", "\x00\xff", "f1", "content",
		"]]>", "-->", strings.Repeat("long ", 2000), `{"a":[1,2,{"b":"</pre>"}]}`, "summary-title",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		runPage(t, shopRun(text))
		checkedPage(t, comparisonPage(text))
	})
}
