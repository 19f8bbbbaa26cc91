package cli

import (
	"io"
	"slices"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/words"
)

// grant takes what log-ins give, of the operations that the flows are about.
func (x *flows) grant(all []match.Grant) {
	for _, g := range all {
		g.To = slices.DeleteFunc(slices.Clone(g.To), func(op model.OpID) bool { return !slices.Contains(x.graph.Operations, op) })
		if slices.Contains(x.graph.Operations, g.From) && len(g.To) > 0 {
			x.grants = append(x.grants, g)
		}
	}
}

// printGrants prints which log-ins let callers into how many operations.
func (x *flows) printGrants(w io.Writer) {
	if len(x.grants) == 0 {
		return
	}
	heading(w, "Log-ins")
	t := newTable(w)
	for _, g := range x.grants {
		t.row("  "+string(g.From), g.ID, words.Plural(len(g.To), "operation"), g.Why)
	}
	t.flush()
}

// looseEnds are the values that no operation takes, those of log-ins left out which let
// callers in, and those that none emits.
func (x *flows) looseEnds() (untaken, unemitted []depend.Loose) {
	untaken, unemitted = depend.LooseEnds(x.table)
	untaken = slices.DeleteFunc(untaken, func(l depend.Loose) bool {
		return slices.ContainsFunc(x.grants, func(g match.Grant) bool { return g.Value == l.Value })
	})
	return untaken, unemitted
}
