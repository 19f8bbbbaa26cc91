package oracle

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

// shapeOf returns the signature of an answer to a request with a value in its body.
func shapeOf(value, answer string) string {
	body, err := json.Marshal(map[string]string{"name": value})
	if err != nil {
		panic(err)
	}
	op := &model.Operation{ID: "POST /things", Method: "POST", Path: "/things", Body: &model.RequestBody{
		Contents: []model.Content{
			{Media: "application/json", Schema: &model.Schema{Properties: []model.Property{{Name: "price"}, {Name: "name"}}}},
		},
	}}
	j, err := NewRules(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}})
	if err != nil {
		panic(err)
	}
	x := model.Exchange{
		Request: model.Request{URL: "/things", Body: body},
		Reply:   model.Reply{Status: 500, Header: map[string][]string{}, Body: []byte(answer)},
	}
	for _, f := range j.Findings(model.Test{Calls: []model.Call{{Op: op.ID}}}, []model.Exchange{x}) {
		if f.Oracle == serverError {
			return f.Signature
		}
	}
	return ""
}

// Messages of one fault have the same shape, even if they repeat different requests or differ in
// variable parts.
func TestShapesOfOneFault(t *testing.T) {
	for _, c := range []struct{ name, format string }{
		{"Go, plain", `no product %s in the store`},
		{"Go, in JSON", `{"error":"price of %s: nil map"}`},
		{"Go, quoted", `strconv.Atoi: parsing "%s": invalid syntax`},
		{"Go, a file", `open /srv/data/%s.json: no such file or directory`},
		{"FastAPI", `{"detail":[{"type":"int_parsing","loc":["body","name"],"msg":"Input should be a valid integer, got %s"}]}`},
		{"Python", `ValueError: invalid literal for int() with base 10: '%s'`},
		{
			"Spring",
			`{"timestamp":"2026-05-31T10:00:00.000+00:00","status":500,"error":"Internal Server Error",` +
				`"message":"Failed to convert %s to Long","path":"/things/%[1]s"}`,
		},
		{"Java", `For input string: "%s"`},
		{
			"Express",
			`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Error</title></head><body>` +
				`<pre>Error: unknown kind %s<br> &nbsp; at /srv/app/index.js:3:7</pre></body></html>`,
		},
		{"Node", `SyntaxError: Unexpected token in %s at position 0`},
		{"Rails", `{"status":500,"error":"Internal Server Error","exception":"#<ArgumentError: %s is not a valid kind>"}`},
		{"PostgreSQL", "pq: duplicate key value violates unique constraint \"things_name\"\nDETAIL: Key (name)=(%s) already exists."},
		{"MySQL", `Error 1062 (23000): Duplicate entry '%s' for key 'things.name'`},
		{"SQLite", `near "%s": syntax error`},
		{"MongoDB", `E11000 duplicate key error collection: shop.things index: name_1 dup key: { name: "%s" }`},
		{"an object", `cannot store {name:%s price:7}`},
		{"in capitals", `UNKNOWN KIND %s`},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := ""
			for _, value := range []string{
				"tent", "a longer name of a tent", "Zelt für zwei", "x7-99f", "12.5", "o'neil", `<b>"bold"</b>`,
				"a/b?c=d", `back\slash`, "true",
			} {
				answer := fmt.Sprintf(c.format, escapedFor(c.format, value))
				if c.name == "in capitals" {
					answer = strings.ToUpper(answer)
				}
				got := shapeOf(value, answer)
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("with %q: %q, want %q", value, got, want)
				}
			}
		})
	}
}

// A value that is not recognized as sent, such as a short number, is masked because of its form, so
// there is still one fault.
func TestShapeOfUnsentValue(t *testing.T) {
	format := `{"code":500,"message":"not found: item %s"}`
	want := shapeOf("84512", fmt.Sprintf(format, "84512"))
	for _, value := range []string{"1", "9223372036854775807", "x7-99f"} {
		if got := shapeOf("another", fmt.Sprintf(format, value)); got != want {
			t.Errorf("item %s: %q, want %q", value, got, want)
		}
	}
}

// escapedFor returns a value, escaped for the message around it.
func escapedFor(format, value string) string {
	switch {
	case strings.HasPrefix(format, "{"):
		return withoutQuotes(quotedJSON(value, false))
	case strings.HasPrefix(format, "<"):
		return html.EscapeString(value)
	case strings.Contains(format, `"%s"`):
		return withoutQuotes(strconv.Quote(value))
	case strings.Contains(format, `'%s'`):
		return strings.ReplaceAll(value, "'", `\'`)
	}
	return value
}

