package individual

import (
	"testing"

	"sonde/model"
)

// Genes get the values of a test, whatever style the parameters have.
func TestAdopt(t *testing.T) {
	for _, style := range []string{"simple", "label", "matrix"} {
		id := param(model.InPath, "id", true, model.Schema{Type: "string"})
		id.Style = style
		p := New(model.Plan{
			Spec: &model.Spec{
				Operations: []*model.Operation{
					{ID: "GET /things/{id}", Method: "GET", Path: "/things/{id}", Params: []model.Parameter{id}},
				},
			},
		})
		for seed := range uint64(20) {
			test := p.Sample(chance(seed), 0).Test()
			test.Calls[0].Args[0] = test.Calls[0].Args[0].WithValue("a.b;c d")
			if got := p.AdoptTest(chance(1), test).Test().Calls[0].Args[0]; got.PlainValue() != "a.b;c d" ||
				got.Prefix() != test.Calls[0].Args[0].Prefix() {
				t.Errorf("%s: %q became %q", style, test.Calls[0].Args[0].Value, got.Value)
			}
		}
	}
}
