package seqs

import (
	"cmp"
	"math"
	"slices"
)

// order is what the list is sorted by.
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
		"as listed",
		"shortest first",
		"worst status first",
		"most groups first",
		"most targets first",
		"most faults first",
		"most unique targets first",
		"newest first",
	}[o]
}

// sort sorts rows; equal ones keep their order.
func (o order) sort(rows []*row) {
	if o != asListed {
		slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(o.rank(a), o.rank(b)) })
	}
}

// rank is lower for what comes first. Rows without the number come last.
func (o order) rank(r *row) int {
	if o == byStatus {
		return -r.highestStatus()
	}
	n, known := sortFigures[o].of(r)
	switch {
	case !known:
		return math.MaxInt
	case o == byLength:
		return n
	}
	return -n
}

// sortFigures is the number that each order sorts by or, for an order without one, the
// number that is shown where there is room for few.
var sortFigures = [orders]figure{
	asListed: coversFigure,
	byLength: lengthFigure,
	byStatus: coversFigure,
	byGroups: groupsFigure,
	byCovers: coversFigure,
	byFaults: faultsFigure,
	byOnly:   onlyFigure,
	byBirth:  birthFigure,
}

// mainFigures are the two columns of numbers to show where there is no room for more.
func (o order) mainFigures() []figure {
	if o == byGroups {
		return []figure{groupsFigure, coversFigure}
	}
	return []figure{groupsFigure, sortFigures[o]}
}
