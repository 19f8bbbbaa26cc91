package seqs

import (
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// step is a call of a seq that a person builds.
type step struct {
	op    model.OpID
	call  *model.Call // as the person has it, nil while its values are the plainest
	typed []string    // what of it comes from no call before any more, as placed names it
}

// stepsOf are the steps of a seq, with the values of a test of it where there is one.
func stepsOf(seq model.Seq, t *model.Test) []step {
	all := make([]step, len(seq))
	for i, op := range seq {
		all[i].op = op
		if t != nil {
			call := t.Calls[i]
			call.Status = 0
			all[i].call = &call
		}
	}
	return all
}

func seqOf(steps []step) model.Seq {
	seq := make(model.Seq, len(steps))
	for i, s := range steps {
		seq[i] = s.op
	}
	return seq
}

// outlined brings the plainest test of a seq that a person builds.
type outlined struct {
	row   *row
	test  model.Test
	users []string // who may call
	err   error
}

// outline asks for the plainest test of a row's seq, unless it is there.
func (s *Screen) outline(r *row) tea.Cmd {
	if r.plain != nil || len(r.Seq) == 0 {
		return nil
	}
	e, seq := s.engine, r.Seq
	return func() tea.Msg {
		t, err := e.Prepare(seq)
		return outlined{row: r, test: t, users: e.Users(), err: err}
	}
}

// outlined gives a row its values, and tells others of it.
func (s *Screen) outlined(msg outlined) tea.Cmd {
	r := msg.row
	switch {
	case msg.err != nil:
		return tea.Batch(s.picks(), screen.ShowError(msg.err))
	case !slices.Equal(msg.test.Seq(), r.Seq):
		return nil // it is another seq by now
	}
	r.plain, s.users = &msg.test, msg.users
	r.Draft = r.changed()
	return s.picks()
}

// changed is the draft, nil where nobody changed a value in it.
func (r *row) changed() *model.Test {
	if !slices.ContainsFunc(r.steps, func(st step) bool { return st.call != nil }) {
		return nil
	}
	return r.draft()
}

// draft is the test that a row's steps make, nil until the plainest one is there.
func (r *row) draft() *model.Test {
	if r.plain == nil {
		return nil
	}
	t := *r.plain
	t.ID, t.Calls, t.Links = r.ID, slices.Clone(t.Calls), nil
	for i, st := range r.steps {
		if st.call != nil {
			t.Calls[i] = *st.call
		}
	}
	for _, l := range r.plain.Links {
		if !slices.Contains(r.steps[l.To].typed, placed(l.In, l.Name)) {
			t.Links = append(t.Links, l)
		}
	}
	return &t
}

// enrol gives the plainest tests of what a person builds the users that there are now.
func (s *Screen) enrol(msg screen.UsersChanged) {
	s.users = msg.Names
	for _, r := range s.rows.made {
		if r.plain != nil {
			t := *r.plain
			t.Calls = msg.ReplaceCallers(t.Calls)
			r.plain = &t
		}
	}
}
