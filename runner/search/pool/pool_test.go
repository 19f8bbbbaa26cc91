package pool

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"sonde/model"
	"sonde/model/match"
)

func object(names ...string) *model.Schema {
	s := &model.Schema{Type: "object"}
	for _, name := range names {
		s.Properties = append(s.Properties, model.Property{Name: name, Required: true, Schema: &model.Schema{Type: "string"}})
	}
	return s
}

func content(s *model.Schema) []model.Content {
	return []model.Content{{Media: "application/json", Schema: s}}
}

// api has products, and carts that take a product's id in their body.
func api() *model.Spec {
	id := model.Parameter{Name: "productId", In: model.InPath, Required: true, Schema: &model.Schema{Type: "string"}}
	product := object("productId", "productName", "sessionToken", "password")
	return &model.Spec{Operations: []*model.Operation{
		{
			ID:        "GET /products",
			Method:    "GET",
			Path:      "/products",
			Responses: []model.Response{{Status: "200", Contents: content(&model.Schema{Type: "array", Items: product})}},
		},
		{
			ID:        "GET /products/{productId}",
			Method:    "GET",
			Path:      "/products/{productId}",
			Params:    []model.Parameter{id},
			Responses: []model.Response{{Status: "200", Contents: content(product)}},
		},
		{
			ID:     "POST /carts",
			Method: "POST",
			Path:   "/carts",
			Body:   &model.RequestBody{Required: true, Contents: content(object("productId", "colour", "sessionToken", "password"))},
		},
	}}
}

func newPool() *Pool {
	spec := api()
	return New(spec, match.New(spec.Operations, match.DefaultMode))
}

func reply(status int, body string) model.Reply {
	return model.Reply{Status: status, Body: []byte(body)}
}

func TestValuesAreGivenToSameKind(t *testing.T) {
	p := newPool()
	if got := p.Inputs("POST /carts"); len(got) != 0 {
		t.Errorf("an empty pool has values for %+v", got)
	}
	p.Observe("GET /products/{productId}", reply(200,
		`{"productId":"p7","productName":"Tent","sessionToken":"s3cret","password":"s3cret"}`))
	for op, want := range map[model.OpID]Input{
		"GET /products/{productId}": {In: model.InPath, Name: "productId"},
		"POST /carts":               {In: model.InBody, Name: "productId", Path: []string{"productId"}},
	} {
		got := p.Inputs(op)
		if len(got) != 1 {
			t.Fatalf("%s: values for %+v, want for %+v alone", op, got, want)
		}
		want.kind = got[0].kind
		if !reflect.DeepEqual(got[0], want) {
			t.Errorf("%s: values for %+v, want for %+v", op, got[0], want)
		}
		if v := p.Draw(rand.New(rand.NewPCG(1, 0)), got[0]); v != "p7" {
			t.Errorf("%s: got %v, want p7", op, v)
		}
	}
}

// The pool ignores answers that are not successful, not JSON or of another shape.
func TestIgnoredAnswers(t *testing.T) {
	p := newPool()
	for _, r := range []model.Reply{
		reply(404, `{"productId":"p1"}`), reply(200, ``), reply(200, `<p/>`),
		reply(200, `[{"productId":"p1"}]`), reply(200, `{"productId":{"a":"b"}}`),
		reply(200, `{"productId":null}`), reply(200, `{"productId":""}`), reply(200, `{"product":"p1"}`), reply(200, `"p1"`),
		reply(200, fmt.Sprintf(`{"productId":"%0300d"}`, 1)), reply(200, fmt.Sprintf(`{"productId":1%0300d}`, 1)),
	} {
		p.Observe("GET /products/{productId}", r)
		p.Observe("GET /nowhere", r)
	}
	if got := p.Inputs("POST /carts"); len(got) != 0 {
		t.Errorf("values for %+v", got)
	}
}

