package groups

import (
	"context"
	"slices"
	"testing"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

// grouped returns an analyzed spec that has only groups.
func grouped(groups ...[]model.OpID) *screen.AnalyzedSpec {
	s := &screen.AnalyzedSpec{GroupOf: map[model.OpID]int{}}
	for g, ops := range groups {
		s.Groups = append(s.Groups, model.ValueGroup{Operations: ops})
		for _, op := range ops {
			s.GroupOf[op] = g
		}
	}
	return s
}

func TestCompare(t *testing.T) {
	type ops = []model.OpID
	before := grouped(ops{"a", "b"}, ops{"c", "d"}, ops{"e"}, ops{"f"})
	for _, c := range []struct {
		name  string
		after *screen.AnalyzedSpec
		want  []change
	}{
		{"the same", before, make([]change, 4)},
		{"merged", grouped(ops{"a", "b", "c", "d"}, ops{"e"}, ops{"f"}), []change{{merged: true}, {}, {}}},
		{"split", grouped(ops{"a"}, ops{"b"}, ops{"c", "d"}, ops{"e"}, ops{"f"}), []change{{split: true}, {split: true}, {}, {}, {}}},
		{
			"both", grouped(ops{"a", "c"}, ops{"b"}, ops{"d"}, ops{"e", "f"}),
			[]change{{merged: true, split: true}, {split: true}, {split: true}, {merged: true}},
		},
	} {
		if got := compare(before, c.after); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// things returns the operations of two resources. The only value in common is a name that has another
// meaning in each resource.
func things() []*model.Operation {
	var ops []*model.Operation
	for _, thing := range []string{"users", "pets"} {
		create, read := operation(thing, nil, []string{"id"}), operation(thing+"/{id}", nil, []string{"name"})
		create.ID, create.Method = model.OpID("POST /"+thing), "POST"
		read.Params = []model.Parameter{{Name: "id", In: model.InPath, Required: true, Schema: &model.Schema{Type: "string"}}}
		ops = append(ops, create, read)
	}
	return ops
}

// If values are matched by name, all ids are one value. In qualified mode, each resource has its own id. The cursor
// stays on its operation. The analysis of a spec that is no longer open is dropped.
func TestSwitchMode(t *testing.T) {
	usual, err := screen.AnalyzeSpec(context.Background(), &model.Spec{Operations: things()}, match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	s := New(screen.Engine{}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.Update(screen.SpecOpened{Spec: usual})
	s.view.visit("GET /pets/{id}")
	s.view.focus = members
	key := func(name rune) tea.Msg {
		_, cmd := s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{name}})
		return cmd()
	}
	if len(s.view.analyzed.Groups) != 2 {
		t.Fatalf("got %d groups, want 2", len(s.view.analyzed.Groups))
	}
	s.Update(key('m'))
	if len(s.view.analyzed.Groups) != 1 || s.regrouping.changes[0] != (change{merged: true}) ||
		s.view.op() != "GET /pets/{id}" || s.view.focus != members {
		t.Errorf("by name: %d groups, %v, the cursor on %q", len(s.view.analyzed.Groups), s.regrouping.changes, s.view.op())
	}
	late := key('m')
	s.Update(screen.SpecOpened{Spec: usual})
	s.Update(late)
	if s.regrouping.changes != nil || s.regrouping.mode != match.DefaultMode || s.view.analyzed != usual {
		t.Errorf("a late analysis was used: %v", s.regrouping.changes)
	}
	s.Update(key('V'))
	if got := s.view.analyzed.Matcher.Mode; got != (match.Mode{Values: match.ShallowReading, Match: match.MatchQualified}) {
		t.Errorf("got %v after V", got)
	}
}

// The blocks that tile returns cover each cell of the rectangle once, and have all groups in order.
func TestTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 60), 1, 40).Draw(t, "sizes")
		r := draw.Rect{W: rapid.IntRange(1, 80).Draw(t, "width"), H: rapid.IntRange(1, 30).Draw(t, "height")}
		var rows []int
		covered := map[[2]int]bool{}
		for _, b := range tile(span(0, len(sizes)), func(row int) int { return sizes[row] }, r) {
			rows = append(rows, b.rows...)
			for y := b.Y; y < b.Y+b.H; y++ {
				for x := b.X; x < b.X+b.W; x++ {
					if covered[[2]int{x, y}] || !r.Has(x, y) {
						t.Fatalf("cell %d, %d is covered twice, or outside", x, y)
					}
					covered[[2]int{x, y}] = true
				}
			}
		}
		if len(covered) != r.W*r.H || !slices.Equal(rows, span(0, len(sizes))) {
			t.Fatalf("%d of %d cells are covered, by %v", len(covered), r.W*r.H, rows)
		}
	})
}

// A larger group has a larger block, if there is room.
func TestTileBySize(t *testing.T) {
	sizes := []int{20, 10, 5, 5}
	all := tile(span(0, 4), func(row int) int { return sizes[row] }, draw.Rect{W: 80, H: 20})
	for i, want := range []int{800, 400, 200, 200} {
		if got := all[i].W * all[i].H; got != want {
			t.Errorf("group %d of %d operations has %d cells, want %d", i, sizes[i], got, want)
		}
	}
}

func TestExportOfTheFigure(t *testing.T) {
	s := New(screen.Engine{}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.Update(screen.SpecOpened{Spec: analyze(t, scheduler())})
	s.Update(drawn{analyzed: s.view.analyzed, section: 0, drawing: drawnGroup(s.view.analyzed, 0, 80)})
	p := s.export()
	if len(p.Boxes) != 3 || p.Boxes[0][0] != (usecase.BoxLine{Method: "GET", Text: "/membership"}) ||
		p.Boxes[2][1].Text != "role" || len(p.Arrows) != 2 {
		t.Errorf("got %+v", p)
	}
}
