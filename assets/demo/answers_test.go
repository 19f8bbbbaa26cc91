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
		step{"", "GET /products?sort=dearest&category=tent&minPriceCents=30000&limit=1", "", 200},
		step{"", "GET /products?limit=0", "", 400},
		step{"", "GET /products/1", "", 200},
		step{"", "GET /products/2", "", 404},
		step{"admin", "POST /products", `{"category":"tent"}`, 400},
		step{"", "POST /products", tent, 401},
		step{"bob", "POST /products", tent, 403},
		step{"admin", "POST /products", strings.Replace(tent, `"tent"`, `"rope"`, 1), 422},
		step{"", "DELETE /products/1", "", 401},
		step{"bob", "DELETE /products/1", "", 403},
		step{"admin", "DELETE /products/1", "", 204},
		step{"admin", "DELETE /products/1", "", 404},
		step{"admin", "POST /products", stove, 201},
		step{"", "POST /carts", `{"productId":2,"quantity":1,"giftWrap":true}`, 201},
		step{"admin", "DELETE /products/2", "", 409})},
	{"prices", "", "", on(aProduct,
		step{"", "GET /products/1/price?quantity=20&on=2026-06-01", "", 200},
		step{"", "GET /products/1/price?on=2026-02-30", "", 400},
		step{"", "GET /products/9/price", "", 404},
		step{"admin", "PUT /products/1/price", `{"priceCents":25000,"promotion":{"percentOff":20,"startsOn":"2026-06-01","endsOn":"2026-06-30"}}`, 200},
		step{"admin", "PUT /products/1/price", `{"priceCents":"dear"}`, 400},
		step{"", "PUT /products/1/price", `{"priceCents":25000}`, 401},
		step{"alice", "PUT /products/1/price", `{"priceCents":25000}`, 403},
		step{"admin", "PUT /products/9/price", `{"priceCents":25000}`, 404},
		step{"admin", "PUT /products/1/price", `{"priceCents":25000,"promotion":{"percentOff":20,"startsOn":"2026-06-01","endsOn":"2026-12-31"}}`, 422})},
	{"reviews", "", "", on(aProduct,
		step{"alice", "POST /products/1/reviews", `{"rating":5,"title":"Stays dry"}`, 201},
		step{"", "GET /products/1/reviews?minRating=3", "", 200},
		step{"", "GET /products/1/reviews?minRating=6", "", 400},
		step{"", "GET /products/9/reviews", "", 404},
		step{"", "GET /products/1/reviews/1", "", 200},
		step{"", "GET /products/1/reviews/2", "", 404},
		step{"bob", "POST /products/1/reviews", `{"rating":5,"title":""}`, 400},
		step{"", "POST /products/1/reviews", `{"rating":5,"title":"Stays dry"}`, 401},
		step{"bob", "POST /products/9/reviews", `{"rating":5,"title":"Stays dry"}`, 404},
		step{"alice", "POST /products/1/reviews", `{"rating":4,"title":"On second thought"}`, 409},
		step{"bob", "POST /products/1/reviews", `{"rating":1,"title":"Leaks","text":"It leaks."}`, 422})},
	{"carts", "", "", on(aCart,
		step{"", "POST /carts", `{"productId":1,"quantity":100,"giftWrap":false}`, 400},
		step{"", "POST /carts", `{"productId":9,"quantity":1,"giftWrap":false}`, 422},
		step{"", "GET /carts/{cart}", "", 200},
		step{"", "GET /carts/1", "", 404},
		step{"", "POST /carts/{cart}/items", `{"productId":1,"quantity":2}`, 200},
		step{"", "POST /carts/{cart}/items", `{"productId":1,"quantity":2,"size":"L"}`, 201},
		step{"", "POST /carts/{cart}/items", `{"productId":1,"quantity":2,"size":"XS"}`, 400},
		step{"", "POST /carts/1/items", `{"productId":1,"quantity":2}`, 404},
		step{"", "POST /carts/{cart}/items", `{"productId":9,"quantity":2}`, 422},
		step{"", "DELETE /carts/{cart}/items/2", "", 204},
		step{"", "DELETE /carts/{cart}/items/2", "", 404},
		step{"alice", "POST /orders", ordered, 201},
		step{"", "POST /carts/{cart}/items", `{"productId":1,"quantity":2}`, 409},
		step{"", "DELETE /carts/{cart}/items/1", "", 409})},
	{"orders", "", "", on(anOrder,
		step{"alice", "POST /orders", ordered, 409},
		step{"alice", "POST /orders", strings.Replace(ordered, "standard", "by air", 1), 400},
		step{"", "POST /orders", ordered, 401},
		step{"alice", "POST /orders", strings.Replace(ordered, "{cart}", uuid(9), 1), 422},
		step{"alice", "GET /orders/1", "", 200},
		step{"", "GET /orders/1", "", 401},
		step{"bob", "GET /orders/1", "", 403},
		step{"admin", "GET /orders/2", "", 404},
		step{"admin", "PATCH /orders/1", `{"orderStatus":"lost"}`, 400},
		step{"", "PATCH /orders/1", `{"orderStatus":"cancelled"}`, 401},
		step{"alice", "PATCH /orders/1", `{"orderStatus":"shipped"}`, 403},
		step{"admin", "PATCH /orders/2", `{"orderStatus":"cancelled"}`, 404},
		step{"admin", "PATCH /orders/1", `{"orderStatus":"shipped"}`, 409},
		step{"alice", "POST /orders/1/payments", invoice, 201},
		step{"alice", "PATCH /orders/1", `{"orderStatus":"cancelled"}`, 422},
		step{"alice", "PATCH /orders/1", `{"orderStatus":"cancelled","reason":"Too late"}`, 200})},
	{"payments", "", "", on(anOrder,
		step{"alice", "POST /orders/1/payments", `{"method":"cash"}`, 400},
		step{"", "POST /orders/1/payments", invoice, 401},
		step{"bob", "POST /orders/1/payments", invoice, 403},
		step{"alice", "POST /orders/2/payments", invoice, 404},
		step{"alice", "POST /orders/1/payments", `{"method":"voucher"}`, 422},
		step{"alice", "POST /orders/1/payments", card, 503},
		step{"alice", "POST /orders/1/payments", `{"method":"voucher","voucherCode":"XMAS"}`, 201},
		step{"admin", "POST /orders/1/payments", invoice, 409},
		step{"alice", "GET /orders/1/payments/1", "", 200},
		step{"", "GET /orders/1/payments/1", "", 401},
		step{"bob", "GET /orders/1/payments/1", "", 403},
		step{"alice", "GET /orders/1/payments/2", "", 404})},
	{"a card declined", `{"approved":false}`, "", on(anOrder,
		step{"alice", "POST /orders/1/payments", card, 402})},
	{"a card approved", `{"approved":true,"receipt":"R-1"}`, "", on(anOrder,
		step{"alice", "POST /orders/1/payments", card, 201})},
	{"stock", "", "", on(aProduct,
		step{"", "GET /stock/TENT-0001", "", 200},
		step{"", "GET /stock/TENT-0002", "", 404},
		step{"", "POST /stock/TENT-0002/sync", "", 404},
		step{"", "POST /stock/TENT-0001/sync", "", 503})},
	{"stock fed", "", "OK 12", on(aProduct,
		step{"", "POST /stock/TENT-0001/sync", "", 200},
		step{"", "POST /stock/TENT-0002/sync", "", 404})},
	{"customers", "", "", []step{
		{"", "POST /customers", `{"fullName":"Mia Berg","contact":{"email":"mia@example.org","phone":"+43316123456"},"newsletter":true,"preferences":{"colour":"red"}}`, 201},
		{"", "POST /customers", `{"fullName":"Mia Berg","birthDate":"1999-13-01"}`, 400},
		{"", "POST /customers", `{"fullName":"Mia Berg","birthDate":"1899-12-31"}`, 422},
		{"", "GET /customers/1", "", 200},
		{"", "GET /customers/2", "", 404},
		{"", "PATCH /customers/1", `{"preferences":{"size":"M"},"newsletter":false}`, 200},
		{"", "PATCH /customers/1", `{"fullName":"M"}`, 400},
		{"", "PATCH /customers/2", `{}`, 404},
		{"", "POST /customers", `{"fullName":"Jo Tal"}`, 201},
		{"", "PATCH /customers/2", `{"newsletter":true}`, 422}}},
	{"coupons", "", "", []step{
		{"admin", "PUT /coupons/HIKE24", twoTiers, 201},
		{"admin", "PUT /coupons/HIKE24", twoTiers, 200},
		{"admin", "PUT /coupons/X", twoTiers, 400},
		{"", "PUT /coupons/HIKE24", twoTiers, 401},
		{"bob", "PUT /coupons/HIKE24", twoTiers, 403},
		{"admin", "PUT /coupons/HIKE24", strings.Replace(twoTiers, "2026-01", "2027-01", 1), 422},
		{"", "GET /coupons/HIKE24?basketCents=60000&at=2026-05-31", "", 200},
		{"", "GET /coupons/HIKE24?basketCents=-1", "", 400},
		{"", "GET /coupons/HIKE25", "", 404}}},
	{"stores", "", "", []step{
		{"", "GET /stores?town=kiel", "", 200},
		{"", "GET /stores?town=k", "", 400},
		{"", "GET /stores/2/hours?date=2026-12-25", "", 200},
		{"", "GET /stores/2/hours", "", 400},
		{"", "GET /stores/4/hours?date=2026-12-25", "", 404}}},
	{"health", "", "", []step{{"", "GET /health", "", 200}}},
}

// outsideConfig opens what a test needs outside of the shop.
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
	if slices.Sort(missing); len(missing) > 0 {
		t.Errorf("declared but not reached: %q", missing)
	}
}

// TestSameAnswersAfterReset follows every scenario twice on one shop.
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
