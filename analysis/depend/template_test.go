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
	of   string // the operation whose templates are looked at
	want []string
}

func TestTemplates(t *testing.T) {
	for _, tt := range templateCases {
		t.Run(tt.name, func(t *testing.T) { checkTemplates(t, tt.ops, tt.of, tt.want) })
	}
}

func checkTemplates(t *testing.T, ops []*model.Operation, of string, want []string) {
	t.Helper()
	var got []string
	for _, template := range Templates(&model.Spec{Operations: ops}) {
		if template.Target() == model.OpID(of) {
			got = append(got, show(template))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// templateCases are the paper's templates, 5.2.1 to 5.2.7.
var templateCases = []templateCase{
	{
		"GET on a collection", ops("GET /products", "POST /products"), "GET /products",
		[]string{"POST /products x1-3; GET /products"},
	},
	{
		"GET on a collection that nothing fills", ops("GET /products"), "GET /products",
		[]string{"GET /products"},
	},
	{
		"GET on what PUT writes", ops("GET /settings", "PUT /settings"), "GET /settings",
		[]string{"PUT /settings; GET /settings"},
	},
	{
		"GET on a collection in a collection",
		ops("POST /products", "GET /products/{pid}/subitems", "POST /products/{id}/subitems"),
		"GET /products/{pid}/subitems",
		[]string{"POST /products; POST /products/{id}/subitems x1-3 [id<0]; GET /products/{pid}/subitems [pid<0]"},
	},
	{
		"HEAD as GET", ops("HEAD /products", "POST /products"), "HEAD /products",
		[]string{"POST /products x1-3; HEAD /products"},
	},
	{
		"GET on an element", ops("POST /products", "GET /products/{id}"), "GET /products/{id}",
		[]string{"POST /products; GET /products/{id} [id<0]"},
	},
	{
		"GET on an element that has PUT, too", ops("POST /products", "GET /products/{id}", "PUT /products/{id}"), "GET /products/{id}",
		[]string{
			"0.8: POST /products; GET /products/{id} [id<0]",
			"0.2: PUT /products/{id}; GET /products/{id} [id=0.id]",
		},
	},
	{
		"GET on an element with a client's id", ops("PUT /coupons/{code}", "GET /coupons/{couponCode}"), "GET /coupons/{couponCode}",
		[]string{"PUT /coupons/{code}; GET /coupons/{couponCode} [couponCode=0.code]"},
	},
	{
		"the closest ancestor", ops("POST /products", "GET /products/by-id/{id}"), "GET /products/by-id/{id}",
		[]string{"POST /products; GET /products/by-id/{id} [id<0]"},
	},
	{
		"PUT on a collection adds to it", ops("PUT /people", "GET /people/{id}"), "GET /people/{id}",
		[]string{"PUT /people; GET /people/{id} [id<0]"},
	},
	{
		"POST below a parameter", ops("POST /sessions/{source}", "GET /sessions/{source}/{id}"), "GET /sessions/{source}/{id}",
		[]string{"POST /sessions/{source}; GET /sessions/{source}/{id} [source=0.source] [id<0]"},
	},
	{
		"GET on nothing that can be created", ops("GET /a/{id}"), "GET /a/{id}",
		[]string{"GET /a/{id}"},
	},
	{
		"POST", ops("POST /products"), "POST /products",
		[]string{"POST /products"},
	},
	{
		"POST with a client's id", ops("POST /products/{name}"), "POST /products/{name}",
		[]string{"POST /products/{name}"},
	},
	{
		"POST on an element", ops("POST /products", "POST /products/{id}"), "POST /products/{id}",
		[]string{"0.2: POST /products/{id}", "0.8: POST /products; POST /products/{id} [id<0]"},
	},
	{
		"PUT alone", ops("PUT /coupons/{code}"), "PUT /coupons/{code}",
		[]string{"PUT /coupons/{code}"},
	},
	{
		"PUT with and without creation", ops("POST /products", "PUT /products/{id}"), "PUT /products/{id}",
		[]string{"0.2: PUT /products/{id}", "0.8: POST /products; PUT /products/{id} [id<0]"},
	},
	{
		"PUT after POST on itself", ops("POST /products/{name}", "PUT /products/{name}"), "PUT /products/{name}",
		[]string{"0.2: PUT /products/{name}", "0.8: POST /products/{name}; PUT /products/{name} [name=0.name]"},
	},
	{
		"PUT on a constant", ops("POST /products", "PUT /products/{id}/price", "POST /products/{id}/price"), "PUT /products/{id}/price",
		[]string{
			"0.2: POST /products; PUT /products/{id}/price [id<0]",
			"0.8: POST /products; POST /products/{id}/price [id<0]; PUT /products/{id}/price [id<0]",
		},
	},
	{
		"PATCH once or twice", ops("POST /products", "PATCH /products/{id}"), "PATCH /products/{id}",
		[]string{"POST /products; PATCH /products/{id} x1-2 [id<0]"},
	},
	{
		"DELETE", ops("POST /products", "DELETE /products/{id}"), "DELETE /products/{id}",
		[]string{"POST /products; DELETE /products/{id} [id<0]"},
	},
	{
		"DELETE on a collection", ops("POST /products", "DELETE /products"), "DELETE /products",
		[]string{"POST /products; DELETE /products"},
	},
	{
		"DELETE below a collection", ops("POST /products", "DELETE /products/expired"), "DELETE /products/expired",
		[]string{"POST /products; DELETE /products/expired"},
	},
	{
		"OPTIONS on a collection", ops("POST /products", "OPTIONS /products"), "OPTIONS /products",
		[]string{"OPTIONS /products"},
	},
	{
		"a constant below an element", ops("POST /products", "GET /products/{id}/price"), "GET /products/{id}/price",
		[]string{"POST /products; GET /products/{id}/price [id<0]"},
	},
	{
		"three levels",
		ops("POST /products", "POST /products/{pid}/subitems", "GET /products/{pid}/subitems/{sid}"),
		"GET /products/{pid}/subitems/{sid}",
		[]string{"POST /products; POST /products/{pid}/subitems [pid<0]; GET /products/{pid}/subitems/{sid} [pid<0] [sid<1]"},
	},
	{
		"three levels with a client's ids",
		ops("POST /products/{pid}", "POST /products/{pid}/subitems/{sid}", "GET /products/{p}/subitems/{s}"),
		"GET /products/{p}/subitems/{s}",
		[]string{"POST /products/{pid}; POST /products/{pid}/subitems/{sid} [pid=0.pid]; " +
			"GET /products/{p}/subitems/{s} [p=0.pid] [s=1.sid]"},
	},
	{
		"a parameter that nobody creates stays the same",
		ops("POST /shops/{shop}/carts", "GET /shops/{shop}/carts/{id}"), "GET /shops/{shop}/carts/{id}",
		[]string{"POST /shops/{shop}/carts; GET /shops/{shop}/carts/{id} [shop=0.shop] [id<0]"},
	},
	{
		"a version in the path stays the same",
		ops("POST /v{n}/carts", "GET /v{n}/carts/{id}"), "GET /v{n}/carts/{id}",
		[]string{"POST /v{n}/carts; GET /v{n}/carts/{id} [n=0.n] [id<0]"},
	},
	{
		"two parameters in a segment", ops("POST /tiles", "GET /tiles/{x}-{y}"), "GET /tiles/{x}-{y}",
		[]string{"POST /tiles; GET /tiles/{x}-{y} [x<0] [y<0]"},
	},
	{
		"a suffix is not linked", ops("POST /products.{format}", "GET /products/{id}.{format}"), "GET /products/{id}.{format}",
		[]string{"POST /products.{format}; GET /products/{id}.{format} [id<0]"},
	},
	{
		"slashes at the end", ops("POST /products/", "GET /products/{id}/"), "GET /products/{id}/",
		[]string{"POST /products/; GET /products/{id}/ [id<0]"},
	},
}

// What panics in one of the threads panics where templates were asked for, so that the app
// can restore the terminal.
func TestTemplatesPanicWhereTheyAreAskedFor(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("templates of an operation that the matcher does not know")
		}
	}()
	TemplatesOf(match.New(nil, match.Usual), []*model.Operation{{ID: "GET /a", Method: "GET", Path: "/a"}})
}
