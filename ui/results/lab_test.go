package results

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/lab/mutate"
	"sonde/runner/replay/generate"
	"sonde/runner/replay/record"
	"sonde/runner/target/client"
	"sonde/ui/app/generation"
	"sonde/ui/console"
)

// There is a row for each call that an operation caused. The first row has the statuses.
func TestPrintRecordedRow(t *testing.T) {
	rec := model.Recording{
		Served:   []model.ServedRequest{{Exchange: model.Exchange{Request: model.Request{Op: "POST /orders"}}}},
		Warnings: []string{"one is lost"},
	}
	rows := []record.OperationRow{
		{Op: "POST /orders", Seen: 4, Statuses: map[int]int{201: 3, 0: 1}, Outward: []record.OutwardCount{
			{
				Call: "POST pay.example/charge",
				Seen: 3,
				How:  map[model.Attribution]int{model.AttributedByTrace: 2, model.AttributedByTime: 1},
			},
			{Call: "GET stock.example/", Seen: 1, How: map[model.Attribution]int{model.AttributedBySerial: 1}},
		}},
		{Seen: 1, Statuses: map[int]int{404: 1}},
	}
	r := NewRecordReport("rec", rows, nil, rec)
	if r.Kept != 1 || r.Strays == nil || len(r.Warnings) != 1 || r.Operations[0].Kept != 1 || r.Operations[1].Kept != 0 {
		t.Errorf("JSON: %+v", r)
	}
	var out bytes.Buffer
	table := console.NewTable(&out)
	for _, row := range r.Operations {
		PrintRecordedRow(table, row)
	}
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("got\n%s", out.String())
	}
	for i, want := range []string{
		"none ×1, 201 ×3  3 POST pay.example/charge  trace ×2, time ×1, uncertain",
		"1 GET stock.example/", "(no operation)",
	} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("%q is not in %q", want, lines[i])
		}
	}
}

