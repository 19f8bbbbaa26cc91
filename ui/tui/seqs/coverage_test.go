package seqs

import (
	"slices"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/ui/tui/screen"

	"pgregory.net/rapid"

	"github.com/charmbracelet/x/ansi"
)

// restorePicks restores the picks of a setting.
func (d *driver) restorePicks(to screen.Setting) *driver {
	return d.send(screen.RestoreSetting{Setting: to})
}

// Key a picks a few seqs that cover what the picks do not cover. The earlier picks can be restored.
func TestCoverTheRest(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t3").press("down", " ").hasPicked("t3")
	before := d.screen.picks.setting()
	d.press("a").hasPicked("t1", "t3", "d1", "d2")
	if want := "3 seqs more picked; u unpicks them"; d.message != want {
		t.Errorf("said %q, want %q", d.message, want)
	}
	d.press("a").hasPicked("t1", "t3", "d1", "d2") // nothing is left to add
	d.restorePicks(before).hasPicked("t3").restorePicks(before).hasPicked("t3")
	d.press("a", "end", "up", "up", " ").hasPicked("t1", "t3", "d1") // unpick d2 by hand
	d.restorePicks(before).hasPicked("t3")
}

func TestTallyLine(t *testing.T) {
	for name, c := range map[string]struct {
		state *driver
		want  map[int]string
	}{
		"nothing to cover with": {drive(t).send(screen.SpecOpened{
			Spec: &screen.AnalyzedSpec{
				Spec:     &model.Spec{},
				Analysis: analysis.Analyze(&model.Spec{}, analysis.Options{}),
				Matcher:  shop().Matcher,
			},
		}), map[int]string{
			80: "none picked: space picks a seq",
		}},
		"nothing is picked": {drive(t).send(screen.SpecOpened{Spec: shop()}).press("d"), map[int]string{
			100: "none picked: space picks a seq, a picks the fewest that cover all: 3",
			60:  "none picked: space picks a seq, a picks 3 for all",
			45:  "none picked: space picks a seq, a picks 3",
			34:  "none picked, a picks 3",
		}},
		"some is picked": {drive(t).send(screen.SpecOpened{Spec: shop()}).press("d", " "), map[int]string{
			100: "1 picked: 1 of 3 groups, 1 of 8 operations; a adds the fewest that cover the rest: 3",
			74:  "1 picked: 1 of 3 groups, 1 of 8 operations; a adds 3 for the rest",
			54:  "1 picked: 1/3 groups, 1/8 ops; a adds 3",
			34:  "✓1: 1/3 groups, 1/8 ops; a +3",
		}},
		"some is in no seq": {drive(t).send(screen.SpecOpened{Spec: shop()}).press(" "), map[int]string{
			104: "1 picked: 1 of 3 groups, 2 of 8 operations; a adds 2, all but 2 operations that no seq here has",
			74:  "1 picked: 1 of 3 groups, 2 of 8 operations; a adds 2, all but 2",
		}},
		"the rest is in no seq": {drive(t).send(screen.SpecOpened{Spec: shop()}).press("a"), map[int]string{
			100: "3 picked: 2 of 3 groups, 6 of 8 operations; the rest is in no seq here",
			54:  "3 picked: 2/3 groups, 6/8 ops; rest in none",
		}},
		"nothing is missing": {drive(t).send(screen.SpecOpened{Spec: shop()}).press("d", "a"), map[int]string{
			74: "3 picked: all 3 groups, all 8 operations; nothing is missing",
			54: "3 picked: all 3 groups, all 8 operations",
			34: "3 picked: nothing is missing",
			20: "✓3: all ops",
		}},
	} {
		for width, want := range c.want {
			if got := c.state.tally(width); got != want {
				t.Errorf("%s, %d cells: got %q, want %q", name, width, got, want)
			}
		}
	}
}

// Switching to the other rule changes the list but not the picks. A message shows the number of seqs by each rule.
func TestRule(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).press("down", " ").lists("d1", "d2", "d3", "d4")
	d.press("d").hasPicked("d2")
	if got, want := d.screen.list.title(80), "Seqs 49 · DC 4  ▸SC 48"; got != want {
		t.Errorf("title: got %q, want %q", got, want)
	}
	if want := "DC (a call shares a value with the next): 4; SC (a call can run after the one before): 48"; d.message != want {
		t.Errorf("said %q, want %q", d.message, want)
	}
	if ids := d.shown(); ids[0] != "d2" { // SC lists no operation twice in a seq
		t.Errorf("the picked seq that SC does not list is not at the start of %q", ids)
	}
	d.press("end", " ")
	last := d.at()
	d.hasPicked("d2", last).press("d").lists(last, "d1", "d2", "d3", "d4").hasPicked(last, "d2")
	d.send(screen.SpecOpened{Spec: shop()}) // the spec has no hash, so it counts as another document
	d.lists("d5", "d1", "d2", "d3", "d4").hasPicked("d5", "d2")
}

