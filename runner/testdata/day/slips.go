package main

// slips are the subjects on which people send wrong or barely right requests. They are divided among
// the visitors.
var slips = []func(*visitor){
	(*visitor).slipProduct, (*visitor).slipPrice, (*visitor).slipReview, (*visitor).slipCart, (*visitor).slipItem, (*visitor).slipOrder,
	(*visitor).slipPayment, (*visitor).slipMove, (*visitor).slipCustomer, (*visitor).slipMember, (*visitor).slipCoupon, (*visitor).slipTill,
	(*visitor).slipQuote, (*visitor).slipStore, (*visitor).tooMany, (*visitor).tooHeavy, (*visitor).wrongState, (*visitor).wrongMove,
	(*visitor).wrongPayment, (*visitor).wrongThing, (*visitor).wrongPerson, (*visitor).opinions, (*visitor).hobbies, (*visitor).lines,
}

func (v *visitor) slipProduct() {
	v.fill(form{boss, "POST", func() (string, object) {
		return "/products", object{"productName": "New boots", "category": "boots", "weightGrams": 900, "priceCents": 9900, "season": "winter"}
	}, []field{
		needed("productName", lengths(3, 60)...), needed("category", "sledge", 1), needed("weightGrams", numbers(1, 50000)...),
		needed("priceCents", numbers(100, 500000)...), maybe("season", options("summer", "all-year")...), maybe("lengthMetres", numbers(5, 200)...),
	}})
	v.send(boss, "POST", "/products", object{"productName": "Rope", "category": "rope", "weightGrams": 900, "priceCents": 9900})
}

func (v *visitor) slipPrice() {
	path := at("/products/%d/price", v.made("tent", 10000, 2000))
	promotion := func() object { return object{"percentOff": 20, "startsOn": "2026-06-01", "endsOn": "2026-06-30"} }
	v.fill(form{boss, "PUT", func() (string, object) { return path, object{"priceCents": 10000, "promotion": promotion()} }, []field{
		needed("priceCents", 99, 500001, 500000, "cheap"), maybe("promotion", 5, left{}), needed("promotion.percentOff", numbers(5, 70)...),
		needed("promotion.startsOn", "2026-02-30", 1, "2026-06-30", "2026-07-01"),
		needed("promotion.endsOn", "soon", 1, "2026-06-01", "2026-05-31", "2026-08-30", "2026-08-31"),
	}})
	for _, p := range [][2]int{{200, 50}, {199, 50}, {100, 5}} {
		o := promotion()
		o["percentOff"] = p[1]
		v.send(boss, "PUT", path, object{"priceCents": p[0], "promotion": o})
	}
	v.send(boss, "PUT", path, object{"priceCents": 100})
}

func (v *visitor) slipReview() {
	v.fill(form{user, "POST", func() (string, object) {
		return at("/products/%d/reviews", v.made("stove", 4000, 500)), object{"rating": 4, "title": "Gets hot"}
	}, []field{needed("rating", numbers(1, 5)...), needed("title", lengths(3, 80)...), maybe("text", lengths(1, 1000)...)}})
	for _, n := range []int{9, 10} {
		v.send(user, "POST", at("/products/%d/reviews", v.made("stove", 4000, 500)), object{"rating": 2, "title": "Cold", "text": text(n)})
	}
	v.send(user, "POST", at("/products/%d/reviews", v.made("stove", 4000, 500)), object{"rating": 3, "title": "Well"})
}

func (v *visitor) slipCart() {
	product := v.made("boots", 7000, 1000)
	v.fill(form{"", "POST", func() (string, object) {
		return "/carts", object{"productId": product, "quantity": 2, "giftWrap": true}
	}, []field{
		needed("giftWrap", "yes", false), needed("productId", 0, 1<<31, "boots", 5000), needed("quantity", numbers(1, 99)...), maybe("size", options("S", "M", "L", "XL")...),
	}})
}

