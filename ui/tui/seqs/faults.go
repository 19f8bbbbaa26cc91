package seqs

import (
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// faultIndex has the faults of a run. The key is the operation and the status of the answer that shows the fault.
type faultIndex map[operationStatus][]*model.Fault

func newFaultIndex(all []model.Fault) faultIndex {
	index := faultIndex{}
	for i := range all {
		f := &all[i]
		at := operationStatus{op: f.Op, status: f.Status}
		index[at] = append(index[at], f)
	}
	return index
}

// shownBy returns the number of faults that a test shows. A test shows a fault if it begins with the calls of the
// fault's own test. If the fault is a status, such as 500, and an answer of the test has the fault's operation and
// this status, at least one fault counts for the answer.
func (f faultIndex) shownBy(t *model.Test) (n int) {
	if t == nil || len(f) == 0 {
		return 0
	}
	for i, c := range t.Calls {
		at := operationStatus{op: c.Op, status: c.Status}
		sameAnswer := func(b model.Call) bool { return b.Op == at.op && b.Status == at.status }
		if len(f[at]) == 0 || slices.ContainsFunc(t.Calls[:i], sameAnswer) {
			continue
		}
		n += countShown(f[at], t)
	}
	return n
}

// countShown returns how many of the given faults a test shows. The faults have the same operation and status, and an
// answer of the test has this operation and status.
func countShown(all []*model.Fault, t *model.Test) (n int) {
	least := 0
	for _, f := range all {
		if f.IsStatusFault() {
			least = 1
		}
		if f.Test != nil && beginsWith(t.Calls, f.Test.Calls) {
			n++
		}
	}
	return max(n, least)
}

// beginsWith reports whether a series of calls begins with calls that send the same requests as the calls in the series
// with.
func beginsWith(calls, with []model.Call) bool {
	return len(with) <= len(calls) && slices.EqualFunc(with, calls[:len(with)], func(a, b model.Call) bool {
		return a.Op == b.Op && a.User == b.User && slices.Equal(a.Args, b.Args) && sameBody(a.Body, b.Body)
	})
}

func sameBody(a, b *model.Payload) bool { return a == b || a != nil && b != nil && *a == *b }

// targetCounts holds the number of rows that cover each target. A row covers the targets for which its test is kept.
// For each answer of the test, the row also covers the target that consists of the operation and the status.
type targetCounts map[operationStatus]rowCount

// rowCount is a number of rows, and the index of the row that was counted last.
type rowCount struct{ count, last int }

func newTargetCounts(archive []*row) targetCounts {
	counts := make(targetCounts, len(archive))
	for i, r := range archive {
		for _, c := range r.Test.Calls {
			counts.add(i, operationStatus{op: c.Op, status: c.Status})
		}
		for _, id := range r.Test.Covers {
			counts.add(i, parseTarget(id))
		}
	}
	return counts
}

// add counts a row for a target. A row counts once for each target.
func (t targetCounts) add(row int, target operationStatus) {
	if have := t[target]; have.count == 0 || have.last != row {
		t[target] = rowCount{count: have.count + 1, last: row}
	}
}

// only returns the number of targets for which a test is kept, and which no other test covers. It does not count code
// targets, because a test does not list the code targets that it covers.
func (t targetCounts) only(test *model.Test) (n int) {
	for _, id := range test.Covers {
		if t[parseTarget(id)].count == 1 {
			n++
		}
	}
	return n
}

// parseTarget returns the operation and the status of a target. If a target has another form, it returns
// the whole id as the operation, and status 0.
func parseTarget(id string) operationStatus {
	if i := strings.LastIndexByte(id, ' '); i >= 0 {
		if status, err := strconv.Atoi(id[i+1:]); err == nil {
			return operationStatus{op: model.OpID(id[:i]), status: status}
		}
	}
	return operationStatus{op: model.OpID(id)}
}