// Seqs by DC that are longer than the others are listed, too. The title has a separate number for them.
func TestLongerSeqsAreCountedApart(t *testing.T) {
	analyzed := shop()
	analyzed.Longer = []model.Seq{{"POST /carts", "GET /carts/{cartId}", "GET /carts/{cartId}", "GET /health"}}
	d := drive(t).send(screen.SpecOpened{Spec: analyzed}).lists("d1", "d2", "d3", "d4", "d5")
	if got, want := ansi.Strip(d.screen.list.title(80)), "Seqs 5 · ▸DC 4 +1 longer  SC 48"; got != want {
		t.Errorf("title: got %q, want %q", got, want)
	}
	d.press("d")
	if want := "DC (a call shares a value with the next): 4; SC (a call can run after the one before): 48"; d.message != want {
		t.Errorf("said %q, want %q", d.message, want)
	}
}

// Results of an older query, or for another spec, are dropped.
func TestLateAnswers(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()})
	late := d.screen.picks.askCover()()
	d.press(" ")
	known := d.screen.picks.cover.rows
	d.send(late)
	if got := d.screen.picks.cover.rows; !slices.Equal(got, known) {
		t.Errorf("an old answer changed the rest from %d seqs to %d", len(known), len(got))
	}
	d.send(prepared{analyzed: shop()})
	if d.screen.catalog.distilled.meter == nil {
		t.Error("the result for another spec was used")
	}
}

// New tests that a search keeps may cover more of the API. If the screen is hidden, it starts a new query for the new
// tests only when it becomes visible.
func TestNewTestsMayCoverTheRest(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).press("a")
	const before, after = "3 picked: 2/3 groups, 6/8 ops; rest in none", "3 picked: 2/3 groups, 6/8 ops; a adds 2"
	if got := d.tally(45); got != before {
		t.Errorf("before the search: got %q, want %q", got, before)
	}
	d.send(screen.Shown{Tab: screen.TabSearch}).show("run", "t1", "t3")
	if got := d.tally(45); got != before {
		t.Errorf("while the screen is hidden: got %q, want %q", got, before)
	}
	d.send(screen.Shown{Tab: screen.TabSeqs})
	if got := d.tally(45); got != after {
		t.Errorf("on show again: got %q, want %q", got, after)
	}
	d.show("run", "t1")
	if got, want := d.tally(45), "3 picked: 2/3 groups, 6/8 ops; a adds 1"; got != want {
		t.Errorf("without one of the tests: got %q, want %q", got, want)
	}
	d.press("a").hasPicked("t1", "d1", "d2", "d3")
}

// If the user presses the key a before the seqs to pick are known, they are picked as soon as they are known.
func TestCoverBeforeTheAnswer(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()})
	answer := d.screen.picks.askCover()
	d.press("a").hasPicked()
	d.send(answer()).hasPicked("d1", "d2", "d3")
}

// Keys that are pressed before the screen is ready are not lost.
func TestKeysBeforeTheScreenIsReady(t *testing.T) {
	d := drive(t)
	d.screen.Update(screen.SpecOpened{Spec: shop()})
	d.press("d", "a").hasPicked().lists("d1", "d2", "d3", "d4")
	d.send(screen.Shown{Tab: screen.TabSeqs})
	if d.screen.picks.tally.picked != 3 || !d.screen.picks.tally.complete() || len(d.shown()) != 48 {
		t.Errorf("%d seqs of %d are picked", d.screen.picks.tally.picked, len(d.shown()))
	}
}

// In any state, key a picks rows that cover everything the listed seqs can cover, and the picks before it can be
// restored.
func TestCoverLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1", "t2", "t3")
		for range rapid.IntRange(0, 15).Draw(rt, "steps") {
			d.press(rapid.SampledFrom([]string{" ", "down", "up", "pgdown", "a", "d", "A", "f", "s"}).Draw(rt, "key"))
		}
		was, before := d.screen.picks.setting(), d.screen.catalog.picks()
		none := len(d.screen.picks.cover.Operations)
		d.press("a")
		if got := d.screen.picks.tally; got.totalOperations-got.operations != none || len(d.screen.picks.cover.rows) > 0 {
			rt.Fatalf("after a %d of %d operations are covered, but only %d are in no seq", got.operations, got.totalOperations, none)
		}
		d.restorePicks(was)
		if !slices.Equal(d.screen.catalog.picks(), before) {
			rt.Fatalf("%d are picked again, before a %d were", len(d.screen.catalog.picks()), len(before))
		}
	})
}
