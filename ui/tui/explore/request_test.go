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

// On a folder, the key that sends a request says what is missing: an operation.
func TestRequestOfAFolder(t *testing.T) {
	s := New(screen.Engine{}, screen.Service{URL: "http://127.0.0.1:1"})
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "GET /a/b", Method: "GET", Path: "/a/b"}, {ID: "GET /a/c", Method: "GET", Path: "/a/c"},
	}}
	analyzed, err := screen.AnalyzeSpec(t.Context(), spec, match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	s.Update(screen.SpecOpened{Spec: analyzed})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 33})
	s.Update(tea.KeyMsg{Type: tea.KeyLeft})
	if s.page.op != "" {
		t.Fatalf("the page shows %q, want the folder", s.page.op)
	}
	_, cmd := s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("r")})
	for _, a := range s.Actions() {
		if a.Key.Help().Desc == keySend.Help().Desc && a.Why != chosen.Why {
			t.Errorf("the palette says %q, want %q", a.Why, chosen.Why)
		}
	}
	if got := statusOf(cmd); got != chosen.Why {
		t.Errorf("said %q, want %q", got, chosen.Why)
	}
}

// statusOf returns the text that a command shows in the status line, "" if there is none.
func statusOf(cmd tea.Cmd) string {
	if cmd == nil {
		return ""
	}
	switch msg := cmd().(type) {
	case screen.StatusMessage:
		return msg.Text
	case tea.BatchMsg:
		for _, c := range msg {
			if text := statusOf(c); text != "" {
				return text
			}
		}
	}
	return ""
}
