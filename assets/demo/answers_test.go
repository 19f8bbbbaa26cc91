package demo

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// scenarios reach every answer that the document declares.
var scenarios = []struct {
	name     string
	provider string // what the payment provider answers, "" for none
	feed     string // what the stock feed answers, "" for none
	steps    []step
}{
	{"products", "", "", on(aProduct,
		step{as: "", op: "GET /products?sort=dearest&category=tent&minPriceCents=30000&limit=1", body: "", want: 200},
		step{as: "", op: "GET /products?limit=0", body: "", want: 400},
		step{as: "", op: "GET /products/1", body: "", want: 200},
		step{as: "", op: "GET /products/2", body: "", want: 404},
		step{as: "admin", op: "POST /products", body: `{"category":"tent"}`, want: 400},
		step{as: "", op: "POST /products", body: tent, want: 401},
		step{as: "bob", op: "POST /products", body: tent, want: 403},
		step{as: "admin", op: "POST /products", body: strings.Replace(tent, `"tent"`, `"rope"`, 1), want: 422},
		step{as: "", op: "DELETE /products/1", body: "", want: 401},
		step{as: "bob", op: "DELETE /products/1", body: "", want: 403},
		step{as: "admin", op: "DELETE /products/1", body: "", want: 204},
		step{as: "admin", op: "DELETE /products/1", body: "", want: 404},
		step{as: "admin", op: "POST /products", body: stove, want: 201},
		step{as: "", op: "POST /carts", body: `{"productId":2,"quantity":1,"giftWrap":true}`, want: 201},
		step{as: "admin", op: "DELETE /products/2", body: "", want: 409})},
	{"prices", "", "", on(aProduct,
		step{as: "", op: "GET /products/1/price?quantity=20&on=2026-06-01", body: "", want: 200},
		step{as: "", op: "GET /products/1/price?on=2026-02-30", body: "", want: 400},
		step{as: "", op: "GET /products/9/price", body: "", want: 404},
		step{
			as:   "admin",
			op:   "PUT /products/1/price",
			body: `{"priceCents":25000,"promotion":{"percentOff":20,"startsOn":"2026-06-01","endsOn":"2026-06-30"}}`,
			want: 200,
		},
		step{as: "admin", op: "PUT /products/1/price", body: `{"priceCents":"dear"}`, want: 400},
		step{as: "", op: "PUT /products/1/price", body: `{"priceCents":25000}`, want: 401},
		step{as: "alice", op: "PUT /products/1/price", body: `{"priceCents":25000}`, want: 403},
		step{as: "admin", op: "PUT /products/9/price", body: `{"priceCents":25000}`, want: 404},
		step{
			as:   "admin",
			op:   "PUT /products/1/price",
			body: `{"priceCents":25000,"promotion":{"percentOff":20,"startsOn":"2026-06-01","endsOn":"2026-12-31"}}`,
			want: 422,
		})},
	{"reviews", "", "", on(aProduct,
		step{as: "alice", op: "POST /products/1/reviews", body: `{"rating":5,"title":"Stays dry"}`, want: 201},
		step{as: "", op: "GET /products/1/reviews?minRating=3", body: "", want: 200},
		step{as: "", op: "GET /products/1/reviews?minRating=6", body: "", want: 400},
		step{as: "", op: "GET /products/9/reviews", body: "", want: 404},
		step{as: "", op: "GET /products/1/reviews/1", body: "", want: 200},
		step{as: "", op: "GET /products/1/reviews/2", body: "", want: 404},
		step{as: "bob", op: "POST /products/1/reviews", body: `{"rating":5,"title":""}`, want: 400},
		step{as: "", op: "POST /products/1/reviews", body: `{"rating":5,"title":"Stays dry"}`, want: 401},
		step{as: "bob", op: "POST /products/9/reviews", body: `{"rating":5,"title":"Stays dry"}`, want: 404},
		step{as: "alice", op: "POST /products/1/reviews", body: `{"rating":4,"title":"On second thought"}`, want: 409},
		step{as: "bob", op: "POST /products/1/reviews", body: `{"rating":1,"title":"Leaks","text":"It leaks."}`, want: 422})},
	{"carts", "", "", on(aCart,
		step{as: "", op: "POST /carts", body: `{"productId":1,"quantity":100,"giftWrap":false}`, want: 400},
		step{as: "", op: "POST /carts", body: `{"productId":9,"quantity":1,"giftWrap":false}`, want: 422},
		step{as: "", op: "GET /carts/{cart}", body: "", want: 200},
		step{as: "", op: "GET /carts/1", body: "", want: 404},
		step{as: "", op: "POST /carts/{cart}/items", body: `{"productId":1,"quantity":2}`, want: 200},
		step{as: "", op: "POST /carts/{cart}/items", body: `{"productId":1,"quantity":2,"size":"L"}`, want: 201},
		step{as: "", op: "POST /carts/{cart}/items", body: `{"productId":1,"quantity":2,"size":"XS"}`, want: 400},
		step{as: "", op: "POST /carts/1/items", body: `{"productId":1,"quantity":2}`, want: 404},
		step{as: "", op: "POST /carts/{cart}/items", body: `{"productId":9,"quantity":2}`, want: 422},
		step{as: "", op: "DELETE /carts/{cart}/items/2", body: "", want: 204},
		step{as: "", op: "DELETE /carts/{cart}/items/2", body: "", want: 404},
		step{as: "alice", op: "POST /orders", body: ordered, want: 201},
		step{as: "", op: "POST /carts/{cart}/items", body: `{"productId":1,"quantity":2}`, want: 409},
		step{as: "", op: "DELETE /carts/{cart}/items/1", body: "", want: 409})},
	{"orders", "", "", on(anOrder,
		step{as: "alice", op: "POST /orders", body: ordered, want: 409},
		step{as: "alice", op: "POST /orders", body: strings.Replace(ordered, "standard", "by air", 1), want: 400},
		step{as: "", op: "POST /orders", body: ordered, want: 401},
		step{as: "alice", op: "POST /orders", body: strings.Replace(ordered, "{cart}", uuid(9), 1), want: 422},
		step{as: "alice", op: "GET /orders/1", body: "", want: 200},
		step{as: "", op: "GET /orders/1", body: "", want: 401},
		step{as: "bob", op: "GET /orders/1", body: "", want: 403},
		step{as: "admin", op: "GET /orders/2", body: "", want: 404},
		step{as: "admin", op: "PATCH /orders/1", body: `{"orderStatus":"lost"}`, want: 400},
		step{as: "", op: "PATCH /orders/1", body: `{"orderStatus":"cancelled"}`, want: 401},
		step{as: "alice", op: "PATCH /orders/1", body: `{"orderStatus":"shipped"}`, want: 403},
		step{as: "admin", op: "PATCH /orders/2", body: `{"orderStatus":"cancelled"}`, want: 404},
		step{as: "admin", op: "PATCH /orders/1", body: `{"orderStatus":"shipped"}`, want: 409},
		step{as: "alice", op: "POST /orders/1/payments", body: invoice, want: 201},
		step{as: "alice", op: "PATCH /orders/1", body: `{"orderStatus":"cancelled"}`, want: 422},
		step{as: "alice", op: "PATCH /orders/1", body: `{"orderStatus":"cancelled","reason":"Too late"}`, want: 200})},
	{"payments", "", "", on(anOrder,
		step{as: "alice", op: "POST /orders/1/payments", body: `{"method":"cash"}`, want: 400},
		step{as: "", op: "POST /orders/1/payments", body: invoice, want: 401},
		step{as: "bob", op: "POST /orders/1/payments", body: invoice, want: 403},
		step{as: "alice", op: "POST /orders/2/payments", body: invoice, want: 404},
		step{as: "alice", op: "POST /orders/1/payments", body: `{"method":"voucher"}`, want: 422},
		step{as: "alice", op: "POST /orders/1/payments", body: card, want: 503},
		step{as: "alice", op: "POST /orders/1/payments", body: `{"method":"voucher","voucherCode":"XMAS"}`, want: 201},
		step{as: "admin", op: "POST /orders/1/payments", body: invoice, want: 409},
		step{as: "alice", op: "GET /orders/1/payments/1", body: "", want: 200},
		step{as: "", op: "GET /orders/1/payments/1", body: "", want: 401},
		step{as: "bob", op: "GET /orders/1/payments/1", body: "", want: 403},
		step{as: "alice", op: "GET /orders/1/payments/2", body: "", want: 404})},
	{"a card declined", `{"approved":false}`, "", on(anOrder,
		step{as: "alice", op: "POST /orders/1/payments", body: card, want: 402})},
	{"a card approved", `{"approved":true,"receipt":"R-1"}`, "", on(anOrder,
		step{as: "alice", op: "POST /orders/1/payments", body: card, want: 201})},
	{"stock", "", "", on(aProduct,
		step{as: "", op: "GET /stock/TENT-0001", body: "", want: 200},
		step{as: "", op: "GET /stock/TENT-0002", body: "", want: 404},
		step{as: "", op: "POST /stock/TENT-0002/sync", body: "", want: 404},
		step{as: "", op: "POST /stock/TENT-0001/sync", body: "", want: 503})},
	{"stock fed", "", "OK 12", on(aProduct,
		step{as: "", op: "POST /stock/TENT-0001/sync", body: "", want: 200},
		step{as: "", op: "POST /stock/TENT-0002/sync", body: "", want: 404})},
	{"customers", "", "", []step{
		{
			as: "",
			op: "POST /customers",
			body: `{"fullName":"Mia Berg","contact":{"email":"mia@example.org","phone":"+43316123456"},` +
				`"newsletter":true,"preferences":{"colour":"red"}}`,
			want: 201,
		},
		{as: "", op: "POST /customers", body: `{"fullName":"Mia Berg","birthDate":"1999-13-01"}`, want: 400},
		{as: "", op: "POST /customers", body: `{"fullName":"Mia Berg","birthDate":"1899-12-31"}`, want: 422},
		{as: "", op: "GET /customers/1", body: "", want: 200},
		{as: "", op: "GET /customers/2", body: "", want: 404},
		{as: "", op: "PATCH /customers/1", body: `{"preferences":{"size":"M"},"newsletter":false}`, want: 200},
		{as: "", op: "PATCH /customers/1", body: `{"fullName":"M"}`, want: 400},
		{as: "", op: "PATCH /customers/2", body: `{}`, want: 404},
		{as: "", op: "POST /customers", body: `{"fullName":"Jo Tal"}`, want: 201},
		{as: "", op: "PATCH /customers/2", body: `{"newsletter":true}`, want: 422},
	}},
	{"coupons", "", "", []step{
		{as: "admin", op: "PUT /coupons/HIKE24", body: twoTiers, want: 201},
		{as: "admin", op: "PUT /coupons/HIKE24", body: twoTiers, want: 200},
		{as: "admin", op: "PUT /coupons/X", body: twoTiers, want: 400},
		{as: "", op: "PUT /coupons/HIKE24", body: twoTiers, want: 401},
		{as: "bob", op: "PUT /coupons/HIKE24", body: twoTiers, want: 403},
		{as: "admin", op: "PUT /coupons/HIKE24", body: strings.Replace(twoTiers, "2026-01", "2027-01", 1), want: 422},
		{as: "", op: "GET /coupons/HIKE24?basketCents=60000&at=2026-05-31", body: "", want: 200},
		{as: "", op: "GET /coupons/HIKE24?basketCents=-1", body: "", want: 400},
		{as: "", op: "GET /coupons/HIKE25", body: "", want: 404},
	}},
	{"stores", "", "", []step{
		{as: "", op: "GET /stores?town=kiel", body: "", want: 200},
		{as: "", op: "GET /stores?town=k", body: "", want: 400},
		{as: "", op: "GET /stores/2/hours?date=2026-12-25", body: "", want: 200},
		{as: "", op: "GET /stores/2/hours", body: "", want: 400},
		{as: "", op: "GET /stores/4/hours?date=2026-12-25", body: "", want: 404},
	}},
	{"health", "", "", []step{{as: "", op: "GET /health", body: "", want: 200}}},
}

