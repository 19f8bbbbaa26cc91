package seqs

import (
	"cmp"
	"slices"
)

// order is by what the list is sorted.
type order int

const (
	asListed order = iota
	byLength
	byStatus
	byGroups
	byCovers
	orders
)

func (o order) String() string {
	return [orders]string{"as listed", "shortest first", "worst status first", "most groups first", "covers most first"}[o]
}

// sort sorts rows; those that are equal stay in the order of the list.
func (o order) sort(rows []*row) {
	if o != asListed {
		slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(o.rank(a), o.rank(b)) })
	}
}

// rank is lower for what comes first.
func (o order) rank(r *row) int {
	switch o {
	case byLength:
		return len(r.Seq)
	case byStatus:
		return -r.worst()
	case byGroups:
		return -r.Groups
	}
	return -r.covers()
}

// worst is the highest status that a call was answered, 0 of what was not called.
func (r *row) worst() (status int) {
	if r.Test == nil {
		return 0
	}
	for _, c := range r.Test.Calls {
		status = max(status, c.Status)
	}
	return status
}

// covers is for how many targets a test is kept.
func (r *row) covers() int {
	if r.Test == nil {
		return 0
	}
	return len(r.Test.Covers) + r.Test.Code
}
