package depend

import "sonde/model/resource"

// nearby finds the nearest of several things, each of which has a place in the tree of resources. To be fast, it
// stores for each place the best thing at or below this place.
type nearby[T any] struct {
	best   map[*resource.Resource]T
	better func(a, b T) bool // reports whether a takes precedence over b if they are equally near
}

func newNearby[T any](better func(a, b T) bool) nearby[T] {
	return nearby[T]{best: map[*resource.Resource]T{}, better: better}
}

// add adds a thing whose place is r.
func (n nearby[T]) add(r *resource.Resource, thing T) {
	for up := r; up != nil; up = up.Parent {
		if old, known := n.best[up]; !known || n.better(thing, old) {
			n.best[up] = thing
		}
	}
}

// find returns the thing whose place has the longest path in common with near. If several things are equally near, it
// returns the best of them. ok is false if there are no things.
func (n nearby[T]) find(near *resource.Resource) (thing T, ok bool) {
	for up := near; up != nil && !ok; up = up.Parent {
		thing, ok = n.best[up]
	}
	return thing, ok
}
