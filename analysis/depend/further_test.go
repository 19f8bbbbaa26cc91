package depend

import (
	"testing"

	"sonde/model"
)

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

// Schemas of bodies.
var (
	dated = with(with(object("name"),
		"productId", &model.Schema{Type: "string", Format: "date"}),
		"userId", &model.Schema{Type: "string", Enum: []any{"a"}})
	optional = &model.Schema{Properties: []model.Property{{Name: "productId", Schema: &model.Schema{Type: "string"}}}}
	inAllOf  = &model.Schema{AllOf: []*model.Schema{object("productId")}}
	slashed  = object("a/b~product_id")
)

func TestFurtherTemplates(t *testing.T) {
	for _, tt := range furtherCases {
		t.Run(tt.name, func(t *testing.T) { checkTemplates(t, tt.ops, tt.of, tt.want) })
	}
}

// furtherCases are the templates beyond the paper, after the paper's own.
var furtherCases = []templateCase{
	{"a field of the body", shop(), "POST /carts/{cartId}/items", []string{
		"POST /carts; POST /carts/{cartId}/items [cartId<0]",
		"POST /carts; POST /products; POST /carts/{cartId}/items [cartId<0] [/productId<1]",
	}},
	{
		"what PUT joins", ops("POST /agents", "GET /agents/{agentId}", "PUT /queues/{key}", "PUT /queues/{key}/members/{agentId}"),
		"PUT /queues/{key}/members/{agentId}", []string{
			"PUT /queues/{key}; PUT /queues/{key}/members/{agentId} [key=0.key]",
			"PUT /queues/{key}; POST /agents; PUT /queues/{key}/members/{agentId} [key=0.key] [agentId<1]",
		},
	},
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
	{"optional fields of the target", []*model.Operation{op("POST /products"), op("POST /orders", body(optional))}, "POST /orders",
		[]string{"POST /orders", "0.5: POST /products; POST /orders [/productId<0]"}},
	{"optional fields of others are left out", []*model.Operation{op("POST /products"), op("POST /orders", body(optional)), op("GET /orders/{id}")},
		"GET /orders/{id}", []string{"POST /orders; GET /orders/{id} [id<0]"}},
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

// What a place joins to its parent has nothing to do with who else asks for the
// like of it: in whatever order they ask, the answer is the same.
func TestJoinedIsTheSameEachTime(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{
		op("POST /a/{productId}/{userId}/users"), op("OPTIONS /{id}.json/users", query("user")),
		op("DELETE /a/users/{id}.json/a/{a"), op("PUT /a"), op("HEAD /"),
	}}
	want := showAll(Templates(spec))
	for range 50 {
		if got := showAll(Templates(spec)); got != want {
			t.Fatalf("%s\n\nand then\n\n%s", want, got)
		}
	}
}
