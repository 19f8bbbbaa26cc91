package seqs

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var keyAgain = key.NewBinding(key.WithKeys("R"), key.WithHelp("R", "play it again"))

// replayed is what came of playing a row's test again.
type replayed struct {
	row  *row
	test model.Test
	err  error
}

// againKeys are the keys that play the row under the cursor again, if it was ever played.
func (s *Screen) againKeys() []key.Binding {
	if s.host.URL == "" || s.list.At >= len(s.shown) || s.shown[s.list.At].Test == nil {
		return nil
	}
	return []key.Binding{keyAgain}
}

// replay plays the test under the cursor again, from the service's first state.
func (s *Screen) replay() tea.Cmd {
	r := s.shown[s.list.At]
	switch {
	case len(s.againKeys()) == 0:
		return screen.Tell("it was not played yet: pick it, and find its values on Export")
	case s.searching:
		return screen.Fail(errors.New("stop the search first: playing a test resets the service under it"))
	case s.host.Remote && !s.allowed:
		return screen.Fail(errors.New("that service is not on this machine: send a request to it by hand first, which asks"))
	case s.replaying:
		return screen.Tell("one is being played")
	}
	s.replaying = true
	around, test, engine := s.around, *r.Test, s.engine
	around.Net, around.Stubs = around.Net || len(test.Stubs) > 0, test.Stubs
	return func() tea.Msg {
		again, err := engine.Replay(context.Background(), test, around)
		return replayed{r, again, err}
	}
}

func (s *Screen) replayed(msg replayed) tea.Cmd {
	s.replaying = false
	if msg.err != nil {
		return screen.Fail(msg.err)
	}
	msg.row.again = &msg.test
	if same(*msg.row.Test, msg.test) {
		return screen.Tell(msg.row.ID + " was answered as before")
	}
	return screen.Tell(msg.row.ID + " was answered otherwise")
}

// same tells whether a test was answered as before.
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
	if call >= len(again.Calls) {
		return []difference{{"status", strconv.Itoa(before.Calls[call].Status), "not called"}}
	}
	if was, is := before.Calls[call].Status, again.Calls[call].Status; was != is {
		return []difference{{"status", strconv.Itoa(was), strconv.Itoa(is)}}
	}
	for _, c := range before.Checks {
		now := slices.IndexFunc(again.Checks, func(n model.Check) bool { return n.Call == call && n.Pointer == c.Pointer })
		switch {
		case c.Call != call || len(c.Equals) == 0:
		case now < 0:
			all = append(all, difference{c.Pointer, string(c.Equals), "not there, or not the same twice"})
		case len(again.Checks[now].Equals) > 0 && !bytes.Equal(again.Checks[now].Equals, c.Equals):
			all = append(all, difference{c.Pointer, string(c.Equals), string(again.Checks[now].Equals)})
		}
	}
	return all
}

// again says that a test was played again, and whether it was answered as before.
func (p *page) again(t, again *model.Test) {
	switch {
	case again == nil:
		return
	case same(*t, *again):
		p.add(pane.Text(" played again: answered as before", theme.Good))
	default:
		p.add(pane.Text(" played again: ≠ is what was answered otherwise", theme.Warn))
	}
	p.add(nil)
}

// other is what was answered otherwise to a call.
func (p *page) other(t, again *model.Test, call int) {
	if again == nil {
		return
	}
	for _, d := range differs(*t, *again, call) {
		p.value("≠ "+pane.Clean(d.what), "", pane.Clean(d.is), pane.Span{Text: "  was " + pane.Clean(d.was), Style: theme.Dim})
	}
}
