package seqs

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

func (d *driver) lists(want ...string) *driver {
	d.t.Helper()
	if got := d.shown(); !slices.Equal(got, want) {
		d.t.Errorf("shown: %q, want %q", got, want)
	}
	return d
}

func (d *driver) hasPicked(want ...string) *driver {
	d.t.Helper()
	if got := d.picked(); !slices.Equal(got, append([]string{}, want...)) {
		d.t.Errorf("picked: %q, want %q", got, want)
	}
	return d
}

func (d *driver) isAt(want string) *driver {
	d.t.Helper()
	if got := d.at(); got != want {
		d.t.Errorf("the cursor is on %q, want %q", got, want)
	}
	return d
}

// tally returns the line about the picks, width cells wide.
func (d *driver) tally(width int) string {
	return d.screen.picks.tally.line(&d.screen.picks.cover, width).Text()
}

func TestFilter(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        {"t1", "t2", "t3", "d1", "d2", "d3", "d4"},
		"cart":                    {"t2", "d1", "d2"},
		"CART delete":             {"d2"},
		"!cart":                   {"t1", "t3", "d3", "d4"},
		"post !items":             {"t3", "d1", "d3"},
		"422":                     {"t2"},
		"length:3+ search":        {"t3"},
		"length:1,4":              {"t1", "d2", "d4"},
		"5xx":                     {"t3"},
		"!5xx search":             {"t1", "t2"},
		"dist":                    {"d1", "d2", "d3", "d4"},
		"!":                       {"t1", "t2", "t3", "d1", "d2", "d3", "d4"},
		"nothing like it":         {},
		"post /orders/{orderid}/": {"t3"},
	} {
		d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2", "t3")
		d.press("/")
		for _, r := range text {
			d.press(string(r))
		}
		if got := d.shown(); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// The search tries the picked seqs or, if none is picked, the seq under the cursor.
func TestTry(t *testing.T) {
	d := drive(t).press("s").send(screen.SpecOpened{Spec: shop()}).press("down", "s", " ", "down", " ", "end", "s")
	seqs := shop().Seqs
	want := []screen.TrySeqs{{Seqs: seqs[1:2]}, {Seqs: seqs[1:3]}}
	if !reflect.DeepEqual(d.tries, want) {
		t.Errorf("got %v, want %v", d.tries, want)
	}
}

func TestFilterField(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).press("/", "s", "t", "o")
	if !d.screen.Typing() {
		t.Fatal("/ opens no text field")
	}
	d.lists("d4").press("enter")
	if d.screen.Typing() {
		t.Error("the text field stays open after enter")
	}
	d.lists("d4").press(" ").hasPicked("d4")
	d.press("esc").lists("d1", "d2", "d3", "d4")
	d.press("/", "x", "x", "esc").lists("d1", "d2", "d3", "d4")
}

// The filter skips origins that no row has.
func TestOriginFilter(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2").press("down", " ")
	d.press("f").lists("t1", "t2")
	d.press("f").lists("d1", "d2", "d3", "d4")
	d.press("f").lists("t2")
	d.press("f").lists("t1", "t2", "d1", "d2", "d3", "d4")
}

func TestPicks(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2", "t3")
	d.press("end", "up", " ").hasPicked("d3").press("home", " ").hasPicked("t1", "d3")
	if got, want := d.tally(70), "2 picked: 2 of 3 groups, 3 of 8 operations; a adds 3 for the rest"; got != want {
		t.Errorf("tally: got %q, want %q", got, want)
	}
	item := d.picks[1].Items[0]
	if item.Test == nil || item.Test.ID != "t1" || item.Groups != 1 || item.Origin != model.OriginSearched ||
		!slices.Equal(item.Seq, model.Seq{"GET /health"}) {
		t.Errorf("picked item %+v", item)
	}
	d.press(" ").hasPicked("d3")
	d.press("/", "o", "r", "d", "e", "r", "enter", "A").hasPicked("t3", "d3")
	d.press("A").hasPicked()
	if got, want := d.tally(30), "none picked, a picks 4"; got != want {
		t.Errorf("tally: got %q, want %q", got, want)
	}
}

