package graph

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/analysis/layout"
	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

// operation returns an operation that takes some values in its query and emits others.
func operation(name string, takes, emits []string) *model.Operation {
	op := &model.Operation{ID: model.OpID("GET /" + name), Method: "GET", Path: "/" + name}
	for _, v := range takes {
		op.Params = append(op.Params, model.Parameter{Name: v, In: model.InQuery, Schema: &model.Schema{Type: "string"}})
	}
	answer := &model.Schema{Type: "object"}
	for _, v := range emits {
		answer.Properties = append(answer.Properties, model.Property{Name: v, Schema: &model.Schema{Type: "string"}})
	}
	op.Responses = []model.Response{{Status: "200", Contents: []model.Content{{Schema: answer}}}}
	return op
}

func analyze(t interface{ Fatal(...any) }, ops ...*model.Operation) *screen.AnalyzedSpec {
	s, err := screen.AnalyzeSpec(context.Background(), &model.Spec{Operations: ops}, match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shop returns the analyzed spec of the demo.
func shop(t *testing.T) *screen.AnalyzedSpec {
	spec, err := openapi.Parse(context.Background(), "shop.yaml", demo.Specification(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return analyze(t, spec.Operations...)
}

// chained returns the spec a → b → c → d. Each arrow is a different value.
func chained(t *testing.T) *screen.AnalyzedSpec {
	return analyze(t, operation("a", nil, []string{"xKey"}), operation("b", []string{"xKey"}, []string{"yKey"}),
		operation("c", []string{"yKey"}, []string{"zKey"}), operation("d", []string{"zKey"}, nil))
}

// drawing draws a view without a deadline.
func drawing(t interface{ Fatal(...any) }, s *screen.AnalyzedSpec, v view, wrap int) picture {
	p, err := drawPicture(context.Background(), s, v, wrap)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// leads returns the lead operation of each node of a picture. It is the node's first operation, which identifies the
// node.
func leads(p picture) (all []model.OpID) {
	for _, n := range p.nodes {
		all = append(all, n.lead())
	}
	return all
}

func TestNear(t *testing.T) {
	for hops, want := range map[int][]model.OpID{1: {"GET /a", "GET /b", "GET /c"}, 2: {"GET /a", "GET /b", "GET /c", "GET /d"}} {
		got, left := newFlowGraph(chained(t), false).near("GET /b", hops, true)
		if !slices.Equal(got, want) || left != 0 {
			t.Errorf("%d hops: got %q and %d left, want %q", hops, got, left, want)
		}
	}
}

// A picture of an operation with many neighbours has a limited number of nodes. Neighbours that exchange
// ids with the operation take precedence over those that only share a name.
func TestNearOfAHub(t *testing.T) {
	hub := operation("hub", []string{"word"}, []string{"word"})
	ops := []*model.Operation{hub}
	for i := range 40 {
		ops = append(ops, operation(fmt.Sprint("spoke", i), []string{"word"}, []string{"word"}))
	}
	mode := match.Mode{Values: match.DeepReading, Match: match.MatchByName}
	s, err := screen.AnalyzeSpec(context.Background(), &model.Spec{Operations: ops}, mode)
	if err != nil {
		t.Fatal(err)
	}
	s.IDSources = []analysis.IDSource{{From: "GET /spoke39", To: hub.ID, Value: "word"}}
	got, left := newFlowGraph(s, false).near(hub.ID, 1, false)
	if len(got) != maxNear(1) || left != 41-maxNear(1) {
		t.Errorf("got %d operations and %d left out, want %d and %d", len(got), left, maxNear(1), 41-maxNear(1))
	}
	if !slices.Contains(got, "GET /spoke39") || !slices.Contains(got, hub.ID) {
		t.Errorf("the maker of the id or the hub is missing in %q", got)
	}
	got, left = newFlowGraph(s, false).near(hub.ID, 1, true)
	if !slices.Equal(got, []model.OpID{hub.ID, "GET /spoke39"}) || left != 39 {
		t.Errorf("ids only: got %q and %d left out, want the hub and the source of its id, and 39", got, left)
	}
}

// A flow has ids that identify a resource for the taker. An id that the giver itself requires is in the
// rest. Attributes are separate.
func TestFlowsSeparateIDsFromTheRest(t *testing.T) {
	n := newFlowGraph(shop(t), true)
	for _, c := range []struct {
		from, to         model.OpID
		ids, rest, attrs []string
	}{
		{"POST /products", "POST /carts", []string{"product.id"}, nil, nil},
		{"POST /carts", "DELETE /carts/{cartId}/items/{itemId}", []string{"cart.id", "item.id"}, nil, nil},
		{"GET /carts/{cartId}", "POST /orders", nil, []string{"cart.id"}, nil},
		{"GET /carts/{cartId}", "POST /carts", []string{"product.id"}, nil, []string{"cart.giftWrap", "line.quantity", "line.size"}},
	} {
		all := n.flows([]model.OpID{c.from, c.to})
		i := slices.IndexFunc(all, func(f flow) bool { return f.from == c.from && f.to == c.to })
		if i < 0 || !slices.Equal(all[i].ids, c.ids) || !slices.Equal(all[i].rest, c.rest) || !slices.Equal(all[i].attrs, c.attrs) {
			t.Errorf("%s to %s: got %v, want %q, %q and %q", c.from, c.to, all, c.ids, c.rest, c.attrs)
		}
	}
}

// A picture shows only flows of ids by default, and all flows if there are no ids.
func TestPicturesOfIDs(t *testing.T) {
	for _, c := range []struct {
		name     string
		of       *screen.AnalyzedSpec
		view     view
		narrowed bool
	}{
		{"ids", shop(t), view{centre: "POST /carts", hops: 1}, true},
		{"all", shop(t), view{centre: "POST /carts", hops: 1, all: true}, false},
		{"no ids", chained(t), view{centre: "GET /b", hops: 1}, false},
	} {
		p := drawing(t, c.of, c.view, 116)
		rest := slices.ContainsFunc(p.flows, func(f flow) bool { return len(f.ids) == 0 })
		if p.narrowed != c.narrowed || rest == c.narrowed {
			t.Errorf("%s: narrowed is %t, flows without ids are there: %t", c.name, p.narrowed, rest)
		}
	}
}

// A picture of one hop of the demo fits into a terminal of 80 columns. If the picture that was drawn for 200 columns
// is narrow enough, too, both pictures are equal.
func TestPictureFits(t *testing.T) {
	s := shop(t)
	for _, op := range s.Spec.Operations {
		v := view{centre: op.ID, hops: 1}
		roomy := drawing(t, s, v, 196)
		for _, wrap := range []int{76, 116} {
			p := drawing(t, s, v, wrap)
			if p.sheet.Figure.W > wrap {
				t.Errorf("%s: the picture is %d wide, want at most %d", op.ID, p.sheet.Figure.W, wrap)
			}
			if len(p.nodes) != len(roomy.nodes) {
				t.Errorf("%s at %d: %d nodes, want %d", op.ID, wrap, len(p.nodes), len(roomy.nodes))
			}
			if roomy.sheet.Figure.W <= wrap && !reflect.DeepEqual(p.sheet.Figure, roomy.sheet.Figure) {
				t.Errorf("%s at %d: there is room for all texts, and some are missing", op.ID, wrap)
			}
		}
	}
}

func TestIDSourcesAndValuesBetweenTheSameTwoAreOneFlow(t *testing.T) {
	s := chained(t)
	x := s.Graph.EdgesFrom("GET /a")[0].Values[0]
	s.IDSources = []analysis.IDSource{{From: "GET /a", To: "GET /b", Value: x}, {From: "GET /b", To: "GET /d", Value: "owner.id"}}
	var got []string
	for _, f := range newFlowGraph(s, false).flows(s.Graph.Operations) {
		got = append(got, fmt.Sprint(f.from, " ", f.to, " ids ", len(f.ids), " rest ", len(f.rest), " undeclared ", f.undeclared))
	}
	want := []string{
		"GET /a GET /b ids 1 rest 0 undeclared false", "GET /b GET /d ids 1 rest 0 undeclared true",
		"GET /b GET /c ids 0 rest 1 undeclared false", "GET /c GET /d ids 0 rest 1 undeclared false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// The tree lists every operation of the picture even if flows are hidden, because all nodes stay connected.
func TestUntangleKeepsNodesConnected(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.SampledFrom([]string{"uKey", "vKey", "w", "xKey", "y"}), 0, 3)
		var ops []*model.Operation
		for i := range rapid.IntRange(1, 12).Draw(t, "operations") {
			ops = append(ops, operation(fmt.Sprint(i), names.Draw(t, "takes"), names.Draw(t, "emits")))
		}
		p := drawing(t, analyze(t, ops...), view{centre: "GET /0", hops: 2, all: rapid.Bool().Draw(t, "all")}, 80)
		ends := map[model.OpID]bool{"GET /0": true}
		for _, l := range p.lines() {
			ends[l.op] = true
		}
		for _, op := range leads(p) {
			if !ends[op] {
				t.Fatalf("%s is in the picture and not in its tree: %v", op, p.flows)
			}
		}
	})
}

func TestLines(t *testing.T) {
	p := drawing(t, chained(t), view{centre: "GET /b", hops: 2}, 80)
	want := []line{
		{op: "GET /b"},
		{op: "GET /a", depth: 1, arrow: gets, values: "a.xKey"},
		{op: "GET /c", depth: 1, arrow: gives, values: "b.yKey"},
		{op: "GET /d", depth: 2, arrow: gives, values: "c.zKey"},
	}
	if got := p.lines(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// If another drawing is started before a drawing is finished, the earlier drawing is dropped.
func TestLateDrawingsAreDropped(t *testing.T) {
	s := New(screen.Engine{})
	press := func(name rune) tea.Cmd {
		_, cmd := s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{name}})
		return cmd
	}
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
	s.Update(screen.SpecOpened{Spec: chained(t)})
	_, first := s.Update(screen.Shown{Tab: screen.TabGraph})
	if keys := s.Keys(); keys[0].Help().Key != "esc" {
		t.Errorf("got keys %v while the first picture is drawn, want esc first", keys)
	}
	s.Update(first())
	late := press('+')
	press('-') // returns to the current view
	s.Update(late())
	if got := s.display.picture.hops; got != 1 {
		t.Errorf("a late drawing of %d hops is shown, want that of 1", got)
	}

	late = press('+')
	s.Update(screen.Shown{Tab: screen.TabExplore})
	s.Update(screen.SpecOpened{Spec: analyze(t, operation("a", nil, nil))})
	s.Update(late())
	if s.display.picture != nil {
		t.Error("a drawing of the spec before is shown")
	}
}

func TestDivide(t *testing.T) {
	for _, c := range []struct {
		width, height  int
		picture, words draw.Rect
	}{
		{40, 9, draw.Rect{W: 40, H: 9}, draw.Rect{}},
		{60, 17, draw.Rect{W: 60, H: 17}, draw.Rect{}},
		{80, 21, draw.Rect{W: 80, H: 15}, draw.Rect{Y: 15, W: 80, H: 6}},
		{120, 33, draw.Rect{W: 120, H: 27}, draw.Rect{Y: 27, W: 120, H: 6}},
		{200, 57, draw.Rect{W: 200, H: 47}, draw.Rect{Y: 47, W: 200, H: 10}},
	} {
		if picture, words := divide(c.width, c.height); picture != c.picture || words != c.words {
			t.Errorf("%d×%d: got %v and %v, want %v and %v", c.width, c.height, picture, words, c.picture, c.words)
		}
	}
}

// whole is the view of all operations.
var whole = view{whole: true}

// A picture of the whole API and its tree have every operation once.
func TestWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.SampledFrom([]string{"uKey", "vKey", "w", "xKey", "y"}), 0, 3)
		var ops []*model.Operation
		for i := range rapid.IntRange(1, 12).Draw(t, "operations") {
			ops = append(ops, operation(fmt.Sprint(i), values.Draw(t, "takes"), values.Draw(t, "emits")))
		}
		s := analyze(t, ops...)
		p := drawing(t, s, whole, 80)
		if !slices.Equal(leads(p), s.Graph.Operations) {
			t.Fatalf("got %q, want %q", leads(p), s.Graph.Operations)
		}
		var rows []model.OpID
		for _, l := range p.lines() {
			rows = append(rows, l.op)
		}
		slices.Sort(rows)
		if want := slices.Sorted(slices.Values(leads(p))); !slices.Equal(rows, want) {
			t.Fatalf("the tree has %q, want %q", rows, want)
		}
	})
}

