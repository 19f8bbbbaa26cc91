package search

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"sonde/model"
	"sonde/model/openapi"
)

// If a service refuses to list as many elements as a follow-up test asks for, the test asks for fewer: 1,000, 100, 20.
func TestRefusedListSizes(t *testing.T) {
	spec, err := openapi.Load(context.Background(), filepath.Join("..", "testdata", "library", "openapi.yaml"), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := followUps{plan: model.Plan{Spec: spec}, elements: elementNames(spec.Operations)}
	size := func(n string) []model.Arg {
		return []model.Arg{{In: model.InQuery, Name: "archived", Value: n}, {In: model.InQuery, Name: "per_page", Value: n}}
	}
	for _, c := range []struct {
		asks   string
		status int
		want   string // "" if the test is not played again
	}{
		{"1000", 400, "100"},
		{"1000", 422, "100"},
		{"100", 400, "20"},
		{"20", 400, ""},
		{"1000", 200, ""},
		{"1000", 404, ""},
		{"50", 400, ""},
	} {
		test := model.Test{Calls: []model.Call{
			{Op: "POST /films", Status: 201},
			{Op: "GET /films", Args: size(c.asks)},
			{Op: "GET /films", Args: size("7")},
			{Op: "GET /films", Args: size(c.asks)},
		}}
		done := test
		done.Calls = slices.Clone(test.Calls)
		for i := range done.Calls[1:] {
			done.Calls[i+1].Status = c.status
		}
		fewer, ok := f.withFewerElements(test, done)
		if ok != (c.want != "") {
			t.Errorf("%s answered %d: played again %t", c.asks, c.status, ok)
			continue
		}
		for i, want := range map[int]string{1: c.want, 2: "7", 3: c.want} {
			if got := fewer.Calls[i].Args; ok && (got[1].Value != want || got[0].Value != test.Calls[i].Args[0].Value) {
				t.Errorf("%s answered %d: call %d asks for %+v, want %s", c.asks, c.status, i, got, want)
			}
		}
		if test.Calls[1].Args[1].Value != c.asks {
			t.Errorf("the test itself changed: %+v", test)
		}
	}
}
