package study

import (
	"maps"
	"slices"
	"sort"

	"sonde/model"
)

// Result is the result of a run. It depends on the seed and the service only.
type Result struct {
	RunKey
	Calls      int `json:"calls"`
	Operations int `json:"operations"`
	Tests      int `json:"tests"`   // of the suite
	Covered    int `json:"covered"` // targets
	Codes      int `json:"codes"`   // pairs of an operation and a status of its answers
	With2xx    int `json:"with_2xx"`
	With4xx    int `json:"with_4xx"`
	With5xx    int `json:"with_5xx"`
	// Faults are the errors and warnings that are not flaky, one for each operation, oracle and
	// signature.
	Faults int `json:"faults"`
	// Marks are the distinct faults that the service itself reports in X-Fault, sorted.
	Marks []string `json:"marks,omitempty"`
	// Statements are those that the suite reaches when it is replayed.
	Statements *model.CoverageCount `json:"statements,omitempty"`
	// Curve is the number of covered targets by calls.
	Curve []CurvePoint `json:"curve"`
}

// CurvePoint is a number of calls, and the number of targets covered by then.
type CurvePoint [2]int

// newResult returns the result of a finished run.
func newResult(c RunKey, s model.Snapshot, marks map[string]bool) Result {
	r := Result{
		RunKey: c, Calls: s.Summary.Calls, Operations: s.Summary.Operations, Tests: s.Summary.Tests, Covered: s.Summary.Covered,
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

func hasClass(counts map[int]int, class int) bool {
	for status := range counts {
		if status/100 == class {
			return true
		}
	}
	return false
}

// coveredBy returns how many targets were covered after a number of calls.
func (r Result) coveredBy(calls int) int {
	i := sort.Search(len(r.Curve), func(i int) bool { return r.Curve[i][0] > calls })
	if i == 0 {
		return 0
	}
	return r.Curve[i-1][1]
}
