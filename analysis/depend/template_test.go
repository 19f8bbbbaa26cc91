package depend

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/match"
)

type templateCase struct {
	name string
	ops  []*model.Operation
	of   string // the operation whose templates are checked
	want []string
}

func TestTemplates(t *testing.T) {
	for _, tt := range templateCases {
		t.Run(tt.name, func(t *testing.T) { checkTemplates(t, tt.ops, tt.of, tt.want) })
	}
}

func checkTemplates(t *testing.T, ops []*model.Operation, of string, want []string) {
	t.Helper()
	got := templatesOf(plannerOf(&model.Spec{Operations: ops}), of)
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// templatesOf returns the templates of an operation in the form of show.
func templatesOf(p *Planner, of string) (texts []string) {
	for _, template := range p.Templates() {
		if template.Target() == model.OpID(of) {
			texts = append(texts, show(template))
		}
	}
	return texts
}

// templateCases are the templates that the EvoMaster paper describes (5.2.1 to 5.2.7).
var templateCases = []templateCase{
	{
		name: "GET on a collection", ops: ops("GET /products", "POST /products"), of: "GET /products",
		want: []string{"POST /products x1-3; GET /products"},
	},
	{
		name: "GET on a collection that nothing fills", ops: ops("GET /products"), of: "GET /products",
		want: []string{"GET /products"},
	},
	{
		name: "GET on what PUT writes", ops: ops("GET /settings", "PUT /settings"), of: "GET /settings",
		want: []string{"PUT /settings; GET /settings"},
	},
	{
		name: "GET on a collection in a collection",
		ops:  ops("POST /products", "GET /products/{pid}/subitems", "POST /products/{id}/subitems"),
		of:   "GET /products/{pid}/subitems",
		want: []string{"POST /products; POST /products/{id}/subitems x1-3 [id<0]; GET /products/{pid}/subitems [pid<0]"},
	},
	{
		name: "HEAD as GET", ops: ops("HEAD /products", "POST /products"), of: "HEAD /products",
		want: []string{"POST /products x1-3; HEAD /products"},
	},
	{
		name: "GET on an element", ops: ops("POST /products", "GET /products/{id}"), of: "GET /products/{id}",
		want: []string{"POST /products; GET /products/{id} [id<0]"},
	},
	{
		name: "GET on an element that has PUT, too",
		ops:  ops("POST /products", "GET /products/{id}", "PUT /products/{id}"),
		of:   "GET /products/{id}",
		want: []string{
			"0.8: POST /products; GET /products/{id} [id<0]",
			"0.2: PUT /products/{id}; GET /products/{id} [id=0.id]",
		},
	},
	{
		name: "GET on an element with a client's id",
		ops:  ops("PUT /coupons/{code}", "GET /coupons/{couponCode}"),
		of:   "GET /coupons/{couponCode}",
		want: []string{"PUT /coupons/{code}; GET /coupons/{couponCode} [couponCode=0.code]"},
	},
	{
		name: "the closest ancestor", ops: ops("POST /products", "GET /products/by-id/{id}"), of: "GET /products/by-id/{id}",
		want: []string{"POST /products; GET /products/by-id/{id} [id<0]"},
	},
	{
		name: "PUT on a collection adds to it", ops: ops("PUT /people", "GET /people/{id}"), of: "GET /people/{id}",
		want: []string{"PUT /people; GET /people/{id} [id<0]"},
	},
	{
		name: "POST below a parameter",
		ops:  ops("POST /sessions/{source}", "GET /sessions/{source}/{id}"),
		of:   "GET /sessions/{source}/{id}",
		want: []string{"POST /sessions/{source}; GET /sessions/{source}/{id} [source=0.source] [id<0]"},
	},
	{
		name: "GET on nothing that can be created", ops: ops("GET /a/{id}"), of: "GET /a/{id}",
		want: []string{"GET /a/{id}"},
	},
	{
		name: "POST", ops: ops("POST /products"), of: "POST /products",
		want: []string{"POST /products"},
	},
	{
		name: "POST with a client's id", ops: ops("POST /products/{name}"), of: "POST /products/{name}",
		want: []string{"POST /products/{name}"},
	},
	{
		name: "POST on an element", ops: ops("POST /products", "POST /products/{id}"), of: "POST /products/{id}",
		want: []string{"0.2: POST /products/{id}", "0.8: POST /products; POST /products/{id} [id<0]"},
	},
	{
		name: "PUT alone", ops: ops("PUT /coupons/{code}"), of: "PUT /coupons/{code}",
		want: []string{"PUT /coupons/{code}"},
	},
	{
		name: "PUT with and without creation", ops: ops("POST /products", "PUT /products/{id}"), of: "PUT /products/{id}",
		want: []string{"0.2: PUT /products/{id}", "0.8: POST /products; PUT /products/{id} [id<0]"},
	},
	{
		name: "PUT after POST on itself", ops: ops("POST /products/{name}", "PUT /products/{name}"), of: "PUT /products/{name}",
		want: []string{"0.2: PUT /products/{name}", "0.8: POST /products/{name}; PUT /products/{name} [name=0.name]"},
	},
	{
		name: "PUT on a constant",
		ops:  ops("POST /products", "PUT /products/{id}/price", "POST /products/{id}/price"),
		of:   "PUT /products/{id}/price",
		want: []string{
			"0.2: POST /products; PUT /products/{id}/price [id<0]",
			"0.8: POST /products; POST /products/{id}/price [id<0]; PUT /products/{id}/price [id<0]",
		},
	},
	{
		name: "PATCH once or twice", ops: ops("POST /products", "PATCH /products/{id}"), of: "PATCH /products/{id}",
		want: []string{"POST /products; PATCH /products/{id} x1-2 [id<0]"},
	},
	{
		name: "DELETE", ops: ops("POST /products", "DELETE /products/{id}"), of: "DELETE /products/{id}",
		want: []string{"POST /products; DELETE /products/{id} [id<0]"},
	},
	{
		name: "DELETE on a collection", ops: ops("POST /products", "DELETE /products"), of: "DELETE /products",
		want: []string{"POST /products; DELETE /products"},
	},
	{
		name: "DELETE below a collection", ops: ops("POST /products", "DELETE /products/expired"), of: "DELETE /products/expired",
		want: []string{"POST /products; DELETE /products/expired"},
	},
	{
		name: "OPTIONS on a collection", ops: ops("POST /products", "OPTIONS /products"), of: "OPTIONS /products",
		want: []string{"OPTIONS /products"},
	},
	{
		name: "a constant below an element", ops: ops("POST /products", "GET /products/{id}/price"), of: "GET /products/{id}/price",
		want: []string{"POST /products; GET /products/{id}/price [id<0]"},
	},
	{
		name: "three levels",
		ops:  ops("POST /products", "POST /products/{pid}/subitems", "GET /products/{pid}/subitems/{sid}"),
		of:   "GET /products/{pid}/subitems/{sid}",
		want: []string{"POST /products; POST /products/{pid}/subitems [pid<0]; GET /products/{pid}/subitems/{sid} [pid<0] [sid<1]"},
	},
	{
		name: "three levels with a client's ids",
		ops:  ops("POST /products/{pid}", "POST /products/{pid}/subitems/{sid}", "GET /products/{p}/subitems/{s}"),
		of:   "GET /products/{p}/subitems/{s}",
		want: []string{"POST /products/{pid}; POST /products/{pid}/subitems/{sid} [pid=0.pid]; " +
			"GET /products/{p}/subitems/{s} [p=0.pid] [s=1.sid]"},
	},
	{
		name: "a parameter that nothing creates stays the same",
		ops:  ops("POST /shops/{shop}/carts", "GET /shops/{shop}/carts/{id}"), of: "GET /shops/{shop}/carts/{id}",
		want: []string{"POST /shops/{shop}/carts; GET /shops/{shop}/carts/{id} [shop=0.shop] [id<0]"},
	},
	{
		name: "a version in the path stays the same",
		ops:  ops("POST /v{n}/carts", "GET /v{n}/carts/{id}"), of: "GET /v{n}/carts/{id}",
		want: []string{"POST /v{n}/carts; GET /v{n}/carts/{id} [n=0.n] [id<0]"},
	},
	{
		name: "two parameters in a segment", ops: ops("POST /tiles", "GET /tiles/{x}-{y}"), of: "GET /tiles/{x}-{y}",
		want: []string{"POST /tiles; GET /tiles/{x}-{y} [x<0] [y<0]"},
	},
	{
		name: "a suffix is not linked",
		ops:  ops("POST /products.{format}", "GET /products/{id}.{format}"),
		of:   "GET /products/{id}.{format}",
		want: []string{"POST /products.{format}; GET /products/{id}.{format} [id<0]"},
	},
	{
		name: "slashes at the end", ops: ops("POST /products/", "GET /products/{id}/"), of: "GET /products/{id}/",
		want: []string{"POST /products/; GET /products/{id}/ [id<0]"},
	},
}

// A panic in a goroutine of Templates is passed on to the caller, so that the app can restore the terminal.
func TestTemplatesPanicInTheCaller(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("templates of an operation that the matcher does not know")
		}
	}()
	NewPlanner(match.New(nil, match.DefaultMode), []*model.Operation{{ID: "GET /a", Method: "GET", Path: "/a"}}).Templates()
}
