package main

import (
	"fmt"
	"slices"
	"strings"
)

// open fills the shop with products and coupons.
func (v *visitor) open() {
	categories := []string{"tent", "backpack", "boots", "stove", "rope"}
	seasons := []string{"summer", "winter", "all-year"}
	for i := range 15 {
		category := categories[i%len(categories)]
		p := object{
			"productName": fmt.Sprintf("%s %s", pick(v, "Light", "Robust", "Warm", "Dry"), category),
			"category":    category, "weightGrams": 200 + 100*v.chance.IntN(60), "priceCents": 1900 + 1000*v.chance.IntN(60),
		}
		if category == "rope" {
			p["lengthMetres"] = 20 + 10*v.chance.IntN(7)
		}
		if v.luck(60) {
			p["season"] = pick(v, seasons...)
		}
		made := v.own("POST", "/products", p)
		v.products = append(v.products, made.id("productId"))
		v.own("POST", fmt.Sprintf("/stock/%v/sync", made.fields["sku"]), nil)
	}
	v.leaf()
	for _, id := range v.products[:5] {
		v.price(id)
	}
	v.own("PUT", "/coupons/HIKE24", tiers(50000, 20, 10000, 10))
	v.own("PUT", "/coupons/SPRING", object{"tiers": []object{{"fromCents": 2000, "discountPercent": 5}}, "validFrom": "2026-03-01", "validUntil": "2026-05-31"})
	v.own("POST", "/products", object{"productName": "Long rope", "category": "rope", "weightGrams": 900, "priceCents": 8000})
}

// leaf lists products in many ways, before the visitors come.
func (v *visitor) leaf() {
	v.ask("/products",
		field{"category", []any{"sledge", "tent", "backpack", "boots", "stove", "rope"}}, field{"minPriceCents", []any{-1, 0, 20900, 500000, 500001, "cheap"}},
		field{"maxPriceCents", []any{-1, 0, 20900, 500000, 500001, "dear"}}, field{"sort", []any{"heaviest", "oldest", "name", "cheapest", "dearest"}},
		field{"offset", []any{-1, 0, 14, 15, 16, 10000, 10001, "next"}}, field{"limit", []any{0, 1, 14, 100, 101, "all"}})
	for _, page := range []string{"offset=5&limit=5", "offset=10&limit=20", "minPriceCents=30000&maxPriceCents=20000", "minPriceCents=20000&maxPriceCents=19999", "minPriceCents=20000&maxPriceCents=20000", "category=tent&sort=dearest&limit=2", ""} {
		v.get("/products?%s", page)
	}
}

func tiers(pairs ...int) object {
	var all []object
	for pair := range slices.Chunk(pairs, 2) {
		all = append(all, object{"fromCents": pair[0], "discountPercent": pair[1]})
	}
	return object{"tiers": all}
}

// price gives a product a new price and a promotion.
func (v *visitor) price(id int) {
	v.own("PUT", fmt.Sprintf("/products/%d/price", id), object{
		"priceCents": 2500 + 500*v.chance.IntN(80),
		"promotion":  object{"percentOff": 5 * (1 + v.chance.IntN(6)), "startsOn": "2026-06-01", "endsOn": pick(v, "2026-06-30", "2026-07-31")},
	})
}

// look does what the admin does from time to time.
func (v *visitor) look() {
	for _, id := range v.take(4) {
		v.ship(id)
	}
	switch v.chance.IntN(5) {
	case 0:
		v.price(pick(v, v.products...))
	case 1:
		v.own("PUT", "/coupons/"+pick(v, "HIKE24", "AUTUMN", "CLUB"), tiers(1000*(1+v.chance.IntN(9)), 5, 60000, 15))
	case 2:
		v.own("PUT", "/coupons/TWICE", tiers(5000, 10, 5000, 20))
	case 3:
		v.own("PUT", fmt.Sprintf("/products/%d/price", pick(v, v.products...)), object{"priceCents": 20})
	default:
		short := v.own("POST", "/products", object{"productName": "Last of its kind", "category": "boots", "weightGrams": 1200, "priceCents": 9900})
		v.own("DELETE", fmt.Sprintf("/products/%d", short.id("productId")), nil)
		v.own("DELETE", fmt.Sprintf("/products/%d", short.id("productId")), nil)
	}
	sku := v.get("/products/%d", pick(v, v.products...)).fields["sku"]
	v.own("POST", fmt.Sprintf("/stock/%v/sync", sku), nil)
	v.get("/stock/%v", sku)
}

// ship ships an order by a carrier that fits its delivery.
func (v *visitor) ship(id int) {
	path := fmt.Sprintf("/orders/%d", id)
	o := v.own("GET", path, nil)
	move := object{"orderStatus": "shipped"}
	switch delivery, _ := o.fields["delivery"].(string); {
	case delivery == "express":
		move["carrier"] = "courier"
	case delivery == "standard" && v.luck(80):
		move["carrier"] = pick(v, "post", "courier")
	}
	if v.own("PATCH", path, move).status == 422 {
		move["carrier"] = "post"
		v.own("PATCH", path, move)
	}
	if v.luck(50) {
		v.own("PATCH", path, object{"orderStatus": "delivered"})
	}
}

// close ships the remaining orders, and reads some resources a last time.
func (v *visitor) close() {
	for _, id := range v.take(10) {
		v.ship(id)
	}
	v.get("/products?sort=dearest&limit=100")
	for _, name := range strings.Fields("orders products") {
		v.get("/%s/100000", name)
	}
}

// take removes up to most of the orders that the admin may ship, and returns them.
func (d *day) take(most int) []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := min(most, len(d.paid))
	some := slices.Clone(d.paid[:n])
	d.paid = d.paid[n:]
	return some
}

// ready marks an order as one that the admin may ship.
func (d *day) ready(order int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paid = append(d.paid, order)
}
