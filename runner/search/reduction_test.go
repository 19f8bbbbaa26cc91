package search

import (
	"slices"
	"testing"

	"sonde/model"
)

// A call of a sweep is first tried with only the calls that it takes values from.
func TestReductionBeginsWithTheCallAlone(t *testing.T) {
	r := &reduction{planned: model.Test{Calls: make([]model.Call, 41), Links: []model.Link{{From: 2, To: 30}}}, call: 30}
	if got := r.next(); !slices.Equal(got, []int{2, 30}) {
		t.Errorf("got %v", got)
	}
}

// Reductions that have not begun come first, the newest first. Then come the others, the newest first.
func TestReductionsTakeTurns(t *testing.T) {
	p := &proposer{}
	for call, calls := range [][]int{{0}, nil, nil, {3}} {
		p.postpone(&reduction{call: call, calls: calls})
	}
	var order []int
	for len(p.reductions) > 0 {
		order = append(order, p.takeReduction().call)
	}
	if !slices.Equal(order, []int{2, 1, 3, 0}) {
		t.Errorf("got %v", order)
	}
}

// A reduction finds the calls that cover a target among many calls, even if no links connect these calls.
func TestReduction(t *testing.T) {
	planned := model.Test{Calls: make([]model.Call, 41), Links: []model.Link{{From: 2, To: 30}}}
	for _, need := range [][]int{{40}, {5, 40}, {5, 12, 40}, {38, 39, 40}, {2, 30, 40}} {
		r := &reduction{planned: planned, call: 40, calls: indexes(41), chunk: 20}
		for next := r.next(); next != nil; next = r.next() {
			if slices.Contains(next, 30) && !slices.Contains(next, 2) {
				t.Fatalf("%v lacks what a call of it needs", next)
			}
			if does := !slices.ContainsFunc(need, func(i int) bool { return !slices.Contains(next, i) }); does {
				r.calls = next
			} else {
				r.at += r.chunk
			}
		}
		if !slices.Equal(r.calls, need) || r.tries > maxReductionTests+1 {
			t.Errorf("got %v in %d tests, want %v", r.calls, r.tries, need)
		}
	}
}
