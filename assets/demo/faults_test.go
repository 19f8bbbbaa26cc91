package demo

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// triggers lead to each fault; the last step's status is the healthy shop's.
var triggers = map[string]struct {
	provider, feed string
	steps          []step
}{
	"F01": {steps: []step{{"", "GET /products?offset=1", "", 200}}},
	"F02": {steps: []step{{"", "GET /stores/1/hours?date=2026-05-31", "", 200}}},
	"F03": {steps: []step{{"", "POST /customers", `{"fullName":"Mia Berg","newsletter":true}`, 422}}},
	"F04": {steps: []step{{"", "GET /products?minPriceCents=20002&maxPriceCents=20000", "", 200}}},
	"F05": {steps: on(aProduct, step{"", "GET /products/1/reviews?minRating=1", "", 200})},
	"F06": {steps: []step{
		{"", "POST /customers", `{"fullName":"Mia Berg"}`, 201},
		{"", "PATCH /customers/1", `{"preferences":{"colour":"red"}}`, 200}}},
	"F07": {steps: []step{
		{"admin", "PUT /coupons/HIKE24", twoTiers, 201},
		{"", "GET /coupons/HIKE24?basketCents=9999", "", 200}}},
	"F08": {feed: "OK", steps: on(aProduct, step{"", "POST /stock/TENT-0001/sync", "", 404})},
	"F09": {steps: on(aProduct,
		step{"", "POST /carts", strings.Replace(inCart, "false", "true", 1), 201},
		step{"", "DELETE /carts/{cart}/items/1", "", 204})},
	"F10": {steps: []step{
		{"admin", "POST /products", strings.Replace(tent, "2500", "40000", 1), 201},
		{"", "POST /carts", strings.Replace(inCart, `"quantity":2`, `"quantity":64`, 1), 201},
		{"alice", "POST /orders", ordered, 422}}},
	"F11": {provider: `{"approved":true,"receipt":17}`, steps: on(anOrder, step{"alice", "POST /orders/1/payments", card, 201})},
	"F12": {steps: on(anOrder,
		step{"alice", "POST /orders/1/payments", `{"method":"invoice"}`, 201},
		step{"alice", "GET /orders/1/payments/1", "", 200})},
}

func TestFaults(t *testing.T) {
	for i, f := range Faults() {
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

// breaks checks that the last step alone gets a 500, which names the fault, and
// that the shop goes on.
func breaks(t *testing.T, c Config, steps []step, fault string) {
	t.Helper()
	v := visit(t, c)
	last := steps[len(steps)-1]
	v.follow(steps[:len(steps)-1])
	for range 2 { // a fault leaves no trace, it comes again
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

// TestFaultsHaveNearMisses takes each fault's call with values just beside the
// trigger, where the faulty shop must do well.
func TestFaultsHaveNearMisses(t *testing.T) {
	near := map[string][]step{
		"F01": on(aProduct, step{"", "GET /products?offset=1", "", 200}),
		"F02": {{"", "GET /stores/1/hours?date=2026-06-01", "", 200}},
		"F03": {{"", "POST /customers", `{"fullName":"Mia Berg","newsletter":true,"contact":{}}`, 422}},
		"F04": on(aProduct, step{"", "GET /products?minPriceCents=20001&maxPriceCents=20000", "", 200}),
		"F05": on(aProduct, step{"", "GET /products/1/reviews", "", 200}, step{"alice", "POST /products/1/reviews", `{"rating":3,"title":"Good"}`, 201},
			step{"", "GET /products/1/reviews?minRating=3", "", 200}),
		"F06": {{"", "POST /customers", `{"fullName":"Mia Berg","preferences":{}}`, 201},
			{"", "PATCH /customers/1", `{"preferences":{"colour":"red"}}`, 200}},
		"F07": {{"admin", "PUT /coupons/HIKE24", twoTiers, 201},
			{"", "GET /coupons/HIKE24?basketCents=10000", "", 200},
			{"", "GET /coupons/HIKE24?basketCents=9999&at=2027-01-01", "", 200}},
		"F09": on(aCart, step{"", "DELETE /carts/{cart}/items/1", "", 204}, step{"alice", "POST /orders", ordered, 409}),
		"F10": {
			{"admin", "POST /products", strings.Replace(tent, "2500", "40000", 1), 201},
			{"", "POST /carts", strings.Replace(inCart, `"quantity":2`, `"quantity":63`, 1), 201},
			{"alice", "POST /orders", ordered, 201}},
		"F12": on(anOrder,
			step{"alice", "POST /orders/1/payments", `{"method":"invoice","instalments":2}`, 201},
			step{"alice", "GET /orders/1/payments/1", "", 200}),
	}
	for id, steps := range near {
		t.Run(id, func(t *testing.T) { visit(t, Config{}).follow(steps) })
	}
}
