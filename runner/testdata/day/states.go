package main

import "strings"

// tooMany adds to carts and lines until the shop refuses more.
func (v *visitor) tooMany() {
	cart, _ := v.cart(v.made("stove", 3000, 400), 60)
	stove, boots := v.made("stove", 3000, 400), v.made("boots", 3000, 400)
	for _, line := range []object{
		{"productId": stove, "quantity": 61}, {"productId": stove, "quantity": 59}, {"productId": stove, "quantity": 1}, {"productId": stove, "quantity": 1},
		{"productId": boots, "quantity": 99}, {"productId": boots, "quantity": 51}, {"productId": boots, "quantity": 1}, {"productId": boots, "quantity": 1, "size": "S"},
	} {
		v.send("", "POST", cart+"/items", line)
	}
	v.get("%s", cart)
	v.send("", "POST", "/carts", object{"productId": stove, "quantity": 61, "giftWrap": false})
}

// lines adds lines to a cart until the shop refuses more.
func (v *visitor) lines() {
	cart, _ := v.cart(v.products[0], 1)
	for i := range 5 {
		for _, size := range []string{"S", "M", "L", "XL"} {
			v.send("", "POST", cart+"/items", object{"productId": v.products[i], "quantity": 1, "size": size})
		}
	}
	v.send("", "POST", cart+"/items", object{"productId": v.products[0], "quantity": 1})
	v.get("%s", cart)
}

// tooHeavy orders the largest weight that parcels hold, and more.
func (v *visitor) tooHeavy() {
	heavy, odd := v.made("tent", 3000, 20000), v.made("rope", 3000, 1)
	for _, delivery := range []string{"standard", "pickup"} {
		for _, more := range []bool{false, true} {
			cart, id := v.cart(heavy, 99)
			v.send("", "POST", cart+"/items", object{"productId": heavy, "quantity": 28})
			if more {
				v.send("", "POST", cart+"/items", object{"productId": odd, "quantity": 1})
			}
			v.send(user, "POST", "/orders", object{"cartId": id, "delivery": delivery, "address": home()})
		}
	}
	v.ordered(v.made("tent", 3000, 15000), 3, nil)
}

// wrongState changes carts and products that were ordered, and orders empty carts.
func (v *visitor) wrongState() {
	product := v.made("boots", 6000, 700)
	cart, id := v.cart(product, 1)
	order := object{"cartId": id, "delivery": "standard", "address": home()}
	v.send(boss, "DELETE", at("/products/%d", product), nil)
	v.send(user, "POST", "/orders", order)
	v.send(user, "POST", "/orders", order)
	v.send("", "POST", cart+"/items", object{"productId": product, "quantity": 1})
	v.send("", "DELETE", cart+"/items/1", nil)
	v.get("%s", cart)
	v.send(boss, "DELETE", at("/products/%d", product), nil)
	v.get("/products/%d", product)
	v.emptied()
}

// emptied removes all lines of a cart, one of them twice, and orders the cart.
func (v *visitor) emptied() {
	wrapped := v.send("", "POST", "/carts", object{"productId": v.products[1], "quantity": 3, "giftWrap": true})
	more := v.send("", "POST", wrapped.location+"/items", object{"productId": v.products[2], "quantity": 1})
	for _, id := range []any{firstLine(wrapped), more.fields["itemId"], more.fields["itemId"]} {
		v.send("", "DELETE", at("%s/items/%v", wrapped.location, id), nil)
		v.get("%s", wrapped.location)
	}
	v.send(user, "POST", "/orders", object{"cartId": wrapped.fields["cartId"], "delivery": "pickup", "address": home()})
}

// firstLine returns the id of a cart's first line, 0 if it has none.
func firstLine(cart said) any {
	if lines, _ := cart.fields["lines"].([]any); len(lines) > 0 {
		if line, is := lines[0].(map[string]any); is {
			return line["itemId"]
		}
	}
	return 0
}

// wrongMove changes the status of orders in every wrong order.
func (v *visitor) wrongMove() {
	product := v.products[3]
	for _, how := range []object{{"delivery": "standard"}, {"delivery": "express"}, {"delivery": "pickup"}, {"delivery": "standard", "payOn": "delivery"}} {
		order := v.ordered(product, 1, how)
		v.moves(order, "shipped", "delivered")
		if how["payOn"] == nil {
			v.voucher(order)
		}
		v.moves(order, "delivered", "cancelled", "shipped")
		v.send(boss, "PATCH", order, object{"orderStatus": "shipped", "carrier": "post"})
		v.send(boss, "PATCH", order, object{"orderStatus": "shipped", "carrier": "courier"})
		v.own("GET", order, nil)
		v.moves(order, "shipped", "cancelled", "delivered", "delivered")
		v.own("GET", order, nil)
	}
	dropped := v.ordered(product, 1, nil)
	v.moves(dropped, "cancelled", "cancelled", "shipped")
	v.voucher(dropped)
	v.own("GET", dropped, nil)
}

// moves changes the status of an order, each time as the user and then as the admin.
func (v *visitor) moves(order string, all ...string) {
	for _, to := range all {
		v.send(user, "PATCH", order, object{"orderStatus": to})
		v.send(boss, "PATCH", order, object{"orderStatus": to})
	}
}

