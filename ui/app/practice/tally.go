package practice

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/ui/app/usecase"
)

// tally counts the listed seqs, which follow from the spec alone, by their state: practical, failed, barred or open.
// It is updated after each call of a seq, in a time that depends only on the length of this seq.
type tally struct {
	usecase.SeqCounts
	listed  *seqTree
	reasons map[usecase.Obstacle]int
}

func newTally(listed []model.Seq) *tally {
	t := &tally{listed: &seqTree{}, reasons: map[usecase.Obstacle]int{}}
	for _, seq := range listed {
		t.listed.add(seq)
	}
	t.Listed = t.listed.longer
	t.Open = t.Listed
	return t
}

// add counts the result of a seq. Each seq must be added at most once, and only if all its prefixes have succeeded.
func (t *tally) add(seq model.Seq, c usecase.CalledSeq) {
	at := t.listed.find(seq)
	if at == nil {
		return
	}
	switch {
	case at.listed && c.Completed:
		t.Practical++
		t.Open--
		if c.Succeeded {
			t.Successful++
		}
	case at.listed:
		t.Failed++
		t.Open--
		t.reasons[c.Obstacle]++
	}
	if !c.Succeeded && at.longer > 0 { // no seq that begins with this one is called
		t.Barred += at.longer
		t.Open -= at.longer
		t.reasons[c.Obstacle] += at.longer
	}
}

// sortedReasons returns the obstacles of failed and barred seqs, the most frequent first.
func (t *tally) sortedReasons() []usecase.ObstacleCount {
	all := make([]usecase.ObstacleCount, 0, len(t.reasons))
	for why, seqs := range t.reasons {
		all = append(all, usecase.ObstacleCount{Obstacle: why, Seqs: seqs})
	}
	slices.SortFunc(all, func(a, b usecase.ObstacleCount) int {
		return cmp.Or(b.Seqs-a.Seqs, cmp.Compare(a.Op, b.Op), a.Status-b.Status)
	})
	return all
}

// seqTree is a prefix tree of the listed seqs.
type seqTree struct {
	next   map[model.OpID]*seqTree
	listed bool // the seq that ends here is listed
	longer int  // number of listed seqs that are longer than the seq that ends here and begin with it
}

// add adds a seq. A seq that the tree has already is not counted again.
func (t *seqTree) add(seq model.Seq) {
	if at := t.find(seq); at != nil && at.listed {
		return
	}
	for _, op := range seq {
		t.longer++
		if t.next == nil {
			t.next = map[model.OpID]*seqTree{}
		}
		if t.next[op] == nil {
			t.next[op] = &seqTree{}
		}
		t = t.next[op]
	}
	t.listed = true
}

// find returns the node at which a seq ends. It returns nil if the seq is neither listed nor the prefix of a listed seq.
func (t *seqTree) find(seq model.Seq) *seqTree {
	for _, op := range seq {
		t = t.next[op]
		if t == nil {
			return nil
		}
	}
	return t
}
