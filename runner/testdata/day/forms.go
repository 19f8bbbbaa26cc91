package main

import (
	"fmt"
	"maps"
	"strings"
)

// form is what people fill in, and where they go wrong: each field with values at the
// edge of what the shop's document allows, and beyond.
type form struct {
	token, method string
	// blank is a new form, filled in well, and where it is sent.
	blank  func() (path string, body object)
	fields []field
}

// field is a field by its name, "address.street" for one inside of another, with
// values that people try in it. The first one is wrong.
type field struct {
	name   string
	values []any
}

// left is the value of a field that is left out.
type left struct{}

// needed is a field that must not be left out.
func needed(name string, values ...any) field { return field{name, append(values, left{})} }

// maybe is a field that may be left out.
func maybe(name string, values ...any) field { return field{name, values} }

// numbers are those around the edges of a range, and what is no number.
func numbers(low, high int) []any { return []any{low - 1, low, high, high + 1, "many"} }

// lengths are texts around the edges of how long they may be, and what is no text.
func lengths(low, high int) []any {
	return []any{text(high + 1), text(high), text(low), text(low - 1), 7}
}

// text returns a number of letters.
func text(n int) string { return strings.Repeat("ä", max(0, n)) }

// code returns a secret of a number of characters.
func code(n int) string { return strings.Repeat("tok-8", n/5) + strings.Repeat("7", n%5) }

// options are those that a field has, behind one that it has not.
func options(all ...any) []any { return append([]any{"other", 1}, all...) }

// fill fills the form in again and again: each field with each of its values, then two
// fields wrong at once, then nothing at all, and what is no form.
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

// hand hands a form in that differs from a good one.
func (v *visitor) hand(f form, changes map[string]any) {
	path, body := f.blank()
	for name, value := range changes {
		change(body, name, value)
	}
	v.send(f.token, f.method, path, body)
}

// change changes one field.
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

// ask asks with each value of each parameter, and with the first ones of two at once.
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

// knock calls as anonymous, with a wrong token, and as a user without permission.
func (v *visitor) knock(method, path string, body any) {
	v.send("", method, path, body)
	v.send("nobody", method, path, body)
	v.send(user, method, path, body)
}

// The tokens of two who come, and of who runs the shop.
const (
	user  = "demo-alice"
	other = "demo-bob"
	boss  = "demo-admin"
)

// made makes a product, and returns its id.
func (v *visitor) made(category string, cents, grams int) int {
	p := object{"productName": "For a try", "category": category, "weightGrams": grams, "priceCents": cents}
	if category == "rope" {
		p["lengthMetres"] = 60
	}
	return v.send(boss, "POST", "/products", p).id("productId")
}

// cart opens a cart with a quantity of a product, and returns its path and its id.
func (v *visitor) cart(product, quantity int) (path string, id any) {
	c := v.send("", "POST", "/carts", object{"productId": product, "quantity": quantity, "giftWrap": false})
	return c.location, c.fields["cartId"]
}

// ordered orders a quantity of a product, and returns the order's path.
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
