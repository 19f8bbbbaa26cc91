package runner

import (
	"errors"
	"fmt"

	"sonde/model"
	"sonde/runner/client"
)

// mostUnsendable is how many requests of an operation in a row may turn out to be
// such that no connection can carry them, until the search gives it up.
const mostUnsendable = 3

// unsendable counts the requests of each operation that could not be sent, since
// one could.
type unsendable map[model.OpID]int

// hopeless is an operation that is to be given up, and why.
type hopeless struct {
	op  model.OpID
	err error
}

// note takes the results of a test, and returns what is to be given up for them.
func (u unsendable) note(t model.Test, results []client.Result) (all []hopeless) {
	for i, r := range results {
		op := t.Calls[i].Op
		if errors.Is(r.Exchange.Err, client.ErrBarred) {
			continue
		}
		if _, bad := errors.AsType[*client.Unsendable](r.Exchange.Err); !bad {
			delete(u, op)
			continue
		}
		u[op]++
		if u[op] == mostUnsendable {
			all = append(all, hopeless{op, r.Exchange.Err})
		}
	}
	return all
}

// giveUp lets the search go on without operations whose requests cannot be sent,
// as if they were muted; the run ends where none would be left.
func (e *engine) giveUp(all []hopeless) {
	for _, h := range all {
		why := model.Excerpt([]byte(h.err.Error()))
		if err := e.stress(model.Stress{Kind: model.Mute, Ops: []model.OpID{h.op}}); err != nil {
			e.err = fmt.Errorf("no operation is left that can be called: of %q, %s; mend the specification", h.op, why)
			return
		}
		e.emit(model.Note{Call: e.budget.calls, Text: fmt.Sprintf("%s is not searched for any more: %s", h.op, why)})
	}
}
