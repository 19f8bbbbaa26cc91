package seqs

import (
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// linker finds the values that the calls of a seq take from the answers to other calls.
type linker struct {
	analyzed *screen.AnalyzedSpec
	connect  func(model.Seq) model.Template // links the calls of a seq; nil until loading.link is done
}

// need is a value that a call takes, or could take, from the answer to another call.
type need struct {
	name      string
	in        model.Location
	from      int          // the index of the call that provides the value, -1 if none does
	providers []model.OpID // if no call provides the value, the operations that could
}

// maxProviders is the maximum number of operations that are offered for a value that no call provides.
const maxProviders = 3

// ready reports whether links can be computed.
func (l *linker) ready() bool { return l.connect != nil }

// needs returns the needs of each call of a seq: first the values that the links of a test provide, then
// the required values that no call of the seq provides. A call has no needs until the linker is ready.
func (l *linker) needs(seq model.Seq) [][]need {
	all := make([][]need, len(seq))
	if !l.ready() {
		return all
	}
	links := l.connect(seq).Links
	for i, op := range seq {
		for _, link := range links {
			if link.To == i {
				all[i] = append(all[i], need{name: link.Name, in: link.In, from: link.From})
			}
		}
		all[i] = append(all[i], l.unbound(op, all[i])...)
	}
	return all
}

// openNeeds returns the needs of each call of a row that the user builds. Values that the user typed are
// left out.
func (l *linker) openNeeds(r *row) [][]need {
	all := l.needs(r.Seq)
	for i, st := range r.steps {
		all[i] = slices.DeleteFunc(all[i], func(n need) bool {
			return slices.Contains(st.typed, valuePlace(n.in, n.name))
		})
	}
	return all
}

// unbound returns the values that an operation requires and that are not in bound. It leaves out values that no other
// operation can provide.
func (l *linker) unbound(op model.OpID, bound []need) (all []need) {
	planner := l.analyzed.Analysis.Planner()
	for _, u := range planner.RequiredValues(op) {
		same := func(n need) bool { return n.in == u.In && (n.name == u.Name || n.name == u.Pointer) }
		if slices.ContainsFunc(bound, same) {
			continue
		}
		if by, _ := planner.Feeders(op, u); len(by) > 0 {
			all = append(all, need{name: u.Name, in: u.In, from: -1, providers: by[:min(len(by), maxProviders)]})
		}
	}
	return all
}

// followers returns the operations that take ids from the calls of a seq, without duplicates. Operations
// that take an id from the last call come first.
func (l *linker) followers(seq model.Seq) (all []model.OpID) {
	for _, op := range slices.Backward(seq) {
		for _, source := range l.analyzed.IDSources {
			if source.From == op && !slices.Contains(all, source.To) {
				all = append(all, source.To)
			}
		}
	}
	return all
}
