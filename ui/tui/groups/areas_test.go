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

// withAreas returns the screen with the API that districts returns. Its areas were found.
func withAreas(t *testing.T) *Screen {
	t.Helper()
	s := New(screen.Engine{}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	_, cmd := s.Update(screen.SpecOpened{Spec: districts(t)})
	s.Update(cmd())
	return s
}

// At first, the screen shows the areas. The largest area is at the top. Each area has its resources and its shared
// values.
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

// On an area, key g shows the whole area on the Graph screen. On a group, key g shows one operation of the group: the
// operation under the cursor of the members.
func TestAreaInGraph(t *testing.T) {
	s := withAreas(t)
	s.post = new(screen.MessageQueue)
	s.view.focus = table
	s.view.table.moveTo(0)
	s.showInGraph()
	if msg, _ := s.post.Next(); msg != (screen.ShowScreen{Tab: screen.TabGraph, Op: s.view.op()}) {
		t.Errorf("a group sends %+v", msg)
	}
	s.view.table.moveTo(2) // the rows of the two groups come before the rows of the areas
	s.showInGraph()
	if msg, _ := s.post.Next(); msg != (screen.ShowArea{Name: s.view.table.sections.list[2].name}) {
		t.Errorf("an area sends %+v", msg)
	}
	if msg, _ := s.post.Next(); msg != (screen.ShowScreen{Tab: screen.TabGraph}) {
		t.Errorf("an area sends %+v then", msg)
	}
}

// The keys g and S act on the area under the cursor of the overview. They have no effect on a value.
func TestKeysOfAreaAndValue(t *testing.T) {
	s := withAreas(t)
	s.post = new(screen.MessageQueue)
	s.view.focus = picture
	if got := shownKeys(s); !strings.Contains(got, "⏎ open the area, t as a tree, g in graph, S its seqs") {
		t.Errorf("an area of the overview has the keys %q", got)
	}
	area := s.view.table.sections.list[s.view.figure.parts[0]]
	s.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("g")})
	if msg, _ := s.post.Next(); msg != (screen.ShowArea{Name: area.name}) {
		t.Errorf("g sends %+v", msg)
	}
	s.post = new(screen.MessageQueue)
	s.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("S")})
	msg, _ := s.post.Next()
	if scope, ok := msg.(screen.ScopeSeqs); !ok || scope.Name != area.scope().Name {
		t.Errorf("S sends %+v", msg)
	}

	s, _ = showEvidence(t, 120, 40, operation("a", nil, []string{"team_id"}), operation("b", []string{"team_id"}, nil))
	s.view.focus = members
	for _, not := range []string{"g in graph", "S its seqs", "⏎ in explore"} {
		if got := shownKeys(s); strings.Contains(got, not) {
			t.Errorf("a value has the keys %q", got)
		}
	}
	s.press(tea.KeyMsg{Type: tea.KeyEnter})
	if got := shownKeys(s); !strings.Contains(got, "⏎ in explore, g in graph, S its seqs") {
		t.Errorf("the evidence for a value has the keys %q", got)
	}
	s.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("t")})
	if s.view.focus != picture || !s.view.figure.tree() {
		t.Error("t in another pane does not show the figure as a tree")
	}
}

// shownKeys returns the keys that have an effect, with their help.
func shownKeys(s *Screen) string {
	var all []string
	for _, k := range s.Keys() {
		all = append(all, k.Help().Key+" "+k.Help().Desc)
	}
	return strings.Join(all, ", ")
}

// toggleTree switches from the overview to the tree, from the tree to the drawing, and back to the overview.
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

// If names have too little room, the less important columns are left out. If names then still have too little room,
// they are truncated in the middle, so that the column of seqs by DC stays.
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
	s := New(screen.Engine{}, screen.Service{})
	s.Update(screen.SpecOpened{Spec: analyzed})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	for section := range analyzed.Groups {
		s.Update(count(analyzed, section, operationsOf(analyzed.Spec, analyzed.Groups[section].Operations))())
	}
	s.view.table.moveTo(0)
	for section, want := range map[string][]string{
		"GET /membership": {"DC: orders of calls (seqs) passing values on", "SC: all orders of calls that can run"},
		"GET /hen":        {"0: none can be called first, each needs what ", "another operation gives "},
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
