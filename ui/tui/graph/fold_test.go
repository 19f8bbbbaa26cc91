package graph

import (
	"fmt"
	"slices"
	"testing"

	"sonde/model"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

// For any folding, each operation is in one box, no flow begins and ends at the same box, and flows between
// boxes remain.
func TestFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.SampledFrom([]string{"uKey", "vKey", "w", "xKey", "y", "zKey"}), 0, 2)
		var ops []*model.Operation
		for i := range rapid.IntRange(1, 10).Draw(t, "operations") {
			ops = append(ops, operation(fmt.Sprint(i), values.Draw(t, "takes"), values.Draw(t, "emits")))
		}
		s := analyze(t, ops...)
		some := func(name string) set[int] {
			out := set[int]{}
			for _, k := range rapid.SliceOfN(rapid.IntRange(0, 5), 0, 4).Draw(t, name) {
				out[k] = true
			}
			return out
		}
		flat := drawing(t, s, whole, 80)
		v := whole
		v.folded = &folding{cycles: some("cycles"), groups: some("groups")}
		p := drawing(t, s, v, 80)
		var all []model.OpID
		for _, n := range p.nodes {
			all = append(all, n.ops...)
		}
		slices.Sort(all)
		if want := slices.Sorted(slices.Values(leads(flat))); !slices.Equal(all, want) {
			t.Fatalf("got %q in boxes, want %q", all, want)
		}
		between := map[[2]int]bool{}
		for _, f := range p.flows {
			from, to := p.node(f.from), p.node(f.to)
			if from == to || p.nodes[from].lead() != f.from || p.nodes[to].lead() != f.to || between[[2]int{from, to}] {
				t.Fatalf("flow %v in boxes %v", f, p.nodes)
			}
			between[[2]int{from, to}] = true
		}
		if p.hidden > 0 || flat.hidden > 0 {
			return // some flows are hidden, because there are too many
		}
		for _, f := range flat.flows {
			if from, to := p.node(f.from), p.node(f.to); from != to && !between[[2]int{from, to}] {
				t.Fatalf("no flow for %v in %v", f, p.flows)
			}
		}
	})
}

// Unfolding restores the picture, for groups and cycles.
func TestFoldKeys(t *testing.T) {
	s := shown(
		t,
		analyze(
			t, operation("a", []string{"yKey"}, []string{"xKey"}), operation("b", []string{"xKey"}, []string{"yKey"}),
			operation("c", []string{"q"}, nil),
		),
	)
	s.key("w")
	before := s.display.picture.sheet.Figure
	for key, want := range map[string]string{
		"f": "group 1: 2 operations",
		"F": "group 1: 2 operations",
		"c": "cycle 1: 2 operations",
		"C": "cycle 1: 2 operations",
	} {
		s.key(key)
		if len(s.display.picture.nodes) != 2 || s.display.picture.nodes[0].name != want || len(s.display.picture.flows) != 0 {
			t.Errorf("%s: got %v and %v, want %q without flows", key, s.display.picture.nodes, s.display.picture.flows, want)
		}
		s.key(key)
		if s.display.picture.sheet.Figure.W != before.W || len(s.display.picture.nodes) != 3 {
			t.Errorf("%s twice: got %v", key, s.display.picture.nodes)
		}
	}
}

func TestFind(t *testing.T) {
	s := shown(t, shop(t))
	s.key("w")
	s.key("/")
	if !s.Typing() {
		t.Fatal("/ opens no field")
	}
	for _, r := range "cart item" {
		s.key(string(r))
	}
	s.key("enter")
	if s.Typing() || s.matches.count != 2 || s.op() != "DELETE /carts/{cartId}/items/{itemId}" {
		t.Errorf("%d matches, the cursor is on %s", s.matches.count, s.op())
	}
	s.key("n")
	if s.op() != "POST /carts/{cartId}/items" {
		t.Errorf("the next is %s", s.op())
	}
	s.key("n") // wraps around to the first match
	s.key("N")
	if s.op() != "POST /carts/{cartId}/items" {
		t.Errorf("the one before is %s", s.op())
	}
	s.Update(tea.KeyMsg{Type: tea.KeyEsc})
	if s.matches.count != 0 {
		t.Error("there are matches after esc")
	}
}
