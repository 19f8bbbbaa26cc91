package demo

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// triggers are steps that lead to each fault. The status of the last step is the one that a healthy shop
// answers.
var triggers = map[string]struct {
	provider, feed string
	steps          []step
}{
	"F01": {steps: []step{{as: "", op: "GET /products?offset=1", body: "", want: 200}}},
	"F02": {steps: []step{{as: "", op: "GET /stores/1/hours?date=2026-05-31", body: "", want: 200}}},
	"F03": {steps: []step{{as: "", op: "POST /customers", body: `{"fullName":"Mia Berg","newsletter":true}`, want: 422}}},
	"F04": {steps: []step{{as: "", op: "GET /products?minPriceCents=20002&maxPriceCents=20000", body: "", want: 200}}},
	"F05": {steps: on(aProduct, step{as: "", op: "GET /products/1/reviews?minRating=1", body: "", want: 200})},
	"F06": {steps: []step{
		{as: "", op: "POST /customers", body: `{"fullName":"Mia Berg"}`, want: 201},
		{as: "", op: "PATCH /customers/1", body: `{"preferences":{"colour":"red"}}`, want: 200},
	}},
	"F07": {steps: []step{
		{as: "admin", op: "PUT /coupons/HIKE24", body: twoTiers, want: 201},
		{as: "", op: "GET /coupons/HIKE24?basketCents=9999", body: "", want: 200},
	}},
	"F08": {feed: "OK", steps: on(aProduct, step{as: "", op: "POST /stock/TENT-0001/sync", body: "", want: 404})},
	"F09": {steps: on(aProduct,
		step{as: "", op: "POST /carts", body: strings.Replace(inCart, "false", "true", 1), want: 201},
		step{as: "", op: "DELETE /carts/{cart}/items/1", body: "", want: 204})},
	"F10": {steps: []step{
		{as: "admin", op: "POST /products", body: strings.Replace(tent, "2500", "40000", 1), want: 201},
		{as: "", op: "POST /carts", body: strings.Replace(inCart, `"quantity":2`, `"quantity":64`, 1), want: 201},
		{as: "alice", op: "POST /orders", body: ordered, want: 422},
	}},
	"F11": {
		provider: `{"approved":true,"receipt":17}`,
		steps:    on(anOrder, step{as: "alice", op: "POST /orders/1/payments", body: card, want: 201}),
	},
	"F12": {steps: on(anOrder,
		step{as: "alice", op: "POST /orders/1/payments", body: `{"method":"invoice"}`, want: 201},
		step{as: "alice", op: "GET /orders/1/payments/1", body: "", want: 200})},
}

func TestFaults(t *testing.T) {
	for i, f := range BuiltInFaults() {
		t.Run(f.ID, func(t *testing.T) {
			if want := fmt.Sprintf("F%02d", i+1); f.ID != want {
				t.Errorf("got fault %s, want %s", f.ID, want)
			}
			trigger := triggers[f.ID]
			last := trigger.steps[len(trigger.steps)-1]
			c := outsideConfig(t, trigger.provider, trigger.feed)
			if outside := c.Payments+c.Stock != ""; outside != f.Outside || len(trigger.steps) != f.Calls {
				t.Errorf("got %d calls, outside %v; the table says %d, %v", len(trigger.steps), outside, f.Calls, f.Outside)
			}
			v := visit(t, Config{Healthy: true, Payments: c.Payments, Stock: c.Stock})
			v.follow(trigger.steps)
			if name := v.name(last.op); name != f.Operation {
				t.Errorf("the last call is for %s, the table says %s", name, f.Operation)
			}
			breaks(t, Config{Payments: c.Payments, Stock: c.Stock}, trigger.steps, "")
			breaks(t, Config{Payments: c.Payments, Stock: c.Stock, Reveal: true}, trigger.steps, f.ID)
		})
	}
}

// breaks checks that only the last step is answered 500, that the answer names the fault, and that the shop
// continues to work.
func breaks(t *testing.T, c Config, steps []step, fault string) {
	t.Helper()
	v := visit(t, c)
	last := steps[len(steps)-1]
	v.follow(steps[:len(steps)-1])
	for range 2 { // a fault changes no state, so the same call triggers it again
		got := v.call(last.as, last.op, last.body)
		if got.status != http.StatusInternalServerError || got.body != `{"error":"internal error"}`+"\n" {
			t.Fatalf("got %d %s, want a 500", got.status, got.body)
		}
		if id := got.header.Get("X-Fault"); id != fault {
			t.Errorf("got X-Fault %q, want %q", id, fault)
		}
	}
	if got := v.call("", "GET /health", ""); got.status != http.StatusOK {
		t.Errorf("afterwards, health is %d", got.status)
	}
}

// TestFaultsHaveNearMisses repeats each fault's call with values next to the trigger, which must not trigger
// the fault.
func TestFaultsHaveNearMisses(t *testing.T) {
	near := map[string][]step{
		"F01": on(aProduct, step{as: "", op: "GET /products?offset=1", body: "", want: 200}),
		"F02": {{as: "", op: "GET /stores/1/hours?date=2026-06-01", body: "", want: 200}},
		"F03": {{as: "", op: "POST /customers", body: `{"fullName":"Mia Berg","newsletter":true,"contact":{}}`, want: 422}},
		"F04": on(aProduct, step{as: "", op: "GET /products?minPriceCents=20001&maxPriceCents=20000", body: "", want: 200}),
		"F05": on(aProduct, step{
			as:   "",
			op:   "GET /products/1/reviews",
			body: "",
			want: 200,
		}, step{as: "alice", op: "POST /products/1/reviews", body: `{"rating":3,"title":"Good"}`, want: 201},
			step{as: "", op: "GET /products/1/reviews?minRating=3", body: "", want: 200}),
		"F06": {
			{as: "", op: "POST /customers", body: `{"fullName":"Mia Berg","preferences":{}}`, want: 201},
			{as: "", op: "PATCH /customers/1", body: `{"preferences":{"colour":"red"}}`, want: 200},
		},
		"F07": {
			{as: "admin", op: "PUT /coupons/HIKE24", body: twoTiers, want: 201},
			{as: "", op: "GET /coupons/HIKE24?basketCents=10000", body: "", want: 200},
			{as: "", op: "GET /coupons/HIKE24?basketCents=9999&at=2027-01-01", body: "", want: 200},
		},
		"F09": on(
			aCart, step{as: "", op: "DELETE /carts/{cart}/items/1", body: "", want: 204},
			step{as: "alice", op: "POST /orders", body: ordered, want: 409},
		),
		"F10": {
			{as: "admin", op: "POST /products", body: strings.Replace(tent, "2500", "40000", 1), want: 201},
			{as: "", op: "POST /carts", body: strings.Replace(inCart, `"quantity":2`, `"quantity":63`, 1), want: 201},
			{as: "alice", op: "POST /orders", body: ordered, want: 201},
		},
		"F12": on(anOrder,
			step{as: "alice", op: "POST /orders/1/payments", body: `{"method":"invoice","instalments":2}`, want: 201},
			step{as: "alice", op: "GET /orders/1/payments/1", body: "", want: 200}),
	}
	for id, steps := range near {
		t.Run(id, func(t *testing.T) { visit(t, Config{}).follow(steps) })
	}
}
