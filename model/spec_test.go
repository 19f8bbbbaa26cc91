package model_test

import (
	"slices"
	"testing"

	"sonde/model"
)

func TestSpecOperations(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "GET /a", Tags: []string{"one", "two"}},
		{ID: "GET /b"},
		{ID: "GET /c", Tags: []string{"two"}},
	}}
	if got, want := spec.Tags(), []string{"one", "two", ""}; !slices.Equal(got, want) {
		t.Errorf("got the tags %q, want %q", got, want)
	}
	for tag, want := range map[string][]model.OpID{
		"one":   {"GET /a"},
		"two":   {"GET /a", "GET /c"},
		"":      {"GET /b"},
		"three": nil,
	} {
		var got []model.OpID
		for _, op := range spec.OperationsByTag(tag) {
			got = append(got, op.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("tag %q: got %q, want %q", tag, got, want)
		}
	}
	if got := spec.Operation("GET /c"); got != spec.Operations[2] {
		t.Errorf("got %v for GET /c", got)
	}
	if got := spec.Operation("GET /d"); got != nil {
		t.Errorf("got %v for an operation that does not exist", got)
	}
}

func TestResponseForStatus(t *testing.T) {
	tests := []struct {
		name     string
		declared []string
		status   int
		want     string // "" for none
		allowed  bool
	}{
		{"the status itself", []string{"default", "2XX", "201"}, 201, "201", true},
		{"its class", []string{"default", "2XX", "201"}, 204, "2XX", true},
		{"its class in lower case", []string{"2xx"}, 204, "2xx", true},
		{"the default", []string{"default", "2XX"}, 404, "default", true},
		{"an undeclared status", []string{"200", "4XX"}, 500, "", false},
		{"no responses at all", nil, 500, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			op := &model.Operation{}
			for _, status := range tt.declared {
				op.Responses = append(op.Responses, model.Response{Status: status})
			}
			r, allowed := op.Response(tt.status)
			got := ""
			if r != nil {
				got = r.Status
			}
			if got != tt.want || allowed != tt.allowed {
				t.Errorf("got %q, %t, want %q, %t", got, allowed, tt.want, tt.allowed)
			}
		})
	}
}

func TestResponseSuccess(t *testing.T) {
	for status, want := range map[string]bool{"200": true, "2XX": true, "404": false, "default": false, "2": false} {
		if got := (model.Response{Status: status}).Success(); got != want {
			t.Errorf("%q: got %t, want %t", status, got, want)
		}
	}
}

func TestIsForm(t *testing.T) {
	const urlencoded, multipart, json = "application/x-www-form-urlencoded", "multipart/form-data", "application/json"
	tests := []struct {
		media []string
		want  bool
	}{
		{nil, false},
		{[]string{urlencoded}, true},
		{[]string{multipart, json}, true},
		{[]string{json, urlencoded}, false}, // only the first media type is sent
	}
	for _, tt := range tests {
		body := &model.RequestBody{}
		for _, media := range tt.media {
			body.Contents = append(body.Contents, model.Content{Media: media})
		}
		if got := body.IsForm(); got != tt.want {
			t.Errorf("%q: got %t, want %t", tt.media, got, tt.want)
		}
	}
}

func TestSchemaTypes(t *testing.T) {
	text, number := &model.Schema{Type: "string"}, &model.Schema{Type: "number"}
	tests := []struct {
		name   string
		schema model.Schema
		want   []string
	}{
		{"one", model.Schema{Type: "string", AnyOf: []*model.Schema{number}}, []string{"string"}},
		{"several", model.Schema{AnyOf: []*model.Schema{text, number}}, []string{"string", "number"}},
		{"none", model.Schema{}, nil},
		{"alternatives that say more", model.Schema{AnyOf: []*model.Schema{text, {Type: "number", Format: "float"}}}, nil},
		{"alternatives without a type", model.Schema{AnyOf: []*model.Schema{text, {}}}, nil},
		{"a missing alternative", model.Schema{AnyOf: []*model.Schema{nil}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.schema.Types(); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Property returns a pointer into the schema, so that the property can be changed in place.
func TestSchemaProperty(t *testing.T) {
	s := &model.Schema{Properties: []model.Property{{Name: "id"}, {Name: "name"}}}
	if got := s.Property("name"); got != &s.Properties[1] {
		t.Errorf("got %v, want a pointer to the second property", got)
	}
	if got := s.Property("price"); got != nil {
		t.Errorf("got %v, want none", got)
	}
}

func TestSameContract(t *testing.T) {
	s := &model.Spec{Hash: "b", FormerHashes: []string{"a"}}
	for hash, want := range map[string]bool{"b": true, "a": true, "c": false, "": false} {
		if got := s.SameContract(hash); got != want {
			t.Errorf("%q: %t, want %t", hash, got, want)
		}
	}
}
