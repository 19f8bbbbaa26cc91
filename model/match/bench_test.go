package match_test

import (
	"fmt"
	"testing"

	"sonde/model"
	"sonde/model/match"
)

// BenchmarkNew reads and matches the values of synthetic APIs. Each resource has five operations and a
// component of twelve properties, two of which refer to other resources.
func BenchmarkNew(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		ops := synthetic(n / 5)
		for _, w := range modes {
			b.Run(fmt.Sprintf("%d/%s", n, w.Match), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					match.New(ops, w)
				}
			})
		}
	}
}

func synthetic(resources int) []*model.Operation {
	var ops []*model.Operation
	for i := range resources {
		thing := object(must("id", whole))
		thing.Name = fmt.Sprintf("Thing%c%d", 'A'+i%26, i)
		for k := range 9 {
			thing.Properties = append(thing.Properties, may(fmt.Sprintf("attribute%d", k), text))
		}
		for _, other := range []int{i / 2, i * 7 % resources} {
			thing.Properties = append(thing.Properties, must(fmt.Sprintf("thing%c%dId", 'A'+other%26, other), whole))
		}
		path := fmt.Sprintf("/thing%c%ds", 'A'+i%26, i)
		for _, method := range []string{"GET", "POST"} {
			ops = append(ops, resourceOp(method, path, thing))
		}
		for _, method := range []string{"GET", "PUT", "DELETE"} {
			ops = append(ops, resourceOp(method, path+"/{id}", thing))
		}
	}
	return ops
}

func resourceOp(method, path string, thing *model.Schema) *model.Operation {
	op := operation(nil, answer("200", thing))
	op.ID, op.Method, op.Path = model.OpID(method+" "+path), method, path
	if method == "POST" || method == "PUT" {
		op.Body = body("application/json", true, thing)
	}
	if path[len(path)-1] == '}' {
		op.Params = []model.Parameter{{Name: "id", In: model.InPath, Required: true, Schema: whole}}
	}
	return op
}

// BenchmarkNewCrowded matches APIs in which many entities have the same name or the same key: all resources are
// called items, or a username identifies all entities.
func BenchmarkNewCrowded(b *testing.B) {
	const things = 5000
	for name, path := range map[string]string{"places": "/p%d/items", "keys": "/user%ds"} {
		var ops []*model.Operation
		for i := range things {
			thing := object(must("username", text), must("itemId", whole), may("parentItem", whole))
			thing.Name = fmt.Sprintf("Thing%cItem%d", 'A'+i%26, i)
			ops = append(ops, resourceOp("POST", fmt.Sprintf(path, i), thing))
			get := resourceOp("GET", fmt.Sprintf(path, i)+"/{username}", thing)
			get.Params[0].Name = "username"
			ops = append(ops, get)
		}
		b.Run(fmt.Sprintf("%d/%s", 2*things, name), func(b *testing.B) {
			for b.Loop() {
				match.New(ops, match.DefaultMode)
			}
		})
	}
}
