package explore

import (
	"maps"
	"slices"
	"strings"

	"sonde/model"
)

// observation has the data of a run about an operation.
type observation struct {
	counts map[int]int    // key: status; value: number of answers; nil before the first call
	newest map[int]string // key: status; value: beginning of the latest answer
	unmet  string         // why the operation never answered 2xx, according to its answers; "" if unknown
	faults []model.Fault
}

// observe returns the data of a run about an operation.
func observe(run model.Snapshot, op model.OpID) observation {
	o := observation{counts: run.Grid[op], newest: map[int]string{}}
	for status := range o.counts {
		if text := run.Newest[model.OpStatus{Op: op, Status: status}]; text != "" {
			o.newest[status] = text
		}
	}
	for _, w := range run.Summary.Warnings {
		if w.Op == op && w.Kind == model.WarnNever2xx {
			o.unmet = strings.TrimPrefix(w.Text, string(op)+" ")
		}
	}
	for _, f := range run.Faults {
		if f.Op == op {
			o.faults = append(o.faults, f)
		}
	}
	return o
}

// equal reports whether two observations look the same on the page. It ignores the text of the latest
// answers, which changes with each call.
func (o observation) equal(other observation) bool {
	return maps.Equal(o.counts, other.counts) && o.unmet == other.unmet &&
		slices.EqualFunc(o.faults, other.faults, func(a, b model.Fault) bool {
			return a.ID == b.ID && a.Count == b.Count && a.Calls == b.Calls &&
				a.Verdict == b.Verdict && a.Text == b.Text
		})
}
