package seqs

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// bench is where a person builds a seq. Its lines are the calls and, to be added by the
// cursor, what would bind what is unbound and what could follow.
type bench struct {
	on   *row // that is built, nil before the first
	open bool // the details are the bench, as long as they are the row's
	list widget.List
	undo [][]step
	edit edit
}

// build opens the bench on the row under the cursor: on that itself if it was built here,
// else on a copy, with its values where it has some.
func (s *Screen) build() tea.Cmd {
	r := s.shown[s.list.At]
	if !r.built {
		r = s.rows.make(r.Seq, r.Test)
		s.show(r)
	}
	s.bench = bench{on: r, open: true}
	s.reading = true
	s.fit()
	return s.outline(r)
}

// building reports whether the bench has the focus.
func (s *Screen) building() bool {
	return s.bench.open && s.reading && s.list.At < len(s.shown) && s.shown[s.list.At] == s.bench.on && !s.drying() && !s.stepping()
}

// make adds a row for a seq that a person builds, with the values of a test of it where
// there is one.
func (s *store) make(seq model.Seq, t *model.Test) *row {
	r := &row{}
	s.made = append(s.made, r)
	*r = *s.row(screen.SeqItem{ID: s.name(model.OriginManual), Origin: model.OriginManual, Seq: slices.Clone(seq), Stubs: own(t)})
	r.built, r.steps, r.before = true, stepsOf(seq, t), t
	return r
}

// show puts the cursor on a row, without a filter where that hides it.
func (s *Screen) show(r *row) {
	s.narrow()
	if !slices.Contains(s.shown, r) {
		s.find.Set("")
		s.only = onlyAll
		s.narrow()
	}
	s.list.Go(slices.Index(s.shown, r))
	s.moved = true
}

// append adds a call to the seq that is built, or begins one, and says what is unbound.
func (s *Screen) append(op model.OpID) tea.Cmd {
	switch {
	case s.rows.study == nil:
		return nil
	case s.rows.connect == nil:
		return s.bind(screen.AppendOperation{Op: op})
	}
	if !slices.Contains(s.rows.made, s.bench.on) {
		s.bench = bench{on: s.rows.make(nil, nil)}
		s.bench.on.picked = true
	}
	s.show(s.bench.on)
	cmd := s.change(append(slices.Clone(s.bench.on.steps), step{op: op}))
	r := s.bench.on
	text := fmt.Sprintf("%s is call %d of %s", op, len(r.Seq), r.ID)
	for _, n := range s.rows.needs(r.Seq)[len(r.Seq)-1] {
		if n.from < 0 {
			text += fmt.Sprintf("; %s is unbound: %s gives it", n.name, n.by[0])
		}
	}
	return tea.Batch(cmd, screen.ShowStatus(text))
}

// change has the bench's row be other steps; undo brings those before back. What it was
// answered is no more what it would be. Others are told once it has values.
func (s *Screen) change(steps []step) tea.Cmd {
	r := s.bench.on
	s.bench.undo = append(s.bench.undo, r.steps)
	if seq := seqOf(steps); !slices.Equal(seq, r.Seq) {
		r.SeqItem = s.rows.row(screen.SeqItem{ID: r.ID, Origin: r.Origin, Seq: seq, Stubs: r.Stubs}).SeqItem
		r.plain = nil
	}
	r.steps, r.Test, r.again = steps, nil, nil
	r.Draft = r.changed()
	if r.plain != nil {
		return s.picks()
	}
	return s.outline(r)
}

// restore takes the last change back.
func (s *Screen) restore() tea.Cmd {
	last := len(s.bench.undo) - 1
	cmd := s.change(s.bench.undo[last])
	s.bench.undo = s.bench.undo[:last]
	return cmd
}

// cursorOn puts the cursor on a call.
func (s *Screen) cursorOn(call int) {
	s.fit()
	for i, p := range s.parts(0) {
		if p.adds == "" && p.call == call {
			s.bench.list.Go(i)
			return
		}
	}
}
