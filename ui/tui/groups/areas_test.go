package groups

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// withAreas returns the screen with the areas of districts.
func withAreas(t *testing.T) *Screen {
	t.Helper()
	s := New(screen.Engine{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	_, cmd := s.Update(screen.SpecOpened{Spec: districts(t)})
	s.Update(cmd())
	return s
}

// The user first sees the areas: the largest at the top, with its resources and its shared values.
func TestOverviewOfAreas(t *testing.T) {
	s := withAreas(t)
	s.Update(screen.OperationSelected{Op: "GET /cities/roads/r7", InPassing: true})
	view := ansi.Strip(s.View(120, 40))
	for _, want := range []string{"Groups 2, large ones in 4 areas", "1  4 areas", "parks   20 ━━━━", "cities/parks 8 · p", "┆ city.id"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not on the screen:\n%s", want, view)
		}
	}
	if got := s.TabBadge(); got != "2, 4 areas" {
		t.Errorf("the tab says %q", got)
	}
	s.view.focus = picture
	s.Update(tea.KeyMsg{Type: tea.KeyDown})
	s.Update(tea.KeyMsg{Type: tea.KeyEnter})
	if _, names := s.Location(); names[0] != "roads" || s.view.focus != table {
		t.Errorf("the key opened %v", names)
	}
	s.view.table.moveTo(0)
	s.view.toggle()
	s.view.showSection()
	s.view.focus = picture
	s.view.openArea()
	if _, names := s.Location(); names[0] != "parks" {
		t.Errorf("in a folded group the key opened %v", names)
	}
}

// g shows an area in the graph as an area, and a group by its operation.
func TestAreaInGraph(t *testing.T) {
	s := withAreas(t)
	s.post = new(screen.MessageQueue)
	s.view.focus = table
	s.view.table.moveTo(0)
	s.showInGraph()
	if msg, _ := s.post.Next(); msg != (screen.ShowScreen{Tab: screen.TabGraph, Op: s.view.op()}) {
		t.Errorf("a group sends %+v", msg)
	}
	s.view.table.moveTo(2) // the sections of two groups come before those of areas
	s.showInGraph()
	if msg, _ := s.post.Next(); msg != (screen.ShowArea{Name: s.view.table.sections.list[2].name}) {
		t.Errorf("an area sends %+v", msg)
	}
	if msg, _ := s.post.Next(); msg != (screen.ShowScreen{Tab: screen.TabGraph}) {
		t.Errorf("an area sends %+v then", msg)
	}
}

// A key switches from the overview to the tree, the drawing and back.
func TestOverviewTreeDrawing(t *testing.T) {
	s := withAreas(t)
	var got []string
	for range 4 {
		switch f := &s.view.figure; {
		case f.overview():
			got = append(got, "overview")
		case f.tree():
			got = append(got, "tree")
		default:
			got = append(got, "drawing")
		}
		s.view.figure.toggleTree()
	}
	if strings.Join(got, " ") != "overview tree drawing overview" {
		t.Errorf("got %q", got)
	}
}

// Names are complete if this is possible by leaving out less important columns. Otherwise they are
// truncated in the middle, so that all tables of this width have the column of seqs by DC.
func TestColumns(t *testing.T) {
	name := "applications, personal-access-token-requests"
	for width, want := range map[int]string{
		80: "▸ applications, personal-access-token-requests          176      9     12     34",
		54: "▸ applications, perso…cess-token-requests   176     12",
		40: "▸ applications, p…s-token-requests   176",
	} {
		line := newColumns(width, len(name)).line(theme.Plain, theme.Cursor, "", name, "176", "9", "12", "34", "64%")
		if got := line.Text(); got != want {
			t.Errorf("%d: got %q (%d), want %q", width, got, line.Width(), want)
		}
	}
}

// Lines below the table explain the columns of the seqs, or say why a section has no seqs.
func TestMeaningsOfColumns(t *testing.T) {
	ops := append(scheduler(),
		operation("chicken", []string{"egg"}, []string{"nest"}),
		operation("hen", []string{"nest"}, []string{"egg"}),
	)
	analyzed := analyze(t, ops)
	s := New(screen.Engine{})
	s.Update(screen.SpecOpened{Spec: analyzed})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	for section := range analyzed.Groups {
		s.Update(count(analyzed, section, operationsOf(analyzed.Spec, analyzed.Groups[section].Operations))())
	}
	s.view.table.moveTo(0)
	for section, want := range map[string][]string{
		"GET /membership": {"DC: orders of calls (seqs) passing values on", "SC: all orders of calls that can run"},
		"GET /hen":        {"0: each operation needs what another of ", "these gives first "},
	} {
		s.Update(screen.OperationSelected{Op: model.OpID(section)})
		view := ansi.Strip(s.View(120, 36))
		for _, w := range want {
			if !strings.Contains(view, "│ "+w) {
				t.Errorf("%s: no %q in\n%s", section, w, view)
			}
		}
	}
	s.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	if c := newColumns(30, 40); c.shown(dcColumn) || c.meanings() != nil {
		t.Error("a column that is left out is explained")
	}
}
