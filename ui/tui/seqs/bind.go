package seqs

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// need is a value that a call of a seq cannot do without.
type need struct {
	name string
	in   model.Location
	from int          // the call that gives it, -1 where none does
	by   []model.OpID // who could give it, where none does
}

// binding brings what links the calls of seqs of a study.
type binding struct {
	study   *screen.AnalyzedSpec
	connect func(model.Seq) model.Template
}

// bind makes that in the background. A message that waits for it is taken again then.
func (s *Screen) bind(then ...tea.Msg) tea.Cmd {
	s.until = append(s.until, then...)
	study := s.rows.study
	if s.binding == study {
		return nil // it is on its way
	}
	s.binding = study
	return func() tea.Msg { return binding{study, study.Analysis.Connector()} }
}

// bound lets seqs be bound from now on.
func (s *Screen) bound(msg binding) tea.Cmd {
	if msg.study != s.rows.study {
		return nil
	}
	s.rows.connect = msg.connect
	s.fit()
	cmds := make([]tea.Cmd, len(s.until))
	for i, then := range s.until {
		_, cmds[i] = s.update(then)
	}
	s.until = nil
	return tea.Batch(cmds...)
}

// needs are, for each call, the ids that others of the API give: as tests bind them. None
// are known before the spec's links are.
func (s *store) needs(seq model.Seq) [][]need {
	all := make([][]need, len(seq))
	if s.connect == nil {
		return all
	}
	links := s.connect(seq).Links
	for i, op := range seq {
		for _, l := range links {
			if l.To == i {
				all[i] = append(all[i], need{name: l.Name, in: l.In, from: l.From})
			}
		}
		all[i] = append(all[i], s.unbound(op, all[i])...)
	}
	return all
}

// lacks are the needs of what a person builds, without the values that they typed.
func (s *store) lacks(r *row) [][]need {
	all := s.needs(r.Seq)
	for i, st := range r.steps {
		all[i] = slices.DeleteFunc(all[i], func(n need) bool { return slices.Contains(st.typed, placed(n.in, n.name)) })
	}
	return all
}

// unbound are the values that an operation needs of another, and that nothing gives it.
func (s *store) unbound(op model.OpID, bound []need) (all []need) {
	known := s.study.Spec.Operation(op)
	if known == nil {
		return nil
	}
	for _, u := range s.study.Matcher.UsesOf(known) {
		same := func(n need) bool { return n.in == u.In && (n.name == u.Name || n.name == u.Pointer) }
		if u.Out || !u.Required || slices.ContainsFunc(bound, same) || slices.ContainsFunc(all, same) {
			continue
		}
		if by := s.givers(op, u); len(by) > 0 {
			all = append(all, need{name: u.Name, in: u.In, from: -1, by: by})
		}
	}
	return all
}

// givers are the operations whose answers tests take a value from.
func (s *store) givers(op model.OpID, u match.ValueUse) (by []model.OpID) {
	for _, w := range s.study.IDSources {
		if w.To == op && w.Value == u.ID {
			by = append(by, w.From)
		}
	}
	return by
}

// next are the operations that take what the calls of a seq give, those of the last call
// first, each once.
func (s *store) next(seq model.Seq) (all []model.OpID) {
	for _, op := range slices.Backward(seq) {
		for _, w := range s.study.IDSources {
			if w.From == op && !slices.Contains(all, w.To) {
				all = append(all, w.To)
			}
		}
	}
	return all
}
