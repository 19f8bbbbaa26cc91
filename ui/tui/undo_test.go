package tui

import (
	"fmt"
	"testing"

	"sonde/ui/tui/screen"
)

// Key u undoes filters and picks on all screens, in the reverse order, and ctrl+y does them again.
func TestUndo(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press("u").sees(t, "there is nothing to undo")
	d.press("/").write("cart").press("enter").sees(t, "/ cart", "more by value")
	d.press("2", "/").write("customer").press("enter").sees(t, "/ customer")
	d.press("4", " ").sees(t, "1 picked", "6 Export 1")
	d.press("u").sees(t, "› undid: 1 pick; ctrl+y does it again").misses(t, "6 Export 1")
	d.press("u").sees(t, "› undid: on Groups, filter customer").press("2").misses(t, "/ customer")
	d.press("u").sees(t, "› undid: on Explore, filter cart").press("1").misses(t, "/ cart").sees(t, "28 of 28")
	d.press("u").sees(t, "there is nothing to undo")
	d.press("ctrl+y").sees(t, "› did again: filter cart").sees(t, "/ cart", "more by value")
	d.press("ctrl+y", "ctrl+y").sees(t, "did again: on Seqs, 1 pick", "6 Export 1")
	d.press("ctrl+y").sees(t, "nothing was undone").press("u").misses(t, "6 Export 1")
	d.press("esc").misses(t, "/ cart") // a new change ends what can be done again
	d.press("ctrl+y").sees(t, "nothing was undone").press("u").sees(t, "undid: no filter", "/ cart")
}

// Each change is a step of its own, but a filter is one step however many letters were typed.
func TestUndoSteps(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press("4", " ", "down", " ", "down", " ").sees(t, "6 Export 3")
	d.press("a").misses(t, "6 Export 3").press("u").sees(t, "6 Export 3").press("u").sees(t, "6 Export 2")
	d.press("/").write("post").press("enter", "/").write("get").press("enter").sees(t, "/ get")
	d.press("u").sees(t, "/ post").press("u").misses(t, "/ post").press("u").sees(t, "6 Export 1")
	d.press("A").misses(t, "6 Export 1").press("u").sees(t, "6 Export 1")
}

// Reading the spec again is no step. The steps before it can still be undone.
func TestUndoAfterReadingAgain(t *testing.T) {
	d := open(shop(), nil).size(120, 36).press("4", " ").press("ctrl+r").sees(t, "6 Export 1").send(halfway)
	d.press("u").sees(t, "undid: 1 pick").misses(t, "6 Export 1").press("u").sees(t, "there is nothing to undo")
}

// The number of steps is limited, and the oldest steps are dropped.
func TestUndoIsBounded(t *testing.T) {
	var u undoStack
	at := func(i int) map[settingKey]screen.Setting {
		s := screen.FilterSetting(fmt.Sprint(i))
		return map[settingKey]screen.Setting{{screen.TabExplore, s.ID}: s}
	}
	u.record(at(0), true)
	for i := range maxUndo + 5 {
		if step := u.record(at(i+1), true); len(step) != 1 {
			t.Fatalf("%d changes in a step", len(step))
		}
	}
	if len(u.done) != maxUndo || u.done[0].name() != "filter 6" {
		t.Errorf("%d steps, the first is %q", len(u.done), u.done[0].name())
	}
	if u.record(at(0), false) != nil || u.record(at(0), true) != nil {
		t.Error("a change without an action of the user is a step")
	}
}

// Each screen with a filter restores it, whatever else the screen shows.
func TestRestoreFilters(t *testing.T) {
	for tab, name := range tabs[:4] {
		d := open(shop(), nil).size(120, 36).press(fmt.Sprint(tab + 1))
		keeper := d.app.screens.visible().(screen.Keeper)
		before := keeper.Kept().Settings()
		d.press("/").write("cart").press("enter")
		after := keeper.Kept().Settings()
		if before[0].Value != "" || after[0].Value != "cart" {
			t.Errorf("%s: the filter is %q, and then %q", name, before[0].Value, after[0].Value)
		}
		for _, want := range []screen.Setting{before[0], after[0], screen.FilterSetting("post"), before[0]} {
			d.app.screens.update(screen.Tab(tab), screen.RestoreSetting{Setting: want})
			if got := keeper.Kept().Settings()[0]; got != want {
				t.Errorf("%s: restored %+v, want %+v", name, got, want)
			}
			whole(t, d)
		}
	}
}
