package depend

import (
	"sonde/model"
	"sonde/model/resource"
)

// Weights of the two templates of a target. For a PUT, they are aloneWeight if there is only the PUT, and afterWeight
// if another operation creates the element before. For another target whose element a POST or a PUT can create, they
// are afterWeight with the POST and aloneWeight with the PUT. The EvoMaster paper does not give these weights (5.2.3).
// They are those of the EvoMaster tool.
const (
	aloneWeight = 0.2
	afterWeight = 0.8
)

// variant is one way in which a template creates the resource of its target.
type variant struct {
	weight float64
	// by is the operation that creates the target's resource. by.Op is nil if no operation creates it.
	by resource.Creator
	// most is the maximum number of calls of the operation by.Op.
	most int
	// alone reports whether the target's resource must not be created, even if an operation could create it.
	alone bool
}

// variants returns the variants for a target according to the EvoMaster paper (5.2.1 to 5.2.5). HEAD and QUERY are treated
// like GET. Other methods that the paper does not have are treated like DELETE if the path ends in an id, and
// otherwise like POST.
func (x *index) variants(target *model.Operation) []variant {
	r := x.matcher.ResourceOf(target)
	if r.Param {
		return ofElement(r, target)
	}
	return ofCollection(r, target)
}

// ofElement returns the variants of a target whose path ends in an id.
func ofElement(r *resource.Resource, target *model.Operation) []variant {
	other := func(m resource.Creator) bool { return m.Op != target }
	switch target.Method {
	case "PUT":
		post := func(m resource.Creator) bool { return m.Op.Method == "POST" }
		return aloneOrAfter(r.Creator(post))
	case "POST":
		op := r.CollectionPost()
		return aloneOrAfter(resource.Creator{Op: op}, op != nil)
	}
	best, ok := r.Creator(other)
	if !ok {
		return []variant{{weight: 1}}
	}
	own, ok := r.Creator(func(m resource.Creator) bool { return m.Own && other(m) })
	if !ok || own == best || best.Op != r.CollectionPost() {
		return []variant{{weight: 1, by: best, most: 1}}
	}
	return []variant{{weight: afterWeight, by: best, most: 1}, {weight: aloneWeight, by: own, most: 1}}
}

func aloneOrAfter(m resource.Creator, ok bool) []variant {
	if !ok {
		return []variant{{weight: 1, alone: true}}
	}
	return []variant{{weight: aloneWeight, alone: true}, {weight: afterWeight, by: m, most: 1}}
}

// ofCollection returns the variants of a target whose path ends in a constant.
func ofCollection(r *resource.Resource, target *model.Operation) []variant {
	post, put := r.Operation("POST"), r.Operation("PUT")
	switch target.Method {
	case "GET", "HEAD", "QUERY":
		if post != nil {
			return []variant{{weight: 1, by: resource.Creator{Op: post}, most: model.DefaultCreations}}
		}
		return []variant{{weight: 1, by: resource.Creator{Op: put}, most: 1}}
	case "PUT":
		op := closest(r, "POST")
		return aloneOrAfter(resource.Creator{Op: op}, op != nil)
	case "PATCH", "DELETE":
		return []variant{{weight: 1, by: resource.Creator{Op: closest(r, "POST", "PUT")}, most: 1}}
	}
	return []variant{{weight: 1, alone: true}}
}

// closest returns an operation with one of the given methods. It searches r first, and then the resources above r, the
// nearest first, up to a resource with a parameter. Earlier methods are preferred. closest returns nil if it finds no
// operation.
func closest(r *resource.Resource, methods ...string) *model.Operation {
	for ; r != nil && !r.Param; r = r.Parent {
		for _, m := range methods {
			if op := r.Operation(m); op != nil {
				return op
			}
		}
	}
	return nil
}
