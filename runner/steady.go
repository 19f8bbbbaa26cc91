package runner

import (
	"bytes"
	"fmt"

	"sonde/model"
	"sonde/runner/client"
)

// place is where a value stands in the answers of an operation.
type place struct {
	op      model.OpID
	status  int
	pointer string
}

// steady returns what is asserted of a test and held when it was played again,
// where now would be asserted. A value that came out different must only be
// there from then on, and so must those of the places that are known to change;
// what was not there any more is not asserted. Changed are the places of the
// assertions that were dropped.
func steady(t model.Test, now []model.Check, known map[place]bool) (held []model.Check, changed []place) {
	type spot struct {
		call    int
		pointer string
	}
	again := map[spot]model.Check{}
	for _, c := range now {
		again[spot{c.Call, c.Pointer}] = c
	}
	for _, c := range t.Checks {
		at := place{op: t.Calls[c.Call].Op, status: t.Calls[c.Call].Status, pointer: c.Pointer}
		other, there := again[spot{c.Call, c.Pointer}]
		if !there || c.Equals != nil && (known[at] || !bytes.Equal(c.Equals, other.Equals)) {
			changed = append(changed, at)
			c.Equals = nil
		}
		if there {
			held = append(held, c)
		}
	}
	return held, changed
}

// otherWay tells where a test took another way when it was played again, "" for
// nowhere.
func otherWay(t model.Test, results []client.Result) string {
	for i, c := range t.Calls {
		if i >= len(results) {
			return fmt.Sprintf("call %d, %s, was not reached when it was played again", i+1, c.Op)
		}
		switch now := results[i].Exchange.Reply.Status; {
		case now == c.Status:
		case now == 0:
			return fmt.Sprintf("call %d, %s, answered %d, and nothing when it was played again", i+1, c.Op, c.Status)
		default:
			return fmt.Sprintf("call %d, %s, answered %d, and %d when it was played again", i+1, c.Op, c.Status, now)
		}
	}
	return ""
}
