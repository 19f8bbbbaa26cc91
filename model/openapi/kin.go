package openapi

import (
	"math"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
)

// The functions of this file read a member of a node of the clean tree, and return it in the types of kin-openapi. For
// a missing member they return the zero value.

func flagAt(n *node, key string) bool { return n.get(key).is("true") }

func floatAt(n *node, key string) *float64 {
	kid := n.get(key)
	if kid == nil || kid.kind != isNumber {
		return nil
	}
	f := floatOf(kid)
	return &f
}

// floatOf returns the value of a number in the clean tree.
func floatOf(n *node) float64 {
	f, _ := strconv.ParseFloat(n.text, 64)
	return f
}

func countAt(n *node, key string) uint64 {
	if at := sizeAt(n, key); at != nil {
		return *at
	}
	return 0
}

func sizeAt(n *node, key string) *uint64 {
	kid := n.get(key)
	if kid == nil {
		return nil
	}
	i, err := strconv.ParseUint(kid.text, 10, 64)
	if err != nil || i > math.MaxInt32 {
		i = math.MaxInt32 // longer than any body that Sonde sends
	}
	return &i
}

func typesAt(n *node, key string) *openapi3.Types {
	kid := n.get(key)
	if kid == nil {
		return nil
	}
	types := openapi3.Types(textsOf(kid.kids))
	return &types
}

func textsAt(n *node, key string) []string { return textsOf(n.list(key)) }

func valueAt(n *node, key string) any {
	if kid := n.get(key); kid != nil {
		return plainValue(kid)
	}
	return nil
}

func valuesAt(n *node, key string) []any {
	kid := n.get(key)
	if kid == nil {
		return nil
	}
	all, _ := plainValue(kid).([]any) // the plain value of a clean list is a []any
	return all
}

// extensions returns the members with the given keys. They are passed as extensions, because kin-openapi has no
// fields for them.
func extensions(n *node, keys ...string) map[string]any {
	var all map[string]any
	for _, key := range keys {
		if kid := n.get(key); kid != nil {
			if all == nil {
				all = map[string]any{}
			}
			all[key] = plainValue(kid)
		}
	}
	return all
}

// each calls a function for all elements of a list, and returns the results. It returns nil for an empty list.
func each[T any](list []*node, of func(*node) T) []T {
	if len(list) == 0 {
		return nil
	}
	all := make([]T, len(list))
	for i, n := range list {
		all[i] = of(n)
	}
	return all
}

// mapped calls a function for all members of an object, and returns the results by the names of the members. It returns
// nil if the object is missing.
func mapped[T any](n *node, of func(*node) T) map[string]T {
	if n == nil {
		return nil
	}
	all := make(map[string]T, len(n.keys))
	for i, key := range n.keys {
		all[key] = of(n.kids[i])
	}
	return all
}
