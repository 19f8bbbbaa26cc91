package individual

import (
	"cmp"
	"slices"

	"sonde/model"
)

// negativeProgress records which edge cases of each operation were played, and how many new targets each kind of edge case
// covered. If a kind makes one operation fail, it is tried early on other operations, which may fail, too.
type negativeProgress struct {
	played  map[model.OpID]map[string]bool
	done    map[model.OpID]bool // operations without further edge cases
	kinds   map[edgeKind]findings
	classes map[string]findings
}

// findings counts the calls with edge cases of one kind or class. found is how many of these calls were the first to
// cover a target. failed is how many calls of found were answered with a 5xx.
type findings struct{ calls, found, failed int }

func (f *findings) add(other findings) {
	f.calls += other.calls
	f.found += other.found
	f.failed += other.failed
}

// rate estimates a probability from the number of hits among calls. Before the first calls, the estimate is
// expected.
func rate(hits, calls int, expected float64) float64 {
	const weight = 2 // the expectation counts like this number of calls
	return (float64(hits) + weight*expected) / float64(calls+weight)
}

// rates estimates, for a call with an edge case of a kind, the probability found that it is the first to cover a
// target, and the probability failed that it also is answered with a 5xx. Before the first calls of a kind, the
// estimates are those of its class. Before the first calls of a class, they are 0.5, or 0.1 for undeclared inputs,
// which few services handle wrongly.
func (n *negativeProgress) rates(k edgeKind) (failed, found float64) {
	unknown := 0.5
	if k.undeclared {
		unknown = 0.1
	}
	class, kind := n.classes[k.class], n.kinds[k]
	failed = rate(kind.failed, kind.calls, rate(class.failed, class.calls, unknown))
	found = rate(kind.found, kind.calls, rate(class.found, class.calls, unknown))
	return failed, found
}

// compare compares two kinds by the expected number of new failures, and then of other new targets.
func (n *negativeProgress) compare(a, b edgeKind) int {
	failedA, foundA := n.rates(a)
	failedB, foundB := n.rates(b)
	return cmp.Or(cmp.Compare(failedA, failedB), cmp.Compare(foundA, foundB))
}

func newNegativeProgress() negativeProgress {
	return negativeProgress{
		played: map[model.OpID]map[string]bool{}, done: map[model.OpID]bool{},
		kinds: map[edgeKind]findings{}, classes: map[string]findings{},
	}
}

// record counts the edge cases of a negative test. statuses has the status of each call that was sent. found has the
// indexes of the calls that were the first to cover a target. A call that finds nothing does not count if the
// operation has not succeeded: the service may refuse it for another reason.
func (n *negativeProgress) record(ind *Individual, statuses, found []int) {
	plan := ind.sweep
	for i, status := range statuses {
		isNew := slices.Contains(found, i)
		kind := plan.kinds[i]
		if kind.class == "" || !isNew && !plan.proven {
			continue
		}
		f := findings{calls: 1, found: one(isNew), failed: one(isNew && status/100 == 5)}
		ofKind, ofClass := n.kinds[kind], n.classes[kind.class]
		if kind.undeclared && ofKind.failed == 0 && f.failed > 0 {
			clear(n.done) // all operations try this kind now
		}
		ofKind.add(f)
		ofClass.add(f)
		n.kinds[kind], n.classes[kind.class] = ofKind, ofClass
	}
}

// othersEdgeCases is added to the number of played edge cases of an operation with which another island begins. It is larger
// than the number of edge cases of any operation, so least returns such an operation only after all other operations.
const othersEdgeCases = 1 << 20

// least returns the operation with the fewest edge cases played so far. It skips muted operations, and operations
// whose edge cases were all played. It counts negativeCalls more for an operation that has not succeeded, so that
// operations that have succeeded come first. least returns nil if no operation is left.
func (n *negativeProgress) least(ops *operationSet, succeeded func(model.OpID) bool) (least *chromosome) {
	turn := func(id model.OpID) int {
		turn := len(n.played[id]) + ops.handicap(id, othersEdgeCases)
		if succeeded(id) {
			return turn
		}
		return turn + negativeCalls
	}
	for _, c := range ops.all {
		id := c.op.ID
		if !n.done[id] && !ops.muted(id) && (least == nil || turn(id) < turn(least.op.ID)) {
			least = c
		}
	}
	return least
}

// isOpen reports whether an operation should try a kind of edge case. proven reports whether the operation has
// succeeded. Frameworks read undeclared inputs in the same way for all operations. Therefore only one operation tries
// a kind of undeclared input first. The other operations try this kind only if that operation failed.
func (n *negativeProgress) isOpen(k edgeKind, proven bool) bool {
	of := n.kinds[k]
	return !k.undeclared || of.failed > 0 || proven && of.calls == 0
}

// take returns at most negativeCalls edge cases that were not played yet, and counts them as played. Edge cases of the kinds
// that are expected to find most come first. proven reports whether the operation has succeeded.
func (n *negativeProgress) take(op model.OpID, all []edgeCase, proven bool) (next []edgeCase) {
	played := n.played[op]
	if played == nil {
		played = map[string]bool{}
		n.played[op] = played
	}
	slices.SortStableFunc(all, func(a, b edgeCase) int { return n.compare(b.kind, a.kind) })
	for _, e := range all {
		if len(next) < negativeCalls && !played[e.key] && n.isOpen(e.kind, proven) {
			played[e.key] = true
			next = append(next, e)
		}
	}
	return next
}