func TestPicksSurviveTheArchive(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2").press("down", " ")
	d.show("run", "t1", "t7", "t8") // the search has replaced t2 by a better test
	d.lists("t1", "t7", "t8", "t2", "d1", "d2", "d3", "d4").isAt("t2").hasPicked("t2")
	if got := d.screen.list.rows[3].origin(); got != "earlier" {
		t.Errorf("t2 is from %q, want earlier", got)
	}
	d.press("home", " ").hasPicked("t1", "t2")
	d.show("run 2", "t1", "t2") // another run, other tests
	d.lists("t1", "t2", "t2", "t1", "d1", "d2", "d3", "d4").isAt("t1").press(" ").hasPicked("t2")
	d.press("up", "up", " ").hasPicked("t2", "t2")
	d.send(screen.SpecOpened{Spec: shop()}).hasPicked("t2", "t2").lists("t1", "t2", "t2", "t1", "d1", "d2", "d3", "d4")
}

// Opening the spec again keeps all tests of the run. Other rows and their picks are replaced
// if the document changed.
func TestReadingAgain(t *testing.T) {
	read := func(hash string) screen.SpecOpened {
		analyzed := shop()
		analyzed.Spec.Hash = hash
		return screen.SpecOpened{Spec: analyzed}
	}
	for hash, want := range map[string][]string{"a": {"t2", "t1", "d1"}, "b": {"t2", "t1"}} {
		d := drive(t).send(read("a")).show("run", "t1", "t2").press("A")
		d.press("/", "d", "i", "s", "t", "enter", "A", "home", " ", "esc") // pick only the first distilled seq
		d.show("run", "t2").hasPicked("t1", "t2", "d1")
		again := read(hash)
		again.Spec.GroupOf["GET /health"] = 0
		delete(again.Spec.GroupOf, "POST /carts/{cartId}/items")
		delete(again.Spec.GroupOf, "POST /carts")
		d.send(again).hasPicked(want...).lists("t2", "t1", "d1", "d2", "d3", "d4")
		if got := d.picks[len(d.picks)-1].Items[0].Groups; got != 0 {
			t.Errorf("hash %s: the picked test touches %d groups, want those of the new spec, none", hash, got)
		}
		d.show("run", "t2", "t3").lists("t2", "t3", "t1", "d1", "d2", "d3", "d4")
	}
}

func TestCursorStaysOnItsRow(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).size(120, 7) // three rows are visible
	d.show("run", "t1").isAt("t1").press("down", "down").isAt("d2")
	place := d.screen.list.cursor.At - d.screen.list.cursor.Top
	d.show("run", "t1", "t4", "t5", "t6", "t7").isAt("d2")
	if got := d.screen.list.cursor.At - d.screen.list.cursor.Top; got != place {
		t.Errorf("d2 moved from line %d to line %d", place, got)
	}
	d.press("/", "d", "e", "l").isAt("d2").press("esc").isAt("d2")
	d.press("/", "o", "r", "d").isAt("d3")
}

// The cursor is on a row that the user has picked or has found by a filter. The cursor stays on this row when the
// search adds rows above it.
func TestCursorStaysOnWhatWasMeant(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1").isAt("t1")
	d.show("run", "t0", "t1").isAt("t0").press(" ").hasPicked("t0")
	d.show("run", "t2", "t0", "t1").isAt("t0").press("down", " ").hasPicked("t0", "t1")

	d = drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1").press("/", "s", "e", "a", "r", "c", "h").isAt("t1")
	d.show("run", "t0", "t1").isAt("t0").press("enter")
	d.show("run", "t2", "t0", "t1").isAt("t0")
}