// If there are too many flows, the flows of ids that tests take from an answer stay visible, and all nodes stay
// connected.
func TestUntangleWhole(t *testing.T) {
	var p picture
	p.whole = true
	for i := range 6 {
		p.nodes = append(p.nodes, node{ops: []model.OpID{model.OpID(fmt.Sprint("GET /", i))}})
	}
	for _, a := range p.nodes {
		for _, b := range p.nodes {
			p.flows = append(p.flows, flow{from: a.lead(), to: b.lead(), idSource: a.lead() == "GET /2"})
		}
	}
	p.untangle()
	sources := 0
	for _, f := range p.flows {
		if f.idSource {
			sources++
		}
	}
	if sources != 6 || len(p.flows) != 6 || p.hidden != 30 {
		t.Errorf("kept %d flows, %d of id sources, hid %d; want 6, 6 and 30", len(p.flows), sources, p.hidden)
	}
}

func TestForest(t *testing.T) {
	p := drawing(t, chained(t), whole, 80)
	want := []line{
		{op: "GET /a"},
		{op: "GET /b", depth: 1, arrow: gives, values: "a.xKey"},
		{op: "GET /c", depth: 2, arrow: gives, values: "b.yKey"},
		{op: "GET /d", depth: 3, arrow: gives, values: "c.zKey"},
	}
	if got := p.lines(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestResources(t *testing.T) {
	p := drawing(t, shop(t), view{whole: true, things: true}, 120)
	carts := slices.IndexFunc(p.nodes, func(n node) bool { return n.name == "/carts" })
	if carts < 0 || p.nodes[carts].lead() != "POST /carts" || p.nodes[carts].fact != "create, read · 2 operations" {
		t.Errorf("got %v", p.nodes)
	}
	around := drawing(t, shop(t), view{centre: "GET /carts/{cartId}", hops: 1, things: true}, 120)
	var names []string
	for _, n := range around.nodes {
		names = append(names, n.name)
	}
	if want := []string{"/products", "/carts", "/carts/{cartId}/items", "/orders"}; !slices.Equal(names, want) {
		t.Errorf("around carts: got %q, want %q", names, want)
	}
	if around.middle() != "POST /carts" {
		t.Errorf("%s is in the middle", around.middle())
	}
}

// A closer zoom draws the same number of boxes, but larger ones.
func TestZoom(t *testing.T) {
	s := shop(t)
	size := 0
	for z := dots; z <= facts; z++ {
		p := drawing(t, s, view{whole: true, zoom: z}, 120)
		if area := p.sheet.Figure.W * p.sheet.Figure.H; len(p.nodes) != 28 || area <= size {
			t.Errorf("%s: %d nodes on %d cells, want 28 on more than %d", z, len(p.nodes), area, size)
		} else {
			size = area
		}
	}
}

// The mark on a box shows the answers of all its operations in the search.
func TestLiveSigns(t *testing.T) {
	s := shown(t, chained(t))
	p := *s.display.picture
	p.nodes = []node{{ops: []model.OpID{"GET /a"}}, {ops: []model.OpID{"GET /b", "GET /c"}}, {ops: []model.OpID{"GET /d"}}}
	s.display.picture = &p
	if sign := s.coverage.mark(p.nodes[0], 5); sign != "" {
		t.Errorf("%q is on a box before any search", sign)
	}
	s.Update(screen.RunProgress{Snapshot: model.Snapshot{Grid: map[model.OpID]map[int]int{
		"GET /a": {200: 1, 404: 3}, "GET /b": {404: 1}, "GET /c": {500: 1},
	}}})
	for node, want := range []string{"✓ 200", "✗ 500", "·"} {
		if got := s.coverage.mark(p.nodes[node], 5); got != want {
			t.Errorf("node %d has %q, want %q", node, got, want)
		}
	}
}

// shown returns a screen with a picture around the first operation.
func shown(t *testing.T, analyzed *screen.AnalyzedSpec) *Screen {
	t.Helper()
	s := New(screen.Engine{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
	s.Update(screen.SpecOpened{Spec: analyzed})
	_, cmd := s.Update(screen.Shown{Tab: screen.TabGraph})
	s.Update(cmd())
	return s
}

// key presses a key and runs the command that it returns.
func (s *Screen) key(name string) {
	k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
	if name == "enter" {
		k = tea.KeyMsg{Type: tea.KeyEnter}
	}
	if _, cmd := s.Update(k); cmd != nil {
		s.Update(cmd())
	}
}

// A drawing that was stopped sends no message. The screen's view is then again the view of the picture that the
// screen shows.
func TestStop(t *testing.T) {
	s := New(screen.Engine{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
	s.Update(screen.SpecOpened{Spec: shop(t)})
	_, first := s.Update(screen.Shown{Tab: screen.TabGraph})
	s.Update(tea.KeyMsg{Type: tea.KeyEsc})
	if msg := first(); msg != nil {
		t.Errorf("a drawing that was stopped returned %v", msg)
	}
	if s.display.picture != nil || s.job.running() {
		t.Error("there is a picture, or it is still being drawn")
	}
	s.key("enter")
	if s.display.picture == nil {
		t.Fatal("enter does not draw it")
	}
	_, second := s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("w")})
	s.Update(tea.KeyMsg{Type: tea.KeyEsc})
	if msg := second(); msg != nil || s.whole || s.centre != s.display.picture.centre {
		t.Errorf("after a stop: %v, whole %t, %q in the middle", msg, s.whole, s.centre)
	}
	s.key("w")
	if !s.display.picture.whole {
		t.Error("the whole is not drawn after a stop")
	}
}

// Keys that need no picture work while the first picture is being drawn, and after the drawing was stopped.
func TestKeysAheadOfThePicture(t *testing.T) {
	s := New(screen.Engine{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
	s.Update(screen.SpecOpened{Spec: shop(t)})
	_, first := s.Update(screen.Shown{Tab: screen.TabGraph})
	_, whole := s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("w")})
	if whole == nil || first() != nil {
		t.Fatal("the first drawing was not stopped by w")
	}
	for _, k := range "/reviews" {
		s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{k}})
	}
	for _, k := range []tea.KeyType{tea.KeyEnter, tea.KeyDown, tea.KeyEsc} {
		s.Update(tea.KeyMsg{Type: k})
	}
	s.key("w")
	if s.display.picture == nil || s.display.picture.whole || s.matches.Text() != "reviews" {
		t.Fatalf("after a stop there is no picture around one operation, or the search text is %q", s.matches.Text())
	}
	s.key("n")
	if !s.matches.has(s.display.node) {
		t.Errorf("the cursor is on %s, which does not match", s.op())
	}
	_, cmd := s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("e")})
	if to, ok := cmd().(screen.ShowScreen); !ok || to.Tab != screen.TabExplore {
		t.Errorf("e leads to %v", to)
	}
}

