package explore

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
)

// facts has the analysis results for one operation.
type facts struct {
	unknown      bool // the analysis is not finished
	group        int
	takes, emits []flow
}

// factsOf returns the facts of an operation, with the most important values first. If attributes is true, each flow
// also has its copies: the operations that share the value only as an attribute. There may be very many of them.
func factsOf(analyzed *screen.AnalyzedSpec, op *model.Operation, ops map[model.OpID]*model.Operation, attributes bool) facts {
	if analyzed.IsPreview {
		return facts{unknown: true}
	}
	f := facts{group: analyzed.GroupOf[op.ID]}
	n := neighboursOf(op.ID, analyzed.Graph, analyzed, ops)
	for _, fl := range once(analyzed.Matcher.UsesOf(op)) {
		fl.kind = draw.SchemaKind(schemaOf(op, fl.use))
		if fl.use.IsKey {
			fl.kind = "key"
		}
		fl.corrected = len(analyzed.Matcher.CorrectionsOf(op, fl.use)) > 0
		if fl.use.Out {
			fl.peers, fl.refers = n.takers(fl.use)
			fl.nameIn = func(taker model.OpID) string { return n.takenAs(taker, fl.use.ID, fl.use.Name) }
			f.emits = append(f.emits, fl)
			continue
		}
		fl.peers, fl.refers = n.emitters(fl.use), fl.use.IsReference
		fl.nameIn = func(emitter model.OpID) string { return n.emittedAs(emitter, fl.use) }
		f.takes = append(f.takes, fl)
	}
	if attributes {
		copies := neighboursOf(op.ID, analyzed.Analysis.ExchangeGraph(), analyzed, ops)
		copies.addCopies(f.takes)
		copies.addCopies(f.emits)
	}
	f.emits = append(f.emits, n.undeclared(f.emits)...)
	f.takes = append(f.takes, n.takenCredentials(op)...)
	f.emits = n.addGivenCredentials(f.emits)
	for _, list := range [][]flow{f.takes, f.emits} {
		name(list)
		slices.SortStableFunc(list, func(a, b flow) int { return cmp.Compare(a.rank(), b.rank()) })
	}
	return f
}

// addCopies sets the copies of flows: the operations that share the value only as an attribute, and so are not peers.
func (n neighbours) addCopies(all []flow) {
	for i := range all {
		f := &all[i]
		if f.use.Out {
			f.copies, _ = n.takers(f.use)
		} else {
			f.copies = n.emitters(f.use)
		}
		linked := map[model.OpID]bool{}
		for _, p := range f.peers {
			linked[p.op] = true
		}
		f.copies = slices.DeleteFunc(f.copies, func(p peer) bool { return linked[p.op] })
		for k := range f.copies {
			f.copies[k].isCopy = true
		}
	}
}

// once merges uses of the same value that have the same name, such as uses in several answers. It merges a
// header, such as Location, with the same value in the body.
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

// add adds another use of the same value.
func (f *flow) add(u match.ValueUse) {
	f.use.Required = f.use.Required || u.Required
	if u.In == model.InHeader && f.use.In != u.In && f.header == "" {
		f.header = u.Name
		f.why += "; " + u.Why
	}
}

// name sets the labels of values: their names or, if several values have the same name, their identities,
// such as "product.id".
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

// rank returns the importance of a value; lower is more important. The order is:
//   - ids that pass between operations, and corrected values
//   - other values that pass between operations
//   - required inputs
//   - all other values
func (f flow) rank() int {
	switch {
	case len(f.peers) > 0 && f.refers, f.corrected:
		return 0
	case len(f.peers) > 0:
		return 1
	case f.use.Required && !f.use.Out:
		return 2
	}
	return 3
}
