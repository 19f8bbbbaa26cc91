package depend

import "sonde/model/resource"

// nearby finds, of many things that have places, the one that is nearest to a
// place, without a look at each: it knows the best at or below every place.
type nearby[T any] struct {
	best   map[*resource.Resource]T
	better func(a, b T) bool // where both are equally near
}

func newNearby[T any](better func(a, b T) bool) nearby[T] {
	return nearby[T]{map[*resource.Resource]T{}, better}
}

// add adds a thing that stands at r.
func (n nearby[T]) add(r *resource.Resource, thing T) {
	for up := r; up != nil; up = up.Parent {
		if old, known := n.best[up]; !known || n.better(thing, old) {
			n.best[up] = thing
		}
	}
}

// find returns the thing that shares the most of its path with a place; of
// equals the best. It is false where there is none.
func (n nearby[T]) find(near *resource.Resource) (thing T, ok bool) {
	for up := near; up != nil && !ok; up = up.Parent {
		thing, ok = n.best[up]
	}
	return thing, ok
}