// No key panics without a picture, without operations or without a spec. Without operations, no
// key sends a message to other screens.
func TestKeysOfNothing(t *testing.T) {
	for name, analyzed := range map[string]*screen.AnalyzedSpec{"no spec": nil, "no operations": analyze(t), "no picture yet": chained(t)} {
		for r := '!'; r <= '~'; r++ {
			s := New(screen.Engine{})
			s.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
			if analyzed != nil {
				s.Update(screen.SpecOpened{Spec: analyzed})
			}
			s.Update(screen.Shown{Tab: screen.TabGraph})
			_, cmd := s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
			s.View(120, 30)
			if cmd != nil && s.centre == "" {
				t.Errorf("%s: %c sends %v", name, r, cmd())
			}
		}
	}
}

// The user types a search text while a picture is being drawn. The text is searched for when the picture is finished.
func TestFoundWhenDrawn(t *testing.T) {
	s := New(screen.Engine{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
	s.Update(screen.SpecOpened{Spec: chained(t)})
	_, draw := s.Update(screen.Shown{Tab: screen.TabGraph})
	for _, k := range "/b" {
		s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{k}})
	}
	s.Update(draw())
	if s.op() != "GET /b" {
		t.Errorf("the cursor is on %s", s.op())
	}
}

// In the picture of the whole API, enter on a node shows the surroundings of the node. Backspace returns to the whole
// API.
func TestIntoTheWholeAndBack(t *testing.T) {
	s := shown(t, chained(t))
	s.key("w")
	s.display.choose(s.display.picture.node("GET /c"))
	_, cmd := s.Update(tea.KeyMsg{Type: tea.KeyEnter})
	for _, c := range cmd().(tea.BatchMsg) {
		s.Update(c())
	}
	if s.whole || s.display.picture.centre != "GET /c" || s.op() != "GET /c" {
		t.Errorf("whole %t, %q in the middle", s.whole, s.display.picture.centre)
	}
	_, cmd = s.Update(tea.KeyMsg{Type: tea.KeyBackspace})
	for _, c := range cmd().(tea.BatchMsg) {
		s.Update(c())
	}
	if !s.display.picture.whole || s.op() != "GET /c" {
		t.Errorf("back led to %s, the whole: %t", s.op(), s.display.picture.whole)
	}
}

