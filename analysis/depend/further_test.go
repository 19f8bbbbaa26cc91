package depend

import (
	"testing"

	"sonde/model"
	"sonde/model/match"

	"github.com/google/go-cmp/cmp"
)

// shop is a small API. The bodies of some operations refer to resources of other paths.
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

// Schemas of bodies that several tests use.
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

// A path parameter that the user marks as an attribute needs no resource. A path parameter that the user marks as the
// id of another resource needs that resource.
func TestTemplatesOfCorrectedValues(t *testing.T) {
	all := ops("POST /reports", "GET /reports/{period}", "POST /teams", "GET /teams/{teamId}")
	for name, c := range map[string]struct {
		correction model.ValueCorrection
		want       []string
	}{
		"none": {want: []string{"POST /reports; GET /reports/{period} [period<0]"}},
		"an attribute": {
			correction: model.ValueCorrection{Value: "report.period", Kind: match.KindAttribute},
			want:       []string{"GET /reports/{period}"},
		},
		"another id": {
			correction: model.ValueCorrection{Value: "report.period", Is: "team.id"},
			want: []string{
				"POST /reports; GET /reports/{period} [period<0]",
				"POST /teams; POST /reports; GET /reports/{period} [period<0]",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := match.New(all, match.DefaultMode, c.correction)
			got := templatesOf(NewPlanner(m, all), "GET /reports/{period}")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// furtherCases are templates that Sonde adds to those of the EvoMaster paper.
var furtherCases = []templateCase{
	{name: "a field of the body", ops: shop(), of: "POST /carts/{cartId}/items", want: []string{
		"POST /carts; POST /carts/{cartId}/items [cartId<0]",
		"POST /carts; POST /products; POST /carts/{cartId}/items [cartId<0] [/productId<1]",
	}},
	{
		name: "what PUT joins",
		ops:  ops("POST /agents", "GET /agents/{agentId}", "PUT /queues/{key}", "PUT /queues/{key}/members/{agentId}"),
		of:   "PUT /queues/{key}/members/{agentId}",
		want: []string{
			"PUT /queues/{key}; PUT /queues/{key}/members/{agentId} [key=0.key]",
			"PUT /queues/{key}; POST /agents; PUT /queues/{key}/members/{agentId} [key=0.key] [agentId<1]",
		},
	},
	{name: "of an operation that comes before", ops: shop(), of: "DELETE /carts/{cartId}/items/{itemId}", want: []string{
		"POST /carts; POST /carts/{cartId}/items [cartId<0]; DELETE /carts/{cartId}/items/{itemId} [cartId<0] [itemId<1]",
		"POST /carts; POST /products; POST /carts/{cartId}/items [cartId<0] [/productId<1]; " +
			"DELETE /carts/{cartId}/items/{itemId} [cartId<0] [itemId<2]",
	}},
	{name: "a field in a list", ops: shop(), of: "POST /orders", want: []string{
		"POST /orders",
		"POST /carts; POST /products; POST /orders [/cart_id<0] [/lines/0/productId<1]",
	}},
	{name: "a body that is a list", ops: shop(), of: "POST /bulk", want: []string{
		"POST /bulk", "POST /products; POST /bulk [/0/productID<0]",
	}},
	{name: "the query", ops: shop(), of: "GET /search", want: []string{
		"GET /search", "POST /products; GET /search [productId<0]",
	}},
	{name: "an id of another path", ops: shop(), of: "GET /stock/{productId}", want: []string{
		"PUT /stock/{productId}; GET /stock/{productId} [productId=0.productId]",
		"POST /products; PUT /stock/{productId} [productId<0]; GET /stock/{productId} [productId<0]",
	}},
	{name: "a client's id", ops: []*model.Operation{
		op("PUT /coupons/{code}"), op("GET /coupons/{code}"), op("POST /orders", body(object("couponCode"))),
	}, of: "POST /orders", want: []string{
		"POST /orders", "PUT /coupons/{code}; POST /orders [/couponCode=0.code]",
	}},
	{name: "the nearest of two", ops: []*model.Operation{
		op("POST /products"), op("GET /products/{id}"), op("POST /admin/products"), op("GET /admin/products/{id}"),
		op("POST /admin/offers", body(object("productId"))),
	}, of: "POST /admin/offers", want: []string{
		"POST /admin/offers", "POST /admin/products; POST /admin/offers [/productId<0]",
	}},
	{name: "in a part of the schema", ops: []*model.Operation{
		op("POST /products"), op("POST /orders", body(inAllOf)),
	}, of: "POST /orders", want: []string{
		"POST /orders", "POST /products; POST /orders [/productId<0]",
	}},
	{name: "an escaped pointer", ops: []*model.Operation{
		op("POST /products"), op("POST /orders", body(slashed)),
	}, of: "POST /orders", want: []string{
		"POST /orders", "POST /products; POST /orders [/a~1b~0product_id<0]",
	}},
	{name: "dates and choices are no ids", ops: []*model.Operation{
		op("POST /products"), op("POST /users"), op("POST /orders", body(dated)),
	}, of: "POST /orders", want: []string{"POST /orders"}},
	{
		name: "optional fields of the target", ops: []*model.Operation{
			op("POST /products"), op("POST /orders", body(optional)),
		}, of: "POST /orders",
		want: []string{"POST /orders", "0.5: POST /products; POST /orders [/productId<0]"},
	},
	{
		name: "optional fields of others are left out", ops: []*model.Operation{
			op("POST /products"), op("POST /orders", body(optional)), op("GET /orders/{id}"),
		},
		of: "GET /orders/{id}", want: []string{"POST /orders; GET /orders/{id} [id<0]"},
	},
	{
		name: "its own id", ops: []*model.Operation{
			op("POST /products", body(object("productId"))), op("GET /products/{id}"),
		}, of: "POST /products",
		want: []string{"POST /products"},
	},
	{name: "two that need each other", ops: []*model.Operation{
		op("POST /a", body(object("bId"))), op("POST /b", body(object("aId"))),
	}, of: "POST /a", want: []string{"POST /a", "POST /b; POST /a [/bId<0]"}},
	{name: "an action creates nothing", ops: []*model.Operation{
		op("POST /hook/product/{productId}"), op("POST /orders", body(object("productId"))),
	}, of: "POST /orders", want: []string{"POST /orders"}},
	{name: "creation beside the elements", ops: ops(
		"POST /users/register", "POST /users/search", "GET /users/{id}",
	), of: "GET /users/{id}", want: []string{
		"GET /users/{id}", "POST /users/register; GET /users/{id} [id<0]",
	}},
	{name: "creation elsewhere", ops: ops(
		"POST /v1/users", "GET /v1/users/{id}", "DELETE /v2/users/{id}",
	), of: "DELETE /v2/users/{id}", want: []string{
		"DELETE /v2/users/{id}", "POST /v1/users; DELETE /v2/users/{id} [id<0]",
	}},
	{name: "a listing where nothing is created", ops: ops(
		"GET /stores", "GET /stores/{id}/hours",
	), of: "GET /stores/{id}/hours", want: []string{
		"GET /stores/{id}/hours", "GET /stores; GET /stores/{id}/hours [id<0]",
	}},
}

// answers sets the answer of an operation to an object that has properties with these names.
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

func TestForms(t *testing.T) {
	form := op("POST /orders", body(with(object("productId"), "lines", list(object("cartId")))))
	form.Body.Contents[0].Media = "application/x-www-form-urlencoded"
	all := []*model.Operation{op("POST /products"), op("POST /carts"), form}
	checkTemplates(t, all, "POST /orders", []string{"POST /orders", "POST /products; POST /orders [/productId<0]"})
	form.Body.Contents[0].Media = "multipart/form-data"
	checkTemplates(t, all, "POST /orders", []string{"POST /orders"})
}

// If a PUT creates an element, the client chooses the element's id, even if an earlier answer has an id of such an
// element.
func TestChosenIDs(t *testing.T) {
	pet := object("id", "name")
	pet.Name = "pet"
	owner := with(object("id"), "pets", list(pet))
	owner.Name = "owner"
	checkTemplates(t, []*model.Operation{
		op("POST /owners", body(object("name")), answer("201", owner)),
		op("POST /owners/{ownerId}/pets", body(object("name")), answer("201", pet)),
		op("PUT /owners/{ownerId}/pets/{petId}", body(object("name")), answer("200", pet)),
		op("GET /owners/{ownerId}/pets/{petId}", answer("200", pet)),
	}, "GET /owners/{ownerId}/pets/{petId}", []string{
		"0.8: POST /owners; POST /owners/{ownerId}/pets [ownerId<0]; GET /owners/{ownerId}/pets/{petId} [ownerId<0] [petId<1]",
		"0.2: POST /owners; PUT /owners/{ownerId}/pets/{petId} [ownerId<0]; " +
			"GET /owners/{ownerId}/pets/{petId} [ownerId<0] [petId=1.petId]",
	})
}

func TestHeaders(t *testing.T) {
	account := func(o *model.Operation) {
		o.Params = []model.Parameter{{Name: "accountId", In: model.InHeader, Required: true, Schema: &model.Schema{Type: "string"}}}
	}
	checkTemplates(t, []*model.Operation{
		op("POST /accounts"), op("GET /accounts/{accountId}"), op("GET /orders", account),
	}, "GET /orders", []string{"GET /orders", "POST /accounts; GET /orders [accountId<0]"})
}

// If a path may connect elements of several other resources (see joined), the choice among these resources is the same
// each time.
func TestJoinedIsTheSameEachTime(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{
		op("POST /a/{productId}/{userId}/users"), op("OPTIONS /{id}.json/users", query("user")),
		op("DELETE /a/users/{id}.json/a/{a"), op("PUT /a"), op("HEAD /"),
	}}
	want := showAll(plannerOf(spec).Templates())
	for range 50 {
		if got := showAll(plannerOf(spec).Templates()); got != want {
			t.Fatalf("%s\n\nand then\n\n%s", want, got)
		}
	}
}
