package study

import (
	"cmp"
	"slices"

	"sonde/model"
)

// FoundFault is a fault that a run found: an error or a warning that is not flaky.
type FoundFault struct {
	Op        model.OpID     `json:"op"`
	Oracle    string         `json:"oracle"`
	Severity  model.Severity `json:"severity"`
	Status    int            `json:"status,omitempty"`
	Input     model.Input    `json:"input,omitzero"`
	Signature string         `json:"signature"`
}

// foundFaults returns the faults that make a run fail, in the order of the run.
func foundFaults(faults []model.Fault) (all []FoundFault) {
	for _, f := range faults {
		if f.CountsAsFailure() {
			all = append(all, FoundFault{
				Op: f.Op, Oracle: f.Oracle, Severity: f.Severity, Status: f.Status, Input: f.Input, Signature: f.Signature,
			})
		}
	}
	return all
}

// compareFaults orders faults by what identifies a fault in a run: operation, oracle and signature.
func compareFaults(a, b FoundFault) int {
	return cmp.Or(cmp.Compare(a.Op, b.Op), cmp.Compare(a.Oracle, b.Oracle), cmp.Compare(a.Signature, b.Signature))
}

// FaultRow is a fault that was found by runs with the same service, way, budget and mode.
type FaultRow struct {
	Service   string
	Way, Mode string // as in a TableRow
	Budget    int
	// FoundFault is the fault with an input of the most severe class that any of these runs used. If several runs used
	// inputs of this class, the input is that of the first of them.
	FoundFault
	Runs []int // number of runs that found it, for each P of the study
}

// faultRows returns a row for each fault of each service, budget, way and mode. Faults that more runs found come first.
// All runs must be in the log.
func (s Study) faultRows(l *Log) (all []FaultRow) {
	s.eachSeries(l, func(key RunKey, results []Result) {
		var rows []FaultRow
		for _, r := range results {
			for _, f := range r.Found {
				at, found := slices.BinarySearchFunc(rows, f, func(row FaultRow, f FoundFault) int {
					return compareFaults(row.FoundFault, f)
				})
				if !found {
					rows = slices.Insert(rows, at, FaultRow{
						Service: key.Service, Way: key.Way, Mode: s.modeName(key.White), Budget: key.Budget, FoundFault: f,
						Runs: make([]int, len(s.Smart)),
					})
				}
				if f.Input.Rank() < rows[at].Input.Rank() {
					rows[at].FoundFault = f
				}
				rows[at].Runs[slices.Index(s.Smart, r.Smart)]++
			}
		}
		slices.SortStableFunc(rows, func(a, b FaultRow) int { return cmp.Compare(sum(b.Runs), sum(a.Runs)) })
		all = append(all, rows...)
	})
	return all
}

func sum(numbers []int) (total int) {
	for _, n := range numbers {
		total += n
	}
	return total
}
