package seqs

import (
	"context"
	"reflect"

	"sonde/model"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyStep    = key.NewBinding(key.WithKeys("."), key.WithHelp(".", "step through it"))
	keyNext    = key.NewBinding(key.WithKeys("."), key.WithHelp(".", "next call"))
	keyAnew    = key.NewBinding(key.WithKeys("."), key.WithHelp(".", "from the first again"))
	keyEndStep = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "back"))
)

// walk is the calls of a test that is played one by one, shown instead of the details
// of its row while it has one.
type walk struct {
	row  *row
	test model.Test // as it is to be played
	done []stepped
	busy bool
	err  error
	back bool // the list has the focus again behind it
}

// stepped is a call that was played.
type stepped struct {
	row     *row
	request model.Request // as it was sent, without what users carry
	sent    screen.SendResult
	err     error
}

// stepping tells that the page is of the row under the cursor, which is played call by
// call.
func (s *Screen) stepping() bool {
	return s.walk.row != nil && s.list.At < len(s.shown) && s.shown[s.list.At] == s.walk.row
}

// stepThrough begins with the first call of the test under the cursor.
func (s *Screen) stepThrough() tea.Cmd {
	if why := s.unplayable(); why != nil {
		return why
	}
	r := s.shown[s.list.At]
	return s.allow(r, s.begin)
}

func (s *Screen) begin(r *row) tea.Cmd {
	s.walk = walk{row: r, test: *r.played(), back: !s.reading}
	s.reading, s.page.At = true, 0
	return s.step()
}

// stepOf begins with the first call of a test, on its row; one that has none gets it.
func (s *Screen) stepOf(t model.Test) tea.Cmd {
	if s.rows.study == nil {
		return nil
	}
	r := s.rows.of(t)
	s.left, s.dry, s.walk, s.bench.open = nil, dry{}, walk{}, false
	s.show(r)
	return s.stepThrough()
}

// of is the row of a test, which is added where there is none.
func (s *store) of(t model.Test) *row {
	for _, r := range s.all() {
		if r.Test != nil && reflect.DeepEqual(r.Test.Calls, t.Calls) {
			return r
		}
	}
	r := s.row(screen.SeqItem{Origin: t.Origin, Seq: t.Seq(), Test: &t})
	s.made = append(s.made, r)
	t.ID = s.name(t.Origin)
	r.ID = t.ID
	return r
}

// step plays the next call, or the first again behind the last.
func (s *Screen) step() tea.Cmd {
	if s.walk.busy {
		return nil
	}
	if s.walk.over() {
		s.walk.done = nil
	}
	s.walk.busy, s.walk.err, s.replaying = true, nil, true
	r, test, at, e := s.walk.row, s.walk.test, len(s.walk.done), s.engine
	around := s.surroundings(test)
	return func() tea.Msg {
		sent, err := e.Step(context.Background(), test, at, around)
		msg := stepped{row: r, sent: sent, err: err}
		if len(sent.Test.Calls) > 0 {
			msg.request = e.Requests(sent.Test)[0]
		}
		return msg
	}
}

func (w walk) over() bool { return len(w.done) == len(w.test.Calls) }

// stepped shows the call that was played, unless the person went on.
func (s *Screen) stepped(msg stepped) {
	s.replaying = false
	if s.walk.row != msg.row {
		return
	}
	s.walk.busy, s.walk.err = false, msg.err
	if len(msg.sent.Exchanges) > 0 {
		s.walk.done = append(s.walk.done, msg)
	}
	_, r := s.divide()
	_, from, came := s.stepLines(r.W - 2)
	s.page.At = max(from, came+enough-(r.H-2))
}

// enough is how many lines of an answer are in sight at once, also below a long request.
const enough = 4

// pressStep takes a key while a test is played call by call.
func (s *Screen) pressStep(k tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(k, keyNext):
		if why := s.unplayable(); why != nil && !s.walk.busy {
			return why
		}
		return s.step()
	case key.Matches(k, keyEndStep):
		s.reading = !s.walk.back
		s.walk, s.page.At = walk{}, 0
	default:
		s.page.Key(k)
	}
	return nil
}

// key is what plays the next call.
func (w walk) key() key.Binding {
	if w.over() {
		return keyAnew
	}
	return keyNext
}
