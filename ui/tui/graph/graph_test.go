package graph

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

// operation takes values in its query and emits others.
func operation(name string, takes, emits []string) *model.Operation {
	op := &model.Operation{ID: model.OpID("GET /" + name), Method: "GET", Path: "/" + name}
	for _, v := range takes {
		op.Params = append(op.Params, model.Param{Name: v, In: model.InQuery, Schema: &model.Schema{Type: "string"}})
	}
	answer := &model.Schema{Type: "object"}
	for _, v := range emits {
		answer.Properties = append(answer.Properties, model.Property{Name: v, Schema: &model.Schema{Type: "string"}})
	}
	op.Responses = []model.Response{{Status: "200", Contents: []model.Content{{Schema: answer}}}}
	return op
}

func study(t interface{ Fatal(...any) }, ops ...*model.Operation) *screen.Study {
	s, err := screen.NewStudy(context.Background(), &model.Spec{Operations: ops}, match.Way{Values: match.Shallow, Match: match.ByName})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// chained is a → b → c → d, each by a value of its own.
func chained(t *testing.T) *screen.Study {
	return study(t, operation("a", nil, []string{"x"}), operation("b", []string{"x"}, []string{"y"}),
		operation("c", []string{"y"}, []string{"z"}), operation("d", []string{"z"}, nil))
}

func TestNear(t *testing.T) {
	for hops, want := range map[int][]model.OpID{1: {"GET /a", "GET /b", "GET /c"}, 2: {"GET /a", "GET /b", "GET /c", "GET /d"}} {
		got, left := near(chained(t), "GET /b", hops)
		if !slices.Equal(got, want) || left != 0 {
			t.Errorf("%d hops: got %q and %d left, want %q", hops, got, left, want)
		}
	}
}

// Who makes an id comes before who only shares a name, and a hub's picture is
// bounded.
func TestNearOfAHub(t *testing.T) {
	hub := operation("hub", []string{"id"}, []string{"id"})
	ops := []*model.Operation{hub}
	for i := range 40 {
		ops = append(ops, operation(fmt.Sprint("spoke", i), []string{"id"}, []string{"id"}))
	}
	s := study(t, ops...)
	s.Wires = []screen.Wire{{From: "GET /spoke39", To: hub.ID, In: model.InQuery, Name: "id"}}
	got, left := near(s, hub.ID, 1)
	if len(got) != most[1] || left != 41-most[1] {
		t.Errorf("got %d operations and %d left out, want %d and %d", len(got), left, most[1], 41-most[1])
	}
	if !slices.Contains(got, "GET /spoke39") || !slices.Contains(got, hub.ID) {
		t.Errorf("the maker of the id or the hub is missing in %q", got)
	}
}

func TestWiresAndValuesBetweenTheSameTwoAreOneFlow(t *testing.T) {
	s := chained(t)
	s.Wires = []screen.Wire{
		{From: "GET /a", To: "GET /b", In: model.InQuery, Name: "x"},
		{From: "GET /b", To: "GET /d", In: model.InBody, Name: "/owner/id"},
	}
	got := fmt.Sprint(flows(s, s.Graph.Operations))
	want := fmt.Sprint([]flow{
		{"GET /a", "GET /b", []string{"x"}, false}, {"GET /b", "GET /d", []string{"id"}, true},
		{"GET /b", "GET /c", []string{"y"}, false}, {"GET /c", "GET /d", []string{"z"}, false},
	})
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// However tangled, a picture keeps all flows at its centre and leaves no
// operation loose that was tied before; its tree names every operation.
func TestUntangleKeepsEverybodyTied(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.SampledFrom([]string{"u", "v", "w", "x", "y"}), 0, 3)
		var ops []*model.Operation
		for i := range rapid.IntRange(1, 12).Draw(t, "operations") {
			ops = append(ops, operation(fmt.Sprint(i), names.Draw(t, "takes"), names.Draw(t, "emits")))
		}
		p := draw(study(t, ops...), "GET /0", 2, 80)
		ends := map[model.OpID]bool{"GET /0": true}
		for _, l := range p.lines() {
			ends[l.op] = true
		}
		for _, op := range p.ops {
			if !ends[op] {
				t.Fatalf("%s is in the picture and not in its tree: %v", op, p.flows)
			}
		}
	})
}

func TestLines(t *testing.T) {
	p := draw(chained(t), "GET /b", 2, 80)
	want := []line{
		{op: "GET /b"}, {op: "GET /a", depth: 1, arrow: gets, values: "x"},
		{op: "GET /c", depth: 1, arrow: gives, values: "y"}, {op: "GET /d", depth: 2, arrow: gives, values: "z"},
	}
	if got := p.lines(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A drawing that comes late, when another is wanted, is dropped.
func TestLateDrawingsAreDropped(t *testing.T) {
	s := New()
	press := func(name rune) tea.Cmd {
		_, cmd := s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{name}})
		return cmd
	}
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
	s.Update(screen.Opened{Study: chained(t)})
	_, first := s.Update(screen.Shown{Tab: screen.Graph})
	if keys := s.Keys(); len(keys) != 0 {
		t.Errorf("%d keys are shown while nothing is drawn", len(keys))
	}
	s.Update(first())
	late := press('+')
	press('-') // back to what is drawn already
	s.Update(late())
	if got := s.picture.hops; got != 1 {
		t.Errorf("a late drawing of %d hops is shown, want that of 1", got)
	}

	late = press('+')
	s.Update(screen.Shown{Tab: screen.Explore})
	s.Update(screen.Opened{Study: study(t, operation("a", nil, nil))})
	s.Update(late())
	if s.picture != nil {
		t.Error("a drawing of the spec before is shown")
	}
}

func TestDivide(t *testing.T) {
	for _, c := range []struct {
		width, height  int
		picture, words pane.Rect
	}{
		{40, 9, pane.Rect{W: 40, H: 9}, pane.Rect{}},
		{60, 17, pane.Rect{W: 60, H: 17}, pane.Rect{}},
		{80, 21, pane.Rect{W: 80, H: 15}, pane.Rect{Y: 15, W: 80, H: 6}},
		{120, 33, pane.Rect{W: 120, H: 27}, pane.Rect{Y: 27, W: 120, H: 6}},
		{200, 57, pane.Rect{W: 200, H: 47}, pane.Rect{Y: 47, W: 200, H: 10}},
	} {
		if picture, words := divide(c.width, c.height); picture != c.picture || words != c.words {
			t.Errorf("%d×%d: got %v and %v, want %v and %v", c.width, c.height, picture, words, c.picture, c.words)
		}
	}
}
