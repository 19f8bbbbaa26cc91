package individual

import (
	"slices"
	"testing"

	"sonde/model"
)

// Obstacles returns why an operation may not have succeeded: no answer has a value that it needs, it takes a file,
// or its refusals state a rule for an input.
func TestObstacles(t *testing.T) {
	p := newGuild()
	const missing = "no answer had a value for {id}: start from data that has one, or give an example in the spec"
	if got := p.Obstacles("PUT /teams/{id}"); !slices.Equal(got, []string{missing}) {
		t.Errorf("obstacles %q, want %q", got, missing)
	}
	answered(t, p, [2]string{"GET /teams", `[{"id": "t1"}]`})
	p.ObserveReply("PUT /teams/{id}", model.Reply{Status: 422, Body: []byte(`{"errors": {"title": ["is required"]}}`)})
	rule := `it says that "title" is required: give an example in the spec`
	if got := p.Obstacles("PUT /teams/{id}"); !slices.Equal(got, []string{rule}) {
		t.Errorf("obstacles %q, want %q", got, rule)
	}
	if got := p.Obstacles("GET /nowhere"); got != nil {
		t.Errorf("an unknown operation has the obstacles %q", got)
	}
	file := &model.Schema{Type: "string", Format: "binary"}
	upload := &model.Operation{
		ID: "POST /files", Method: "POST", Path: "/files",
		Body: &model.RequestBody{Contents: []model.Content{{Media: "multipart/form-data", Schema: &model.Schema{
			Type:       "object",
			Properties: []model.Property{{Name: "name", Schema: &model.Schema{Type: "string"}}, {Name: "file", Schema: file}},
		}}}},
	}
	p = New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{upload}}})
	const unknown = "it takes a file (file), and none of the usual kinds was accepted: give an example in the spec"
	if got := p.Obstacles("POST /files"); !slices.Equal(got, []string{unknown}) {
		t.Errorf("obstacles %q, want the file", got)
	}
}
