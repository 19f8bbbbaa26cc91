package producer

import "sonde/model"

// Representation returns members of a resource as it was last read, for the body of an operation: a PUT or PATCH of
// an element, or a POST to a collection. names are the names of the members that the body may have. It returns nil if
// no answer about the resource had a member with one of these names.
func (x *Index) Representation(op model.OpID, names []string) map[string]any {
	to := x.ops[op]
	if to == nil || len(names) == 0 {
		return nil
	}
	var best map[string]any
	most := 0
	for _, from := range x.observed {
		if !isOfResource(from.path, to.path) {
			continue
		}
		objects(from.last, 0, func(object map[string]any) {
			shared := map[string]any{}
			for _, name := range names {
				if v, ok := object[name]; ok && v != nil {
					shared[name] = v
				}
			}
			if len(shared) > most {
				best, most = shared, len(shared)
			}
		})
	}
	return best
}

// isOfResource reports whether the answers of an operation describe a resource. from is the path of the operation, and
// to that of the resource: the two are equal, or from is the path of the collection that has the resource as an element.
// The names of parameters do not matter.
func isOfResource(from, to []string) bool {
	if len(to) == len(from)+1 && to[len(from)][0] == '{' {
		to = to[:len(from)]
	}
	return samePath(from, to)
}

// maxObjectDepth is the number of objects and lists around an object that may represent a resource.
const maxObjectDepth = 2

// objects calls visit with each object in a JSON value. Of a list it takes the first element.
func objects(v any, depth int, visit func(map[string]any)) {
	if depth > maxObjectDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		if len(v) > 0 {
			objects(v[0], depth+1, visit)
		}
	case map[string]any:
		visit(v)
		for _, name := range sortedNames(v) {
			objects(v[name], depth+1, visit)
		}
	}
}
