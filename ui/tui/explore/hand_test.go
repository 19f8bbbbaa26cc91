package explore

import (
	"context"
	"testing"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// A request that is on its way shows beside the tab, until it is given up.
func TestLive(t *testing.T) {
	e := screen.Engine{
		Draft: func(op model.OpID, _ []model.Test) (screen.Draft, error) {
			return screen.Draft{Test: model.Test{Calls: []model.Call{{Op: op}}}}, nil
		},
		Send: func(context.Context, model.Test, screen.Outside) (screen.Sent, error) { return screen.Sent{}, nil },
	}
	s := New(e, screen.Host{URL: "http://127.0.0.1:1"})
	spec := &model.Spec{Operations: []*model.Operation{{ID: "GET /a", Method: "GET", Path: "/a"}}}
	study, err := screen.NewStudy(t.Context(), spec, match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	s.Update(screen.Opened{Study: study})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 33})
	press := func(k tea.KeyMsg) tea.Cmd { _, cmd := s.Update(k); return cmd }
	r := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("r")}
	s.Update(press(r)())
	for _, c := range []struct {
		key  tea.KeyMsg
		want string
	}{{r, "▶"}, {tea.KeyMsg{Type: tea.KeyEsc}, ""}} {
		press(c.key)
		if s.Live() != c.want {
			t.Errorf("after %v: %q, want %q", c.key, s.Live(), c.want)
		}
	}
}