// A picture of one hop has as much text as fits into its window, even if the window is resized during the
// drawing.
func TestResized(t *testing.T) {
	s := New(screen.Engine{})
	s.Update(tea.WindowSizeMsg{Width: 80, Height: 30})
	s.Update(screen.SpecOpened{Spec: shop(t)})
	s.Update(screen.OperationSelected{Op: "POST /orders"})
	_, draw := s.Update(screen.Shown{Tab: screen.TabGraph})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
	_, again := s.Update(draw())
	if labels := len(s.display.picture.sheet.Figure.Labels); labels != 0 || again == nil {
		t.Fatalf("at 80 columns: %d labels, drawn again: %t", labels, again != nil)
	}
	s.Update(again())
	at := s.op()
	if len(s.display.picture.sheet.Figure.Labels) == 0 || at != "POST /orders" {
		t.Errorf("at 120 columns: no labels, or %s under the cursor", at)
	}
	if _, cmd := s.Update(tea.WindowSizeMsg{Width: 120, Height: 40}); cmd != nil {
		t.Error("it is drawn again for a window as wide")
	}
}

// A log-in is drawn with the operations that need its credential. The credential creates no cycle and no
// group.
func TestLogInsAreDrawn(t *testing.T) {
	token := &model.Schema{Type: "object", Properties: []model.Property{{Name: "token", Schema: &model.Schema{Type: "string"}}}}
	login := &model.Operation{
		ID: "POST /login", Method: "POST", Path: "/login",
		Responses: []model.Response{{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: token}}}},
	}
	ops := []*model.Operation{login}
	for _, path := range []string{"/a", "/b"} {
		ops = append(
			ops,
			&model.Operation{ID: model.OpID("GET " + path), Method: "GET", Path: path, Secured: true, Schemes: []string{"bearerAuth"}},
		)
	}
	spec := &model.Spec{Operations: ops, SecuritySchemes: []model.SecurityScheme{{Name: "bearerAuth", Kind: "bearer"}}}
	s, err := screen.AnalyzeSpec(context.Background(), spec, match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	n := newFlowGraph(s, false)
	got, left := n.near("GET /a", 1, false)
	if !slices.Equal(got, []model.OpID{"POST /login", "GET /a"}) || left != 0 {
		t.Errorf("near: %q and %d left", got, left)
	}
	flows := n.flows(got)
	if len(flows) != 1 || flows[0].from != "POST /login" || flows[0].label() != "credential bearerAuth" {
		t.Errorf("flows %+v", flows)
	}
	if len(s.Groups) != 3 || len(s.Graph.EdgesFrom("POST /login")) != 0 {
		t.Errorf("%d groups, and the log-in feeds %v", len(s.Groups), s.Graph.EdgesFrom("POST /login"))
	}
}