// The pool keeps values of URLs and of XML for the inputs of their kind. The value of a cursor is only in a URL, so
// it is undeclared.
func TestValuesOfOtherFormats(t *testing.T) {
	spec := api()
	spec.Operations[0].Params = []model.Parameter{{Name: "cursor", In: model.InQuery, Schema: &model.Schema{Type: "string"}}}
	p := New(spec, match.New(spec.Operations, match.DefaultMode))
	p.Observe("POST /carts", model.Reply{Status: 201, Header: map[string][]string{
		"Location": {"http://h/products/p1"}, "Link": {"</products?cursor=c9>; rel=next"},
	}})
	p.Observe("GET /products/{productId}", reply(200, "<product><productId>p2</productId></product>"))
	p.Observe("POST /carts", model.Reply{Status: 400, Header: map[string][]string{"Location": {"/products/p3"}}})
	for op, want := range map[model.OpID]string{
		"GET /products/{productId}": "productId [p1 p2]", "GET /products": "cursor [c9]", "POST /carts": "productId [p1 p2]",
	} {
		got := p.Inputs(op)
		if len(got) != 1 || fmt.Sprint(got[0].Name, " ", p.values[got[0].kind].values) != want {
			t.Errorf("%s: values for %+v, want %s", op, got, want)
		}
		if got, want := p.IsUndeclared(got[0]), op == "GET /products"; got != want {
			t.Errorf("%s: undeclared %v, want %v", op, got, want)
		}
	}
}

// The pool is bounded; it keeps each value once, and only the first items of a list.
func TestPoolIsBounded(t *testing.T) {
	p := newPool()
	for i := range 100 {
		p.Observe("GET /products/{productId}", reply(200, fmt.Sprintf(`{"productId":"p%d"}`, i/2)))
	}
	in := p.Inputs("POST /carts")[0]
	if got := p.values[in.kind].values; len(got) != maxValues {
		t.Errorf("kept %d values, want %d", len(got), maxValues)
	}
	seen, r := map[any]bool{}, rand.New(rand.NewPCG(1, 0))
	for range 1000 {
		seen[p.Draw(r, in)] = true
	}
	for i := range 50 {
		if id := fmt.Sprintf("p%d", i); seen[id] != (i >= 50-maxValues) {
			t.Errorf("%s drawn: %v", id, seen[id])
		}
	}
	var many []map[string]any
	for i := range 50 {
		many = append(many, map[string]any{"productId": fmt.Sprint("q", i)})
	}
	body, _ := json.Marshal(many)
	q := newPool()
	q.Observe("GET /products", reply(200, string(body)))
	if got := q.values[in.kind].values; len(got) != maxItems {
		t.Errorf("kept %v of a list, want %d", got, maxItems)
	}
}

// The pool keeps parts of URLs, keys of maps, and cursors, for the inputs that take such values.
func TestPartsOfAnswers(t *testing.T) {
	text := &model.Schema{Type: "string"}
	home := &model.Schema{Type: "string", Examples: []any{"https://example.com/api/planets/1/"}}
	page := &model.Schema{Type: "object", Properties: []model.Property{{Name: "home", Schema: home}, {Name: "nextPageToken", Schema: text}}}
	param := func(name string, in model.Location) model.Parameter {
		return model.Parameter{Name: name, In: in, Required: in == model.InPath, Schema: text}
	}
	answers := func(s *model.Schema) []model.Response { return []model.Response{{Status: "200", Contents: content(s)}} }
	spec := &model.Spec{Operations: []*model.Operation{
		{
			ID: "GET /people", Method: "GET", Path: "/people",
			Params: []model.Parameter{param("pageToken", model.InQuery)}, Responses: answers(page),
		},
		{
			ID: "GET /planets", Method: "GET", Path: "/planets",
			Responses: answers(&model.Schema{Type: "object", Additional: object("name")}),
		},
		{
			ID: "GET /planets/{planetId}", Method: "GET", Path: "/planets/{planetId}",
			Params: []model.Parameter{param("planetId", model.InPath)},
		},
	}}
	for _, c := range []struct {
		from, body string
		to         model.OpID
		want       any
	}{
		{"GET /people", `{"home": "https://other.example/planets/mars/"}`, "GET /planets/{planetId}", "mars"},
		{"GET /planets", `{"venus": {"name": "Venus"}}`, "GET /planets/{planetId}", "venus"},
		{"GET /people", `{"nextPageToken": "p2"}`, "GET /people", "p2"},
	} {
		p := New(spec, match.New(spec.Operations, match.DefaultMode))
		p.Observe(model.OpID(c.from), reply(200, c.body))
		in := p.Inputs(c.to)
		if len(in) != 1 {
			t.Errorf("%s: %s has the inputs %+v, want one", c.body, c.to, in)
		} else if got := p.Draw(rand.New(rand.NewPCG(1, 1)), in[0]); got != c.want {
			t.Errorf("%s: got %v, want %v", c.body, got, c.want)
		}
	}
}