// outsideConfig starts a payment provider and a stock feed that give these answers, and returns a configuration
// with their addresses. "" means that there is no provider or feed.
func outsideConfig(t *testing.T, provider, feed string) Config {
	var c Config
	if provider != "" {
		c.Payments = fakeProvider(t, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(provider)) })
	}
	if feed != "" {
		c.Stock = fakeFeed(t, feed+"\n")
	}
	return c
}

func TestEveryDeclaredAnswer(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			v := visit(t, outsideConfig(t, s.provider, s.feed))
			v.follow(s.steps)
			maps.Copy(seen, v.seen)
		})
	}
	var missing []string
	for name, op := range operations(document(t)) {
		for status := range op.Responses.Map() {
			if !seen[name+" "+status] {
				missing = append(missing, name+" "+status)
			}
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("declared but not reached: %q", missing)
	}
}

// TestSameAnswersAfterReset plays all scenarios twice on the same shop, with a reset before each. The answers must be
// the same both times.
func TestSameAnswersAfterReset(t *testing.T) {
	v := visit(t, Config{})
	tell := func() []string {
		var told []string
		for _, s := range scenarios {
			if s.provider != "" || s.feed != "" {
				continue
			}
			v.send("", "POST /__reset", "")
			for _, c := range s.steps {
				got := v.call(c.as, c.op, c.body)
				told = append(told, got.header.Get("Location")+" "+got.body)
			}
		}
		return told
	}
	first, second := tell(), tell()
	if !slices.Equal(first, second) {
		t.Errorf("the second round differs:\n%q\n%q", first, second)
	}
}
