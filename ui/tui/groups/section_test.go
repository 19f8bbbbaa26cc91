package groups

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/analysis/cluster"
	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

// districts returns an API with three areas of 20 operations each. The areas are one group, because all of their
// operations take the id of a city. The API also has an operation that shares no value with them.
func districts(t *testing.T) *screen.AnalyzedSpec {
	ops := []*model.Operation{operation("cities", nil, []string{"cityId"})}
	for _, area := range []string{"parks", "roads", "schools"} {
		for i := range 20 {
			ops = append(ops, operation(fmt.Sprintf("cities/%s/%c%d", area, area[0], i), []string{"cityId"}, nil))
		}
	}
	return analyze(t, append(ops, operation("version", nil, nil)))
}

// A large group is divided into clusters. Each cluster is a row below the group and has members of its own. A key
// folds these rows. If another screen selects an operation, the operation's cluster is shown.
func TestClustersOfALargeGroup(t *testing.T) {
	s := New(screen.Engine{}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	_, cmd := s.Update(screen.SpecOpened{Spec: districts(t)})
	s.Update(cmd())
	rows := func() (all []string) {
		for _, i := range s.view.table.order {
			r := s.view.table.sections.list[i]
			all = append(all, fmt.Sprintf("%s%s %d", strings.Repeat(" ", r.depth), r.name, len(r.ops)))
		}
		return all
	}
	want := []string{"4 areas 61", " parks 20", " roads 20", " schools 20", " cities 1", "version 1"}
	if diff := cmp.Diff(want, rows()); diff != "" {
		t.Fatalf("want and got (-+):\n%s", diff)
	}
	s.Update(screen.OperationSelected{Op: "GET /cities/roads/r7"})
	if op, names := s.Location(); op != "GET /cities/roads/r7" || !slices.Contains(names, "roads") {
		t.Errorf("the cursor is on %s in %v", op, names)
	}
	if n := len(s.view.members.ops); n != 20 {
		t.Errorf("%d members are listed, want those of the cluster", n)
	}
	s.view.focus = table
	s.view.table.moveTo(0)
	s.Update(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")})
	if diff := cmp.Diff([]string{"4 areas 61", "version 1"}, rows()); diff != "" {
		t.Errorf("folded, want and got (-+):\n%s", diff)
	}
	s.Update(screen.OperationSelected{Op: "GET /cities/parks/p0"})
	if view := ansi.Strip(s.View(120, 40)); !strings.Contains(view, "▾ 4 areas") || !strings.Contains(view, "╭─ Parks ─") {
		t.Errorf("the cluster of a selected operation is folded:\n%s", view)
	}
	s.view.table.find.SetText("roads")
	s.view.narrow()
	if got := rows(); len(got) != 2 || got[1] != " roads 20" {
		t.Errorf("filtered: %q", got)
	}
}

// An area has the same number of operations as on other screens. It marks its operations that are in other groups.
func TestAreaWithOperationsOfOtherGroups(t *testing.T) {
	apart := operation("cities/parks/map", nil, nil)
	s := New(screen.Engine{}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	_, cmd := s.Update(screen.SpecOpened{Spec: analyze(t, append(slices.Clone(districts(t).Spec.Operations), apart))})
	s.Update(cmd())
	s.Update(screen.OperationSelected{Op: "GET /cities/parks/p7"})
	shown := s.view.table.sections.list[s.view.shown]
	whole := cluster.Find(s.view.analyzed.Analysis.Clusters(), "parks")
	if diff := cmp.Diff(whole.Operations, shown.ops); diff != "" || len(shown.ops) != 21 {
		t.Errorf("%s has %d operations, want and got (-+):\n%s", shown.name, len(shown.ops), diff)
	}
	view := ansi.Strip(s.View(120, 40))
	if want := "21 operations, 1 of other groups"; !strings.Contains(view, want) {
		t.Errorf("%q is missing in\n%s", want, view)
	}
	s.view.focus = members
	s.Update(tea.KeyMsg{Type: tea.KeyEnd})
	if view := ansi.Strip(s.View(120, 40)); !strings.Contains(view, "GET /cities/parks/map  group 3 ") {
		t.Errorf("the group of the operation is missing in\n%s", view)
	}
}

// A filter lists the areas that have operations with matching names, and the number of these operations. If no name
// matches, the filter lists the areas that have operations with matching values.
func TestFilterOfAreas(t *testing.T) {
	s := New(screen.Engine{}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	_, cmd := s.Update(screen.SpecOpened{Spec: districts(t)})
	s.Update(cmd())
	for text, want := range map[string][]string{
		"/parks/p1": {"4 areas 11", "parks 11"},
		"/p1":       {"4 areas 11", "parks 11"},
		"s/s1":      {"4 areas 11", "schools 11"},
		"cityId":    {"4 areas 61", "parks 20", "roads 20", "schools 20", "cities 1"},
		"parks p2":  {"4 areas 1", "parks 1"},
		"parks s2":  nil,
	} {
		s.view.table.find.SetText(text)
		s.view.narrow()
		var got []string
		for _, i := range s.view.table.order {
			got = append(got, fmt.Sprintf("%s %d", s.view.table.sections.list[i].name, s.view.table.size(i)))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: want and got (-+):\n%s", text, diff)
		}
		if n := len(s.view.figure.parts); len(want) > 0 && n != len(want)-1 {
			t.Errorf("%s: the overview has %d areas", text, n)
		}
	}
}

// A small group has no clusters, and none are computed.
func TestSmallGroupsAreNotDivided(t *testing.T) {
	s := New(screen.Engine{}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	if _, cmd := s.Update(screen.SpecOpened{Spec: analyze(t, scheduler())}); cmd != nil {
		if _, ok := cmd().(divided); ok {
			t.Error("clusters of small groups were searched")
		}
	}
}
