// Package shrink makes what shows something as small as it can be and still show
// it. It knows neither tests nor HTTP: a question, whether a candidate still
// holds, is a function of its caller, and what may be asked is bounded. The same
// answers lead to the same result.
package shrink

import (
	"iter"
	"slices"
)

// Limit is how many questions may still be asked. Several reductions may share
// one.
type Limit struct{ Remaining int }

// ask asks unless the limit is reached.
func ask[T any](l *Limit, holds func(T) bool, candidate T) bool {
	if l.Remaining <= 0 {
		return false
	}
	l.Remaining--
	return holds(candidate)
}

// Subset returns the numbers of 0 to n-1 that must stay, in order, so that what
// they stand for still holds; all of them do. It is Zeller and Hildebrandt's
// ddmin ("Simplifying and Isolating Failure-Inducing Input", 2002) with two
// changes: it asks for none of them first, and it tries only what is left when a
// part is taken away, never a part alone, which seldom holds of calls that need
// each other. Where the limit lets it come to its end, the result is 1-minimal:
// it does not hold without any one of its numbers.
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

// without takes away one of the parts, the last first: what comes late is
// seldom needed by what comes before it.
func without(l *Limit, all []int, parts int, holds func([]int) bool) (less []int, found bool) {
	for i := parts - 1; i >= 0; i-- {
		from, to := i*len(all)/parts, (i+1)*len(all)/parts
		if less := slices.Concat(all[:from], all[to:]); ask(l, holds, less) {
			return less, true
		}
	}
	return all, false
}

// Simplify goes from what holds to something plainer that does, for as long as
// there is such a thing. plainer returns the candidates next to one, the
// plainest first; those with the same key are the same, and asked for once.
func Simplify[T any](l *Limit, start T, plainer func(T) iter.Seq[T], key func(T) string, holds func(T) bool) T {
	asked := map[string]bool{key(start): true}
	next := func(now T) (T, bool) {
		for c := range plainer(now) {
			if l.Remaining <= 0 {
				break // a large value has very many candidates, and each costs time
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
