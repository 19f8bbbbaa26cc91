package oracle

import (
	"fmt"
	"reflect"
	"strconv"

	"sonde/runner/search/listing"
)

// maxSorted bounds the elements whose order is checked.
const maxSorted = 100

// examineSorted checks a list that was requested with a sort parameter. The list must be sorted. It must also have
// all elements of the list without this parameter, which was read twice before.
func (r *listReads) examineSorted(last *list) {
	s, rest, ok := r.of.SortIn(last.query)
	if !ok {
		return
	}
	all, ok := r.before(last.call, rest)
	if !ok {
		return
	}
	first, ok := r.before(all.call, rest)
	if !ok || !sameElements(first, all) || !all.Matches(last.Elements) {
		return
	}
	r.examineOrder(s, all, last)
	if !r.isWhole(all) || !r.isWhole(last) {
		return
	}
	for k, element := range all.All {
		source, ok := r.source(all, k)
		if !ok || last.Index(all.IDs[k]) >= 0 || valueOf(element, s.Property) == nil || !r.hasKnownStates(element, last) {
			continue
		}
		r.e.add(Finding{
			Oracle:    inconsistentSort,
			Call:      last.call,
			Signature: "lost " + s.Property,
			Expected: fmt.Sprintf(
				"%q has %s, as this list not sorted by %s does (call %d)", r.place(all, "*"), source, s.Property, all.call+1,
			),
			Actual: "a list without " + brief(element),
		})
		return
	}
}

// examineAddedBySorting checks that a sorted list has no additional elements. The last list is not sorted, and was
// read before and after the sorted one.
func (r *listReads) examineAddedBySorting(last *list) {
	for _, k := range r.calls {
		if k == last.call {
			continue
		}
		s, rest, ok := r.of.SortIn(r.query(k))
		if !ok || !reflect.DeepEqual(rest, last.query) {
			continue
		}
		sorted, ok := r.list(k)
		if !ok {
			continue
		}
		all, ok := r.before(k, rest)
		if !ok || !sameElements(all, last) || !all.Matches(sorted.Elements) || !r.isWhole(last) {
			continue
		}
		if x := r.additional(sorted, all); x >= 0 {
			ids := r.place(sorted, "*")
			r.e.add(Finding{
				Oracle:    inconsistentSort,
				Call:      last.call,
				Signature: "added " + s.Property,
				Expected:  fmt.Sprintf("%q has all %q of call %d, which is this list sorted by %s", ids, ids, k+1, s.Property),
				Actual:    "a list without " + brief(sorted.All[x]),
			})
		}
	}
}

func valueOf(element any, property string) any {
	object, _ := element.(map[string]any)
	return object[property]
}

// examineOrder checks that a list is sorted. all is the list that was read before without the sort parameter.
func (r *listReads) examineOrder(s listing.Sort, all, sorted *list) {
	if len(r.of.PropertySchema(s.Property).Enum) > 0 || stateNames.MatchString(s.Property) || len(sorted.All) > maxSorted {
		return // the order of states is the service's own
	}
	eligible := make([]bool, len(sorted.All))
	for k := range eligible {
		_, eligible[k] = r.source(sorted, k)
	}
	var wrong [2][2]int // a pair that is not in ascending order, and a pair that is not in descending order; zero for none
	for j := range sorted.All {
		if !eligible[j] || wrong[0] != [2]int{} && wrong[1] != [2]int{} {
			continue
		}
		for i := range j {
			if !eligible[i] {
				continue
			}
			order, known := listing.Compare(valueOf(sorted.All[i], s.Property), valueOf(sorted.All[j], s.Property))
			if !known || order == 0 || !r.sameStates(sorted.All[i], sorted.All[j]) {
				continue // some services sort by a state first
			}
			pair := &wrong[0]
			if order < 0 {
				pair = &wrong[1]
			}
			if *pair == [2]int{} {
				*pair = [2]int{i, j}
			}
		}
	}
	ascending, descending := wrong[0] != [2]int{}, wrong[1] != [2]int{}
	pair := wrong[0]
	switch {
	case s.Direction == listing.Ascending && ascending, s.Direction == listing.Unknown && ascending && descending:
	case s.Direction == listing.Descending && descending:
		pair = wrong[1]
	default:
		return
	}
	a, b := valueOf(sorted.All[pair[0]], s.Property), valueOf(sorted.All[pair[1]], s.Property)
	f := Finding{
		Oracle:    inconsistentSort,
		Call:      sorted.call,
		Signature: "order " + s.Property,
		Expected:  "elements in the order of " + strconv.Quote(s.Property),
		Actual:    fmt.Sprintf("%s before %s", brief(a), brief(b)),
	}
	if at, source, ok := r.misplaced(s, all, sorted); ok {
		f.Expected = fmt.Sprintf("%q is %s, as this list is sorted by %s", r.place(sorted, strconv.Itoa(at)), source, s.Property)
	}
	r.e.add(f)
}

// misplaced returns the first index at which a sorted list has the wrong element, and the source of the right element's
// id. ok is false if the right order of the elements is not certain, or may differ when the test is repeated.
func (r *listReads) misplaced(s listing.Sort, all, sorted *list) (at int, source string, ok bool) {
	if s.Direction == listing.Unknown || r.e.rules.keepsState {
		return 0, "", false
	}
	right := make([]int, len(sorted.All)) // the element that belongs at each index
	for k := range right {
		right[k] = -1
	}
	for k, element := range sorted.All {
		before, unique := 0, true
		for other := range sorted.All {
			order, known := listing.Compare(valueOf(element, s.Property), valueOf(sorted.All[other], s.Property))
			if !known || !r.sameStates(element, sorted.All[other]) {
				return 0, "", false
			}
			unique = unique && (order != 0 || other == k)
			if order*int(s.Direction) > 0 {
				before++
			}
		}
		if unique {
			right[before] = k
		}
	}
	for at, k := range right {
		if k < 0 || k == at {
			continue
		}
		if of := all.Index(sorted.IDs[k]); of >= 0 {
			source, ok := r.source(all, of)
			return at, source, ok
		}
	}
	return 0, "", false
}
