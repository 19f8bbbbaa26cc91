package graph

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
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
	s, err := screen.NewStudy(context.Background(), &model.Spec{Operations: ops}, match.Usual)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shop is the demo.
func shop(t *testing.T) *screen.Study {
	spec, err := openapi.Parse(context.Background(), "shop.yaml", demo.Spec(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return study(t, spec.Operations...)
}

// chained is a → b → c → d, each by a value of its own.
func chained(t *testing.T) *screen.Study {
	return study(t, operation("a", nil, []string{"x"}), operation("b", []string{"x"}, []string{"y"}),
		operation("c", []string{"y"}, []string{"z"}), operation("d", []string{"z"}, nil))
}

func TestNear(t *testing.T) {
	for hops, want := range map[int][]model.OpID{1: {"GET /a", "GET /b", "GET /c"}, 2: {"GET /a", "GET /b", "GET /c", "GET /d"}} {
		got, left := netOf(chained(t)).near("GET /b", hops, true)
		if !slices.Equal(got, want) || left != 0 {
			t.Errorf("%d hops: got %q and %d left, want %q", hops, got, left, want)
		}
	}
}

// Who makes an id comes before who only shares a name, and a hub's picture is
// bounded.
func TestNearOfAHub(t *testing.T) {
	hub := operation("hub", []string{"word"}, []string{"word"})
	ops := []*model.Operation{hub}
	for i := range 40 {
		ops = append(ops, operation(fmt.Sprint("spoke", i), []string{"word"}, []string{"word"}))
	}
	s, err := screen.NewStudy(context.Background(), &model.Spec{Operations: ops}, match.Way{Values: match.Deep, Match: match.ByName})
	if err != nil {
		t.Fatal(err)
	}
	s.Wires = []screen.Wire{{From: "GET /spoke39", To: hub.ID, Value: "word"}}
	got, left := netOf(s).near(hub.ID, 1, false)
	if len(got) != most[1] || left != 41-most[1] {
		t.Errorf("got %d operations and %d left out, want %d and %d", len(got), left, most[1], 41-most[1])
	}
	if !slices.Contains(got, "GET /spoke39") || !slices.Contains(got, hub.ID) {
		t.Errorf("the maker of the id or the hub is missing in %q", got)
	}
	if got, left = netOf(s).near(hub.ID, 1, true); !slices.Equal(got, []model.OpID{hub.ID, "GET /spoke39"}) || left != 39 {
		t.Errorf("ids only: got %q and %d left out, want the hub and who makes its id, and 39", got, left)
	}
}

// An id is what says to the taker which thing is meant. Who had to be told it
// only repeats it, and other values are attributes.
func TestFlowsTellIDsFromTheRest(t *testing.T) {
	n := netOf(shop(t))
	for _, c := range []struct {
		from, to  model.OpID
		ids, rest []string
	}{
		{"POST /products", "POST /carts", []string{"product.id"}, nil},
		{"POST /carts", "DELETE /carts/{cartId}/items/{itemId}", []string{"cart.id", "item.id"}, nil},
		{"GET /carts/{cartId}", "POST /orders", nil, []string{"cart.id"}},
		{"GET /carts/{cartId}", "POST /carts", []string{"product.id"}, []string{"cart.giftWrap", "line.quantity", "line.size"}},
	} {
		all := n.flows([]model.OpID{c.from, c.to})
		i := slices.IndexFunc(all, func(f flow) bool { return f.from == c.from && f.to == c.to })
		if i < 0 || !slices.Equal(all[i].ids, c.ids) || !slices.Equal(all[i].rest, c.rest) {
			t.Errorf("%s to %s: got %v, want %q and %q", c.from, c.to, all, c.ids, c.rest)
		}
	}
}

// Where there are ids a picture shows nothing else, unless that is asked for;
// where there are none it shows what there is.
func TestPicturesOfIDs(t *testing.T) {
	for _, c := range []struct {
		name     string
		of       *screen.Study
		view     view
		narrowed bool
	}{
		{"ids", shop(t), view{centre: "POST /carts", hops: 1}, true},
		{"all", shop(t), view{centre: "POST /carts", hops: 1, all: true}, false},
		{"no ids", chained(t), view{centre: "GET /b", hops: 1}, false},
	} {
		p := draw(c.of, c.view, 116)
		rest := slices.ContainsFunc(p.flows, func(f flow) bool { return len(f.ids) == 0 })
		if p.narrowed != c.narrowed || rest == c.narrowed {
			t.Errorf("%s: narrowed is %t, flows without ids are there: %t", c.name, p.narrowed, rest)
		}
	}
}

// A picture of one hop of the demo fits into a terminal of 120 columns.
func TestPictureFits(t *testing.T) {
	for _, op := range shop(t).Spec.Operations {
		p := draw(shop(t), view{centre: op.ID, hops: 1}, 116)
		if p.sheet.Figure.W > 118 {
			t.Errorf("%s: the picture is %d wide, want at most 118", op.ID, p.sheet.Figure.W)
		}
	}
}

func TestWiresAndValuesBetweenTheSameTwoAreOneFlow(t *testing.T) {
	s := chained(t)
	x := s.Graph.Feeds("GET /a")[0].Values[0]
	s.Wires = []screen.Wire{{From: "GET /a", To: "GET /b", Value: x}, {From: "GET /b", To: "GET /d", Value: "owner.id"}}
	var got []string
	for _, f := range netOf(s).flows(s.Graph.Operations) {
		got = append(got, fmt.Sprint(f.from, " ", f.to, " ids ", len(f.ids), " rest ", len(f.rest), " wire ", f.wire))
	}
	want := []string{
		"GET /a GET /b ids 1 rest 0 wire false", "GET /b GET /d ids 1 rest 0 wire true",
		"GET /b GET /c ids 0 rest 1 wire false", "GET /c GET /d ids 0 rest 1 wire false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
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
		p := draw(study(t, ops...), view{centre: "GET /0", hops: 2, all: rapid.Bool().Draw(t, "all")}, 80)
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
	p := draw(chained(t), view{centre: "GET /b", hops: 2}, 80)
	want := []line{
		{op: "GET /b"}, {op: "GET /a", depth: 1, arrow: gets, values: "a.x"},
		{op: "GET /c", depth: 1, arrow: gives, values: "b.y"}, {op: "GET /d", depth: 2, arrow: gives, values: "c.z"},
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
