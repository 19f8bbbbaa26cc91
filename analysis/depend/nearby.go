package depend

import "sonde/model/resource"

// nearby finds the nearest to a place of many things that have places. It stores the best
// thing at or below every place, so that it does not compare each.
type nearby[T any] struct {
	best   map[*resource.Resource]T
	better func(a, b T) bool // of two that are equally near
}

func newNearby[T any](better func(a, b T) bool) nearby[T] {
	return nearby[T]{best: map[*resource.Resource]T{}, better: better}
}

// add adds a thing with the place r.
func (n nearby[T]) add(r *resource.Resource, thing T) {
	for up := r; up != nil; up = up.Parent {
		if old, known := n.best[up]; !known || n.better(thing, old) {
			n.best[up] = thing
		}
	}
}

// find returns the thing that shares the most of its path with a place; of equals the
// best. ok is false if there is none.
func (n nearby[T]) find(near *resource.Resource) (thing T, ok bool) {
	for up := near; up != nil && !ok; up = up.Parent {
		thing, ok = n.best[up]
	}
	return thing, ok
}
