package seqs

import (
	"bytes"
	"slices"
	"strconv"

	"sonde/model"
)

// difference is a part of an answer that changed between two plays of a test.
type difference struct{ what, before, after string }

// sameAnswers reports whether two plays of a test got the same answers.
func sameAnswers(before, again model.Test) bool {
	for i := range before.Calls {
		if len(differences(before, again, i)) > 0 {
			return false
		}
	}
	return true
}

// differences returns the differences between two answers to a call: in the status or, if it is the same,
// in the checked values. Values that change each time are not compared.
func differences(before, again model.Test, call int) (all []difference) {
	if was, is := before.Calls[call].Status, again.Calls[call].Status; was != is {
		return []difference{{what: "status", before: statusText(was), after: statusText(is)}}
	}
	for _, c := range before.Checks {
		now := slices.IndexFunc(again.Checks, func(n model.Check) bool {
			return n.Call == call && n.Pointer == c.Pointer
		})
		switch {
		case c.Call != call || len(c.Equals) == 0:
		case now < 0:
			all = append(all, difference{what: c.Pointer, before: string(c.Equals), after: "missing, or changes each time"})
		case len(again.Checks[now].Equals) > 0 && !bytes.Equal(again.Checks[now].Equals, c.Equals):
			all = append(all, difference{what: c.Pointer, before: string(c.Equals), after: string(again.Checks[now].Equals)})
		}
	}
	return all
}

// statusText formats a status. Status 0, for no answer, is a dash.
func statusText(code int) string {
	if code == 0 {
		return "—"
	}
	return strconv.Itoa(code)
}
