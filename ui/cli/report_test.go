package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"path/filepath"
	"strings"
	"testing"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/model/route"
	"sonde/runner/search/oracle"
	"sonde/ui/app/service"

	"github.com/google/go-cmp/cmp"
)

// The reports of a run have the same numbers as the summary of the search.
func TestReportsOfTheDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	dir := filepath.Join(t.TempDir(), "run")
	last, _ := searchDemo(t, dir, 1500, 1)
	var junit struct {
		Suites []struct {
			Cases []struct {
				Class   string    `xml:"classname,attr"`
				Failure *struct{} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(reported(t, "junit", dir), &junit); err != nil {
		t.Fatal(err)
	}
	failures, seen := 0, map[string]bool{}
	for _, suite := range junit.Suites {
		for _, c := range suite.Cases {
			seen[c.Class] = true
			if c.Failure != nil {
				failures++
			}
		}
	}
	if s := last.Summary; failures != s.Faults || failures == 0 || len(seen) != s.Operations+1 {
		t.Errorf("JUnit: %d failures in %d classes; summary %+v", failures, len(seen), s)
	}
	var wfc struct {
		Faults  struct{ TotalNumber int }
		Problem struct {
			Rest struct{ EvaluatedHttpCalls, OutputHttpCalls int }
		} `json:"problemDetails"`
	}
	if err := json.Unmarshal(reported(t, "wfc", dir), &wfc); err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, test := range last.Tests {
		calls += len(test.Calls)
	}
	if rest := wfc.Problem.Rest; wfc.Faults.TotalNumber != failures ||
		rest.EvaluatedHttpCalls != last.Summary.Calls || rest.OutputHttpCalls < calls+failures {
		t.Errorf("WFC: %+v; %d calls of tests, summary %+v", wfc, calls, last.Summary)
	}
	run, err := codec.OpenRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	checkTrails(t, last.Tests, run.Faults, reported(t, "har", dir))
}

// checkTrails checks that Sonde can read a HAR file that it wrote: for each test and fault, the requests in the file
// must be those of its seq.
func checkTrails(t *testing.T, tests []model.Test, faults []model.Fault, har []byte) {
	t.Helper()
	trails, err := codec.ReadRequestSeqs("har", bytes.NewReader(har))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := service.LoadDemo(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	router := route.New(spec)
	got, want := map[string]model.Seq{}, map[string]model.Seq{}
	for _, trail := range trails.All {
		trail.Name, _, _ = strings.Cut(trail.Name, " ") // the name of a fault's trail has more words
		for _, step := range trail.Steps {
			m, _ := router.FindOperation(step.Method, step.URL)
			got[trail.Name] = append(got[trail.Name], m.Op.ID)
		}
	}
	for _, test := range tests {
		want[test.ID] = test.Seq()
	}
	for _, f := range faults {
		want[f.ID] = f.Test.Seq()
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("calls of the tests and the HAR file (-want +got):\n%s", d)
	}
}

// reported returns the output of sonde report.
func reported(t *testing.T, format, dir string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main([]string{"report", dir, "--format", format}, nil, &out, &errs); code != exitClean || errs.Len() > 0 {
		t.Fatalf("%s: exit code %d, %s", format, code, errs.String())
	}
	return out.Bytes()
}

// Each oracle has a fault category of Web Fuzzing Commons, or a category of Sonde.
func TestOraclesHaveCategories(t *testing.T) {
	for _, o := range oracle.AllOracles() {
		if export.WFCCategoryOf(model.Fault{Oracle: o.Name}) == export.WFCUnknownOracle {
			t.Errorf("%s has no category", o.Name)
		}
	}
}

func TestTestFiles(t *testing.T) {
	elsewhere := t.TempDir()
	for name, c := range map[string]struct{ dir, output, want string }{
		"standard output":   {"run", "", "run/suite.json"},
		"beside the run":    {"run", "report.json", "run/suite.json"},
		"in the run":        {"run/", "run/report.json", "suite.json"},
		"in another folder": {"runs/7", "out/report.json", "../runs/7/suite.json"},
		"from the root":     {filepath.Join(elsewhere, "run"), filepath.Join(elsewhere, "out", "report.json"), "../run/suite.json"},
		"the run is here":   {".", "report.json", "suite.json"},
	} {
		got, err := testFiles(c.dir, c.output)
		if err != nil || got.Suite != c.want || got.Faults != strings.Replace(c.want, "suite", "faults", 1) {
			t.Errorf("%s: %+v, error %v, want %s", name, got, err, c.want)
		}
	}
}
