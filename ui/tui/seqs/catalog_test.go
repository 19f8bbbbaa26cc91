package seqs

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// A test that was made by hand is picked and is the first row of the list. It stays when a search begins or
// the same document is opened again.
func TestKept(t *testing.T) {
	made := test("")
	made.Origin = model.OriginManual
	read := screen.SpecOpened{Spec: shop()}
	read.Spec.Spec.Hash = "a"
	d := drive(t).send(read).send(screen.TestsKept{Tests: []model.Test{made}}).send(screen.TestsKept{Tests: []model.Test{made}})
	d.lists("h1", "h2", "d1", "d2", "d3", "d4").hasPicked("h1", "h2")
	d.show("run", "t1").lists("h1", "h2", "t1", "d1", "d2", "d3", "d4")
	if view := d.screen.View(120, 33); !strings.Contains(view, "by hand") {
		t.Errorf("no \"by hand\" in\n%s", view)
	}
	d.press("f", "f", "f").lists("h1", "h2")
	d.press("f", "f").send(read).lists("h1", "h2", "t1", "d1", "d2", "d3", "d4")
}

// The last call of the row under the cursor is opened as a manual request. If the row is a test, the request has the
// values of the test. If the row is a seq, the request has no values.
func TestCompose(t *testing.T) {
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).show("run", "t1").press("r", "down", "r")
	if len(d.composed) != 2 || d.composed[0].Test.ID != "t1" || d.composed[1].Test != nil || d.composed[1].Op == "" {
		t.Errorf("composed %+v", d.composed)
	}
}

// The details of a recorded test show its exchange, and the values that the test does not compare exactly. A new test
// of the same exchange replaces the test.
func TestRecorded(t *testing.T) {
	made := test("")
	made.Origin = model.OriginRecorded
	made.Stubs = []model.Stub{{Host: "payments.example:443", Protocol: model.HTTP, Match: model.StubMatch{Method: "POST", Path: "/charge"}}}
	made.Mock = &model.MockTest{
		About: "POST /orders with a card: charges payments.example once", Exchange: "a", Uncertain: true,
		Output: []model.Expectation{
			{In: model.InBody, Comparison: model.CompareEquals},
			{In: model.InBody, Name: "/createdAt", Comparison: model.CompareNear, Why: "a time of day"},
		},
		ExpectedCalls: []model.ExpectedCall{
			{Stub: 0, Params: []model.Expectation{{
				In:         model.InHeader,
				Name:       "X-Nonce",
				Comparison: model.ComparePresent,
				Why:        "came as 17, then 18",
			}}},
			{Stub: 9},
		},
	}
	other := made
	other.Mock = &model.MockTest{Exchange: "b"}
	kept := screen.TestsKept{Tests: []model.Test{made, other}}
	d := drive(t).send(screen.SpecOpened{Spec: shop()}).send(kept).send(screen.TestsKept{Tests: []model.Test{made}})
	d.lists("r1", "r2", "d1", "d2", "d3", "d4").hasPicked("r1", "r2")
	d.press("f", "f").lists("r1", "r2")
	view := d.screen.View(160, 50)
	for _, want := range []string{
		"charges payments.example once", "1  payments.example:443  POST /charge", "Some of them may belong",
		"body /createdAt  near: a time of day", "header X-Nonce  present: came as 17, then 18", "recorded",
	} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not in\n%s", want, view)
		}
	}
}
