package study

import (
	"maps"
	"slices"
	"sort"

	"sonde/model"
	"sonde/runner/search"
)

// Result is the result of a run. Apart from the seconds in List, it depends only on the run's key and the service.
type Result struct {
	RunKey
	Calls      int `json:"calls"`
	Operations int `json:"operations"`
	Tests      int `json:"tests"` // number of tests in the suite
	// Covered is the number of targets that the suite covers: statuses of operations and, in a white-box run, targets
	// in the service's source. Targets that a start or a reset of the service covers do not count. Code is the number
	// of covered targets in the source.
	Covered int `json:"covered"`
	Code    int `json:"code,omitempty"`
	Codes   int `json:"codes"` // number of different pairs of an operation and a status
	With2xx int `json:"with_2xx"`
	With4xx int `json:"with_4xx"`
	With5xx int `json:"with_5xx"`
	// Faults is the number of errors and warnings that are not flaky. Faults with the same
	// operation, oracle and signature count once.
	Faults int `json:"faults"`
	// Found has the faults that Faults counts.
	Found []FoundFault `json:"found,omitempty"`
	// Marks are the different faults that the service itself reports in the header X-Fault, sorted.
	Marks []string `json:"marks,omitempty"`
	// Statements counts the statements that the suite reaches when it is played again.
	Statements *model.CoverageCount `json:"statements,omitempty"`
	// Mutants says how many of the service's mutants the exported suite notices. It is nil if suites are not judged.
	Mutants *MutationScore `json:"mutants,omitempty"`
	// List has the results of a run on a list of seqs. It is nil for a search. For a list, Tests is the number of
	// practical seqs, and Covered, Codes, With2xx, With4xx and With5xx count only the answers to practical seqs.
	List *ListResult `json:"list,omitempty"`
	// Curve has the number of covered targets after a number of calls.
	Curve []CurvePoint `json:"curve"`
}

// MutationScore has the number of mutants of a service that a suite notices.
type MutationScore struct {
	Killed  int `json:"killed"`
	Mutants int `json:"mutants"`
	// Tests is the number of tests in the suite. LeftOut is the number of those that are left out because they fail on
	// the unchanged service.
	LeftOut int `json:"left_out,omitempty"`
	Tests   int `json:"tests"`
	// Pool identifies the mutants. It must be the same for all runs on a service.
	Pool string `json:"pool"`
}

// percent returns the share of mutants that the suite notices, 0 if s is nil.
func (s *MutationScore) percent() float64 {
	if s == nil || s.Mutants == 0 {
		return 0
	}
	return 100 * float64(s.Killed) / float64(s.Mutants)
}

// CurvePoint is a number of calls, and the number of targets that were covered by then.
type CurvePoint [2]int

// observer collects the parts of a Result that the snapshot of a finished run does not have.
type observer struct {
	marks map[string]bool
	// curve becomes Result.Curve. covered is the number of covered targets so far. code is the number of those among
	// them that are in the service's source.
	curve         []CurvePoint
	covered, code int
}

// faultHeader is the header in which a service may report its faults.
const faultHeader = "X-Fault"

// sink returns a sink that informs the observer.
func (o *observer) sink() search.Sink {
	return search.Sink{Emit: o.observeEvent, ObserveReply: o.observeReply}
}

func (o *observer) observeReply(r model.Reply) error {
	for _, m := range r.Header[faultHeader] {
		o.marks[m] = true
	}
	return nil
}

// observeEvent adds a point to the curve if the event says that targets were covered.
func (o *observer) observeEvent(l model.LogEntry) error {
	switch e := l.Event.(type) {
	case model.TargetCovered:
		o.add(e.Call, 1)
	case model.CodeCovered:
		o.code += e.Targets
		o.add(e.Call, e.Targets)
	}
	return nil
}

// add records that further targets were covered, and the number of calls at that time.
func (o *observer) add(calls, targets int) {
	o.covered += targets
	if n := len(o.curve); n > 0 && o.curve[n-1][0] == calls {
		o.curve[n-1][1] = o.covered
		return
	}
	o.curve = append(o.curve, CurvePoint{calls, o.covered})
}

// newResult returns the result of a finished run.
func newResult(key RunKey, s model.Snapshot, o *observer) Result {
	r := Result{
		RunKey: key, Calls: s.Summary.Calls, Operations: s.Summary.Operations, Tests: s.Summary.Tests,
		Covered: s.Summary.Covered + o.code, Code: o.code,
		With2xx: s.Summary.With2xx, With5xx: s.Summary.With5xx, Faults: s.Summary.Faults, Found: foundFaults(s.Faults),
		Marks: slices.Sorted(maps.Keys(o.marks)), Curve: o.curve,
	}
	for _, counts := range s.Grid {
		r.Codes += len(counts)
		if hasClass(counts, 4) {
			r.With4xx++
		}
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