// The progress of a recording counts the requests to the service, its calls to other hosts, and how many of these
// calls were made while no request was in progress.
func TestRecordingProgress(t *testing.T) {
	service := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(service.Close)
	to, err := url.Parse(service.URL)
	if err != nil {
		t.Fatal(err)
	}
	sink, err := codec.CreateRecording(filepath.Join(t.TempDir(), "rec"), codec.RecordingHeader{}, false)
	if err != nil {
		t.Fatal(err)
	}
	m, err := record.New(record.Options{
		Spec: things(t).Spec, Out: []record.Endpoint{{Addr: "127.0.0.1:0", To: to}}, Sink: sink, Callers: client.NewCallerIndex(nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close(); sink.Close() })
	if err := m.ListenInward(record.Endpoint{Addr: "127.0.0.1:0", To: to}); err != nil {
		t.Fatal(err)
	}
	if got, want := RecordingProgress(m), "0 requests in, 0 calls out"; got != want {
		t.Errorf("before the first request: got %q, want %q", got, want)
	}
	for _, at := range m.Listening() {
		for range 2 {
			res, err := http.Get("http://" + at.Addr + "/ping")
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
		}
	}
	m.Close()
	if got, want := RecordingProgress(m), "2 requests in, 2 calls out (2 of unknown cause)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// generated returns a generation of two tests: one is flaky, and one has uncertain calls.
func generated() *generation.Generation {
	test := func(id string, uncertain bool) model.Test {
		return model.Test{ID: id, Mock: &model.MockTest{Exchange: "x" + id, About: "about " + id, Uncertain: uncertain}}
	}
	calling := test("r2", true)
	calling.Mock.ExpectedCalls = []model.ExpectedCall{{}}
	calling.Stubs = []model.Stub{{Host: "a.example:80", Protocol: model.HTTP}}
	return &generation.Generation{
		Options: &generation.Options{Dir: "tests", Runs: 10},
		Recording: model.Recording{
			Served: []model.ServedRequest{{}},
		},
		Generated: generate.Suite{
			Tests:           []model.Test{test("r1", false), calling},
			Causes:          map[model.Attribution]int{model.AttributedByTrace: 1},
			BackgroundCalls: 3,
			Strays:          2,
			Skipped:         []generate.SkippedExchange{{Exchange: "x9", Request: "GET /favicon.ico", Why: "it is no operation"}},
		},
		Results: []generate.Result{
			{Test: "r1", Function: "TestA_OO", Outcome: generate.OutcomeFlaky, Failed: 3, Runs: 10, Differences: []string{"status 500"}},
			{Test: "r2", Function: "TestB_OO", Outcome: generate.OutcomeMimics, Runs: 10},
		},
		Files: []string{"tests/sonde_test.go"},
	}
}

func TestGenerateReport(t *testing.T) {
	r := generated().Report(new(model.Spec))
	if r.Run != "tests/run" || r.Exchanges != 1 || r.Runs != 10 || r.Strays != 2 || r.Causes[model.AttributedByTrace] != 1 {
		t.Errorf("got %+v", r)
	}
	if len(r.Tests) != 2 || !r.Tests[0].Apart || !r.Tests[1].Apart || !r.Tests[1].Uncertain || r.Tests[0].Exchange != "xr1" {
		t.Errorf("tests %+v", r.Tests)
	}
	var out bytes.Buffer
	PrintGenerate(&out, r)
	for _, want := range []string{
		"TestA_OO: status 500; failed in 3 of 10 runs", "uncertain r2", "left out GET /favicon.ico: it is no operation",
		"The causes of outward calls are known by trace ×1.", "The cause of 2 outward calls is unknown", "in all of 10 runs.",
		"No request caused 3 outward calls", "Of the tests with outward calls, 1 of 1 mimic; of those without, 0 of 1.",
		"\ntests/sonde_test.go\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

// Printing does not change the report. Only the first of many exchanges without a test are named.
func TestPrintGenerateKeepsTheReport(t *testing.T) {
	g := generated()
	g.Results[0].Differences = []string{"status 500", "body /id"}
	g.Generated.Skipped = slices.Repeat(g.Generated.Skipped, MaxNotes+2)
	r := g.Report(new(model.Spec))
	var out bytes.Buffer
	PrintGenerate(&out, r)
	if got, want := r.Tests[0].Results[0].Differences, []string{"status 500", "body /id"}; !slices.Equal(got, want) {
		t.Errorf("after printing, the differences are %q, want %q", got, want)
	}
	if n := strings.Count(out.String(), "left out GET /favicon.ico"); n != MaxNotes || !strings.Contains(out.String(), "left out 2 more") {
		t.Errorf("%d exchanges are named, want %d and 2 more\n%s", n, MaxNotes, out.String())
	}
}

// Tests that were not run have no outcome.
func TestGenerateReportWithoutRuns(t *testing.T) {
	g := generated()
	g.Results, g.NotRunReason = nil, "--no-run"
	r := g.Report(new(model.Spec))
	var out bytes.Buffer
	PrintGenerate(&out, r)
	if r.Runs != 0 || !strings.Contains(out.String(), "The tests were not run: --no-run.") ||
		strings.Contains(out.String(), "mimic successfully") {
		t.Errorf("%d runs\n%s", r.Runs, out.String())
	}
}

// The results of mutants are counted by operator. The results of mutants that change calls to other hosts are also
// counted separately.
func TestMutateReport(t *testing.T) {
	a := &mutate.Analysis{Made: 3, Mutants: []mutate.Mutant{
		{ID: "m1", Operator: mutate.Swapped, Outward: true}, {ID: "m2", Operator: mutate.Return}, {ID: "m3", Operator: mutate.Swapped},
	}}
	a.Equivalent = map[string]string{"m1": "same host", "m2": "same value", "m3": "same host"}
	r := NewMutateReport(a, new(mutate.Log))
	if r.Mutants != 3 || len(r.Results) != 3 || r.All.Status[mutate.Equivalent] != 3 || r.Outward.Mutants != 1 {
		t.Errorf("got %+v", r)
	}
	var got []string
	for _, row := range r.Operators {
		got = append(got, fmt.Sprintf("%d %s", row.Mutants, row.Operator))
	}
	if want := []string{fmt.Sprint("1 ", mutate.Return), fmt.Sprint("2 ", mutate.Swapped)}; !slices.Equal(got, want) {
		t.Errorf("got the operators %q, want %q", got, want)
	}
}

// Survivors are listed with their changes. Mutants that are not judged are counted by reason.
func TestPrintMutants(t *testing.T) {
	mutant := func(status mutate.Status) mutate.Result {
		r := mutate.Result{Status: status}
		r.ID, r.Operator, r.Before = "m1", mutate.Operators[0], "pay(x)"
		return r
	}
	all := []mutate.Result{mutant(mutate.Survived), mutant(mutate.Killed), mutant(mutate.Equal)}
	r := MutateReport{Mutants: 3, Sample: 3, Seed: 7, All: mutate.NewTally(all), Results: all}
	var out bytes.Buffer
	if err := PrintMutants(&out, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"3 mutants tried, a sample by seed 7; 1 compile to the same code\n2 judged: 1 killed, 50.0%\n",
		"\nsurvived:\n  m1", "pay(x)  ⇒  (no call)",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "OO") || !strings.Contains(out.String(), "no oracle") {
		t.Errorf("tests without an oracle noticed all, but the columns are\n%s", out.String())
	}
	if n := strings.Count(out.String(), "pay(x)"); n != 1 {
		t.Errorf("%d mutants are listed, want the survivor alone", n)
	}
}