func (v *visitor) slipItem() {
	product := v.made("rope", 7000, 1000)
	cart, _ := v.cart(product, 1)
	v.fill(form{"", "POST", func() (string, object) {
		return cart + "/items", object{"productId": product, "quantity": 1, "size": "S"}
	}, []field{
		needed("productId", 0, 1<<31, "rope", 5000), needed("quantity", 0, 100, 99, "many"), maybe("size", options("S", "XL", left{})...),
	}})
	v.get("%s", cart)
}

func (v *visitor) slipOrder() {
	product := v.made("backpack", 5000, 1500)
	v.fill(form{user, "POST", func() (string, object) {
		_, id := v.cart(product, 1)
		return "/orders", object{"cartId": id, "delivery": "standard", "payOn": "order", "address": home()}
	}, []field{
		needed("cartId", text(35), text(37), text(36), 5), needed("delivery", options("express", "pickup")...), maybe("payOn", options("delivery", left{})...),
		needed("address", "at home"), needed("address.street", lengths(3, 80)...), needed("address.postcode", numbers(1000, 99999)...), needed("address.country", options("AT", "CH")...),
	}})
	for _, to := range []object{{"country": "DE", "postcode": 9999}, {"country": "DE", "postcode": 10000}, {"country": "AT", "postcode": 9999}, {"country": "AT", "postcode": 10000}, {"country": "CH", "postcode": 10000}} {
		to["street"] = "Am Eck 1"
		v.ordered(product, 1, object{"delivery": "express", "address": to})
	}
}

func (v *visitor) slipPayment() {
	product := v.made("tent", 30000, 2000)
	order := v.ordered(product, 1, nil)
	v.fill(form{user, "POST", func() (string, object) {
		if o := v.own("GET", order, nil); o.fields["orderStatus"] != "placed" {
			order = v.ordered(product, 1, nil)
		}
		return order + "/payments", object{"method": "card", "cardToken": "tok-11114242"}
	}, []field{
		needed("method", options("invoice")...), needed("cardToken", code(3), code(4), code(40), code(41), 7), maybe("voucherCode", code(3), code(4), code(12), code(13), 7), maybe("instalments", numbers(1, 4)...),
	}})
}

func (v *visitor) slipMove() {
	order := v.ordered(v.made("tent", 30000, 2000), 1, nil)
	v.voucher(order)
	v.fill(form{boss, "PATCH", func() (string, object) { return order, object{"orderStatus": "shipped"} }, []field{
		needed("orderStatus", options("delivered")...), maybe("carrier", options("post")...), maybe("reason", text(201), text(200), text(3), text(2), 5),
	}})
	for _, n := range []int{3, 200} {
		order := v.ordered(v.products[0], 1, nil)
		v.voucher(order)
		v.send(user, "PATCH", order, object{"orderStatus": "cancelled", "reason": text(n)})
		v.own("GET", order, nil)
	}
}

func (v *visitor) slipCustomer() {
	v.fill(form{"", "POST", func() (string, object) {
		return "/customers", object{
			"fullName": "Mia Berg", "birthDate": "1990-01-31", "newsletter": true, "preferences": object{"colour": "red"},
			"contact": object{"email": "mia@example.org", "phone": "+4331612345"},
		}
	}, []field{
		needed("fullName", lengths(2, 80)...), maybe("birthDate", "1990-02-30", 5, "1899-12-31", "1900-01-01", "2020-12-31", "2021-01-01", left{}),
		maybe("contact", "none", left{}), maybe("contact.email", "mia", "a@", "a@b", mail(100), mail(101), 5, left{}),
		maybe("contact.phone", "12x45", "1234", "12345", "+123456789012345", "1234567890123456", 5, left{}),
		maybe("preferences", "red", hobby(8), hobby(9), object{"colour": text(41)}, object{"colour": text(40)}, object{"colour": ""}, object{"colour": 5}, left{}), maybe("newsletter", "yes", false, left{}),
	}})
}

func mail(n int) string { return text(n-12) + "@example.org" }

// hobby returns n preferences.
func hobby(n int) object {
	all := object{}
	for i := range n {
		all[at("hobby%d", i)] = "yes"
	}
	return all
}

