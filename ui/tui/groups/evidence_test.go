package groups

import (
	"context"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// twice returns the operation with a second answer: the same as its first answer, but with another status.
func twice(op *model.Operation) *model.Operation {
	again := op.Responses[0]
	again.Status = "201"
	op.Responses = append(op.Responses, again)
	return op
}

// showEvidence shows the evidence for the first exchanged value.
func showEvidence(t *testing.T, width, height int, ops ...*model.Operation) (*Screen, string) {
	t.Helper()
	spec := &model.Spec{Operations: ops}
	analyzed, err := screen.AnalyzeSpec(context.Background(), spec, match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	s := New(screen.Engine{}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: width, Height: height})
	s.Update(screen.SpecOpened{Spec: analyzed})
	s.Update(drawn{analyzed: analyzed, section: 0, drawing: drawnGroup(analyzed, 0, width)})
	s.view.focus = members
	s.view.members.rows.Go(len(analyzed.Groups[0].Operations))
	s.press(tea.KeyMsg{Type: tea.KeyEnter})
	s.view.fit()
	return s, ansi.Strip(s.View(width, height))
}

func TestEvidenceIsShownAsSentence(t *testing.T) {
	emitter := twice(operation("organisational/memberships", nil, []string{"team_id"}))
	taker := operation("organisational/schedules", []string{"team_id"}, nil)
	for _, size := range [][2]int{{80, 20}, {60, 20}, {40, 12}} {
		s, view := showEvidence(t, size[0], size[1], emitter, taker)
		if n := len(s.view.seqs.evidence); n != 2 {
			t.Errorf("%v: %d places, want each of the 2 once", size, n)
		}
		text := strings.Join(strings.Fields(strings.Map(noBorder, view)), " ")
		if want := "GET /organisational/memberships emits it in body /team_id: team_id names a team"; !strings.Contains(text, want) {
			t.Errorf("%v: no %q in\n%s", size, want, view)
		}
		s.view.seqs.rows.Go(1)
		text = strings.Join(strings.Fields(strings.Map(noBorder, ansi.Strip(s.View(size[0], size[1])))), " ")
		if want := "GET /organisational/schedules takes it in query team_id: team_id names a team"; !strings.Contains(text, want) {
			t.Errorf("%v: no %q in\n%s", size, want, text)
		}
	}
}

func noBorder(r rune) rune {
	if r == '│' {
		return ' '
	}
	return r
}

func TestEvidenceThatFitsIsShownOnce(t *testing.T) {
	_, view := showEvidence(t, 200, 40, operation("a", nil, []string{"team_id"}), operation("b", []string{"team_id"}, nil))
	if strings.Contains(view, "emits it in") {
		t.Errorf("shown twice:\n%s", view)
	}
}

// If a pane has no room for a sentence of evidence below its rows, all of its lines have rows.
func TestEvidenceInALowPane(t *testing.T) {
	all := []evidence{{
		op:    "GET /organisational/memberships",
		place: "body /team_id",
		why:   "team_id names a team",
	}}
	if got := spare(all, draw.Rect{W: 30, H: 6}); got != 0 {
		t.Errorf("%d lines of 4 are kept free", got)
	}
	if got := spare(all, draw.Rect{W: 60, H: 20}); got != 3 {
		t.Errorf("%d lines are kept free, want a blank one and 2", got)
	}
}
