package study

import (
	"context"
	"time"

	"sonde/model"
	"sonde/runner/lab/stat"
)

// CalledList is the result of a list of seqs that were called while they were listed.
type CalledList struct {
	SeqCounts
	Calls  int // number of all requests, including logins, resets and repeated tries
	Took   time.Duration
	Faults []model.Fault
	// Tests are the practical seqs in the order of the calls, with the statuses of the answers. For each of them, After
	// has the number of requests until the seq was completed.
	Tests []model.Test
	After []int
}

// SeqCounts counts the seqs of a list. Listed are those that follow from the specification alone. Each of them is
// practical (it was completed), failed (it was called, but not completed), barred (it was not called, because it begins
// with a seq that did not succeed) or open (the calls ended before).
type SeqCounts struct {
	Listed    int `json:"listed"`
	Practical int `json:"practical"`
	Failed    int `json:"failed"`
	Barred    int `json:"barred"`
	Open      int `json:"open"`
}

// ListResult has the results of a run on a list of seqs that a Result does not have.
type ListResult struct {
	SeqCounts
	Reached int                 `json:"reached"` // operations in practical seqs
	Blocks  model.CoverageCount `json:"blocks"`  // reached when the practical seqs are played again
	Seconds float64             `json:"seconds"` // time of listing and calling
	// TestCalls is the number of calls in the completed seqs. These seqs are played again on the service with coverage
	// counters; TestSeconds is the time that this took. If a list is called again, the completed seqs are those of all
	// rounds.
	TestCalls   int     `json:"test_calls"`
	TestSeconds float64 `json:"test_seconds"`
}

// runList lists seqs, calls them, and plays the practical ones on the service with coverage counters.
func runList(ctx context.Context, of Service, p model.Plan, key RunKey) (Result, error) {
	p.Limits, p.Seed = model.Limits{Calls: key.Budget}, key.Seed
	called, err := of.List(ctx, p, key.Way)
	if err != nil {
		return Result{}, err
	}
	reached, err := of.Count(ctx, p, called.Tests)
	if err != nil {
		return Result{}, err
	}
	found := foundFaults(called.Faults)
	r := Result{
		RunKey: key, Calls: called.Calls, Operations: len(p.Spec.Operations), Tests: len(called.Tests), Faults: len(found),
		Found: found, Statements: &reached.Statements, Curve: []CurvePoint{},
		List: &ListResult{
			SeqCounts: called.SeqCounts, Blocks: reached.Blocks, Seconds: called.Took.Seconds(), TestSeconds: reached.Took.Seconds(),
		},
	}
	r.addAnswers(called)
	return r, nil
}

// addAnswers counts the answers to the practical seqs.
func (r *Result) addAnswers(called CalledList) {
	statuses := map[model.OpID]map[int]int{}
	curve := observer{curve: r.Curve}
	for i, t := range called.Tests {
		for _, c := range t.Calls {
			r.List.TestCalls++
			if statuses[c.Op] == nil {
				statuses[c.Op] = map[int]int{}
			}
			statuses[c.Op][c.Status]++
			if statuses[c.Op][c.Status] == 1 {
				curve.add(called.After[i], 1)
			}
		}
	}
	r.List.Reached, r.Covered, r.Codes, r.Curve = len(statuses), curve.covered, curve.covered, curve.curve
	for _, counts := range statuses {
		for class, n := range map[int]*int{2: &r.With2xx, 4: &r.With4xx, 5: &r.With5xx} {
			if hasClass(counts, class) {
				*n++
			}
		}
	}
}

// ListMeasure is a quantity by which lists of seqs are compared.
type ListMeasure string

// The measures. Statements and blocks are those that the practical seqs reach when they are played again.
const (
	ListStatements  ListMeasure = "statements" // in percent
	ListBlocks      ListMeasure = "blocks"     // in percent
	ListOperations  ListMeasure = "operations" // in practical seqs
	ListFaults      ListMeasure = "faults"     // see Result
	ListListed      ListMeasure = "listed"     // see SeqCounts
	ListPractical   ListMeasure = "practical"
	ListFailed      ListMeasure = "failed"
	ListBarred      ListMeasure = "barred"
	ListOpen        ListMeasure = "open"
	ListCalls       ListMeasure = "calls"
	ListSeconds     ListMeasure = "seconds"
	ListTestCalls   ListMeasure = "test_calls"
	ListTestSeconds ListMeasure = "test_seconds"
)

// ListMeasures are the measures in the order of ListFigures.Figures.
var ListMeasures = []ListMeasure{
	ListStatements, ListBlocks, ListOperations, ListFaults, ListListed, ListPractical, ListFailed, ListBarred, ListOpen, ListCalls,
	ListSeconds, ListTestCalls, ListTestSeconds,
}

// of returns the value of the measure for one run.
func (m ListMeasure) of(r Result) float64 {
	l := r.List
	return map[ListMeasure]float64{
		ListStatements:  100 * r.Statements.Fraction(),
		ListBlocks:      100 * l.Blocks.Fraction(),
		ListOperations:  float64(l.Reached),
		ListFaults:      float64(r.Faults),
		ListListed:      float64(l.Listed),
		ListPractical:   float64(l.Practical),
		ListFailed:      float64(l.Failed),
		ListBarred:      float64(l.Barred),
		ListOpen:        float64(l.Open),
		ListCalls:       float64(r.Calls),
		ListSeconds:     l.Seconds,
		ListTestCalls:   float64(l.TestCalls),
		ListTestSeconds: l.TestSeconds,
	}[m]
}

// ListComparison compares the lists of a study with the first list, for runs with the same service and budget.
type ListComparison struct {
	Service string
	Budget  int
	Runs    int // number of runs of each list
	Lists   []ListFigures
}

// ListFigures are the results of the runs of one list.
type ListFigures struct {
	Name    string
	Figures []ListFigure // one for each of ListMeasures
}

// ListFigure has the values of one measure of a list. A12 and P compare the list with the first list.
type ListFigure struct{ Mean, A12, P float64 }

// compareLists compares the lists for a service and a budget. All runs must be in the log.
func (s Study) compareLists(l *Log, service string, b Series) ListComparison {
	c := ListComparison{Service: service, Budget: b.Calls, Runs: len(b.Seeds)}
	var first []Result
	for i, name := range s.Lists {
		results, _ := l.seriesResults(RunKey{Service: service, Budget: b.Calls, Smart: s.Smart[0], Way: name}, b.Seeds)
		if i == 0 {
			first = results
		}
		figures := ListFigures{Name: name}
		for _, m := range ListMeasures {
			of, base := sampleOf(results, m.of), sampleOf(first, m.of)
			f := ListFigure{Mean: stat.Mean(of), A12: stat.A12(of, base)}
			_, f.P = stat.MannWhitney(of, base)
			figures.Figures = append(figures.Figures, f)
		}
		c.Lists = append(c.Lists, figures)
	}
	return c
}
