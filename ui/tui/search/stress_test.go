package search

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
)

// onProduct returns a driver whose cursor is on the answers of POST /products.
func onProduct(t *testing.T) *driver {
	return drive(t, demo).press("enter").show(running()).press("v", "down", "down")
}

func TestStressing(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"m"}, "mute POST /products 1"},
		{[]string{"b"}, "boost POST /products 1"},
		{[]string{"o"}, "only POST /products 1"},
		{[]string{"p"}, "plain POST /products 1"},
		{[]string{"P"}, "plain all 0"},
		{[]string{"t", "m"}, "mute tag products 5"},
		{[]string{"t", "t", "b"}, "boost group 2 8"},
		{[]string{"t", "t", "t", "b"}, "boost POST /products 1"},
		{[]string{"t", "down", "o"}, "only tag products 5"},             // the same tag
		{[]string{"down", "t", "t", "m"}, "mute tag one product 3"},     // the second tag
		{[]string{"down", "t", "t", "up", "m"}, "mute tag products 5"},  // the most similar scope of another operation
		{[]string{"t", "up", "up", "m"}, "mute GET /health 1"},          // GET /health has no tag
		{[]string{"v", "b"}, "boost POST /orders/{orderId}/pay 1"},      // the operation of the fault under the cursor
		{[]string{"t", "up", "up", "down", "m"}, "mute tag products 5"}, // the chosen scope is remembered
		{[]string{"t", "t", "end", "p"}, "plain GET /stock/{sku} 1"},    // GET /stock/{sku} is in no group
		{[]string{"t", "t", "home", "down", "p"}, "plain group 2 8"},
	} {
		onProduct(t).press(c.keys...).requested(c.want)
	}
	onProduct(t).press("V", "m", "b", "o", "p", "t").requested() // on a knob, the keys for weights have no effect
}

// The screen shows the weights that the run applies now. Weights that were requested and do not apply yet are not
// shown.
func TestWeightsAreThoseInForce(t *testing.T) {
	d := onProduct(t).press("m").sees("asked: mute POST /products")
	if view := ansi.Strip(d.screen.View(120, 33)); strings.Contains(view, "×0") {
		t.Errorf("muted before the run says so:\n%s", view)
	}
	s := running()
	s.Weights = model.Weights{"POST /products": 0, "POST /carts": model.BoostedWeight}
	s.Marks = []model.AppliedCommand{{Call: 12301, Tuning: s.Tuning, Command: d.run.steers[0]}}
	d.show(s).sees(
		"✓ 201 POST   /products    ×0", "·     POST   /carts       ×4",
		"mute POST /products: from call 12,301", "mute POST /products┆",
	)
	if view := ansi.Strip(d.screen.View(120, 33)); strings.Contains(view, "asked") {
		t.Errorf("still asked for what is in force:\n%s", view)
	}
}

func TestTheScopeIsShown(t *testing.T) {
	onProduct(t).press("t").sees("for tag products", "› ·     GET    /products", "▸ ✓ 201 POST   /products", "› ·     DELETE /products")
}

// A command that the run refuses is reported once, and is no longer pending.
func TestRefusal(t *testing.T) {
	d := onProduct(t).press("o", "m")
	s := running()
	s.Refused = []model.Note{{Call: 40, Text: "only \"x\" would leave nothing"}}
	d.show(s).show(s)
	if want := []string{`✗ only "x" would leave nothing`}; !slices.Equal(d.messages, want) {
		t.Errorf("said %q, want %q", d.messages, want)
	}
	d.sees("asked: mute POST /products")
	s.Refused = append(s.Refused, model.Note{Call: 41, Text: "nor this"})
	d.show(s).press("v", "v").sees("at call 40: only", "at call 41: nor this")
	if view := d.screen.View(120, 33); strings.Contains(view, "asked: mute") {
		t.Error("still waits for what was refused")
	}
}

func TestCountedKnobs(t *testing.T) {
	d := drive(t, demo).press("enter").show(running()).press("down", "down", "down", "right", "L", "down", "right", "left", "H")
	d.requested("population 15.00", "population 16.00", "mutations 5.00", "mutations 1.00", "mutations 1.00")
	d.sees("asked 16")
}

