package depend

import (
	"strings"

	"pgregory.net/rapid"

	"sonde/model"
)

// anyOps draws operations. Their paths consist of a few words, so that paths share segments.
func anyOps(rt *rapid.T) []*model.Operation {
	segment := rapid.SampledFrom([]string{
		"a", "bs", "products", "users", "{id}", "{x}", "{productId}", "{userId}", "{a}-{b}", "c.{format}",
		"v{n}", "", "create", "{a", "{}", "{id}.json",
	})
	method := rapid.SampledFrom([]string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
	seen := map[string]bool{}
	var list []*model.Operation
	for range rapid.IntRange(0, 14).Draw(rt, "operations") {
		path := "/" + strings.Join(rapid.SliceOfN(segment, 0, 5).Draw(rt, "path"), "/")
		id := method.Draw(rt, "method") + " " + path
		if !seen[id] {
			seen[id] = true
			list = append(list, op(id, anyFields(rt)))
		}
	}
	return list
}

// anyFields draws required fields of an operation.
func anyFields(rt *rapid.T) func(*model.Operation) {
	fields := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"productId", "user", "bId", "x", "id"}), 0, 2, rapid.ID[string])
	inQuery, inBody := fields.Draw(rt, "query"), fields.Draw(rt, "body")
	return func(o *model.Operation) {
		for _, f := range inQuery {
			query(f)(o)
		}
		if len(inBody) > 0 {
			body(object(inBody...))(o)
		}
	}
}
