package generate

import (
	"cmp"
	"slices"

	"sonde/model"
)

// Outcome says how well a test mimics the recording (RICK, section 5.3).
type Outcome string

// The outcomes: three of the paper's, and two of Sonde's.
const (
	OutcomeMimics     Outcome = "mimics"     // the test passes in all runs
	OutcomeIncomplete Outcome = "incomplete" // an oracle fails in all runs
	OutcomeUnhandled  Outcome = "unhandled"  // the test fails in all runs, in one of them before the oracle
	OutcomeFlaky      Outcome = "flaky"      // the test passes in some runs
	OutcomeUntried    Outcome = "untried"    // the test was not run
)

// Result is the outcome of one function of a test.
type Result struct {
	Test     string           `json:"test"` // ID of the test
	Function string           `json:"function"`
	Oracle   model.MockOracle `json:"oracle,omitempty"` // "" if the function has all oracles
	Outcome  Outcome          `json:"outcome"`
	Runs     int              `json:"runs"`
	Failed   int              `json:"failed"`
	// Differences are the first differences in the first run that failed, at most five.
	Differences []string `json:"differences,omitempty"`
}

// Results returns a result for each function that ran, in the order of their names.
func Results(runs []ReplayRun) []Result {
	by := map[string]*Result{}
	for _, r := range runs {
		ids := r.testIDs()
		for function, passed := range r.Passed {
			x := by[function]
			if x == nil {
				x = &Result{Function: function, Oracle: oracleOf(function)}
				by[function] = x
			}
			x.Test = cmp.Or(x.Test, ids[function])
			x.addRun(r, passed)
		}
	}
	var all []Result
	for _, name := range sortedKeys(by) {
		all = append(all, *by[name])
	}
	return all
}

// addRun adds the outcome of the function in a run.
func (x *Result) addRun(r ReplayRun, passed bool) {
	x.Runs++
	if passed {
		if x.Outcome == "" {
			x.Outcome = OutcomeMimics
		}
	} else {
		outcome := x.failureOutcome(r)
		x.Failed++
		if x.Outcome == "" || x.Outcome == OutcomeIncomplete {
			x.Outcome = outcome
		}
	}
	if x.Failed > 0 && x.Failed < x.Runs {
		x.Outcome = OutcomeFlaky
	}
}

// failureOutcome returns the outcome of a run that failed, and keeps the differences of the first
// such run.
func (x *Result) failureOutcome(r ReplayRun) Outcome {
	outcome, own := OutcomeUnhandled, []string(nil)
	for _, d := range r.Differences {
		if d.Test != x.Function || d.Begin {
			continue
		}
		own = append(own, d.What)
		if d.Oracle != SetUpOracle && outcome == OutcomeUnhandled {
			outcome = OutcomeIncomplete
		}
		if d.Oracle == SetUpOracle {
			outcome = OutcomeUnhandled
			break
		}
	}
	if x.Differences == nil {
		x.Differences = own[:min(len(own), 5)]
	}
	return outcome
}

// TableRow is the row of an operation in the paper's Tables 3 to 5. The paper has a method under test in place of an
// operation, and a mocked object in place of a host.
type TableRow struct {
	Operation  model.OpID `json:"operation"`
	Parameters int        `json:"parameters"`
	// Lines is the number of lines of the functions that the operation's tests run, 0 if it is not known.
	Lines  int `json:"lines,omitempty"`
	Seen   int `json:"exchanges"`
	Shapes int `json:"shapes"`
	Tests  int `json:"tests"` // number of functions
	Bytes  int `json:"captured_bytes"`
	Hosts  int `json:"mocks"`
	Calls  int `json:"mock_operations"`
	Stubs  int `json:"stubs"`
	OO     int `json:"oo_statements"`
	PO     int `json:"po_statements"`
	CO     int `json:"co_statements"`

	Mimics     int `json:"successfully_mimic"`
	Incomplete int `json:"incompletely_mimic"`
	Unhandled  int `json:"unhandled"`
	Flaky      int `json:"flaky"`
	Untried    int `json:"untried"`
}

// TableRows returns a row for each recorded operation, and the total. A test without results counts
// as many functions as FunctionCount returns.
func TableRows(s Suite, results []Result, oracles []model.MockOracle, together bool) (rows []TableRow, total TableRow) {
	for _, o := range s.Operations {
		r := TableRow{Operation: o.ID, Parameters: o.Parameters, Seen: o.Seen, Shapes: o.Shapes, Bytes: o.Bytes}
		for _, t := range s.Tests {
			if t.Calls[t.Mock.Call].Op == o.ID {
				r.add(t, results, oracles, together)
			}
		}
		rows = append(rows, r)
		total.sum(r)
	}
	total.Operation = "total"
	return rows, total
}

