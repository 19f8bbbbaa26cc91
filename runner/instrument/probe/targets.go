package probe

import (
	"cmp"
	"fmt"
	"slices"

	"sonde/runner/instrument/probedata"
)

// targetTable numbers the probes of a build, and has its targets. A probe that records that a place
// was reached sets a byte, which is called a hit.
type targetTable struct {
	preds   int // the number of the next predicate: half the number of slots
	hits    int // the number of the next hit; 0 means that there is none
	queries int // how many predicates are queries
	targets []probedata.Target
	ids     map[string]int // the number of targets by ID, without the "#2" that makes an ID unique
}

func newTargetTable() *targetTable { return &targetTable{hits: 1, ids: map[string]int{}} }

// newHit returns the number of a new hit, a byte that is set when a place is reached.
func (t *targetTable) newHit() int {
	t.hits++
	return t.hits - 1
}

// newPred returns the number of a new predicate with the given number of slots. The index of its
// first slot is twice that number.
func (t *targetTable) newPred(slots int) int {
	p := t.preds
	t.preds += (slots + 1) / 2
	return p
}

// newQuery returns the number of a new predicate for a query.
func (t *targetTable) newQuery() int {
	t.queries++
	return t.newPred(2)
}

// add adds a target in a file, and gives it an ID. It returns the index of the target.
func (t *targetTable) add(target probedata.Target, file string) int {
	target.ID = fmt.Sprintf("%s:%d:%d %s", file, target.Line, target.Col, target.Kind)
	t.ids[target.ID]++
	if again := t.ids[target.ID]; again > 1 {
		target.ID = fmt.Sprintf("%s #%d", target.ID, again)
	}
	t.targets = append(t.targets, target)
	return len(t.targets) - 1
}

// addPair adds the targets for the two outcomes of a predicate. The second target is like the first, but has
// another kind and other terms. addPair returns the index of the first target.
func (t *targetTable) addPair(first probedata.Target, file string, second probedata.TargetKind, terms []probedata.ScoreTerm) int {
	at := t.add(first, file)
	first.Kind, first.Terms = second, terms
	t.add(first, file)
	return at
}

// setHit sets the hit of a target: if this byte is set, the target is covered.
func (t *targetTable) setHit(target, hit int) { t.targets[target].Hit = hit }

// setTerms sets the terms of a target, and removes its Near.
func (t *targetTable) setTerms(target int, terms []probedata.ScoreTerm) {
	t.targets[target].Terms, t.targets[target].Near = terms, 0
}

// sorted returns the targets in the order of the source.
func (t *targetTable) sorted() []probedata.Target {
	slices.SortStableFunc(t.targets, func(a, b probedata.Target) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return t.targets
}