// If the map would cover the box under the cursor, it moves to another corner. If it would cover the box in every
// corner, there is no map by default.
func TestMapLeavesTheCursorInSight(t *testing.T) {
	s := shown(t, shop(t))
	s.key("w")
	on := true
	s.display.asMap = &on
	s.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	r, _ := divide(80, 24)
	atLeft := 0
	for node := range s.display.picture.nodes {
		s.display.choose(node)
		m, box := s.display.mapRect(r), s.display.picture.sheet.NodeBox(node)
		box.X, box.Y = box.X+1, box.Y+1
		left := draw.Rect{X: 1, Y: m.Y, W: m.W, H: m.H}
		if m.Empty() {
			t.Fatal("there is no map")
		}
		if m.Meets(box) && !left.Meets(box) {
			t.Errorf("%s at %v is under the map at %v", s.op(), box, m)
		}
		if m == left {
			atLeft++
		}
		s.display.asMap = nil
		if m := s.display.mapRect(r); m.Meets(box) {
			t.Errorf("%s at %v is under a map at %v that is shown by default", s.op(), box, m)
		}
		s.display.asMap = &on
	}
	if atLeft == 0 {
		t.Error("the map was never at the left")
	}
}

// If all flows of an operation are hidden, a text says that there are flows.
func TestHiddenValuesAreMentioned(t *testing.T) {
	s := shown(t, shop(t))
	if got := s.painter().noFlows(); !strings.Contains(got, "no ids") || !strings.Contains(got, "a shows all values") {
		t.Error(got)
	}
	s.all = true
	if got := s.painter().noFlows(); got != "exchanges no values with other operations" {
		t.Error(got)
	}
}

// Names are complete if the window has room for them. If the window becomes wider, a picture with shortened names is
// drawn again.
func TestWholeNames(t *testing.T) {
	long := "organizations/{organization}/memberships/{member}"
	analyzed := analyze(t, operation("teams", nil, []string{"teamKey"}), operation(long, []string{"teamKey"}, nil))
	for wrap, want := range map[int]bool{120: true, 60: false} {
		p := drawing(t, analyzed, view{centre: "GET /teams", hops: 1}, wrap)
		got := slices.ContainsFunc(p.sheet.Graph.Nodes, func(n layout.Node) bool {
			return strings.Contains(n.Lines[0], "{organization}/memberships/{member}")
		})
		if got != want || p.sheet.Figure.W > wrap || p.suits(wrap+40) != want {
			t.Errorf("%d: whole names %t, the figure has %d cells", wrap, got, p.sheet.Figure.W)
		}
	}
}
