package explore

import (
	"context"
	"testing"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// The tab line has a sign while a request waits for its answer, until the request is cancelled.
func TestLive(t *testing.T) {
	e := screen.Engine{
		Manual: usecase.ManualCalls{
			Draft: func(op model.OpID, _ []model.Test) (usecase.RequestDraft, error) {
				return usecase.RequestDraft{Test: model.Test{Calls: []model.Call{{Op: op}}}}, nil
			},
			Send: func(context.Context, model.Test, usecase.Surroundings) (usecase.SendResult, error) {
				return usecase.SendResult{}, nil
			},
		},
	}
	s := New(e, screen.Service{URL: "http://127.0.0.1:1"})
	spec := &model.Spec{Operations: []*model.Operation{{ID: "GET /a", Method: "GET", Path: "/a"}}}
	analyzed, err := screen.AnalyzeSpec(t.Context(), spec, match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	s.Update(screen.SpecOpened{Spec: analyzed})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 33})
	press := func(k tea.KeyMsg) tea.Cmd { _, cmd := s.Update(k); return cmd }
	r := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("r")}
	s.Update(press(r)())
	for _, c := range []struct {
		key  tea.KeyMsg
		want string
	}{{r, "▶"}, {tea.KeyMsg{Type: tea.KeyEsc}, ""}} {
		press(c.key)
		if s.TabBadge() != c.want {
			t.Errorf("after %v: %q, want %q", c.key, s.TabBadge(), c.want)
		}
	}
}