func TestGoto(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2")
	d.send(screen.ShowScreen{Tab: screen.TabExplore, Op: "POST /carts"}).lists("t1", "t2", "d1", "d2", "d3", "d4")
	d.send(screen.ShowScreen{Tab: screen.TabSeqs, Op: "POST /carts/{cartId}/items"}).lists("t2", "d5", "d6", "d7", "d8", "d9")
}

func TestDetails(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2").press("down")
	view := d.screen.View(120, 40)
	for _, want := range []string{
		"Seq t2 · 2 calls", "POST /carts/{cartId}/items", "△ 422", "✓ 201", "alice", "← call 1  Location", "← call 1  /price",
		`"customer": 7`, "quantity: 0", "/id exists", "/total = 0", "kept for 2 targets", "dryrun", "a b",
	} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not in\n%s", want, view)
		}
	}
	if strings.Contains(view, "17") {
		t.Error("a value is shown where a link replaces it")
	}
	d.size(60, 20).press("enter")
	if view := d.screen.View(60, 20); !strings.Contains(view, "alice") {
		t.Errorf("enter shows no details:\n%s", view)
	}
	d.press("pgdown", "down", "v", "down", "v")
	if view := d.screen.View(60, 20); !strings.Contains(view, "no values yet") {
		t.Errorf("v shows no details:\n%s", view)
	}
}

func TestMouse(t *testing.T) {
	click := func(x, y int) tea.MouseMsg {
		return tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	}
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2")
	d.send(click(20, 5)).isAt("d1").hasPicked()
	d.send(click(3, 4)).isAt("t2").hasPicked("t2")
	d.send(click(3, 30)).isAt("t2")
	d.send(tea.MouseMsg{X: 20, Y: 5, Button: tea.MouseButtonWheelDown}).isAt("d3")
	d.send(click(100, 5))
	if !d.screen.details.focused {
		t.Error("a click on the details does not give them the focus")
	}
}

// stateOf copies the parts of a screen that keys can change.
func stateOf(s *Screen) []any {
	list := *s.list
	list.rows = slices.Clone(list.rows)
	return []any{list, *s.details, *s.builder, *s.player, *s.picks, *s.calls}
}

// Each visible key has an effect.
func TestShownKeysAct(t *testing.T) {
	for name, begin := range map[string]func() *driver{
		"list":   func() *driver { return drive(t).send(screen.SpecOpened{Spec: large(80)}).press("down") },
		"picked": func() *driver { return drive(t).send(screen.SpecOpened{Spec: large(80)}).press("A", "down") },
		"filtered": func() *driver {
			return drive(t).send(screen.SpecOpened{Spec: large(80)}).press("/", "p", "enter", "down")
		},
		"nothing":  func() *driver { return drive(t).send(screen.SpecOpened{Spec: shop()}).press("/", "z", "enter") },
		"typing":   func() *driver { return drive(t).send(screen.SpecOpened{Spec: shop()}).press("/", "p") },
		"covered":  func() *driver { return drive(t).send(screen.SpecOpened{Spec: large(80)}).press("a", "down") },
		"unlisted": func() *driver { return drive(t).send(screen.SpecOpened{Spec: shop()}).press("d", "/", "z", "enter") },
		"reading": func() *driver {
			return drive(t).show("r").send(screen.SpecOpened{Spec: shop()}).show("r", "t2").size(80, 8).press("enter", "down")
		},
		"empty": func() *driver { return drive(t) },
	} {
		for _, b := range begin().screen.Keys() {
			for _, k := range b.Keys() {
				d := begin()
				before, told := stateOf(d.screen), len(d.picks)+len(d.tries)+len(d.composed)
				d.message = ""
				d.press(k)
				if reflect.DeepEqual(before, stateOf(d.screen)) && len(d.picks)+len(d.tries)+len(d.composed) == told && d.message == "" {
					t.Errorf("%s: %q (%s) does nothing", name, k, b.Help().Desc)
				}
			}
		}
	}
}
