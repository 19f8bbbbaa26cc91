package search

import (
	"errors"

	"sonde/model"
	"sonde/runner/target/client"
)

// maxUnsendable is the number of consecutive unsendable requests after which an operation is abandoned.
const maxUnsendable = 3

// unsendable has, for each operation, how many of its newest requests in a row could not be sent.
type unsendable map[model.OpID]int

// abandonedOp is an operation that the search no longer calls, with the reason.
type abandonedOp struct {
	op  model.OpID
	err error
}

// observe counts the requests of a test that could not be sent, and returns the operations to abandon.
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
