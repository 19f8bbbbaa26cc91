package individual

import (
	"testing"

	"sonde/model"
)

// Each undeclared input is in the call of its edge case, in addition to the inputs that the operation declares.
func TestUndeclaredInputs(t *testing.T) {
	get := best(&model.Operation{ID: "GET /things", Method: "GET", Path: "/things", Params: []model.Parameter{
		{Name: "size", In: model.InQuery, Required: true, Schema: &model.Schema{Type: "integer"}},
	}})
	post := best(uploading("/things", model.Content{Media: "application/json", Schema: &model.Schema{Type: "object"}}))
	for _, c := range []struct {
		name string
		call call
		args int // number of declared arguments
		want map[model.Arg]bool
		body model.Payload // expected body; any data is right if Data is ""
	}{
		{
			"without a body", get, 1,
			map[model.Arg]bool{
				{In: model.InQuery, Name: "sonde_extra", Value: "%ff%fe", Escaped: true}: false,
				{In: model.InQuery, Name: "sonde_extra", Value: "%zz", Escaped: true}:    false,
				{In: model.InHeader, Name: "Accept", Value: "sonde"}:                     false,
			},
			model.Payload{Media: "application/json", Data: `{"`},
		},
		{
			"with a body", post, 0,
			map[model.Arg]bool{{In: model.InHeader, Name: "Content-Encoding", Value: "gzip"}: false},
			model.Payload{Media: "application/json; charset=sonde"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			foundBody := false
			for _, e := range c.call.undeclaredEdgeCases() {
				got := e.put(model.Call{Args: c.call.args(), Body: c.call.message()})
				if len(got.Args) > c.args {
					if last := got.Args[c.args]; len(got.Args) == c.args+1 {
						c.want[last] = true
					}
				}
				foundBody = foundBody || got.Body != nil && got.Body.Media == c.body.Media &&
					(c.body.Data == "" || got.Body.Data == c.body.Data)
			}
			for arg, found := range c.want {
				if !found {
					t.Errorf("no edge case has %+v", arg)
				}
			}
			if !foundBody {
				t.Errorf("no edge case has the body %+v", c.body)
			}
		})
	}
}