func TestStep(t *testing.T) {
	d := drive(t, demo).press("enter").show(running()).press(" ", ".").requested("pause", "step")
	d.show(halted()).sees("paused", "Why t940?", "△ 404 POST   /carts/{cartId}/items", "· —   GET    /carts/{cartId}",
		"new      POST /carts/{cartId}/items 404",
		"how      mutated from t812, by changing values",
		"sought   POST /carts/{cartId}/items 201", "asked for at call 1,236", "kept for nothing so far")
	d.press(" ").requested("pause", "step", "resume")
	if d.model().run.paused {
		t.Error("paused after space")
	}
	drive(t, demo).press("enter").show(running()).press(".").requested("step").sees("pausing …")
	drive(t, demo).press("enter").show(done()).press(".").requested()
}

func TestWhy(t *testing.T) {
	d := drive(t, demo).press("enter").show(steered()).press("v", "v", "v", "v").sees("Tests 4", "Why t940?")
	for _, want := range []string{
		"how      from a template, as each search begins",
		"how      made from a seq of yours", "how      sampled at random", "how      smart sampling, from a template",
	} {
		d.press("down").sees(want)
	}
	d.press("enter").sees("Why t44?")
	if d.model().panes.focus != partWhy {
		t.Error("enter does not go to why")
	}
	d.press("esc")
	if d.model().panes.focus != partTests {
		t.Error("esc does not go back")
	}
	drive(t, demo).press("enter").show(running()).press("v", "v", "v", "v").sees("No test was judged yet")
}

// The cursor stays on its test when tests above it are added and removed.
func TestCursorStaysOnItsTest(t *testing.T) {
	d := drive(t, demo).press("enter").show(steered()).press("v", "v", "v", "v", "down", "down").sees("Why t17?")
	s := steered()
	s.Tests = append([]model.Test{{ID: "t0", Calls: s.Tests[0].Calls}}, s.Tests...)
	d.show(s).sees("Why t17?")
	s.Tests = s.Tests[2:]
	d.show(s).sees("Why t17?").press("home").sees("Why t940?")
	s.Last = &s.Tests[2]
	d.show(s).sees("Why t44?")
}

func TestSeqsOfOnesOwn(t *testing.T) {
	try := screen.TrySeqs{Seqs: []model.Seq{{"POST /orders", "POST /orders/{orderId}/pay"}, {"GET /health"}}}
	d := drive(t, demo).send(try)
	if want := []string{"No search is running that could try 2 seqs: 5 starts one"}; !slices.Equal(d.messages, want) {
		t.Errorf("said %q, want %q", d.messages, want)
	}
	d.press("enter").show(running()).send(try).requested("try 2 steps, 0 links", "try 1 steps, 0 links").press("v", "v", "v")
	d.sees("asked: try POST orders › POST pay", "asked: try GET health")
	s := running()
	for i := range d.run.steers {
		s.Marks = append(s.Marks, model.AppliedCommand{Call: 1240 + i, Tuning: s.Tuning, Command: d.run.steers[i]})
	}
	d.show(s).sees("┆ try GET health: from call 1,241", "try POST orders › POST pay: from call 1,240", "┆try 2 seqs")
	d.show(done()).send(try)
	if len(d.run.steers) != 2 {
		t.Error("a run that has ended was given seqs")
	}
	d = starting(t).send(try)
	if len(d.messages) != 1 || !strings.Contains(d.messages[0], "starting") {
		t.Errorf("said %q while the run starts", d.messages)
	}
}

// The problems to fix are shown at every width, both during the run and after it.
func TestMending(t *testing.T) {
	for _, width := range []int{40, 60, 80, 120, 200} {
		d := drive(t, demo).press("enter").show(steered()).size(width, 24).press("v", "v", "v")
		if d.model().panes.focus != partNotes {
			d.press("v")
		}
		text := ""
		for range 60 {
			text += strings.Join(strings.Fields(strings.ReplaceAll(ansi.Strip(d.screen.View(width, 24)), "│", " ")), " ")
			d.press("down")
		}
		for _, want := range []string{"restarted 3 times", "93% of", "DELETE /products/{productId}", "from call 1,100", "at call 900"} {
			if !strings.Contains(text, want) {
				t.Errorf("%d columns: no %q in the notes", width, want)
			}
		}
	}
	s := steered()
	s.Phase, s.Used = model.PhaseDone, 1
	drive(t, demo).press("enter").show(s).size(120, 60).sees(
		"△ the service died or hung", "△ 93% of the answers", "runs/shop-7",
		"2 more operations never answered 2xx",
	)
	drive(t, demo).press("enter").show(steered()).sees("△ 7 to fix · 3 restarts · running")
	drive(t, demo).press("enter").show(steered()).size(60, 21).sees("Notes △7")
}
