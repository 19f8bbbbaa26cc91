package client

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

func TestPath(t *testing.T) {
	for _, c := range []struct{ name, template, value, want string }{
		{"plain", "/products/{id}", "7", "/products/7"},
		{"slash and space", "/products/{id}/price", "a/b c", "/products/a%2Fb%20c/price"},
		{"dots do not climb", "/products/{id}", "..", "/products/%2E%2E"},
		{"empty", "/products/{id}", "", "/products/"},
		{"no value", "/products/{other}", "7", "/products/%7Bother%7D"},
		{"a brace in a value is no parameter", "/{id}/{x}", "{x}", "/%7Bx%7D/%7Bx%7D"},
		{"a loose percent sign", "/a%zz/{id}/%", "7", "/a%25zz/7/%25"},
		{"an escape in the template", "/a%20b/{id}", "7", "/a%20b/7"},
		{"a comma", "/x/{id}", "a,b;c", "/x/a%2Cb%3Bc"},
		{"what looks like the matrix style", "/x/{id}", ";id=a,b", "/x/%3Bid=a%2Cb"},
		{"escaped already", "/x/{id}", "= ;id=a,b%2Fc;id=d", "/x/;id=a,b%2Fc;id=d"},
		{"control characters", "/a\x00b\n\x7f/{id}", "c\x01\r", "/a%00b%0A%7F/c%01%0D"},
		{"relative template", "products", "7", "/products"},
	} {
		t.Run(c.name, func(t *testing.T) {
			value, escaped := strings.CutPrefix(c.value, "= ")
			if got := FillPath(c.template, []model.Arg{{In: model.InPath, Name: "id", Value: value, Escaped: escaped}}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestCreates(t *testing.T) {
	for _, c := range []struct {
		collection, path, param string
		want                    bool
	}{
		{"/carts", "/carts/{id}", "id", true},
		{"/carts/", "/carts/{id}/items", "id", true},
		{"/", "/{id}", "id", true},
		{"/a/{x}/b", "/a/{y}/b/{id}", "id", true},
		{"/a/{x}/b", "/a/{y}/b/{id}", "y", false},
		{"/carts", "/stock/{sku}", "sku", false},
		{"/carts/{id}", "/carts/{id}", "id", false},
	} {
		if got := creates(c.collection, c.path, c.param); got != c.want {
			t.Errorf("creates(%q, %q, %q) is %v", c.collection, c.path, c.param, got)
		}
	}
}

func TestBind(t *testing.T) {
	r := bind(&model.Operation{Method: "POST", Path: "/things"}, model.Call{
		User: "ann",
		Body: &model.Payload{Media: "application/json", Data: `{"a":1}`},
		Args: []model.Arg{
			{In: model.InQuery, Name: "q", Value: "a&b"},
			{In: model.InQuery, Name: "q", Value: "é"},
			{In: model.InQuery, Name: "l", Value: "a,b c|d+"},
			{In: model.InQuery, Name: "m", Value: "a%2C,b", Escaped: true},
			{In: model.InHeader, Name: "X-Kind", Value: "one\r\ntwo"},
			{In: model.InHeader, Name: "bad name", Value: "x"},
			{In: model.InCookie, Name: "s", Value: "1"},
			{In: model.InCookie, Name: "t", Value: "2;3"},
		},
	})
	for _, c := range []struct{ what, got, want string }{
		{"url", r.URL, "/things?q=a%26b&q=%C3%A9&l=a%2Cb%20c%7Cd%2B&m=a%2C,b"},
		{"header", r.Header["X-Kind"][0], "one??two"},
		{"cookie", r.Header["Cookie"][0], "s=1; t=2%3B3"},
		{"media", r.Header["Content-Type"][0], "application/json"},
		{"body", string(r.Body), `{"a":1}`},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, c.got, c.want)
		}
	}
	if _, ok := r.Header["bad name"]; ok {
		t.Error("a header with an invalid name would stop the request")
	}
}

// All values of a header are sent, except of Accept: there, the last value replaces the others and the default.
func TestSeveralValuesOfAHeader(t *testing.T) {
	header := func(name, value string) model.Arg { return model.Arg{In: model.InHeader, Name: name, Value: value} }
	r := bind(&model.Operation{Method: "GET", Path: "/things"}, model.Call{Args: []model.Arg{
		header("x-tag", "a"), header("X-Tag", "b"), header("Accept", "text/csv"), header("accept", "text/html"),
	}})
	if got := r.Header["X-Tag"]; !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("X-Tag is %q", got)
	}
	if got := r.Header["Accept"]; !slices.Equal(got, []string{"text/html"}) {
		t.Errorf("Accept is %q", got)
	}
	if got := bind(&model.Operation{Path: "/"}, model.Call{Args: []model.Arg{header("X-Tag", "a")}}).Header["Accept"]; len(got) != 1 {
		t.Errorf("Accept is %q by default", got)
	}
}
