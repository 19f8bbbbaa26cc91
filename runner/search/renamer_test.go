package search

import (
	"math/rand/v2"
	"strings"
	"testing"

	"sonde/model"
)

// Fresh values have the form of the values that they replace, and equal values stay equal. Values that identify nothing
// are kept.
func TestRename(t *testing.T) {
	text := &model.Schema{Type: "string"}
	spec := &model.Spec{Operations: []*model.Operation{{
		ID: "POST /a/{id}", Method: "POST", Path: "/a/{id}",
		Params: []model.Parameter{
			{In: model.InPath, Name: "id", Schema: text},
			{In: model.InQuery, Name: "limit", Schema: &model.Schema{Type: "integer"}},
		},
		Body: &model.RequestBody{
			Contents: []model.Content{
				{
					Media:  "application/json",
					Schema: &model.Schema{Properties: []model.Property{{Name: "kind", Schema: &model.Schema{Enum: []any{"x"}}}}},
				},
			},
		},
	}}}
	r := &renamer{spec: spec, chance: rand.New(rand.NewPCG(1, 2)), replacements: map[string]string{}}
	was := model.Test{Calls: []model.Call{{
		Op:   "POST /a/{id}",
		Args: []model.Arg{{In: model.InPath, Name: "id", Value: "7"}, {In: model.InQuery, Name: "limit", Value: "5"}},
		Body: &model.Payload{
			Media: "application/json",
			Data:  `{"itemId":7,"amount":7,"kind":"x","email":"ann@shop.example","day":"2024-01-31"}`,
		},
	}}, Rows: []model.Row{{Table: "a", Cells: []model.Cell{
		{Column: "id", Value: []byte("7")}, {Column: "mail", Value: []byte(`"ann@shop.example"`)}, {Column: "kind", Value: []byte(`"x"`)},
	}}}}
	now, ok := r.rename(was)
	c := now.Calls[0]
	id := c.Args[0].Value
	if !ok || !r.preferFresh || len(id) != 10 || c.Args[1].Value != "5" || was.Calls[0].Args[0].Value != "7" {
		t.Errorf("renamed %t, firm %t: %+v", ok, r.preferFresh, c.Args)
	}
	for _, want := range []string{`"itemId":` + id, `"amount":7`, `"kind":"x"`, `@shop.example"`, `"day":"2024-01-31"`} {
		if !strings.Contains(c.Body.Data, want) {
			t.Errorf("%s is not in %s", want, c.Body.Data)
		}
	}
	cells := now.Rows[0].Cells
	if string(cells[0].Value) != id || !strings.Contains(c.Body.Data, string(cells[1].Value)) || string(cells[2].Value) != `"x"` ||
		string(was.Rows[0].Cells[0].Value) != "7" {
		t.Errorf("the row became %s", now.Rows)
	}
	if strings.Contains(c.Body.Data, `"ann@`) {
		t.Errorf("the address stays: %s", c.Body.Data)
	}
}

// A text is replaced by a text of the same length if its pattern does not allow more characters.
func TestRenameWithinAPattern(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{{
		ID: "PUT /articles/{code}", Method: "PUT", Path: "/articles/{code}",
		Params: []model.Parameter{{In: model.InPath, Name: "code", Schema: &model.Schema{Type: "string", Pattern: "^[A-Z]{2}-[0-9]{3}$"}}},
	}}}
	r := &renamer{spec: spec, chance: rand.New(rand.NewPCG(1, 2)), replacements: map[string]string{}}
	now, ok := r.rename(model.Test{Calls: []model.Call{{
		Op: "PUT /articles/{code}", Args: []model.Arg{{In: model.InPath, Name: "code", Value: "LX-788"}},
	}}})
	if code := now.Calls[0].Args[0].Value; !ok || code == "LX-788" || len(code) != len("LX-788") {
		t.Errorf("renamed %t: %q", ok, code)
	}
}

// A link that copies a number counted by the service into an amount is removed. The call then has the number that was
// sent.
func TestNumberLinksAreRemoved(t *testing.T) {
	test := model.Test{
		Calls: []model.Call{
			{Op: "POST /a", Status: 201},
			{Op: "POST /b", Status: 400, Body: &model.Payload{Media: "application/json", Data: `{"aId":1,"amount":1}`}},
		},
		Links: []model.Link{
			{From: 0, To: 1, Pointer: "/id", In: model.InBody, Name: "/aId"},
			{From: 0, To: 1, Pointer: "/id", In: model.InBody, Name: "/amount"},
		},
	}
	said := []model.Exchange{{}, {Request: model.Request{Body: []byte(`{"aId":700,"amount":700}`)}}}
	got := withoutNumberLinks(test, said, naming{})
	if len(got.Links) != 1 || got.Links[0].Name != "/aId" || got.Calls[1].Body.Data != `{"aId":1,"amount":700}` ||
		test.Calls[1].Body.Data != `{"aId":1,"amount":1}` {
		t.Errorf("got links %+v, body %s", got.Links, got.Calls[1].Body.Data)
	}
}

// A number that a template links to an id identifies something, whatever its name is.
func TestNamingByTemplates(t *testing.T) {
	n := newNaming(model.Plan{Templates: []model.Template{{
		Steps: []model.TemplateStep{{Op: "POST /orders"}, {Op: "POST /shipments"}},
		Links: []model.Link{{From: 0, To: 1, In: model.InBody, Name: "/order"}},
	}}})
	for _, c := range []struct {
		op   model.OpID
		name string
		want bool
	}{
		{"POST /shipments", "/order", true},
		{"POST /orders", "/order", false},
		{"POST /orders", "/amount", false},
		{"POST /orders", "/itemId", true},
		{"POST /orders", "/itemIds/0", true},
		{"POST /orders", "/amounts/0", false},
	} {
		if got := n.identifies(c.op, model.InBody, c.name); got != c.want {
			t.Errorf("%s %s: %v, want %v", c.op, c.name, got, c.want)
		}
	}
	h := newHistory(n)
	sent := h.valuesOf(model.Test{Calls: []model.Call{{Op: "POST /shipments", Body: &model.Payload{Data: `{"order":49,"amount":50}`}}}}, 0)
	if len(sent) != 1 || sent[0] != "49" {
		t.Errorf("values are %q", sent)
	}
}

// A call that gets another status when the test is played again may have any status, but only if its answer supplies
// no value.
func TestLooseCalls(t *testing.T) {
	test := model.Test{
		Calls: []model.Call{{Op: "PUT /a/{id}", Status: 201}, {Op: "POST /b", Status: 201}, {Op: "GET /b/{id}", Status: 500}},
		Links: []model.Link{
			{From: 0, To: 1, Param: "id", In: model.InBody, Name: "/aId"},
			{From: 1, To: 2, Pointer: "/id", In: model.InPath, Name: "id"},
		},
	}
	again := model.Test{Calls: []model.Call{{Status: 200}, {Status: 201}, {Status: 500}}}
	if got, ok := withLooseCalls(test, again); !ok || !got.Calls[0].AnyStatus || got.Calls[1].AnyStatus || test.Calls[0].AnyStatus {
		t.Errorf("tolerant %v: %+v", ok, got.Calls)
	}
	again.Calls[1].Status = 409
	if _, ok := withLooseCalls(test, again); ok {
		t.Error("a call that gives a later one its id may be answered in any way")
	}
}
