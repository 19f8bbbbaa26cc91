package match_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
)

// parse returns the spec with the given paths and schemas, which are written in YAML.
func parse(t *testing.T, paths, schemas string) *model.Spec {
	t.Helper()
	text := "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n" + paths + "\ncomponents:\n  schemas:\n" + schemas
	spec, err := openapi.Parse(context.Background(), "-", []byte(text), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(spec.Problems) > 0 {
		t.Fatalf("the test's document has problems: %v", spec.Problems)
	}
	return spec
}

// usesByID returns the uses of each value as texts, by the identity of the value. "▸" begins an input, "◂" begins an
// output, and "!" ends an input that is a reference.
func usesByID(spec *model.Spec, w match.Mode) map[string][]string {
	all := map[string][]string{}
	m := match.New(spec.Operations, w)
	for _, op := range spec.Operations {
		for _, u := range m.UsesOf(op) {
			arrow, at, refers := "▸", u.Pointer, ""
			if u.Out {
				arrow = "◂"
			}
			if at == "" {
				at = " " + u.Name
			}
			if u.IsReference && !u.Out {
				refers = "!"
			}
			all[u.ID] = append(all[u.ID], fmt.Sprintf("%s %s %s%s%s", op.ID, arrow, u.In, at, refers))
		}
	}
	return all
}

// Parts of OpenAPI documents that several tests use.
const (
	none = `responses: {204: {description: ok}}`
)

func answered(schema string) string {
	return "responses: {200: {description: ok, content: {application/json: {schema: " + schema + "}}}}"
}

func bodied(schema string) string {
	return "requestBody: {required: true, content: {application/json: {schema: " + schema + "}}}"
}

func param(in, name string) string {
	return fmt.Sprintf("{name: %s, in: %s, required: %v, schema: {type: string}}", name, in, in == "path")
}

// typed returns a path parameter with the given schema.
func typed(name, schema string) string {
	return fmt.Sprintf("{name: %s, in: path, required: true, schema: %s}", name, schema)
}

func ref(name string) string { return "{$ref: '#/components/schemas/" + name + "'}" }

func fields(list ...string) string {
	var all []string
	for _, f := range list {
		if !strings.Contains(f, ":") {
			f += ": {type: string}"
		}
		all = append(all, f)
	}
	return "{type: object, required: [" + strings.SplitN(list[0], ":", 2)[0] + "], properties: {" + strings.Join(all, ", ") + "}}"
}

func oper(method, rest string) string { return "    " + method + ": {" + rest + "}\n" }

func TestQualified(t *testing.T) {
	for _, test := range qualifiedTests {
		t.Run(test.name, func(t *testing.T) {
			got := usesByID(parse(t, test.paths, test.schemas), match.DefaultMode)
			for id, want := range test.want {
				if diff := cmp.Diff(want, got[id]); diff != "" {
					t.Errorf("%s: want and got (-+):\n%s", id, diff)
				}
			}
		})
	}
}

var qualifiedTests = []struct {
	name, paths, schemas string
	want                 map[string][]string
}{
	{
		name: "ids of two things are two values, however they are written",
		paths: "  /products:\n" + oper("post", bodied(ref("NewProduct"))+", "+answered(ref("Product"))) +
			"  /products/{id}:\n" + oper("get", "parameters: ["+param("path", "id")+"], "+answered(ref("Product"))) +
			"  /orders:\n" + oper("post", bodied(ref("Order"))+", "+answered(ref("Order"))) +
			"  /orders/{id}:\n" + oper("get", "parameters: ["+param("path", "id")+"], "+answered(ref("Order"))),
		schemas: "    Product: " + fields("id", "name") + "\n    NewProduct: " + fields("name") + "\n    Order: " +
			fields("product_id", "id", "name"),
		want: map[string][]string{
			"product.id": {
				"POST /products ◂ response/id", "GET /products/{id} ▸ path id!", "GET /products/{id} ◂ response/id",
				"POST /orders ▸ body/product_id!", "POST /orders ◂ response/product_id", "GET /orders/{id} ◂ response/product_id",
			},
			"order.id": {
				"POST /orders ▸ body/id", "POST /orders ◂ response/id", "GET /orders/{id} ▸ path id!",
				"GET /orders/{id} ◂ response/id",
			},
			"product.name": {"POST /products ▸ body/name", "POST /products ◂ response/name", "GET /products/{id} ◂ response/name"},
		},
	},
	{
		name: "the beginning of one thing's name, followed only by id, means that thing",
		paths: "  /applications:\n" + oper("post", answered(ref("Application"))) +
			"  /applications/{id}:\n" + oper("get", "parameters: ["+param("path", "id")+"], "+answered(ref("Application"))) +
			"  /vendors/{id}:\n" + oper("get", "parameters: ["+param("path", "id")+"], "+none) +
			"  /orders/{id}:\n" + oper("get", "parameters: ["+param("path", "id")+"], "+none) +
			"  /organs/{id}:\n" + oper("get", "parameters: ["+param("path", "id")+"], "+none) +
			"  /messages:\n" + oper("post", bodied(ref("Message"))+", "+answered(ref("Message"))),
		schemas: "    Application: " + fields("id", "name") + "\n    Message: " +
			fields("appid", "app_uuid", "vendorid", "orId", "orgId", "ordid", "veid", "app", "text"),
		want: map[string][]string{
			"application.id": {
				"POST /applications ◂ response/id", "GET /applications/{id} ▸ path id!", "GET /applications/{id} ◂ response/id",
				"POST /messages ▸ body/appid!",
				"POST /messages ▸ body/app_uuid!", "POST /messages ◂ response/appid", "POST /messages ◂ response/app_uuid",
			},
			"vendor.id":    {"GET /vendors/{id} ▸ path id!", "POST /messages ▸ body/vendorid!", "POST /messages ◂ response/vendorid"},
			"order.id":     {"GET /orders/{id} ▸ path id!", "POST /messages ▸ body/ordid!", "POST /messages ◂ response/ordid"},
			"organ.id":     {"GET /organs/{id} ▸ path id!", "POST /messages ▸ body/orgId!", "POST /messages ◂ response/orgId"},
			"message.orId": {"POST /messages ▸ body/orId", "POST /messages ◂ response/orId"}, // too short
			"message.veid": {"POST /messages ▸ body/veid", "POST /messages ◂ response/veid"},
			"message.app":  {"POST /messages ▸ body/app", "POST /messages ◂ response/app"},
		},
	},
	{
		name: "the beginning of several things' names means none of them",
		paths: "  /applications/{id}:\n" + oper("get", "parameters: ["+param("path", "id")+"], "+none) +
			"  /appliances/{id}:\n" + oper("get", "parameters: ["+param("path", "id")+"], "+none) +
			"  /messages:\n" + oper("post", bodied(ref("Message"))),
		schemas: "    Message: " + fields("appid", "text"),
		want:    map[string][]string{"message.appid": {"POST /messages ▸ body/appid"}},
	},
	{
		name: "Location leads to what is created; a list of texts holds the names of what is below",
		paths: "  /jobs:\n" + oper("post", "responses: {201: {description: ok, headers: {Location: {schema: {type: string}}}}}") +
			oper("get", answered("{type: array, items: {type: string}}")) +
			"  /jobs/{jobName}:\n" + oper("get", "parameters: ["+param("path", "jobName")+"], "+none),
		schemas: "    Unused: {type: string}",
		want: map[string][]string{
			"job.name": {"GET /jobs ◂ response/0", "POST /jobs ◂ header Location", "GET /jobs/{jobName} ▸ path jobName!"},
		},
	},
	{
		name: "what is called the same below two things is of two kinds",
		paths: "  /carts/{cartId}/items:\n" + oper("post", "parameters: ["+param("path", "cartId")+"], "+answered(ref("CartItem"))) +
			"  /carts/{cartId}/items/{itemId}:\n" +
			oper("delete", "parameters: ["+param("path", "cartId")+", "+param("path", "itemId")+"], "+none) +
			"  /orders/{orderId}/items:\n" + oper("post", "parameters: ["+param("path", "orderId")+"], "+answered(ref("OrderItem"))) +
			"  /orders/{orderId}/items/{itemId}:\n" +
			oper("get", "parameters: ["+param("path", "orderId")+", "+param("path", "itemId")+"], "+answered(ref("OrderItem"))),
		schemas: "    CartItem: " + fields("itemId") + "\n    OrderItem: " + fields("itemId"),
		want: map[string][]string{
			"cart-item.id": {"POST /carts/{cartId}/items ◂ response/itemId", "DELETE /carts/{cartId}/items/{itemId} ▸ path itemId!"},
			"order-item.id": {
				"POST /orders/{orderId}/items ◂ response/itemId",
				"GET /orders/{orderId}/items/{itemId} ▸ path itemId!",
				"GET /orders/{orderId}/items/{itemId} ◂ response/itemId",
			},
		},
	},
	{
		name: "a role, a filter, and a log-in",
		paths: "  /profiles/{username}:\n" + oper("get", "parameters: ["+param("path", "username")+"], "+answered(ref("Profile"))) +
			"  /articles:\n" + oper(
			"get",
			"parameters: ["+param("query", "author")+", "+param("query", "minScore")+"], "+
				answered("{type: array, items: "+ref("Article")+"}"),
		) +
			"  /login:\n" + oper("post", bodied(fields("username", "secret"))+", "+none),
		schemas: "    Profile: " + fields("username", "bio") + "\n    Article: " +
			fields("score: {type: integer}", "author: "+ref("Profile")),
		want: map[string][]string{
			"profile.username": {
				"GET /profiles/{username} ▸ path username!", "GET /profiles/{username} ◂ response/username",
				"GET /articles ▸ query author!", "GET /articles ◂ response/0/author/username", "POST /login ▸ body/username",
			},
			"article.score": {"GET /articles ▸ query minScore", "GET /articles ◂ response/0/score"},
			"login.secret":  {"POST /login ▸ body/secret"},
		},
	},
	{
		name: "strangers, lists of ids, and parts of a thing",
		paths: "  /orders:\n" + oper("post", bodied(ref("Order"))+", "+answered(ref("Order"))) +
			"  /orders/{id}:\n" + oper("get", "parameters: ["+param("path", "id")+"], "+answered(ref("Order"))) +
			"  /orders/{id}/status:\n" + oper("put", "parameters: ["+param("path", "id")+"], "+bodied(fields("status"))+", "+none) +
			"  /bills:\n" + oper("post", bodied(ref("Bill"))+", "+none),
		schemas: "    Order: " + fields("customerId", "id", "status") + "\n    Bill: " +
			fields("customerId", "orderIds: {type: array, items: {type: string}}"),
		want: map[string][]string{
			"customer.id": {
				"POST /orders ▸ body/customerId!",
				"POST /orders ◂ response/customerId", "GET /orders/{id} ◂ response/customerId", "POST /bills ▸ body/customerId!",
			},
			"order.id": {
				"POST /orders ▸ body/id", "POST /orders ◂ response/id",
				"GET /orders/{id} ▸ path id!", "GET /orders/{id} ◂ response/id",
				"PUT /orders/{id}/status ▸ path id!", "POST /bills ▸ body/orderIds!",
			},
			"order.status": {
				"POST /orders ▸ body/status",
				"POST /orders ◂ response/status", "GET /orders/{id} ◂ response/status", "PUT /orders/{id}/status ▸ body/status",
			},
		},
	},
	{
		name: "who creates a thing under an id of its own does not need one; a choice and a flag name nothing",
		paths: "  /coupons/{code}:\n" + oper("put", "parameters: ["+param("path", "code")+"], "+answered(ref("Coupon"))) +
			oper("get", "parameters: ["+param("path", "code")+"], "+answered(ref("Coupon"))) +
			"  /orders:\n" + oper(
			"post",
			bodied("{type: object, properties: {coupon: {type: boolean}, couponCode: {type: string, enum: [a, b]}}}")+", "+none,
		),
		schemas: "    Coupon: " + fields("code", "percent: {type: integer}"),
		want: map[string][]string{
			"coupon.code": {
				"GET /coupons/{code} ▸ path code!",
				"GET /coupons/{code} ◂ response/code", "PUT /coupons/{code} ▸ path code", "PUT /coupons/{code} ◂ response/code",
			},
			"order.coupon":     {"POST /orders ▸ body/coupon"},
			"order.couponCode": {"POST /orders ▸ body/couponCode"},
		},
	},
	{
		name: "a choice, a flag and a number to compute with name nothing in a path, either",
		paths: "  /exports/{format}/{all}:\n" +
			oper(
				"get",
				"parameters: ["+typed("format", "{type: string, enum: [csv, pdf]}")+", "+typed("all", "{type: boolean}")+"], "+none,
			) +
			"  /triangle/{a}/{b}:\n" + oper(
			"get", "parameters: ["+typed("a", "{type: integer}")+", "+typed("b", "{type: number}")+"], "+none,
		) +
			"  /sums/{sumId}:\n" + oper("get", "parameters: ["+typed("sumId", "{type: integer}")+"], "+none) +
			"  /floors/{level}:\n" + oper("get", "parameters: ["+typed("level", "{type: integer}")+"], "+none) +
			"  /floors:\n" + oper("get", none),
		schemas: "    Unused: {type: string}",
		want: map[string][]string{
			"export.format": {"GET /exports/{format}/{all} ▸ path format"},
			"export.all":    {"GET /exports/{format}/{all} ▸ path all"},
			"triangle.a":    {"GET /triangle/{a}/{b} ▸ path a"},
			"triangle.b":    {"GET /triangle/{a}/{b} ▸ path b"},
			"sum.id":        {"GET /sums/{sumId} ▸ path sumId!"},
			"floor.level":   {"GET /floors/{level} ▸ path level!"},
		},
	},
	{
		name: "a credential has to exist; the key of a request need not",
		paths: "  /me:\n" + oper(
			"get",
			"parameters: ["+param("header", "X-Auth-Token")+", "+param("header", "Idempotency-Token")+", "+
				param("query", "api_key")+"], "+none,
		) +
			"  /login:\n" + oper("post", answered(fields("token"))),
		schemas: "    Unused: {type: string}",
		want: map[string][]string{
			"X-Auth-Token":      {"GET /me ▸ header X-Auth-Token!"},
			"Idempotency-Token": {"GET /me ▸ header Idempotency-Token"},
			"me.api_key":        {"GET /me ▸ query api_key!"},
			"login.token":       {"POST /login ◂ response/token"},
		},
	},
	{
		name: "what two places show of their elements is of the first that it is called after",
		paths: "  /coupons/{id}:\n" + oper("get", "parameters: ["+param("path", "id")+"], "+answered(ref("CouponBookQuote"))) +
			oper("put", "parameters: ["+param("path", "id")+"], "+bodied(ref("Coupon"))+", "+none) +
			"  /couponBooks/{id}:\n" + oper("get", "parameters: ["+param("path", "id")+"], "+answered(ref("CouponBookQuote"))) +
			oper("put", "parameters: ["+param("path", "id")+"], "+bodied(ref("CouponBook"))+", "+none),
		schemas: "    Coupon: " + fields("percent") + "\n    CouponBook: " + fields("pages") + "\n    CouponBookQuote: " + fields("price"),
		want: map[string][]string{
			"coupon.price": {"GET /coupons/{id} ◂ response/price", "GET /couponBooks/{id} ◂ response/price"},
		},
	},
	{
		name: "a thing's own name in front of its id is its own, though it ends in another's; a list names several",
		paths: "  /cart-items:\n" + oper("post", bodied(ref("CartItem"))+", "+answered(ref("CartItem"))) +
			"  /cart-items/{cartItemId}:\n" + oper("get", "parameters: ["+param("path", "cartItemId")+"], "+answered(ref("CartItem"))) +
			"  /cart-items/find:\n" + oper(
			"post",
			bodied("{type: object, properties: {cartItemIds: {type: array, items: {type: string}}}}")+", "+none,
		) +
			"  /items/{id}:\n" + oper("get", "parameters: ["+param("path", "id")+"], "+answered(ref("Item"))),
		schemas: "    CartItem: " + fields("cartItemId", "itemId") + "\n    Item: " + fields("id"),
		want: map[string][]string{
			"cart-item.id": {
				"POST /cart-items ▸ body/cartItemId",
				"POST /cart-items ◂ response/cartItemId", "GET /cart-items/{cartItemId} ▸ path cartItemId!",
				"GET /cart-items/{cartItemId} ◂ response/cartItemId", "POST /cart-items/find ▸ body/cartItemIds!",
			},
			"item.id": {
				"POST /cart-items ▸ body/itemId!", "POST /cart-items ◂ response/itemId",
				"GET /cart-items/{cartItemId} ◂ response/itemId",
				"GET /items/{id} ▸ path id!", "GET /items/{id} ◂ response/id",
			},
		},
	},
	{
		name: "the document's own link",
		paths: "  /tickets:\n    post:\n      responses:\n        200:\n          description: ok\n" +
			"          content: {application/json: {schema: " + fields("handle") + "}}\n" +
			"          links: {seat: {operationId: seat, parameters: {number: '$response.body#/handle'}}}\n" +
			"  /seats/{number}:\n" + oper("get", "operationId: seat, parameters: ["+param("path", "number")+"], "+none),
		schemas: "    Unused: {type: string}",
		want:    map[string][]string{"seat.number": {"POST /tickets ◂ response/handle", "GET /seats/{number} ▸ path number!"}},
	},
}

// An operation needs only values that identify elements. The client can make up all other values.
func TestQualifiedNeeds(t *testing.T) {
	spec := parse(t, qualifiedTests[0].paths, qualifiedTests[0].schemas)
	table := match.NewValuesTable(spec.Operations, match.DefaultMode)
	for i, op := range spec.Operations {
		var got []string
		for _, v := range table.Need[i] {
			got = append(got, table.Names[v])
		}
		want := map[model.OpID][]string{
			"POST /orders":       {"product.id"},
			"GET /products/{id}": {"product.id"},
			"GET /orders/{id}":   {"order.id"},
		}[op.ID]
		if !slices.Equal(got, want) {
			t.Errorf("%s needs %v, want %v", op.ID, got, want)
		}
	}
}

// Repeated matching of a document gives the same identities, although the order of maps differs.
func TestQualifiedRepeats(t *testing.T) {
	for _, test := range qualifiedTests {
		spec := parse(t, test.paths, test.schemas)
		want := usesByID(spec, match.DefaultMode)
		for range 20 {
			if diff := cmp.Diff(want, usesByID(spec, match.DefaultMode)); diff != "" {
				t.Fatalf("%s: two answers (-+):\n%s", test.name, diff)
			}
		}
	}
}
