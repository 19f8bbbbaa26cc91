package seqs

import (
	"slices"
	"strconv"

	"sonde/model"
	"sonde/ui/tui/filter"
)

// only restricts the list to one origin.
type only int

const (
	onlyAll only = iota
	onlySearch
	onlyDistilled
	onlyByHand
	onlyRecorded
	onlyPicked
	onlys
)

func (o only) String() string {
	return [onlys]string{"all", "search", "distilled", "by hand", "recorded", "picked"}[o]
}

func (o only) has(r *row) bool {
	switch o {
	case onlySearch:
		return r.Origin == model.OriginSearched
	case onlyDistilled:
		return r.Origin == model.OriginDistilled
	case onlyByHand:
		return r.Origin == model.OriginManual
	case onlyRecorded:
		return r.Origin == model.OriginRecorded
	case onlyPicked:
		return r.picked
	}
	return true
}

// sift returns the rows that fit the filter: those that have what it says in
// their names or, where none has, in values and schemas.
func (s *Screen) sift() []*row {
	var named, within []*row
	for _, r := range s.rows.all() {
		if !s.only.has(r) {
			continue
		}
		switch s.find.Fit(r.asked()) {
		case filter.Named:
			named = append(named, r)
		case filter.Within:
			within = append(within, r)
		}
	}
	if len(named) == 0 {
		named = within
	}
	s.order.sort(named)
	return named
}

// asked is what a filter sees of the row.
func (r *row) asked() filter.Row {
	hosts := r.hosts()
	words := append(hosts[:len(hosts):len(hosts)], r.origin())
	fact := func(name string) []string {
		switch name {
		case "host":
			return hosts
		case "length":
			return []string{strconv.Itoa(len(r.Seq))}
		case "faults":
			return []string{strconv.Itoa(r.faults)}
		}
		return words[len(hosts):] // "origin"
	}
	return filter.Row{Ops: r.Seq, Statuses: r.statuses(), Words: words, Fact: fact}
}

// hosts are those outside whose answers are known.
func (r *row) hosts() []string {
	var all []string
	for _, stub := range slices.Concat(r.Stubs, own(r.Test)) {
		all = append(all, stub.Host)
	}
	return all
}

// statuses are those that the calls were answered.
func (r *row) statuses() []string {
	var all []string
	if r.Test != nil {
		for _, c := range r.Test.Calls {
			all = append(all, strconv.Itoa(c.Status))
		}
	}
	return all
}
