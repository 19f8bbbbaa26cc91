package individual

import (
	"slices"
	"testing"

	"sonde/model"
)

// A draft has the required parameters, those that links set, and the body. DraftArgs has all parameters.
func TestDraftTest(t *testing.T) {
	text := &model.Schema{Type: "string"}
	read := &model.Operation{ID: "POST /a/{id}", Method: "POST", Path: "/a/{id}", Params: []model.Parameter{
		{Name: "id", In: model.InPath, Required: true, Schema: text},
		{Name: "q", In: model.InQuery, Required: true, Schema: text},
		{Name: "token", In: model.InHeader, Schema: text},
		{Name: "sort", In: model.InQuery, Schema: &model.Schema{Enum: []any{"asc", "desc"}}},
	}, Body: &model.RequestBody{Contents: []model.Content{{Media: "application/json", Schema: &model.Schema{
		Type: "object", Properties: []model.Property{{Name: "note", Schema: text}},
	}}}}}
	first := &model.Operation{ID: "GET /a", Method: "GET", Path: "/a"}
	p := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{first, read}}})
	got := p.DraftTest(model.Template{
		Steps: []model.TemplateStep{{Op: first.ID, Min: 1, Max: 1}, {Op: read.ID, Min: 1, Max: 1}},
		Links: []model.Link{{From: 0, To: 1, In: model.InHeader, Name: "token", Header: "Token"}},
	})
	call := got.Calls[1]
	want := []model.Arg{
		{In: model.InPath, Name: "id", Value: "example"},
		{In: model.InQuery, Name: "q", Value: "example"},
		{In: model.InHeader, Name: "token", Value: "example"},
	}
	if !slices.Equal(call.Args, want) || call.Body == nil || call.Body.Data != `{"note":"example"}` {
		t.Errorf("got %+v with body %+v, want %+v", call.Args, call.Body, want)
	}
	want = append(want, model.Arg{In: model.InQuery, Name: "sort", Value: "asc"})
	if all := DraftArgs(read); !slices.Equal(all, want) {
		t.Errorf("got %+v, want %+v", all, want)
	}
	if DraftBodies(first) != nil {
		t.Error("there is a body, but the operation has none")
	}
}
