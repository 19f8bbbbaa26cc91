package results

import (
	"io"
	"slices"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/console"
	"sonde/ui/words"
)

// AddGrants adds the log-ins that give access to operations of the graph.
func (x *Dataflow) AddGrants(all []match.LoginGrant) {
	for _, g := range all {
		g.To = slices.DeleteFunc(slices.Clone(g.To), func(op model.OpID) bool { return !slices.Contains(x.graph.Operations, op) })
		if slices.Contains(x.graph.Operations, g.From) && len(g.To) > 0 {
			x.grants = append(x.grants, g)
		}
	}
}

// printGrants writes the log-ins, with the number of operations to which they give access.
func (x *Dataflow) printGrants(w io.Writer) {
	if len(x.grants) == 0 {
		return
	}
	heading(w, "Log-ins")
	t := console.NewTable(w)
	for _, g := range x.grants {
		t.Row("  "+string(g.From), g.ID, words.Plural(len(g.To), "operation"), g.Why)
	}
	t.Flush()
}

// looseEnds returns two lists. untaken has the values that no operation takes. unemitted has the values that no
// operation emits. Credentials of log-ins are not in untaken.
func (x *Dataflow) looseEnds() (untaken, unemitted []depend.UnmatchedValue) {
	untaken, unemitted = depend.FindUnmatched(x.table)
	untaken = slices.DeleteFunc(untaken, func(l depend.UnmatchedValue) bool {
		return slices.ContainsFunc(x.grants, func(g match.LoginGrant) bool { return g.Value == l.Value })
	})
	return untaken, unemitted
}
