package demo

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestListing checks which products a search lists and in which order.
func TestListing(t *testing.T) {
	v := visit(t, Config{})
	for _, p := range []struct {
		name, category string
		cents          int
	}{{"Cedar", "tent", 300}, {"Aspen", "boots", 200}, {"Birch", "tent", 200}, {"Aspen", "tent", 400}} {
		body := fmt.Sprintf(`{"productName":%q,"category":%q,"weightGrams":100,"priceCents":%d}`, p.name, p.category, p.cents)
		v.call("admin", "POST /products", body)
	}
	for query, want := range map[string][]int{
		"":                                    {1, 2, 3, 4},
		"sort=oldest":                         {1, 2, 3, 4},
		"sort=name":                           {2, 4, 3, 1},
		"sort=cheapest":                       {2, 3, 1, 4},
		"sort=dearest":                        {4, 1, 2, 3},
		"category=tent":                       {1, 3, 4},
		"category=rope":                       nil,
		"minPriceCents=300":                   {1, 4},
		"maxPriceCents=300&sort=name":         {2, 3, 1},
		"minPriceCents=300&maxPriceCents=300": {1},
		"offset=1&limit=2":                    {2, 3},
		"offset=3":                            {4},
		"offset=4":                            nil,
		"sort=dearest&offset=1&limit=1":       {1},
	} {
		var list []product
		if err := json.Unmarshal([]byte(v.call("", "GET /products?"+query, "").body), &list); err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, p := range list {
			got = append(got, p.ProductID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got products %v, want %v", query, got, want)
		}
	}
}

// TestCartLimits checks the limits of a line and of a cart, and their prices.
func TestCartLimits(t *testing.T) {
	v := visit(t, Config{})
	add := func(product, quantity, want int) step {
		return step{
			as:   "",
			op:   "POST /carts/{cart}/items",
			body: fmt.Sprintf(`{"productId":%d,"quantity":%d}`, product, quantity),
			want: want,
		}
	}
	cart := on(
		aProduct, step{as: "admin", op: "POST /products", body: stove, want: 201},
		step{as: "", op: "POST /carts", body: `{"productId":1,"quantity":99,"giftWrap":true}`, want: 201},
	)
	got := v.follow(on(
		cart, add(1, 51, 200), add(1, 1, 422), add(2, 61, 422), add(2, 60, 201), add(2, 1, 422),
		step{as: "", op: "GET /carts/{cart}", body: "", want: 200},
	))
	// 150 tents at 255.00, their gift wrap at a twentieth of that, and 60 stoves at 36.00.
	if want := `"totalCents":4232250,`; !strings.Contains(got.body, want) {
		t.Errorf("got cart %s, want %s", got.body, want)
	}
	full := on(aProduct, step{as: "", op: "POST /carts", body: inCart, want: 201})
	for n := 2; n <= maxLines+1; n++ {
		want := 201
		if n > maxLines {
			want = 422
		}
		full = on(full, step{as: "admin", op: "POST /products", body: tent, want: 201}, add(n, 1, want))
	}
	v.follow(full)
}

// TestParcels checks that all parcels of an order except the last are full.
func TestParcels(t *testing.T) {
	v := visit(t, Config{})
	got := v.follow(on([]step{{as: "admin", op: "POST /products", body: strings.Replace(tent, "2500", "9000", 1), want: 201}},
		step{as: "", op: "POST /carts", body: strings.Replace(inCart, ":2", ":5", 1), want: 201},
		step{as: "alice", op: "POST /orders", body: ordered, want: 201}))
	if want := `"parcels":[20000,20000,5000],`; !strings.Contains(got.body, want) {
		t.Errorf("got order %s, want %s", got.body, want)
	}
}
