package seqs

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyAgain = key.NewBinding(key.WithKeys("R"), key.WithHelp("R", "play it again"))
	keyPlay  = key.NewBinding(key.WithKeys("R"), key.WithHelp("R", "play it"))
)

// replayed is what came of playing a row's test again.
type replayed struct {
	row        *row
	sent, test model.Test
	err        error
}

// againKeys are the keys that play the row under the cursor again, if it was ever played.
func (s *Screen) againKeys() []key.Binding {
	if s.host.URL == "" || s.list.At >= len(s.shown) {
		return nil
	}
	switch r := s.shown[s.list.At]; {
	case r.built && r.plain != nil && r.Test == nil:
		return []key.Binding{keyPlay, keyStep}
	case r.Test != nil:
		return []key.Binding{keyAgain, keyStep}
	}
	return nil
}

// replay plays the test under the cursor again, from the service's first state.
func (s *Screen) replay() tea.Cmd {
	if why := s.unplayable(); why != nil {
		return why
	}
	r := s.shown[s.list.At]
	return s.allow(r, s.playAgain)
}

func (s *Screen) playAgain(r *row) tea.Cmd {
	s.replaying = true
	test, engine := *r.played(), s.engine
	around := s.surroundings(test)
	return func() tea.Msg {
		again, err := engine.Replay(context.Background(), test, around)
		return replayed{row: r, sent: test, test: again, err: err}
	}
}

// unplayable says why the test under the cursor cannot be played now, nil where it can.
func (s *Screen) unplayable() tea.Cmd {
	switch {
	case len(s.againKeys()) == 0:
		return screen.ShowStatus("it was not played yet: pick it, and find its values on Export")
	case s.searching:
		return screen.ShowError(errors.New("stop the search first: playing a test resets the service under it"))
	case s.replaying:
		return screen.ShowStatus("one is being played")
	}
	return nil
}

// surroundings are what is around the service while a test is played: its own stubs.
func (s *Screen) surroundings(t model.Test) screen.Surroundings {
	around := s.around
	around.Net, around.Stubs = around.Net || len(t.Stubs) > 0, t.Stubs
	return around
}

// played is the test that a row is played as.
func (r *row) played() *model.Test {
	if !r.built {
		return r.Test
	}
	t := *r.draft()
	t.Stubs = r.Stubs
	return &t
}

// recorded is what the answers to a row are compared with, nil where nothing is known or
// where its calls are others by now.
func (r *row) recorded() *model.Test {
	switch {
	case !r.built:
		return r.Test
	case r.before != nil && slices.Equal(r.before.Seq(), r.Seq):
		return r.before
	}
	return nil
}

// replayed takes how a row was answered, unless it was changed meanwhile.
func (s *Screen) replayed(msg replayed) tea.Cmd {
	s.replaying = false
	r := msg.row
	if msg.err != nil {
		return screen.ShowError(msg.err)
	}
	var tell tea.Cmd
	if r.built {
		if now := r.draft(); now == nil || !reflect.DeepEqual(now.Calls, msg.sent.Calls) {
			return screen.ShowStatus(r.ID + " was changed meanwhile: it is to be played anew")
		}
		r.Test, tell = &msg.test, s.picks()
		s.bench.open = s.bench.open && s.bench.on != r // for its answers to be seen
	}
	r.again = &msg.test
	before := r.recorded()
	switch {
	case before == nil:
		r.before = &msg.test
		return tea.Batch(tell, screen.ShowStatus(r.ID+" was answered"))
	case same(*before, msg.test):
		return tea.Batch(tell, screen.ShowStatus(r.ID+" was answered as before"))
	}
	return tea.Batch(tell, screen.ShowStatus(r.ID+" was answered otherwise"))
}

// same reports whether a test was answered as before.
func same(before, again model.Test) bool {
	for i := range before.Calls {
		if len(differs(before, again, i)) > 0 {
			return false
		}
	}
	return true
}

// difference is something in an answer that was one thing before, and is another now.
type difference struct{ what, was, is string }

// differs are the differences in the answer to a call. What changes from run to run is
// none.
func differs(before, again model.Test, call int) (all []difference) {
	if was, is := before.Calls[call].Status, again.Calls[call].Status; was != is {
		return []difference{{what: "status", was: status(was), is: status(is)}}
	}
	for _, c := range before.Checks {
		now := slices.IndexFunc(again.Checks, func(n model.Check) bool { return n.Call == call && n.Pointer == c.Pointer })
		switch {
		case c.Call != call || len(c.Equals) == 0:
		case now < 0:
			all = append(all, difference{what: c.Pointer, was: string(c.Equals), is: "not there, or not the same twice"})
		case len(again.Checks[now].Equals) > 0 && !bytes.Equal(again.Checks[now].Equals, c.Equals):
			all = append(all, difference{what: c.Pointer, was: string(c.Equals), is: string(again.Checks[now].Equals)})
		}
	}
	return all
}

// status is a status as a page has it.
func status(code int) string {
	if code == 0 {
		return "—"
	}
	return strconv.Itoa(code)
}

// again says that a test was played again, and whether it was answered as before.
func (p *page) again(t, again *model.Test) {
	switch {
	case again == nil || t == nil || t == again:
		return
	case same(*t, *again):
		p.add(draw.TextLine(" played again: answered as before", theme.Good))
	default:
		p.add(draw.TextLine(" played again: ≠ is what was answered otherwise", theme.Warn))
	}
	p.add(nil)
}

// other is what was answered otherwise to a call.
func (p *page) other(t, again *model.Test, call int) {
	if again == nil || t == nil {
		return
	}
	for _, d := range differs(*t, *again, call) {
		p.value("≠ "+draw.Clean(d.what), "", draw.Clean(d.is), draw.Span{Text: "  was " + draw.Clean(d.was), Style: theme.Dim})
	}
}
