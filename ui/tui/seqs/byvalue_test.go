package seqs

import (
	"testing"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/screen"
)

// toys returns an API with one operation that has "toys" in its path, and one operation that takes a value named
// "toys".
func toys(t *testing.T) *screen.AnalyzedSpec {
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "GET /toys", Method: "GET", Path: "/toys"},
		{
			ID: "GET /pets", Method: "GET", Path: "/pets",
			Params: []model.Parameter{{Name: "toys", In: model.InQuery, Schema: &model.Schema{}}},
		},
		{ID: "GET /zoos", Method: "GET", Path: "/zoos"},
	}}
	analyzed, err := screen.AnalyzeSpec(t.Context(), spec, match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	return analyzed
}

// Seqs that match only by value are below a heading. The cursor can reach the heading, and keys unfold it.
func TestByValue(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: toys(t)}).press("/", "t", "o", "y", "s", "enter")
	d.heads("d1", "1 more by value").isAt("d1").press("down", "s", "R", "c")
	if d.screen.list.current() != nil || len(d.tries) > 0 {
		t.Error("the heading counts as a seq")
	}
	d.press("enter").heads("d1", "1 more by value", "d2").press("down").isAt("d2").press("up", " ").heads("d1", "1 more by value")
	d.press("end", "home").isAt("d1").press("end")
	d.press("enter", "A").hasPicked("d1", "d2")
	d.press("g").heads("distilled", "d1", "1 more by value", "distilled", "d2").press("down").isAt("d2").press("up", "up").isAt("d1")
	d.press("/", "end", "backspace", "enter").heads("distilled", "d1", "1 more by value")
	if d.press("/", "esc").heads("distilled", "d1", "d2", "d3"); d.screen.list.onByValue() {
		t.Error("the cursor is on a heading that is not listed")
	}
}

// A click on the heading unfolds it.
func TestClickOnByValue(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: toys(t)}).press("/", "t", "o", "y", "s", "enter")
	d.screen.list.click(1)
	d.heads("d1", "1 more by value", "d2")
	if r := d.screen.list.click(2); r == nil || r.ID != "d2" {
		t.Errorf("clicked %+v, want d2", r)
	}
}
