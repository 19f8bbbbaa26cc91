package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
)

// runLinks has the anchors of the tests and faults of a run, and which of them belong together.
type runLinks struct {
	faults, tests []anchor
	// shows has for each fault the indexes of the tests with a call of its operation that gets its status.
	shows [][]int
	// ops and statuses are those of the tests' calls. In ops they have the numbers by which the filter finds them.
	ops      map[model.OpID]int
	opOrder  []model.OpID
	statuses []int
}

// anchor is an element that links lead to.
type anchor struct{ Anchor, Name string }

// newRunLinks finds the tests of each fault.
func newRunLinks(r Run) runLinks {
	used := map[string]bool{}
	l := runLinks{ops: map[model.OpID]int{}, shows: make([][]int, len(r.Faults))}
	for i, f := range r.Faults {
		l.faults = append(l.faults, newAnchor(used, "fault", f.ID, i))
	}
	for i, t := range r.Tests {
		l.tests = append(l.tests, newAnchor(used, "test", t.ID, i))
		for _, c := range t.Calls {
			l.add(c)
		}
	}
	slices.Sort(l.statuses)
	for i, f := range r.Faults {
		for k, t := range r.Tests {
			if answersLike(t, f) {
				l.shows[i] = append(l.shows[i], k)
			}
		}
	}
	return l
}

func (l *runLinks) add(c model.Call) {
	if _, known := l.ops[c.Op]; !known {
		l.ops[c.Op] = len(l.opOrder)
		l.opOrder = append(l.opOrder, c.Op)
	}
	if c.Status > 0 && !slices.Contains(l.statuses, c.Status) {
		l.statuses = append(l.statuses, c.Status)
	}
}

// answersLike reports whether a test has a call of the operation of a fault that gets the status of the fault.
func answersLike(t model.Test, f model.Fault) bool {
	return slices.ContainsFunc(t.Calls, func(c model.Call) bool { return c.Op == f.Op && c.Status == f.Status })
}

// simpleID matches IDs that can be anchors. Those of the page's own elements are reserved, or have a hyphen.
var simpleID = regexp.MustCompile(`^[a-z][a-z0-9]{0,30}$`)

// newAnchor returns the anchor of the test or fault at an index: its ID, or one with the index if the ID is used
// already or has other characters.
func newAnchor(used map[string]bool, kind, id string, at int) anchor {
	a := anchor{Anchor: id, Name: draw.Clean(id)}
	if !simpleID.MatchString(id) || used[id] || reserved[id] {
		a.Anchor = fmt.Sprintf("%s--%d", kind, at+1)
	}
	if a.Name == "" {
		a.Name = fmt.Sprintf("%s %d", kind, at+1)
	}
	used[a.Anchor] = true
	return a
}

// reserved are the IDs of the page's own elements.
var reserved = func() map[string]bool {
	all := map[string]bool{}
	for id := range strings.FieldsSeq("content summary faults operations curve coverage resources tests arrow theme filter shown copied") {
		all[id] = true
	}
	return all
}()

// testsOf returns the anchors of at most most tests of a fault.
func (l runLinks) testsOf(fault, most int) (all []anchor) {
	for _, k := range l.shows[fault][:min(most, len(l.shows[fault]))] {
		all = append(all, l.tests[k])
	}
	return all
}

// faultsOf returns the anchors of the faults whose operation and status a test has.
func (l runLinks) faultsOf(test int) (all []anchor) {
	for i, tests := range l.shows {
		if slices.Contains(tests, test) {
			all = append(all, l.faults[i])
		}
	}
	return all
}

// testFilter has the choices of the filter of tests.
type testFilter struct {
	Statuses   []int
	Operations []string
	Faults     []anchor
}

// maxChoices is the maximum number of operations and of faults from which the filter lets choose.
const maxChoices = 1_000

func (l runLinks) filter() (f testFilter) {
	f.Statuses = l.statuses
	for _, op := range l.opOrder[:min(maxChoices, len(l.opOrder))] {
		f.Operations = append(f.Operations, draw.Clean(string(op)))
	}
	for i := range l.faults {
		if len(l.shows[i]) > 0 && len(f.Faults) < maxChoices {
			f.Faults = append(f.Faults, l.faults[i])
		}
	}
	return f
}
