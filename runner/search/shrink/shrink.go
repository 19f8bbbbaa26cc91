// Package shrink makes an example smaller while a property of the example holds. It does not depend on tests or HTTP:
// the property is a function of the caller. The number of calls of this function is bounded. If the function returns
// the same results, the example shrinks in the same way.
package shrink

import (
	"iter"
	"slices"
)

// Limit bounds how many times a property may still be checked. Several calls of Subset and Simplify may share a Limit.
type Limit struct{ Remaining int }

// ask checks the property. It returns false if the property does not hold or the limit is reached.
func ask[T any](l *Limit, holds func(T) bool, candidate T) bool {
	if l.Remaining <= 0 {
		return false
	}
	l.Remaining--
	return holds(candidate)
}

// Subset returns which of the numbers 0 to n-1 must be kept, in order, so that a property holds. The property must hold
// for all of the numbers together.
//
// Subset is ddmin of Zeller and Hildebrandt ("Simplifying and Isolating Failure-Inducing Input", 2002) with two
// changes. It checks the empty list first. It does not check the parts alone, only their complements, because the
// property seldom holds for a part alone if calls need each other. Unless the limit is reached, the result is
// 1-minimal: the property does not hold if any single number is removed from it.
//
// holds gets the numbers in order, in a slice that it may keep.
func Subset(l *Limit, n int, holds func(keep []int) bool) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	if n == 0 || ask(l, holds, []int{}) {
		return nil
	}
	parts := min(2, n)
	for len(all) > 1 && l.Remaining > 0 {
		less, found := without(l, all, parts, holds)
		switch {
		case found:
			all, parts = less, min(max(parts-1, 2), len(less))
		case parts == len(all):
			return all
		default:
			parts = min(2*parts, len(all))
		}
	}
	return all
}

// without looks for a part of the numbers that can be left out. It begins with the last part, because earlier elements
// seldom need later ones. It returns false if it finds no such part within the limit.
func without(l *Limit, all []int, parts int, holds func([]int) bool) (less []int, found bool) {
	for i := parts - 1; i >= 0; i-- {
		from, to := i*len(all)/parts, (i+1)*len(all)/parts
		if less := slices.Concat(all[:from], all[to:]); ask(l, holds, less) {
			return less, true
		}
	}
	return all, false
}

// Simplify replaces a value by a plainer value for which a property holds, until it finds no such value. plainer
// returns the plainer neighbours of a value, the plainest first. Values with the same key count as equal and are
// checked once.
func Simplify[T any](l *Limit, start T, plainer func(T) iter.Seq[T], key func(T) string, holds func(T) bool) T {
	asked := map[string]bool{key(start): true}
	next := func(now T) (T, bool) {
		for c := range plainer(now) {
			if l.Remaining <= 0 {
				break // a large value has very many candidates, and making each takes time
			}
			if k := key(c); !asked[k] {
				asked[k] = true
				if ask(l, holds, c) {
					return c, true
				}
			}
		}
		return now, false
	}
	now := start
	for found := true; found; {
		now, found = next(now)
	}
	return now
}
