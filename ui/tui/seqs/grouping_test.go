package seqs

import (
	"slices"
	"testing"

	"sonde/ui/app/userdata"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// headed returns the texts of the listed headings and the IDs of the listed seqs, in order.
func (d *driver) headed() (all []string) {
	for _, r := range d.screen.list.rows {
		all = append(all, r.heading+r.ID)
	}
	return all
}

func (d *driver) heads(want ...string) *driver {
	d.t.Helper()
	if got := d.headed(); !slices.Equal(got, want) {
		d.t.Errorf("listed: %q, want %q", got, want)
	}
	return d
}

func run(t *testing.T) *driver {
	return drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2", "t3")
}

// Key g switches to the next grouping. Below a heading, rows have the same order as in the list without groups.
func TestGrouping(t *testing.T) {
	d := run(t).press("g").heads("search", "t1", "t2", "t3", "distilled", "d1", "d2", "d3", "d4")
	d.press("g").heads(
		"group 1  carts · items", "t2", "d1", "d2", "group 2  orders · pay", "t3", "d3", "group 3  health", "t1",
		"no group", "d4",
	)
	d.press("o").heads(
		"group 1  carts · items", "t2", "d1", "d2", "group 2  orders · pay", "d3", "t3", "group 3  health", "t1",
		"no group", "d4",
	)
	d.press("g").heads("carts", "t2", "d1", "d2", "health", "t1", "orders", "d3", "t3", "stock", "d4")
	d.press("g").lists("t1", "d4", "t2", "d1", "d3", "t3", "d2")
	d.press("g", "f", "f").heads("distilled", "d4", "d1", "d3", "d2")
}

// Seqs with calls of different groups share a heading.
func TestSeveralGroups(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).press("d", "g", "g")
	last := d.screen.list.rows[slices.IndexFunc(d.screen.list.rows, func(r *row) bool { return r.heading == "several groups" })+1]
	if last.Groups < 2 {
		t.Errorf("%s touches %d groups", last.ID, last.Groups)
	}
}

// The cursor skips headings, and scrolls the heading of the first row into view.
func TestCursorPassesHeadings(t *testing.T) {
	d := run(t).press("g").isAt("t1").press("up").isAt("t1").press("end", "home").isAt("t1")
	d.press("down", "down").isAt("t3").press("down").isAt("d1").press("up").isAt("t3")
	d.size(120, 7).press("end", "up", "up").isAt("d2").press("up").isAt("d1") // three rows are visible
	if top := d.screen.list.rows[d.screen.list.cursor.Top]; top.heading != "distilled" {
		t.Errorf("%q is at the top, want the heading", top.heading+top.ID)
	}
	d.press("pgup", "pgup", "pgup").isAt("t1").send(tea.MouseMsg{X: 20, Y: 5, Button: tea.MouseButtonWheelDown}).isAt("d1")
	d.send(tea.MouseMsg{X: 20, Y: 5, Button: tea.MouseButtonWheelUp}).isAt("t2")
}

// The cursor stays on its row in every grouping.
func TestCursorStaysWhenGrouped(t *testing.T) {
	d := run(t).press("down", "down").isAt("t3")
	for range groupings {
		d.press("g").isAt("t3")
	}
}

// A heading is not a seq: it is neither picked nor counted, and the user cannot jump to it.
func TestHeadingsAreNoSeqs(t *testing.T) {
	d := run(t).press("g", "A").hasPicked("t1", "t2", "t3", "d1", "d2", "d3", "d4").press("A").hasPicked()
	if got := d.screen.list.title(80); got != "Seqs 7 · ▸DC 4  SC 48" {
		t.Errorf("the title is %q", got)
	}
	if got := len(d.screen.Targets()); got != 7 {
		t.Errorf("%d places to jump to, want the 7 seqs", got)
	}
	for i, p := range d.screen.Targets() {
		d.send(screen.PointAt{X: p.X, Y: p.Y})
		if d.screen.list.rows[d.screen.list.cursor.At] != d.screen.catalog.all()[i] {
			t.Errorf("place %d leads to %s", i, d.at())
		}
	}
	click := tea.MouseMsg{X: 2, Y: 3, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	d.send(click).isAt("t1").hasPicked()
	d.press("p").hasPicked("t3")
}

func TestGroupingIsLeftAndPutBack(t *testing.T) {
	var place userdata.Place
	run(t).press("g", "g").screen.SavePlace(&place)
	d := drive(t).send(screen.SpecOpened{Spec: shop(), Place: &place})
	if got := d.screen.list.groups.by; got != groupByGroup {
		t.Errorf("it came back grouped by %q", got)
	}
	place.SeqGroups = "colour"
	drive(t).send(screen.SpecOpened{Spec: shop(), Place: &place}).heads("d1", "d2", "d3", "d4")
}
