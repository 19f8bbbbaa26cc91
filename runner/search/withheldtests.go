package search

import (
	"errors"

	"sonde/model"
	"sonde/runner/target/client"
)

// withheldTests has tests with a call that an accountGuard blocked: for each blocked operation the shortest such
// test. These tests are played at the end of a run, without the guard; see runLastTests.
type withheldTests map[model.OpID]*trial

// observe keeps a judged test if one of its calls was blocked.
func (w withheldTests) observe(t *trial, results []client.CallResult) {
	if t.individual == nil || t.sweeps() {
		return
	}
	for i, r := range results {
		op := t.test.Calls[i].Op
		if known := w[op]; errors.Is(r.Exchange.Err, errGuarded) && (known == nil || len(t.test.Calls) <= len(known.test.Calls)) {
			w[op] = t
		}
	}
}

// untilSuccess returns a new trial for the withheld test of each operation that has not answered 2xx so far.
func (w withheldTests) untilSuccess(answers refusalReasons) withheldTests {
	again := withheldTests{}
	for op, t := range w {
		if f := answers[op]; f != nil && f.succeeded {
			continue
		}
		lineage := *t.lineage
		lineage.Call, lineage.First, lineage.Code = 0, nil, 0
		again[op] = &trial{individual: t.individual, lineage: &lineage}
	}
	return again
}

// removePlayed removes the tests that were played again.
func (w withheldTests) removePlayed(again withheldTests) {
	for op, t := range again {
		if len(t.test.Calls) > 0 {
			delete(w, op)
		}
	}
}

// obstacles returns why calls of an operation were withheld. It returns nil if none of its calls is withheld.
func (w withheldTests) obstacles(op model.OpID) []string {
	if w[op] == nil {
		return nil
	}
	return []string{"calls that may delete the user of the run were not sent: configure a reset, or a log-in of the user"}
}
