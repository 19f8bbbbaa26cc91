package main

import (
	"fmt"
	"maps"
	"strings"
)

// form is a request that people send with right and wrong values: values at the limits that the
// shop's document declares, and beyond them.
type form struct {
	token, method string
	// blank returns a valid body, and the path to which it is sent.
	blank  func() (path string, body object)
	fields []field
}

// field is a property of a form with the values that people try. The first value is wrong. The name
// of a property inside another one is such as "address.street".
type field struct {
	name   string
	values []any
}

// left is the value that means that a field is left out.
type left struct{}

// needed returns a required field.
func needed(name string, values ...any) field { return field{name, append(values, left{})} }

// maybe returns an optional field.
func maybe(name string, values ...any) field { return field{name, values} }

// numbers returns values around the limits of a range, and a value that is not a number.
func numbers(low, high int) []any { return []any{low - 1, low, high, high + 1, "many"} }

// lengths returns texts around the limits of a length, and a value that is not a text.
func lengths(low, high int) []any {
	return []any{text(high + 1), text(high), text(low), text(low - 1), 7}
}

// text returns a text of n letters.
func text(n int) string { return strings.Repeat("ä", max(0, n)) }

// code returns a secret of n characters.
func code(n int) string { return strings.Repeat("tok-8", n/5) + strings.Repeat("7", n%5) }

// options returns two invalid values, followed by the valid values of a field.
func options(all ...any) []any { return append([]any{"other", 1}, all...) }

// fill sends the form many times: with each value of each field, with two wrong fields, with an
// empty object, and with bodies that are no valid JSON object.
func (v *visitor) fill(f form) {
	for _, one := range f.fields {
		for _, value := range one.values {
			v.hand(f, map[string]any{one.name: value})
		}
	}
	for i := range f.fields[1:] {
		v.hand(f, map[string]any{f.fields[i].name: f.fields[i].values[0], f.fields[i+1].name: f.fields[i+1].values[0]})
	}
	path, _ := f.blank()
	for _, body := range []any{object{}, []byte(`{"`), []byte(`[]`)} {
		v.send(f.token, f.method, path, body)
	}
}

// hand sends a valid form with some changes.
func (v *visitor) hand(f form, changes map[string]any) {
	path, body := f.blank()
	for name, value := range changes {
		change(body, name, value)
	}
	v.send(f.token, f.method, path, body)
}

// change sets a field of a body, or removes it if the value is left.
func change(o object, name string, value any) {
	first, rest, inner := strings.Cut(name, ".")
	switch inside, is := o[first].(object); {
	case inner && is:
		inside = maps.Clone(inside)
		change(inside, rest, value)
		o[first] = inside
	case value == any(left{}):
		delete(o, first)
	default:
		o[first] = value
	}
}

// ask sends a GET request for each value of each query parameter, and for the first values of each two
// parameters.
func (v *visitor) ask(path string, params ...field) {
	for i, p := range params {
		for _, value := range p.values {
			v.get("%s?%s=%v", path, p.name, value)
		}
		if i > 0 {
			v.get("%s?%s=%v&%s=%v", path, params[i-1].name, params[i-1].values[0], p.name, p.values[0])
		}
	}
}

// knock sends a request as anonymous, with a wrong token, and as a user without permission.
func (v *visitor) knock(method, path string, body any) {
	v.send("", method, path, body)
	v.send("nobody", method, path, body)
	v.send(user, method, path, body)
}

// The tokens of two users and of the admin.
const (
	user  = "demo-alice"
	other = "demo-bob"
	boss  = "demo-admin"
)

// made creates a product, and returns its id.
func (v *visitor) made(category string, cents, grams int) int {
	p := object{"productName": "For a try", "category": category, "weightGrams": grams, "priceCents": cents}
	if category == "rope" {
		p["lengthMetres"] = 60
	}
	return v.send(boss, "POST", "/products", p).id("productId")
}

// cart creates a cart with a quantity of a product, and returns the path and the id of the cart.
func (v *visitor) cart(product, quantity int) (path string, id any) {
	c := v.send("", "POST", "/carts", object{"productId": product, "quantity": quantity, "giftWrap": false})
	return c.location, c.fields["cartId"]
}

// ordered orders a quantity of a product, and returns the path of the order.
func (v *visitor) ordered(product, quantity int, changes object) string {
	_, id := v.cart(product, quantity)
	o := object{"cartId": id, "delivery": "standard", "address": home()}
	maps.Copy(o, changes)
	return v.send(user, "POST", "/orders", o).location
}

func home() object { return object{"street": "Bergweg 7", "postcode": 80101, "country": "DE"} }

// voucher pays an order by voucher.
func (v *visitor) voucher(order string) said {
	return v.send(user, "POST", order+"/payments", object{"method": "voucher", "voucherCode": "GIFT1"})
}

func at(format string, args ...any) string { return fmt.Sprintf(format, args...) }