// add adds a test to the row of its operation.
func (r *TableRow) add(t model.Test, results []Result, oracles []model.MockOracle, together bool) {
	hosts, calls := map[string]bool{}, map[string]bool{}
	for _, w := range t.Mock.ExpectedCalls {
		stub := t.Stubs[w.Stub]
		hosts[stub.Host] = true
		calls[stub.Host+" "+string(stub.Protocol)+" "+stub.Match.Method+" "+stub.Match.Path] = true
		if slices.Contains(oracles, model.ParameterOracle) {
			r.PO++
		}
		if slices.Contains(oracles, model.CallOracle) && t.Mock.HasOracle(model.CallOracle) {
			r.CO++
		}
	}
	if slices.Contains(oracles, model.OutputOracle) {
		r.OO += statements(t.Mock.Output)
	}
	r.Hosts, r.Calls = r.Hosts+len(hosts), r.Calls+len(calls)
	for _, s := range t.Stubs {
		if !s.Background {
			r.Stubs++
		}
	}
	found := 0
	for _, x := range results {
		if x.Test == t.ID {
			found++
			r.count(x.Outcome)
		}
	}
	if found == 0 {
		found = FunctionCount(t, oracles, together)
		r.Untried += found
	}
	r.Tests += found
}

// MimicShare counts the functions of some tests, and those that mimic the recording.
type MimicShare struct {
	Tests  int `json:"tests"` // number of functions that were run
	Mimics int `json:"successfully_mimic"`
}

// Add adds the numbers of another share.
func (s *MimicShare) Add(o MimicShare) { s.Tests, s.Mimics = s.Tests+o.Tests, s.Mimics+o.Mimics }

// MimicShares returns two shares: the share for the tests whose call under test makes outward calls, and the share for
// the other tests.
func MimicShares(s Suite, results []Result) (calling, others MimicShare) {
	for _, t := range s.Tests {
		share := &others
		if len(t.Mock.ExpectedCalls) > 0 {
			share = &calling
		}
		for _, x := range results {
			if x.Test != t.ID {
				continue
			}
			share.Tests++
			if x.Outcome == OutcomeMimics {
				share.Mimics++
			}
		}
	}
	return calling, others
}

// statements returns the number of assertions of an output oracle. Expectations on locations in a
// body belong to the assertion on the body.
func statements(all []model.Expectation) int {
	n := 0
	for _, e := range all {
		if e.In != model.InBody || e.Name == "" {
			n++
		}
	}
	return n
}

// FunctionCount returns how many functions a test has. If together is set, one function has all
// oracles. An oracle that does not apply to the test has no function.
func FunctionCount(t model.Test, oracles []model.MockOracle, together bool) int {
	n := 0
	for _, o := range oracles {
		if t.Mock.HasOracle(o) {
			n++
		}
	}
	if together {
		n = min(n, 1)
	}
	return n
}

// count counts the outcome of a function.
func (r *TableRow) count(o Outcome) {
	switch o {
	case OutcomeMimics:
		r.Mimics++
	case OutcomeIncomplete:
		r.Incomplete++
	case OutcomeUnhandled:
		r.Unhandled++
	case OutcomeFlaky:
		r.Flaky++
	default:
		r.Untried++
	}
}

// sum adds the numbers of another row, except its lines.
func (r *TableRow) sum(o TableRow) {
	r.Parameters += o.Parameters
	r.Seen, r.Shapes, r.Tests, r.Bytes = r.Seen+o.Seen, r.Shapes+o.Shapes, r.Tests+o.Tests, r.Bytes+o.Bytes
	r.Hosts, r.Calls, r.Stubs = r.Hosts+o.Hosts, r.Calls+o.Calls, r.Stubs+o.Stubs
	r.OO, r.PO, r.CO = r.OO+o.OO, r.PO+o.PO, r.CO+o.CO
	r.Mimics, r.Incomplete, r.Unhandled = r.Mimics+o.Mimics, r.Incomplete+o.Incomplete, r.Unhandled+o.Unhandled
	r.Flaky, r.Untried = r.Flaky+o.Flaky, r.Untried+o.Untried
}
