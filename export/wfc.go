package export

import (
	"cmp"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"sonde/model"
)

// wfcVersion is the version of the Web Fuzzing Commons report schema (report.yaml).
const wfcVersion = "0.8.0"

// The report of Web Fuzzing Commons. Fields that its schema requires are written even if they are empty.
type (
	wfcReport struct {
		Schema   string        `json:"schemaVersion"`
		Tool     string        `json:"toolName"`
		Release  string        `json:"toolVersion"`
		Created  time.Time     `json:"creationTime"`
		Faults   wfcFaults     `json:"faults"`
		Problem  wfcProblem    `json:"problemDetails"`
		Total    int           `json:"totalTests"`
		Files    []string      `json:"testFilePaths"`
		Cases    []wfcCase     `json:"testCases"`
		Seconds  int           `json:"executionTimeInSeconds"`
		Extra    []wfcCoverage `json:"extra"`
		Warnings []wfcWarning  `json:"warnings"`
	}
	wfcProblem struct {
		Rest wfcRest `json:"rest"`
	}
	wfcRest struct {
		Output    int          `json:"outputHttpCalls"`
		Evaluated int          `json:"evaluatedHttpCalls"`
		Endpoints []string     `json:"endpointIds"`
		Covered   []wfcCovered `json:"coveredHttpStatus"`
	}
	wfcCovered struct {
		Endpoint string `json:"endpointId"`
		Case     string `json:"testCaseId"`
		Statuses []int  `json:"httpStatus"`
	}
	wfcCase struct {
		ID   string `json:"id"`
		File string `json:"filePath"`
		Name string `json:"name"`
	}
	wfcCoverage struct {
		Tool     string         `json:"toolName"`
		Criteria []wfcCriterion `json:"criteria"`
	}
	wfcCriterion struct {
		Name    string `json:"name"`
		Covered int    `json:"covered"`
		Total   int    `json:"total"`
	}
	wfcWarning struct {
		Message  string `json:"message"`
		Category string `json:"category"`
		Priority int    `json:"displayPriority"` // 1 is displayed first
	}
)

// TestPaths are the paths of a run's test files, relative to the report and with slashes.
type TestPaths struct{ Suite, Faults string }

// WriteWFC writes a run as the report.json of Web Fuzzing Commons. Tests that show faults count as tests.
// Flaky faults and notes are warnings, because they do not make a run fail.
func WriteWFC(w io.Writer, r Report, at time.Time, files TestPaths) error {
	x := wfc{Report: r, out: wfcReport{
		Schema: wfcVersion, Tool: "Sonde", Release: cmp.Or(r.Release, "unknown"), Created: at.UTC().Truncate(time.Second),
		Faults: wfcFaults{Found: []wfcFound{}}, Files: []string{files.Suite, files.Faults}, Cases: []wfcCase{},
		Seconds: int(math.Round(r.Summary.Elapsed.Seconds())), Extra: reachedCoverage(r.Summary), Warnings: []wfcWarning{},
	}}
	x.out.Problem.Rest = wfcRest{Evaluated: r.Summary.Calls, Endpoints: []string{}, Covered: []wfcCovered{}}
	x.warn()
	for _, op := range r.operations() {
		x.out.Problem.Rest.Endpoints = append(x.out.Problem.Rest.Endpoints, endpoint(op))
	}
	for _, t := range r.Tests {
		x.test(files.Suite, t.ID, t.ID, t)
	}
	for i, f := range r.Faults {
		x.fault(files.Faults, i, f)
	}
	x.out.Total = len(x.out.Cases)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(x.out)
}

// maxStatus is the maximum status in the schema. Services may answer with greater ones.
const maxStatus = 599

// wfc builds a report.
type wfc struct {
	Report
	out wfcReport
}

// endpoint returns the ID of an operation in Web Fuzzing Commons: "GET:/users/{id}".
func endpoint(op model.OpID) string { return strings.Replace(string(op), " ", ":", 1) }

// test adds a test with its coverage. It returns the ID of the test.
func (x *wfc) test(file, id, name string, t model.Test) string {
	id = file + "#" + id
	x.out.Cases = append(x.out.Cases, wfcCase{ID: id, File: file, Name: name})
	rest := &x.out.Problem.Rest
	var order []model.OpID
	statuses := map[model.OpID][]int{}
	for _, c := range t.Calls {
		if _, known := statuses[c.Op]; !known {
			order, statuses[c.Op] = append(order, c.Op), []int{}
		}
		if c.Status > 0 && c.Status <= maxStatus && !slices.Contains(statuses[c.Op], c.Status) {
			statuses[c.Op] = append(statuses[c.Op], c.Status)
		}
	}
	for _, op := range order {
		rest.Covered = append(rest.Covered, wfcCovered{Endpoint: endpoint(op), Case: id, Statuses: statuses[op]})
	}
	rest.Output += len(t.Calls)
	return id
}

// reachedCoverage returns the coverage that the search reached.
func reachedCoverage(s model.Summary) []wfcCoverage {
	return []wfcCoverage{{"Sonde", []wfcCriterion{
		{Name: "operations and the statuses that they answer", Covered: s.Covered, Total: s.Targets},
		{Name: "operations that answered 2xx", Covered: s.With2xx, Total: s.Operations},
	}}}
}

// warn adds the warnings about the whole run. The reasons in Trouble have a higher priority than other warnings.
func (x *wfc) warn() {
	for _, text := range x.Trouble {
		x.out.Warnings = append(x.out.Warnings, wfcWarning{Message: text, Category: "run", Priority: 1})
	}
	for _, w := range x.Summary.Warnings {
		x.out.Warnings = append(x.out.Warnings, wfcWarning{Message: w.Text, Category: string(w.Kind), Priority: 2})
	}
}
