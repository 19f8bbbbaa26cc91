package study

import (
	"maps"
	"slices"
	"sort"

	"sonde/model"
)

// Result is the result of a run. It depends only on the run's key and the service.
type Result struct {
	RunKey
	Calls      int `json:"calls"`
	Operations int `json:"operations"`
	Tests      int `json:"tests"`   // number of tests in the suite
	Covered    int `json:"covered"` // number of covered targets
	Codes      int `json:"codes"`   // number of different pairs of an operation and a status
	With2xx    int `json:"with_2xx"`
	With4xx    int `json:"with_4xx"`
	With5xx    int `json:"with_5xx"`
	// Faults is the number of errors and warnings that are not flaky. Faults with the same
	// operation, oracle and signature count once.
	Faults int `json:"faults"`
	// Marks are the different faults that the service itself reports in the header X-Fault, sorted.
	Marks []string `json:"marks,omitempty"`
	// Statements counts the statements that the suite reaches when it is played again.
	Statements *model.CoverageCount `json:"statements,omitempty"`
	// Curve has the number of covered targets after a number of calls.
	Curve []CurvePoint `json:"curve"`
}

// CurvePoint is a number of calls, and the number of targets that were covered by then.
type CurvePoint [2]int

// newResult returns the result of a finished run.
func newResult(key RunKey, s model.Snapshot, marks map[string]bool) Result {
	r := Result{
		RunKey: key, Calls: s.Summary.Calls, Operations: s.Summary.Operations, Tests: s.Summary.Tests, Covered: s.Summary.Covered,
		With2xx: s.Summary.With2xx, With5xx: s.Summary.With5xx, Faults: s.Summary.Faults,
		Marks: slices.Sorted(maps.Keys(marks)), Curve: []CurvePoint{},
	}
	for _, counts := range s.Grid {
		r.Codes += len(counts)
		if hasClass(counts, 4) {
			r.With4xx++
		}
	}
	for _, p := range s.Curve {
		r.Curve = append(r.Curve, CurvePoint{p.Calls, p.Covered})
	}
	return r
}

// hasClass reports whether a status of a class, such as 4 for 4xx, was counted.
func hasClass(counts map[int]int, class int) bool {
	for status := range counts {
		if status/100 == class {
			return true
		}
	}
	return false
}

// coveredBy returns the number of targets that were covered after a number of calls.
func (r Result) coveredBy(calls int) int {
	i := sort.Search(len(r.Curve), func(i int) bool { return r.Curve[i][0] > calls })
	if i == 0 {
		return 0
	}
	return r.Curve[i-1][1]
}
