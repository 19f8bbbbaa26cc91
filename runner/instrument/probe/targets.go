package probe

import (
	"cmp"
	"fmt"
	"slices"

	"sonde/runner/instrument/probedata"
)

// targetTable numbers the probes of a build, and keeps its targets.
type targetTable struct {
	preds   int // slots in use, in pairs: the number of the next predicate
	hits    int // bytes in use; byte 0 is none
	queries int // how many of the predicates are queries
	targets []probedata.Target
	ids     map[string]int
}

func newTargetTable() *targetTable { return &targetTable{hits: 1, ids: map[string]int{}} }

// newHit returns the number of a new byte.
func (t *targetTable) newHit() int {
	t.hits++
	return t.hits - 1
}

// newPred returns the number of a new predicate. Its slots begin at twice that number.
func (t *targetTable) newPred(slots int) int {
	p := t.preds
	t.preds += (slots + 1) / 2
	return p
}

// newQuery returns the number of a new predicate that is a query.
func (t *targetTable) newQuery() int {
	t.queries++
	return t.newPred(2)
}

// add adds a target of a file, gives it an ID, and returns its index.
func (t *targetTable) add(target probedata.Target, file string) int {
	target.ID = fmt.Sprintf("%s:%d:%d %s", file, target.Line, target.Col, target.Kind)
	t.ids[target.ID]++
	if again := t.ids[target.ID]; again > 1 {
		target.ID = fmt.Sprintf("%s #%d", target.ID, again)
	}
	t.targets = append(t.targets, target)
	return len(t.targets) - 1
}

// addPair adds the two outcomes of a predicate, which differ in kind and terms, and
// returns the index of the first.
func (t *targetTable) addPair(first probedata.Target, file string, second probedata.TargetKind, terms []probedata.ScoreTerm) int {
	at := t.add(first, file)
	first.Kind, first.Terms = second, terms
	t.add(first, file)
	return at
}

// setHit makes a byte show a target, too.
func (t *targetTable) setHit(target, hit int) { t.targets[target].Hit = hit }

// setTerms makes a target follow from terms instead of a byte that shows that it was
// tried.
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
