package study

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
)

// FaultKind counts faults that the same kind of input causes: inputs of one class and, if they are invalid, with the
// same violated constraint.
type FaultKind struct {
	Class      model.InputClass `json:"class"`
	Constraint string           `json:"constraint,omitempty"`
	Faults     int              `json:"faults"`
}

// addKind adds a kind to a sorted list. If the list already has the same kind, addKind adds the number of faults to
// that kind.
func addKind(all []FaultKind, k FaultKind) []FaultKind {
	at, found := slices.BinarySearchFunc(all, k, compareKinds)
	if found {
		all[at].Faults += k.Faults
		return all
	}
	return slices.Insert(all, at, k)
}

// compareKinds orders kinds by class, then by constraint.
func compareKinds(a, b FaultKind) int {
	return cmp.Or(model.Input{Class: a.Class}.Rank()-model.Input{Class: b.Class}.Rank(), strings.Compare(a.Constraint, b.Constraint))
}

// KindRow has the kinds of the faults that runs with the same service, way, budget and mode found.
type KindRow struct {
	Service   string
	Way, Mode string // as in a TableRow
	Budget    int
	Faults    int // number of faults of all runs together
	Kinds     []FaultKind
}

// kindRows returns a row for each service, budget, way and mode whose runs found faults. All runs must be in the log.
func (s Study) kindRows(l *Log) (all []KindRow) {
	s.eachSeries(l, func(key RunKey, results []Result) {
		k := KindRow{Service: key.Service, Way: key.Way, Mode: s.modeName(key.White), Budget: key.Budget}
		for _, r := range results {
			for _, f := range r.Found {
				k.Kinds = addKind(k.Kinds, FaultKind{Class: f.Input.Class, Constraint: f.Input.Constraint, Faults: 1})
			}
			k.Faults += len(r.Found)
		}
		if k.Faults > 0 {
			all = append(all, k)
		}
	})
	return all
}