func (v *visitor) slipMember() {
	made := v.send("", "POST", "/customers", object{"fullName": "Jo Tal"}).location
	v.fill(form{"", "PATCH", func() (string, object) { return made, object{"fullName": "Jo Berg"} }, []field{
		maybe("fullName", lengths(2, 80)...), maybe("preferences", "red", object{"colour": text(41)}, object{"colour": text(40)}, hobby(9)), maybe("newsletter", true, false, "no"),
	}})
	v.get("%s", made)
}

func (v *visitor) slipCoupon() {
	tier := func() object { return object{"fromCents": 20000, "discountPercent": 10} }
	v.fill(form{boss, "PUT", func() (string, object) {
		return "/coupons/SLIP", object{"tiers": []object{tier()}, "validFrom": "2026-05-01", "validUntil": "2026-05-31"}
	}, []field{
		needed("tiers", []object{}, "all", []any{tiers(1000, 1)["tiers"].([]object)[0], object{}}, tiers(1000, 1, 2000, 2, 3000, 3, 4000, 4)["tiers"], tiers(1, 1, 2, 2, 3, 3, 4, 4, 5, 5)["tiers"], tiers(3000, 5, 3000, 6)["tiers"]),
		maybe("validFrom", "may", 5, "2026-05-31", "2026-06-01", left{}), maybe("validUntil", "2026-13-01", 5, left{}),
	}})
	for _, t := range [][2]int{{999, 5}, {1000, 1}, {100000, 90}, {100001, 5}, {5000, 0}, {5000, 91}, {999, 0}} {
		v.send(boss, "PUT", "/coupons/EDGE", tiers(t[0], t[1]))
	}
	v.send(boss, "PUT", "/coupons/EDGE", object{"tiers": []object{{"fromCents": 5000}}})
	v.send(boss, "PUT", "/coupons/EDGE", object{"tiers": []object{{"discountPercent": 5}}})
	for _, code := range []string{"abc", "abcd", "ABCDEFGH1234", "ABCDEFGH12345", "a-bcd"} {
		v.send(boss, "PUT", "/coupons/"+code, tiers(1000, 5))
	}
}

func (v *visitor) slipTill() {
	k := tiers(60000, 15, 30000, 10, 5000, 5)
	k["validFrom"], k["validUntil"] = "2026-05-01", "2026-05-31"
	v.send(boss, "PUT", "/coupons/TILL", k)
	v.ask("/coupons/TILL", field{"basketCents", []any{-1, 0, 4999, 5000, 29999, 30000, 60000, 100000, 100001, "much"}}, field{"at", []any{"may", "2026-05-01"}})
	for _, day := range []string{"2026-04-30", "2026-05-01", "2026-05-31", "2026-06-01"} {
		v.get("/coupons/TILL?basketCents=30000&at=%s", day)
	}
	v.get("/coupons/TILL")
}

func (v *visitor) slipQuote() {
	path := at("/products/%d/price", v.made("tent", 9999, 2000))
	v.send(boss, "PUT", path, object{"priceCents": 9999, "promotion": object{"percentOff": 7, "startsOn": "2026-06-01", "endsOn": "2026-06-30"}})
	v.ask(path, field{"quantity", []any{0, 1, 9, 10, 49, 50, 99, 100, 999, 1000, "few"}}, field{"on", []any{"june", "2026-05-31", "2026-06-01", "2026-06-30", "2026-07-01"}})
	for _, n := range []int{9, 10, 50} {
		v.get("%s?quantity=%d&on=2026-06-15", path, n)
	}
	v.get("%s", path)
}

func (v *visitor) slipStore() {
	v.ask("/stores", field{"town", []any{"x", "ab", "GRAZ", "Kiel", text(40), text(41), ""}})
	v.get("/stores")
	for store := range 5 {
		for _, date := range []string{"2026-06-01", "2026-06-03", "2026-06-04", "2026-06-05", "2026-06-06", "2026-06-07"} {
			v.get("/stores/%d/hours?date=%s", store, date)
		}
	}
	for _, date := range []string{"2026-12-24", "2026-12-25", "2026-12-26", "2026-12-28", "2026-11-25", "tomorrow", ""} {
		v.get("/stores/1/hours?date=%s", date)
	}
	v.get("/stores/1/hours")
	v.get("/stores/first/hours?date=2026-06-01")
}
