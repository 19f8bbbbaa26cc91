package individual

import (
	"fmt"
	"testing"

	"sonde/model"
)

// wide returns a problem with one operation whose body has many properties, all required or all
// optional.
func wide(properties int, required bool) *Problem {
	s := &model.Schema{Type: "object", Closed: true}
	for i := range properties {
		s.Properties = append(
			s.Properties,
			model.Property{Name: fmt.Sprint("p", i), Required: required, Schema: &model.Schema{Type: "string"}},
		)
	}
	op := &model.Operation{
		ID: "POST /things", Method: "POST", Path: "/things",
		Body: &model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: s}}},
	}
	return New(model.Plan{
		Spec:      &model.Spec{Operations: []*model.Operation{op}},
		Templates: []model.Template{{Weight: 1, Steps: []model.TemplateStep{{Op: op.ID, Min: 1, Max: 1}}}},
	})
}

// BenchmarkSweep measures how long it takes to make a sweep, also of a very large body.
func BenchmarkSweep(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 5000} {
		for _, required := range []bool{true, false} {
			b.Run(fmt.Sprintf("%d-required-%t", n, required), func(b *testing.B) {
				p, r := wide(n, required), chance(1)
				for b.Loop() {
					p.Sweep(r)
				}
			})
		}
	}
}
