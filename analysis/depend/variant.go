package depend

import (
	"sonde/model"
)

// The EvoMaster paper leaves open how often PUT comes alone (5.2.3); its tool
// takes these.
const (
	alone = 0.2
	after = 0.8
)

// maxPosts is the most elements that are put into a collection before it is
// read: the paper's k (5.2.1).
const maxPosts = 3

// variant is one way in which a template may bring about what its target
// needs.
type variant struct {
	weight float64
	// by creates the target's resource; its op is nil where nothing does.
	by maker
	// most is how often it is called, at most.
	most int
	// alone tells that the target's resource is not to be created even though
	// there would be a way.
	alone bool
}

// variants returns the ways for a target, as the EvoMaster paper's templates
// have them (5.2.1 to 5.2.5). HEAD is treated as GET, the other methods as
// DELETE where the target has an id and as POST elsewhere.
func (x *index) variants(target *model.Operation) []variant {
	r := x.at[target.ID]
	if r.Param {
		return ofElement(r, target)
	}
	return ofCollection(r, target)
}

// ofElement returns the variants of a target with an id.
func ofElement(r *Resource, target *model.Operation) []variant {
	other := func(m maker) bool { return m.op != target }
	switch target.Method {
	case "PUT":
		post := func(m maker) bool { return m.op.Method == "POST" }
		return aloneOrAfter(r.maker(post))
	case "POST":
		op := r.direct()
		return aloneOrAfter(maker{op, false}, op != nil)
	}
	best, ok := r.maker(other)
	if !ok {
		return []variant{{weight: 1}}
	}
	own, ok := r.maker(func(m maker) bool { return m.own && other(m) })
	if !ok || own == best || best.op != r.direct() {
		return []variant{{weight: 1, by: best, most: 1}}
	}
	return []variant{{weight: after, by: best, most: 1}, {weight: alone, by: own, most: 1}}
}

func aloneOrAfter(m maker, ok bool) []variant {
	if !ok {
		return []variant{{weight: 1, alone: true}}
	}
	return []variant{{weight: alone, alone: true}, {weight: after, by: m, most: 1}}
}

// ofCollection returns the variants of a target whose path ends in a constant.
func ofCollection(r *Resource, target *model.Operation) []variant {
	post, put := r.operation("POST"), r.operation("PUT")
	switch target.Method {
	case "GET", "HEAD":
		if post != nil {
			return []variant{{weight: 1, by: maker{op: post}, most: maxPosts}}
		}
		return []variant{{weight: 1, by: maker{op: put}, most: 1}}
	case "PUT":
		op := closest(r, "POST")
		return aloneOrAfter(maker{op: op}, op != nil)
	case "PATCH", "DELETE":
		return []variant{{weight: 1, by: maker{op: closest(r, "POST", "PUT")}, most: 1}}
	}
	return []variant{{weight: 1, alone: true}}
}

// closest returns the operation with one of the methods, the first preferred,
// on a resource or on the closest constant part of its path, or nil.
func closest(r *Resource, methods ...string) *model.Operation {
	for ; r != nil && !r.Param; r = r.Parent {
		for _, m := range methods {
			if op := r.operation(m); op != nil {
				return op
			}
		}
	}
	return nil
}
