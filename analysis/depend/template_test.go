package depend

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

func TestTemplates(t *testing.T) {
	tests := []struct {
		name string
		ops  []*model.Operation
		// of is the operation whose templates are looked at.
		of   string
		want []string
	}{
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
	for _, tt := range tests {
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

// shop is a small API whose bodies name resources of other paths.
func shop() []*model.Operation {
	return []*model.Operation{
		op("POST /products", body(object("name"))),
		op("GET /products/{productId}"),
		op("POST /carts"),
		op("POST /carts/{cartId}/items", body(object("productId", "note"))),
		op("DELETE /carts/{cartId}/items/{itemId}"),
		op("POST /orders", body(with(object("cart_id"), "lines", list(object("productId"))))),
		op("GET /orders/{orderId}"),
		op("GET /search", query("productId")),
		op("POST /bulk", body(list(object("productID", "x")))),
		op("PUT /stock/{productId}"),
		op("GET /stock/{productId}"),
	}
}

func TestFurtherTemplates(t *testing.T) {
	dated := object("name")
	dated = with(dated, "productId", &model.Schema{Type: "string", Format: "date"})
	dated = with(dated, "userId", &model.Schema{Type: "string", Enum: []any{"a"}})
	optional := &model.Schema{Properties: []model.Property{{Name: "productId", Schema: &model.Schema{Type: "string"}}}}
	inAllOf := &model.Schema{AllOf: []*model.Schema{object("productId")}}
	slashed := object("a/b~product_id")
	tests := []struct {
		name string
		ops  []*model.Operation
		of   string
		want []string
	}{
		{"a field of the body", shop(), "POST /carts/{cartId}/items", []string{
			"POST /carts; POST /carts/{cartId}/items [cartId<0]",
			"POST /carts; POST /products; POST /carts/{cartId}/items [cartId<0] [/productId<1]",
		}},
		{"of an operation that comes before", shop(), "DELETE /carts/{cartId}/items/{itemId}", []string{
			"POST /carts; POST /carts/{cartId}/items [cartId<0]; DELETE /carts/{cartId}/items/{itemId} [cartId<0] [itemId<1]",
			"POST /carts; POST /products; POST /carts/{cartId}/items [cartId<0] [/productId<1]; " +
				"DELETE /carts/{cartId}/items/{itemId} [cartId<0] [itemId<2]",
		}},
		{"a field in a list", shop(), "POST /orders", []string{
			"POST /orders",
			"POST /carts; POST /products; POST /orders [/cart_id<0] [/lines/0/productId<1]",
		}},
		{"a body that is a list", shop(), "POST /bulk", []string{
			"POST /bulk", "POST /products; POST /bulk [/0/productID<0]",
		}},
		{"the query", shop(), "GET /search", []string{
			"GET /search", "POST /products; GET /search [productId<0]",
		}},
		{"an id of another path", shop(), "GET /stock/{productId}", []string{
			"PUT /stock/{productId}; GET /stock/{productId} [productId=0.productId]",
			"POST /products; PUT /stock/{productId} [productId<0]; GET /stock/{productId} [productId<0]",
		}},
		{"a client's id", []*model.Operation{
			op("PUT /coupons/{code}"), op("GET /coupons/{code}"), op("POST /orders", body(object("couponCode"))),
		}, "POST /orders", []string{
			"POST /orders", "PUT /coupons/{code}; POST /orders [/couponCode=0.code]",
		}},
		{"the nearest of two", []*model.Operation{
			op("POST /products"), op("GET /products/{id}"), op("POST /admin/products"), op("GET /admin/products/{id}"),
			op("POST /admin/offers", body(object("productId"))),
		}, "POST /admin/offers", []string{
			"POST /admin/offers", "POST /admin/products; POST /admin/offers [/productId<0]",
		}},
		{"in a part of the schema", []*model.Operation{op("POST /products"), op("POST /orders", body(inAllOf))}, "POST /orders", []string{
			"POST /orders", "POST /products; POST /orders [/productId<0]",
		}},
		{"an escaped pointer", []*model.Operation{op("POST /products"), op("POST /orders", body(slashed))}, "POST /orders", []string{
			"POST /orders", "POST /products; POST /orders [/a~1b~0product_id<0]",
		}},
		{"dates and choices are no ids", []*model.Operation{
			op("POST /products"), op("POST /users"), op("POST /orders", body(dated)),
		}, "POST /orders", []string{"POST /orders"}},
		{"optional fields are left out", []*model.Operation{op("POST /products"), op("POST /orders", body(optional))}, "POST /orders",
			[]string{"POST /orders"}},
		{"its own id", []*model.Operation{op("POST /products", body(object("productId"))), op("GET /products/{id}")}, "POST /products",
			[]string{"POST /products"}},
		{"two that need each other", []*model.Operation{
			op("POST /a", body(object("bId"))), op("POST /b", body(object("aId"))),
		}, "POST /a", []string{"POST /a", "POST /b; POST /a [/bId<0]"}},
		{"an action creates nothing", []*model.Operation{
			op("POST /hook/product/{productId}"), op("POST /orders", body(object("productId"))),
		}, "POST /orders", []string{"POST /orders"}},
		{"creation beside the elements", ops("POST /users/register", "POST /users/search", "GET /users/{id}"), "GET /users/{id}", []string{
			"GET /users/{id}", "POST /users/register; GET /users/{id} [id<0]",
		}},
		{"creation elsewhere", ops("POST /v1/users", "GET /v1/users/{id}", "DELETE /v2/users/{id}"), "DELETE /v2/users/{id}", []string{
			"DELETE /v2/users/{id}", "POST /v1/users; DELETE /v2/users/{id} [id<0]",
		}},
		{"a listing where nothing is created", ops("GET /stores", "GET /stores/{id}/hours"), "GET /stores/{id}/hours", []string{
			"GET /stores/{id}/hours", "GET /stores; GET /stores/{id}/hours [id<0]",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkTemplates(t, tt.ops, tt.of, tt.want) })
	}
}

// answers gives an operation an answer that is an object with these names.
func answers(names ...string) func(*model.Operation) {
	return func(o *model.Operation) {
		o.Responses = []model.Response{{Status: "201", Contents: []model.Content{
			{Media: "application/json", Schema: object(names...)},
		}}}
	}
}

func TestIDInAnotherAnswer(t *testing.T) {
	checkTemplates(t, []*model.Operation{
		op("POST /products", answers("id", "sku")), op("GET /products/{id}"), op("GET /stock/{sku}"),
	}, "GET /stock/{sku}", []string{"GET /stock/{sku}", "POST /products; GET /stock/{sku} [sku<0]"})
}

func TestFormsAreNotLinked(t *testing.T) {
	form := op("POST /orders", body(object("productId")))
	form.Body.Contents[0].Media = "application/x-www-form-urlencoded"
	checkTemplates(t, []*model.Operation{op("POST /products"), form}, "POST /orders", []string{"POST /orders"})
}

func TestTemplatesStayShort(t *testing.T) {
	var list []*model.Operation
	path := ""
	for i := range 12 {
		path += fmt.Sprintf("/r%d", i)
		list = append(list, op("POST "+path))
		path += fmt.Sprintf("/{p%d}", i)
	}
	list = append(list, op("GET "+path))
	for _, template := range Templates(&model.Spec{Operations: list}) {
		if n := len(template.Steps); n > maxSteps {
			t.Errorf("%d steps, want at most %d: %s", n, maxSteps, show(template))
		}
	}
}

// hasPlace tells whether a link fills something that the operation has.
func hasPlace(l model.Link, op *model.Operation) bool {
	if l.In == model.InBody {
		return slices.ContainsFunc(required(op), func(f field) bool { return f.in == l.In && f.link == l.Name })
	}
	return slices.ContainsFunc(op.Params, func(p model.Param) bool { return p.In == l.In && p.Name == l.Name })
}

type failer interface {
	Fatalf(format string, args ...any)
}

func checkTemplate(rt failer, spec *model.Spec, template model.Template) {
	for _, l := range template.Links {
		if l.From < 0 || l.From >= l.To || l.To >= len(template.Steps) {
			rt.Fatalf("link %+v of %s does not point back", l, show(template))
		}
		if !hasPlace(l, spec.Operation(template.Steps[l.To].Op)) {
			rt.Fatalf("link %+v of %s has no place", l, show(template))
		}
		from := model.Link{In: model.InPath, Name: l.Param}
		if l.Param != "" && !hasPlace(from, spec.Operation(template.Steps[l.From].Op)) {
			rt.Fatalf("link %+v of %s takes what is not there", l, show(template))
		}
	}
	for i, l := range template.Links {
		for _, m := range template.Links[:i] {
			if l.To == m.To && l.In == m.In && l.Name == m.Name {
				rt.Fatalf("two links fill one place: %s", show(template))
			}
		}
	}
	once := map[model.OpID]bool{}
	for _, s := range template.Steps {
		if once[s.Op] || s.Min != 1 || s.Max < 1 || s.Max > maxPosts {
			rt.Fatalf("wrong step %+v in %s", s, show(template))
		}
		once[s.Op] = true
	}
}

func TestTemplatesHoldTogether(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		spec := &model.Spec{Operations: anyOps(rt)}
		templates := Templates(spec)
		weight, seen := map[model.OpID]float64{}, map[string]bool{}
		for _, template := range templates {
			checkTemplate(rt, spec, template)
			weight[template.Target()] += template.Weight
			if steps := fmt.Sprint(template.Target(), template.Steps, template.Links); seen[steps] {
				rt.Fatalf("twice: %s", show(template))
			} else {
				seen[steps] = true
			}
			if len(template.Steps) > maxSteps {
				rt.Fatalf("too long: %s", show(template))
			}
		}
		for _, op := range spec.Operations {
			if w := weight[op.ID]; math.Abs(w-1) > 1e-9 && math.Abs(w-2) > 1e-9 {
				rt.Fatalf("weights of %s sum to %g, want 1, or 2 with a further template", op.ID, w)
			}
		}
		if again := showAll(Templates(spec)); again != showAll(templates) {
			rt.Fatalf("two answers:\n%s\n\n%s", showAll(templates), again)
		}
	})
}

// TestIdsThatCanBeCreatedAreLinked holds for APIs that have GET, PATCH or
// DELETE on elements and POST on collections.
func TestIdsThatCanBeCreatedAreLinked(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var list []*model.Operation
		path := ""
		for i := range rapid.IntRange(1, 5).Draw(rt, "levels") {
			path += fmt.Sprintf("/things%d", i)
			list = append(list, op("POST "+path))
			path += fmt.Sprintf("/{%s}", rapid.SampledFrom([]string{"id", "x", "key"}).Draw(rt, "name")+fmt.Sprint(i))
		}
		target := op(rapid.SampledFrom([]string{"GET", "PATCH", "DELETE", "HEAD"}).Draw(rt, "method") + " " + path)
		list = append(list, target)
		for _, template := range Templates(&model.Spec{Operations: list}) {
			linked := 0
			for _, l := range template.Links {
				if l.To == len(template.Steps)-1 && l.Open() {
					linked++
				}
			}
			if template.Target() == target.ID && linked != len(target.Params) {
				rt.Fatalf("%d ids linked, want %d: %s", linked, len(target.Params), show(template))
			}
		}
	})
}

func BenchmarkTemplates(b *testing.B) {
	var list []*model.Operation
	for i := range 250 {
		r := fmt.Sprintf("/things%d", i)
		fields := body(object("name", fmt.Sprintf("thing%dId", i/2)))
		list = append(list, op("POST "+r, fields), op("GET "+r), op("GET "+r+"/{id}"), op("PUT "+r+"/{id}", fields))
	}
	spec := &model.Spec{Operations: list}
	for b.Loop() {
		Templates(spec)
	}
}
