package client_test

import (
	"testing"

	"sonde/model"
	"sonde/runner/target/client"

	"github.com/google/go-cmp/cmp"
)

// Preview shows a placeholder for the value of a link. The placeholder is not escaped.
func TestPreview(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "POST /things", Method: "POST", Path: "/things"}, {ID: "PUT /things/{id}", Method: "PUT", Path: "/things/{id}"},
	}}
	test := model.Test{
		Calls: []model.Call{
			{Op: "POST /things", User: "ann", Body: &model.Payload{Media: "application/json", Data: `{"a":1}`}},
			{
				Op:   "PUT /things/{id}",
				Args: []model.Arg{{In: model.InQuery, Name: "q", Value: "a b"}},
				Body: &model.Payload{Media: "application/json", Data: `{"of":1}`},
			},
			{Op: "GET /gone"},
		},
		Links: []model.Link{
			{From: 0, To: 1, Header: "Location", In: model.InPath, Name: "id"},
			{From: 0, To: 1, In: model.InQuery, Name: "q"},
			{From: 0, To: 1, Pointer: "/a", In: model.InBody, Name: "/of"},
		},
	}
	kinds := map[string][]string{"Accept": {"*/*"}, "Content-Type": {"application/json"}}
	want := []model.Request{
		{Op: "POST /things", Method: "POST", URL: "/things", Header: kinds, Body: []byte(`{"a":1}`)},
		{
			Op:     "PUT /things/{id}",
			Method: "PUT",
			URL:    "/things/{Location of call 1}?q={q of call 1}",
			Header: kinds,
			Body:   []byte(`{"of":"{a of call 1}"}`),
		},
		{Op: "GET /gone"},
	}
	if diff := cmp.Diff(want, client.Preview(spec, test)); diff != "" {
		t.Error(diff)
	}
}
