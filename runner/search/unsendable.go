package search

import (
	"errors"

	"sonde/model"
	"sonde/runner/target/client"
)

// maxUnsendable is how many requests of an operation in a row may be impossible to send before the
// search gives the operation up.
const maxUnsendable = 3

// unsendable counts, by operation, the requests in a row that could not be sent.
type unsendable map[model.OpID]int

// abandonedOp is an operation that is given up, with the reason.
type abandonedOp struct {
	op  model.OpID
	err error
}

// observe counts the results of a test and returns the operations to give up.
func (u unsendable) observe(t model.Test, results []client.CallResult) (all []abandonedOp) {
	for i, r := range results {
		op := t.Calls[i].Op
		if errors.Is(r.Exchange.Err, client.ErrBlocked) {
			continue
		}
		if _, bad := errors.AsType[*client.UnsendableError](r.Exchange.Err); !bad {
			delete(u, op)
			continue
		}
		u[op]++
		if u[op] == maxUnsendable {
			all = append(all, abandonedOp{op, r.Exchange.Err})
		}
	}
	return all
}
