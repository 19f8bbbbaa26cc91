package explore

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/screen"
)

// facts are what the analysis says of an operation.
type facts struct {
	group        int
	takes, emits []flow
}

// factsOf returns them, of the values first those that matter most.
func factsOf(study *screen.AnalyzedSpec, op *model.Operation, ops map[model.OpID]*model.Operation) facts {
	f := facts{group: study.GroupOf[op.ID]}
	n := neighbours{study: study, op: op.ID, ops: ops, from: study.Graph.FedBy(op.ID), to: study.Graph.Feeds(op.ID)}
	for _, fl := range once(study.Matcher.UsesOf(op)) {
		fl.kind = kind(schemaOf(op, fl.use))
		if fl.use.Out {
			fl.peers, fl.refers = n.takers(fl.use)
			f.emits = append(f.emits, fl)
			continue
		}
		fl.peers, fl.refers = n.makers(fl.use), fl.use.IsReference
		f.takes = append(f.takes, fl)
	}
	f.emits = append(f.emits, n.undeclared(f.emits)...)
	f.takes, f.emits = append(f.takes, n.admitted(op)...), n.admits(f.emits)
	for _, list := range [][]flow{f.takes, f.emits} {
		name(list)
		slices.SortStableFunc(list, func(a, b flow) int { return cmp.Compare(a.rank(), b.rank()) })
	}
	return f
}

// once joins the uses of one name that are one value, such as those of several
// answers. Location is no row of its own where the body has what it names.
func once(uses []match.ValueUse) []flow {
	type end struct {
		id, name string
		out      bool
	}
	var list []flow
	at, bodies := map[end]int{}, map[string]int{}
	for _, u := range uses {
		i, ok := at[end{id: u.ID, name: u.Name, out: u.Out}]
		if b, told := bodies[u.ID]; !ok && told && u.Out && u.In == model.InHeader {
			i, ok = b, true
		}
		if ok {
			list[i].add(u)
			continue
		}
		at[end{id: u.ID, name: u.Name, out: u.Out}] = len(list)
		if _, told := bodies[u.ID]; !told && u.In == model.InResponse {
			bodies[u.ID] = len(list)
		}
		list = append(list, flow{use: u, why: u.Why})
	}
	return list
}

// add joins another use of the same value.
func (f *flow) add(u match.ValueUse) {
	f.use.Required = f.use.Required || u.Required
	if u.In == model.InHeader && f.use.In != u.In && f.header == "" {
		f.header = u.Name
		f.why += "; " + u.Why
	}
}

// name gives values their names, where those tell them apart: of several with
// an "id" each, "product.id" says more.
func name(list []flow) {
	times := map[string]int{}
	for _, f := range list {
		times[f.use.Name]++
	}
	for i, f := range list {
		list[i].label = f.use.Name
		if times[f.use.Name] > 1 {
			list[i].label = f.use.ID
		}
	}
}

// rank is lower for what matters more: ids that pass between operations, other
// values that do, what cannot be left out, the rest.
func (f flow) rank() int {
	switch {
	case len(f.peers) > 0 && f.refers:
		return 0
	case len(f.peers) > 0:
		return 1
	case f.use.Required && !f.use.Out:
		return 2
	}
	return 3
}
