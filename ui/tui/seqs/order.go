package seqs

import (
	"cmp"
	"math"
	"slices"
)

// order is the order in which the rows are listed.
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

// sort sorts rows. Rows of the same rank keep their order.
func (o order) sort(rows []*row) {
	if o != asListed {
		slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(o.rank(a), o.rank(b)) })
	}
}

// rank returns the sort key of a row. Rows with a lower rank come first. Rows without the figure
// by which o sorts (see sortFigures) come last.
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

// sortFigures holds the figure by which each order sorts. asListed and byStatus sort by no figure, so sortFigures
// holds the figure that a narrow list shows in these orders.
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

// mainFigures returns the two figures that a narrow list shows.
func (o order) mainFigures() []figure {
	if o == byGroups {
		return []figure{groupsFigure, coversFigure}
	}
	return []figure{groupsFigure, sortFigures[o]}
}
