package search

import (
	"testing"

	"sonde/model"
	"sonde/runner/search/individual"
	"sonde/runner/target/client"
)

func TestWithheldTests(t *testing.T) {
	const op = "DELETE /users/{id}"
	played := func(calls int, err error) (*trial, []client.CallResult) {
		tr := &trial{individual: &individual.Individual{}, lineage: &model.TestLineage{Call: calls}}
		for range calls {
			tr.test.Calls = append(tr.test.Calls, model.Call{Op: op})
		}
		results := make([]client.CallResult, calls)
		results[calls-1].Exchange.Err = err
		return tr, results
	}
	w := withheldTests{}
	w.observe(played(2, errEndsUser))
	w.observe(played(1, nil))
	if len(w) > 0 || w.obstacles(op) != nil {
		t.Errorf("withheld %v, want none without a guarded call", w)
	}
	w.observe(played(2, errGuarded))
	w.observe(played(3, errGuarded))
	if n := len(w[op].test.Calls); n != 2 || len(w.obstacles(op)) != 1 {
		t.Errorf("kept a test with %d calls, want the shorter of two; obstacles %q", n, w.obstacles(op))
	}
	if again := w.untilSuccess(refusalReasons{op: {succeeded: true}}); len(again) > 0 {
		t.Errorf("%v, want no test of an operation that has succeeded", again)
	}
	again := w.untilSuccess(refusalReasons{op: {calls: 5}})
	if len(again) != 1 || again[op].individual != w[op].individual || again[op].lineage.Call != 0 {
		t.Fatalf("%v, want a new trial of the same test", again)
	}
	if w.removePlayed(again); w.obstacles(op) == nil {
		t.Error("no obstacle, although the budget did not allow the test")
	}
	again[op].test.Calls = []model.Call{{Op: op}}
	if w.removePlayed(again); w.obstacles(op) != nil {
		t.Error("an obstacle, although the test was played")
	}
}