// wrongPayment pays orders twice, without required values, or in too many instalments.
func (v *visitor) wrongPayment() {
	for _, cents := range []int{19999, 20000} {
		product := v.made("rope", cents, 1000)
		order := v.ordered(product, 1, nil)
		for _, how := range []object{{"method": "card"}, {"method": "voucher"}, {"method": "invoice", "instalments": 2}, {"method": "invoice", "instalments": 1}, {"method": "invoice"}} {
			v.send(user, "POST", order+"/payments", how)
		}
	}
	product := v.made("rope", 33333, 1000)
	for _, how := range []object{{"method": "invoice"}, {"method": "invoice", "instalments": 1}, {"method": "invoice", "instalments": 2}, {"method": "invoice", "instalments": 3}, {"method": "invoice", "instalments": 4}, {"method": "voucher", "voucherCode": "GIFT1", "instalments": 3}} {
		paid := v.send(user, "POST", v.ordered(product, 1, nil)+"/payments", how)
		v.send(user, "GET", paid.location, nil)
	}
	onDelivery := v.ordered(product, 1, object{"payOn": "delivery"})
	v.voucher(onDelivery)
}

// wrongThing requests resources that do not exist.
func (v *visitor) wrongThing() {
	product, order := v.made("boots", 6000, 700), v.ordered(v.products[4], 1, nil)
	for _, id := range []string{"0", "-1", "01", "first", "99999"} {
		v.get("/products/%s", id)
		v.get("/products/%s/price", id)
		v.get("/products/%s/reviews", id)
		v.get("/products/%d/reviews/%s", product, id)
		v.own("GET", "/orders/"+id, nil)
		v.own("GET", order+"/payments/"+id, nil)
		v.get("/customers/%s", id)
	}
	v.own("POST", "/products/99999/reviews", object{"rating": 5, "title": "Great"})
	v.send(boss, "PUT", "/products/99999/price", object{"priceCents": 5000})
	v.send(boss, "DELETE", "/products/99999", nil)
	v.own("PATCH", "/orders/99999", object{"orderStatus": "cancelled"})
	v.own("POST", "/orders/99999/payments", object{"method": "voucher"})
	v.send("", "PATCH", "/customers/99999", object{"newsletter": false})
	v.send("", "POST", "/carts/none/items", object{"productId": product, "quantity": 1})
	v.send("", "DELETE", "/carts/none/items/1", nil)
	v.get("/carts/none")
	v.get("/stock/SKIS-0001")
	v.send("", "POST", "/stock/SKIS-0001/sync", nil)
	v.get("/coupons/NONE?basketCents=-1")
}

// wrongPerson sends requests for which the user has no permission.
func (v *visitor) wrongPerson() {
	product := v.made("boots", 6000, 700)
	v.knock("POST", "/products", object{"productName": "Mine"})
	v.knock("PUT", at("/products/%d/price", product), object{"priceCents": 100})
	v.knock("DELETE", at("/products/%d", product), nil)
	v.knock("PUT", "/coupons/MINE", tiers(1000, 90))
	v.knock("POST", at("/products/%d/reviews", product), object{"rating": 5, "title": "Good"})
	order := v.ordered(product, 1, nil)
	paid := v.voucher(order).location
	for _, token := range []string{"", "nobody", other, boss} {
		v.send(token, "GET", order, nil)
		v.send(token, "GET", paid, nil)
		v.send(token, "POST", order+"/payments", object{"method": "voucher", "voucherCode": "GIFT1"})
		v.send(token, "PATCH", order, object{"orderStatus": "cancelled", "reason": "Not mine"})
		v.send(token, "POST", "/orders", object{})
	}
	v.send(user, "GET", v.ordered(product, 1, nil)+strings.TrimPrefix(paid, order), nil) // the payment of another order
}

// opinions writes reviews, and reads those with at least some rating.
func (v *visitor) opinions() {
	product := v.made("tent", 20000, 2000)
	path := at("/products/%d/reviews", product)
	v.get("%s", path)
	v.send(user, "POST", path, object{"rating": 4, "title": "Good enough"})
	v.send(other, "POST", path, object{"rating": 1, "title": "Wet", "text": "Water on all sides"})
	v.send(other, "POST", path, object{"rating": 5, "title": "Dry after all"})
	v.ask(path, field{"minRating", []any{0, 1, 2, 4, 5, 6, "good"}})
	v.get("%s", path)
}

// hobbies adds preferences to customers until the shop refuses more, and changes the newsletter.
func (v *visitor) hobbies() {
	some := v.send("", "POST", "/customers", object{"fullName": "Ada Wald", "preferences": hobby(7)}).location
	for _, p := range []object{{"hobby0": "no"}, {"last": "yes"}, {"hobby1": "no"}, {"more": "yes"}} {
		v.send("", "PATCH", some, object{"preferences": p})
	}
	v.send("", "PATCH", some, object{"newsletter": true})
	v.get("%s", some)
	for _, contact := range []any{object{"phone": "12345"}, object{"email": "ada@example.org"}, object{}} {
		made := v.send("", "POST", "/customers", object{"fullName": "Ada Wald", "contact": contact})
		v.send("", "PATCH", made.location, object{"newsletter": true})
		v.get("%s", made.location)
		v.send("", "POST", "/customers", object{"fullName": "Ada Wald", "contact": contact, "newsletter": true})
	}
}