// Two bugs with different messages are two faults.
func TestShapesOfTwoFaults(t *testing.T) {
	for _, c := range []struct{ name, a, b string }{
		{"Go", `{"error":"nil map"}`, `{"error":"division by zero"}`},
		{
			"Go, a panic", "runtime error: index out of range [5] with length 3",
			"runtime error: invalid memory address or nil pointer dereference",
		},
		{"Python, a key", `KeyError: 'price'`, `KeyError: 'name'`},
		{"Python, an attribute", `'NoneType' object has no attribute 'total'`, `'NoneType' object has no attribute 'lines'`},
		{"FastAPI", `{"detail":"no stock"}`, `{"detail":"no price"}`},
		{
			"Spring", `{"status":500,"error":"Internal Server Error","message":"Index 0 out of bounds for length 0"}`,
			`{"status":500,"error":"Internal Server Error","message":"Cannot invoke \"Cart.total()\" because \"cart\" is null"}`,
		},
		{"Node", `Cannot read properties of undefined (reading 'price')`, `Cannot read properties of undefined (reading 'total')`},
		{
			"Express", `<html><head><title>Error</title></head><body><pre>TypeError: x is not a function</pre></body></html>`,
			`<html><head><title>Error</title></head><body><pre>RangeError: Invalid array length</pre></body></html>`,
		},
		{"Rails", "undefined method `total' for nil", "undefined method `lines' for nil"},
		{
			"PostgreSQL", `null value in column "price" violates not-null constraint`,
			`null value in column "name" violates not-null constraint`,
		},
		{"PostgreSQL, a constraint", `violates unique constraint "things_name"`, `violates unique constraint "things_code"`},
		{"a table", `relation "carts" does not exist`, `relation "orders" does not exist`},
		{"source files", "panic in /srv/app/cart.go:17", "panic in /srv/app/order.go:17"},
		{"a word and a code", `{"error":"failed","code":"NO_STOCK"}`, `{"error":"failed","code":"NO_PRICE"}`},
		{"lengths of words", "no stock", "no stock left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if a, b := shapeOf("tent", c.a), shapeOf("tent", c.b); a == b || a == "" || b == "" {
				t.Errorf("%q and %q", a, b)
			}
		})
	}
}

// The shape of a message does not depend on a sent value that the message repeats, however the
// value is spelled.
func TestShapeDoesNotDependOnValues(t *testing.T) {
	spell := map[string]func(string) string{
		"plain": func(s string) string { return s },
		"go":    strconv.Quote,
		"ascii": strconv.QuoteToASCII,
		"json":  func(s string) string { return quotedJSON(s, true) },
		"repr":  repr,
		"html":  html.EscapeString,
		"path":  url.PathEscape,
		"query": url.QueryEscape,
	}
	const before, after = "cannot price: unknown kind ", " ; try again"
	for name, spelled := range spell {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			value := rapid.Custom(func(t *rapid.T) string {
				return strings.TrimSpace(rapid.StringOfN(rapid.Rune(), 2, 60, 200).Draw(t, "value"))
			}).Filter(func(s string) bool {
				// A value that is also part of the message cannot be recognised.
				return len(s) > 1 && isDistinct(s) && !strings.Contains(before+after[1:], lower(s))
			}).Draw(t, "value")
			got := shapeOf(value, before+spelled(value)+after)
			want := shapeOf("wxyz", before+spelled("wxyz")+after)
			if got != want {
				t.Fatalf("with %q: %q, want %q", value, got, want)
			}
		}))
	}
}

// repr returns a text as Python's repr writes it.
func repr(s string) string {
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		return `"` + pythonQuoted(s) + `"`
	}
	return "'" + pythonQuoted(s) + "'"
}

func TestMessage(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":"Internal Server Error","message":"no cart"}`: "no cart",
		`{"error":"Internal Server Error"}`:                     "Internal Server Error",
		`{"error":{"message":"oops","at":1}}`:                   "oops",
		`{"errors":[{"msg":"first"},{"msg":"second"}]}`:         "first",
		`{"code":"E_STOCK","message":"none left"}`:              "E_STOCK: none left",
		`["x"]`: "",
		`oops`:  "",
	} {
		if got := errorMessage([]byte(body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func BenchmarkSignature(b *testing.B) {
	answer := `{"error":"pricing failed","message":"no rate for a longer name of a tent in 2026-05-31T10:00:00Z"}`
	for b.Loop() {
		shapeOf("a longer name of a tent", answer)
	}
}
