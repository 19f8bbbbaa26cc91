package seqs

import (
	"cmp"
	"math"
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
	byFaults
	byOnly
	byBirth
	orders
)

func (o order) String() string {
	return [orders]string{
		"as listed", "shortest first", "worst status first", "most groups first", "covers most first",
		"most faults first", "most only it covers first", "newest first",
	}[o]
}

// sort sorts rows; those that are equal stay in the order of the list.
func (o order) sort(rows []*row) {
	if o != asListed {
		slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(o.rank(a), o.rank(b)) })
	}
}

// rank is lower for what comes first; what has no such number comes last.
func (o order) rank(r *row) int {
	if o == byStatus {
		return -r.worst()
	}
	n, known := sorts[o].of(r)
	switch {
	case !known:
		return math.MaxInt
	case o == byLength:
		return n
	}
	return -n
}

// sorts is by which number each order sorts; the others have the column that is of most use
// beside them.
var sorts = [orders]figure{
	asListed: coversFigure, byLength: lengthFigure, byStatus: coversFigure, byGroups: groupsFigure,
	byCovers: coversFigure, byFaults: faultsFigure, byOnly: onlyFigure, byBirth: bornFigure,
}

// few are the columns of numbers where there is room for two: one is by what the list is
// sorted.
func (o order) few() []figure {
	if o == byGroups {
		return []figure{groupsFigure, coversFigure}
	}
	return []figure{groupsFigure, sorts[o]}
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
