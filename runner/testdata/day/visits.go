package main

import "fmt"

// come makes one visit. Its kind is random.
func (v *visitor) come() {
	switch n := v.chance.IntN(100); {
	case n < 55:
		v.browse()
		v.buy()
	case n < 70:
		v.browse()
	case n < 82:
		v.join()
	case n < 92:
		v.visitStore()
	default:
		v.stray()
	}
}

// browse reads products, prices, reviews and stock.
func (v *visitor) browse() {
	v.get("/products?category=%s&sort=%s&limit=%d", pick(v, "tent", "boots", "stove"), pick(v, "name", "cheapest", "dearest", "oldest"), 3+v.chance.IntN(9))
	for range 1 + v.chance.IntN(2) {
		id := pick(v, v.products...)
		product := v.get("/products/%d", id)
		v.get("/products/%d/price?quantity=%d&on=%s", id, pick(v, 1, 2, 12, 60, 120), pick(v, "2026-05-31", "2026-06-15", "2026-08-01"))
		if v.luck(40) {
			v.get("/products/%d/reviews", id)
		}
		if v.luck(40) {
			v.get("/stock/%v", product.fields["sku"])
		}
	}
	if v.luck(30) {
		v.get("/products?minPriceCents=%d&maxPriceCents=%d&offset=%d", 2000, 30000, v.chance.IntN(3))
	}
}

// buy fills a cart, orders it and pays.
func (v *visitor) buy() {
	cart := v.send("", "POST", "/carts", object{"productId": pick(v, v.products...), "quantity": pick(v, 1, 2, 3, 10), "giftWrap": v.luck(30)})
	path := cart.location
	if path == "" {
		return
	}
	for range v.chance.IntN(3) {
		v.send("", "POST", path+"/items", v.item())
	}
	if v.luck(40) {
		item := v.send("", "POST", path+"/items", v.item())
		v.send("", "DELETE", fmt.Sprintf("%s/items/%d", path, item.id("itemId")), nil)
	}
	v.get("%s", path)
	if v.luck(10) {
		return // the visitor leaves without an order
	}
	o := v.own("POST", "/orders", v.order(cart.fields["cartId"]))
	if o.location == "" {
		return
	}
	v.own("GET", o.location, nil)
	v.pay(o)
}

func (v *visitor) item() object {
	item := object{"productId": pick(v, v.products...), "quantity": pick(v, 1, 1, 2, 5)}
	if v.luck(50) {
		item["size"] = pick(v, "S", "M", "L", "XL")
	}
	return item
}

func (v *visitor) order(cart any) object {
	o := object{
		"cartId": cart, "delivery": pick(v, "standard", "standard", "express", "pickup"),
		"address": pick(v,
			object{"street": "Bergweg 7", "postcode": 80101, "country": "DE"},
			object{"street": "Hauptplatz 1", "postcode": 8010, "country": "AT"},
			object{"street": "Seestrasse 12", "postcode": 3600, "country": "CH"}),
	}
	if v.luck(15) {
		o["payOn"] = "delivery"
	}
	return o
}

// pay pays an order in a random way, or cancels it.
func (v *visitor) pay(o said) {
	path := o.location + "/payments"
	card := fmt.Sprintf("tok-%08x-", v.chance.Uint32())
	invoice := object{"method": "invoice", "instalments": 2 + v.chance.IntN(3)}
	voucher := object{"method": "voucher", "voucherCode": fmt.Sprintf("GIFT%04d", v.chance.IntN(10000))}
	var answer said
	switch n := v.chance.IntN(100); {
	case n < 45:
		answer = v.own("POST", path, object{"method": "card", "cardToken": card + "4242"})
	case n < 60: // the card is declined, and the visitor pays in another way
		v.own("POST", path, object{"method": "card", "cardToken": card + "0002"})
		answer = v.own("POST", path, pick(v, object{"method": "card", "cardToken": card + "1881"}, voucher, invoice))
	case n < 65:
		v.own("POST", path, object{"method": "card", "cardToken": card + "0119"})
	case n < 80:
		answer = v.own("POST", path, invoice)
	case n < 90:
		answer = v.own("POST", path, voucher)
	default:
		v.cancel(o, nil)
		return
	}
	v.after(o, answer)
}

// after reads a payment. Then the visitor cancels the order or, perhaps, writes a review.
func (v *visitor) after(o, payment said) {
	if payment.location != "" {
		v.own("GET", payment.location, nil)
	}
	if v.luck(15) {
		v.cancel(o, pick[any](v, nil, "Found it cheaper"))
		return
	}
	v.ready(o.id("orderId"))
	if v.luck(40) {
		v.review(pick(v, v.products...))
	}
}

func (v *visitor) cancel(o said, reason any) {
	move := object{"orderStatus": "cancelled"}
	if reason != nil {
		move["reason"] = reason
	}
	v.own("PATCH", o.location, move)
}

func (v *visitor) review(product int) {
	path := fmt.Sprintf("/products/%d/reviews", product)
	rating := 1 + v.chance.IntN(5)
	r := object{"rating": rating, "title": pick(v, "Stays dry", "As described", "Hm")}
	if rating < 3 && v.luck(70) {
		r["text"] = "It did not last a single summer."
	}
	made := v.own("POST", path, r)
	if made.status == 201 {
		v.get("%s/%d", path, made.id("id"))
	}
	v.get("%s", path)
}

// join registers a customer.
func (v *visitor) join() {
	born := fmt.Sprintf("%d-0%d-1%d", 1950+v.chance.IntN(50), 1+v.chance.IntN(9), v.chance.IntN(9))
	made := v.send("", "POST", "/customers", object{
		"fullName": pick(v, "Mia Berg", "Jo Tal", "Ada Wald"), "birthDate": born, "newsletter": true, "preferences": object{"colour": pick(v, "red", "green")},
		"contact": object{"email": fmt.Sprintf("member%d@example.org", v.chance.IntN(1000)), "phone": "+43316123456"},
	})
	if made.location == "" {
		return
	}
	v.get("%s", made.location)
	v.send("", "PATCH", made.location, object{"newsletter": false, "preferences": object{"size": pick(v, "S", "M", "L")}})
	if v.luck(40) {
		v.send("", "PATCH", made.location, object{"fullName": "M"})
	}
	v.get("%s", made.location)
}

// visitStore reads the hours of a store and the value of a coupon.
func (v *visitor) visitStore() {
	v.get("/stores?town=%s", pick(v, "graz", "kiel", "thun"))
	v.get("/stores/%d/hours?date=%s", 1+v.chance.IntN(3), pick(v, "2026-06-01", "2026-06-06", "2026-12-25", "2026-06-07"))
	v.get("/coupons/%s?basketCents=%d&at=%s", pick(v, "HIKE24", "SPRING"), pick(v, 12000, 30000, 75000), pick(v, "2026-04-10", "2026-09-01"))
	v.get("/health")
}

// stray sends requests for unknown resources, and invalid requests.
func (v *visitor) stray() {
	v.get("/products/%d", 1000+v.chance.IntN(1000))
	v.get("/products?limit=%s", pick(v, "0", "many", "1000"))
	v.get("/coupons/%s", pick(v, "OLD1", "NEVER"))
	v.send("", "POST", "/orders", object{})
	v.own("POST", "/products", object{})
	v.own("POST", "/carts", pick[any](v, []byte(`{"productId":`), object{"productId": 9999, "quantity": 1, "giftWrap": false}, object{"quantity": 1}))
	v.own("GET", "/orders/1", nil)
	v.get("/stores/9/hours?date=2026-06-01")
}
