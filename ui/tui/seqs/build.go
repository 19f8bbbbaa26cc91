package seqs

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// bench is where a person builds a seq. Its lines are the calls and, to be added by the
// cursor, what would bind what is unbound and what could follow.
type bench struct {
	on   *row // that is built, nil before the first
	open bool // the details are the bench, as long as they are the row's
	list pane.List
	undo []model.Seq
}

// build opens the bench on the row under the cursor: on that itself if it was built here,
// else on a copy.
func (s *Screen) build() {
	r := s.shown[s.list.At]
	if !r.built() {
		r = s.rows.make(r.Seq)
		s.show(r)
	}
	s.bench = bench{on: r, open: true}
	s.reading = true
	s.fit()
}

// building tells whether the bench has the focus.
func (s *Screen) building() bool {
	return s.bench.open && s.reading && s.list.At < len(s.shown) && s.shown[s.list.At] == s.bench.on
}

// built tells whether a person built the row's seq, and nothing has given it values.
func (r *row) built() bool { return r.Origin == model.ByHand && r.Test == nil }

// make adds a row for a seq that a person builds.
func (s *store) make(seq model.Seq) *row {
	r := &row{}
	s.made = append(s.made, r)
	*r = *s.row(screen.Item{ID: s.name(model.ByHand), Origin: model.ByHand, Seq: slices.Clone(seq)})
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
	if s.rows.study == nil {
		return nil
	}
	if !slices.Contains(s.rows.made, s.bench.on) {
		s.bench = bench{on: s.rows.make(nil)}
		s.bench.on.picked = true
	}
	s.show(s.bench.on)
	s.change(append(slices.Clone(s.bench.on.Seq), op))
	r := s.bench.on
	text := fmt.Sprintf("%s is call %d of %s", op, len(r.Seq), r.ID)
	for _, n := range s.rows.needs(r.Seq)[len(r.Seq)-1] {
		if n.from < 0 {
			text += fmt.Sprintf("; %s is unbound: %s gives it", n.name, n.by[0])
		}
	}
	return tea.Batch(s.picks(), screen.Tell(text))
}

// change has the bench's row be another seq; undo brings the one before back.
func (s *Screen) change(seq model.Seq) {
	r := s.bench.on
	s.bench.undo = append(s.bench.undo, r.Seq)
	r.Item = s.rows.row(screen.Item{ID: r.ID, Origin: r.Origin, Seq: seq, Stubs: r.Stubs}).Item
}

// restore takes the last change back.
func (s *Screen) restore() {
	last := len(s.bench.undo) - 1
	before := s.bench.undo[last]
	s.change(before)
	s.bench.undo = s.bench.undo[:last]
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
