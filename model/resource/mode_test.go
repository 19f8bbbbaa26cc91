package resource

import (
	"slices"
	"testing"

	"sonde/model"
)

// A mode, such as "watch" in /watch/pods, is a path segment that only adds another way to read several collections. All
// operations below its path are GETs on paths that also exist without the mode. The path of the mode itself has no
// operation.
func TestModes(t *testing.T) {
	for name, c := range map[string]struct {
		paths []string
		want  string // the counterpart of the last path
	}{
		"of two collections": {
			[]string{"GET /pods", "GET /pods/{id}", "GET /nodes", "GET /watch/nodes", "GET /watch/pods", "GET /watch/pods/{name}"},
			"/pods/{id}",
		},
		"below a parameter": {
			[]string{"GET /a/{x}/pods/{id}", "GET /a/{x}/nodes", "GET /a/{x}/watch/nodes", "GET /a/{x}/watch/pods/{id}"},
			"/a/{x}/pods/{id}",
		},
		"a single collection is not enough": {[]string{"GET /pods", "GET /pods/{id}", "GET /watch/pods/{id}"}, "/watch/pods/{id}"},
		"a search lists only": {
			[]string{"GET /pods", "GET /nodes", "GET /search/nodes", "GET /search/pods"}, "/search/pods",
		},
		"what writes is a resource": {
			[]string{"GET /pods", "GET /nodes", "GET /nodes/{id}", "GET /admin/pods", "PUT /admin/nodes/{id}"},
			"/admin/nodes/{id}",
		},
		"what has an operation is a resource": {
			[]string{"GET /pods", "GET /nodes", "GET /nodes/{id}", "GET /load", "GET /load/pods", "GET /load/nodes/{id}"},
			"/load/nodes/{id}",
		},
		"parameters repeat nothing": {
			[]string{"GET /orders", "GET /orders/{id}", "GET /orders/by/{no}", "GET /orders/by/x"}, "/orders/by/x",
		},
	} {
		var ops []*model.Operation
		for _, id := range c.paths {
			method, path := id[:3], id[4:]
			ops = append(ops, &model.Operation{ID: model.OpID(id), Method: method, Path: path})
		}
		for r := range NewTree(ops).Subtree() {
			if slices.Contains(r.Operations, ops[len(ops)-1]) {
				if got := (Modes{}).Outside(r).Path; got != c.want {
					t.Errorf("%s: got %s, want %s", name, got, c.want)
				}
			}
		}
	}
}
