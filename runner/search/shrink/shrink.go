// Package shrink makes an example smaller while a property of it still holds. It knows neither tests nor
// HTTP: the property is a function of the caller, and the number of its calls is bounded. The same
// answers lead to the same result.
package shrink

import (
	"iter"
	"slices"
)

// Limit is how many times the property may still be checked. Several reductions may share one.
type Limit struct{ Remaining int }

// ask checks the property unless the limit is reached.
func ask[T any](l *Limit, holds func(T) bool, candidate T) bool {
	if l.Remaining <= 0 {
		return false
	}
	l.Remaining--
	return holds(candidate)
}

// Subset returns which of the numbers 0 to n-1 must be kept, in order, so that a property still holds. It
// must hold for all of them. This is ddmin of Zeller and Hildebrandt ("Simplifying and Isolating
// Failure-Inducing Input", 2002) with two changes: it checks the empty list first, and it checks only the
// complements of parts, not the parts alone, because a part alone seldom works if calls need each
// other. Unless the limit ends it, the result is 1-minimal: without any one of its numbers the property
// does not hold.
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

// without leaves out one of the parts, starting with the last: later elements are seldom needed by
// earlier ones.
func without(l *Limit, all []int, parts int, holds func([]int) bool) (less []int, found bool) {
	for i := parts - 1; i >= 0; i-- {
		from, to := i*len(all)/parts, (i+1)*len(all)/parts
		if less := slices.Concat(all[:from], all[to:]); ask(l, holds, less) {
			return less, true
		}
	}
	return all, false
}

// Simplify replaces a value by a plainer one for which a property still holds, as long as there is one.
// plainer returns the plainer neighbours of a value, the plainest first. Values with the same key are
// equal and checked once.
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
