package groups

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// boxes returns the texts of a drawing's boxes. The boxes in one frame have one text.
func boxes(d *drawing) []string {
	var out []string
	for _, f := range d.sheet.Figure.Frames {
		text := f.Title + ":"
		for _, node := range f.Nodes {
			text += " " + strings.Join(d.sheet.Graph.Nodes[node].Lines, "+")
		}
		out = append(out, text)
	}
	return out
}

// The figure of all groups has a frame for each group. A value that is not exchanged may be in several frames.
func TestDrawingOfAllGroups(t *testing.T) {
	ops := scheduler()
	ops[2] = operation("fee", []string{"user_id"}, []string{"fee"})
	s := analyze(t, ops)
	for all, want := range map[bool][]string{
		false: {"1  membership · schedule: GET /membership GET /schedule team_id+role", "2  fee: GET /fee"},
		true: {
			"1  membership · schedule: GET /membership GET /schedule user_id team_id+role slots",
			"2  fee: GET /fee user_id fee",
		},
	} {
		d := drawAll(s, s.Names, all, 80)
		if got := boxes(d); !slices.Equal(got, want) {
			t.Errorf("all values %t: got %q, want %q", all, got, want)
		}
		if d.group(1) != 1 || d.leftGroups+d.leftOps+d.leftValues != 0 {
			t.Errorf("all values %t: the second frame is of group %d; left out: %s", all, d.group(1), d.omitted())
		}
		var rows []string
		for _, r := range d.rows {
			rows = append(rows, r.group+r.head+r.arrow+string(r.op))
		}
		if i := slices.Index(rows, "2  fee"); i < 0 || d.rows[i].node != -1 || d.rows[0].group != "1  membership · schedule" {
			t.Errorf("all values %t: the tree is %q", all, rows)
		}
	}
}

// If not all groups fit into the figure, the smallest groups are left out.
func TestAllGroupsLeaveOutTheSmallest(t *testing.T) {
	var ops []*model.Operation
	for i := range maxNodes/2 + 20 { // groups of two operations and a value, and one of a single operation
		ops = append(ops, operation(fmt.Sprint("a", i), nil, []string{fmt.Sprint("v", i)}))
		if i > 0 {
			ops = append(ops, operation(fmt.Sprint("b", i), []string{fmt.Sprint("v", i)}, nil))
		}
	}
	s := analyze(t, ops)
	d := drawAll(s, s.Names, false, 80)
	frames := len(d.sheet.Figure.Frames)
	if len(d.ops) != maxNodes*2/3 || len(d.values) != maxNodes/3 || frames+d.leftGroups != len(s.Groups) {
		t.Errorf("%d operations and %d values in %d frames; left out: %s", len(d.ops), len(d.values), frames, d.omitted())
	}
	if slices.Contains(d.ops, "GET /a0") || !strings.HasSuffix(d.omitted(), "values") {
		t.Errorf("the single operation is shown; left out: %s", d.omitted())
	}
}

// shown returns a screen with a spec. It presses keys, and after each key it draws the figures of the section and of
// all groups.
func shown(t *testing.T, ops []*model.Operation, press ...string) *Screen {
	t.Helper()
	s := New(screen.Engine{}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.Update(screen.SpecOpened{Spec: analyze(t, ops)})
	s.Update(screen.Shown{Tab: screen.TabGroups})
	for _, key := range press {
		s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)})
		r := &s.view.results
		for _, section := range []int{s.view.shown, wholeSpec} {
			delete(r.sketching, section)
			s.Update(r.sketch(section, 70)())
		}
	}
	return s
}

func TestKeysOfTheFigure(t *testing.T) {
	s := shown(t, scheduler(), "a")
	if v := s.View(120, 40); !strings.Contains(v, "All groups") || !strings.Contains(v, "┏━ 1  membership · schedule ━") ||
		!strings.Contains(v, "┌─ 2  fee ─") || strings.Contains(v, "year") || strings.Contains(v, "Seqs by DC") {
		t.Errorf("got\n%s", v)
	}
	if got := len(s.view.members.values); got != 2 {
		t.Errorf("the list of the group has %d exchanged values, want 2", got)
	}
	s = shown(t, scheduler(), "a", "A")
	if v := s.View(120, 40); !strings.Contains(v, "┆ year ├") || !strings.Contains(v, "┆ user_id ├") {
		t.Errorf("with all values: got\n%s", v)
	}
	if got := len(s.view.members.values); got != 2 {
		t.Errorf("with all values, the list of the group has %d exchanged values, want 2", got)
	}
	s = shown(t, scheduler(), "A")
	if v := s.View(120, 40); !strings.Contains(v, "┆ user_id ├") || strings.Contains(v, "year") {
		t.Errorf("one group with all values: got\n%s", v)
	}
	s = shown(t, scheduler(), "A", "A")
	if v := s.View(120, 40); strings.Contains(v, "user_id") {
		t.Errorf("one group without given and unused values: got\n%s", v)
	}
}

// A figure that was drawn with other settings is dropped.
func TestFigureOfOtherSettingsIsDropped(t *testing.T) {
	s := shown(t, scheduler(), "a")
	r := &s.view.results
	delete(r.sketching, wholeSpec)
	late := r.sketch(wholeSpec, 70)
	r.toggleValues()
	if r.addDrawing(late().(drawn)) {
		t.Error("a figure without given values was stored, although they are wanted")
	}
	if r.sketch(wholeSpec, 70) == nil || r.sketch(wholeSpec, 70) != nil {
		t.Error("want the figure drawn once more, and only once")
	}
}

// A click on a box of another group shows that group.
func TestClickInTheFigureOfAllGroups(t *testing.T) {
	s := shown(t, scheduler(), "a")
	r := s.view.rects()[picture]
	d := s.view.figure.drawing
	box := d.sheet.NodeBox(slices.Index(d.ops, "GET /fee"))
	s.Update(tea.MouseMsg{X: r.X + 2 + box.X, Y: r.Y + 2 + box.Y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	if got := s.view.table.section(); got != 1 || s.view.op() != "GET /fee" {
		t.Errorf("section %d and operation %q, want those of the fee", got, s.view.op())
	}
}

func TestExportOfAllGroups(t *testing.T) {
	p := shown(t, scheduler(), "a", "A").export()
	if len(p.Frames) != 2 || p.Frames[1].Title != "2  fee" || !slices.Equal(p.Frames[1].Boxes, []int{2, 6, 7}) {
		t.Errorf("frames: got %+v", p.Frames)
	}
	if p.Values[2] || !p.Values[6] || p.Boxes[6][0] != (usecase.BoxLine{Text: "year"}) || !p.Arrows[0].Dashed {
		t.Errorf("got %+v", p)
	}
	if p.Title != ": value-sharing groups" {
		t.Errorf("title %q", p.Title)
	}
}
