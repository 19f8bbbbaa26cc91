package shape

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/openapi"

	"github.com/google/go-cmp/cmp"
)

// shop returns the demo's spec.
func shop(t testing.TB) *model.Spec {
	t.Helper()
	spec, err := openapi.Parse(context.Background(), "demo", demo.Specification(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func operation(t testing.TB, id model.OpID) *model.Operation {
	t.Helper()
	for _, op := range shop(t).Operations {
		if op.ID == id {
			return op
		}
	}
	t.Fatalf("the demo has no %s", id)
	return nil
}

func exchange(target, asked string, status int, told string) model.Exchange {
	return model.Exchange{
		Request: model.Request{URL: target, Body: []byte(asked)},
		Reply:   model.Reply{Status: status, Body: []byte(told)},
	}
}

// Exchanges that differ only in values have the same shape.
func TestShape(t *testing.T) {
	of := func(target, asked string, status int, told string, sent ...string) string {
		return ProfileOf(nil, exchange(target, asked, status, told), sent).String()
	}
	first := of("/a/1?x=1", `{"a":1,"b":[{"c":"x"}]}`, 200, `ok`, "GET h/x 200")
	for _, same := range []string{
		of("/a/2?x=2", `{"b":[{"c":"y"},{"c":"z"}],"a":2}`, 200, `fine`, "GET h/x 200"),
		of("/a/2?x=2&x=3", `{"b":[{"c":""}],"a":0}`, 200, `-`, "GET h/x 200"),
	} {
		if same != first {
			t.Errorf("%q is not %q", same, first)
		}
	}
	all := map[string]bool{first: true}
	others := []string{
		of("/a/1", `{"a":1,"b":[{"c":"x"}]}`, 200, `ok`, "GET h/x 200"),
		of("/a/1?x=1", `{"a":1.5,"b":[{"c":"x"}]}`, 200, `ok`, "GET h/x 200"),
		of(
			"/a/1?x=1",
			`{"a":1,"b":[]}`,
			200,
			`ok`,
			"GET h/x 200",
		), of("/a/1?x=1", `{"a":1,"b":[{"c":null}]}`, 200, `ok`, "GET h/x 200"),
		of("/a/1?x=1", `{"a":1,"b":[{"c":"x"}]}`, 201, `ok`, "GET h/x 200"),
		of("/a/1?x=1", `{"a":1,"b":[{"c":"x"}]}`, 200, ``, "GET h/x 200"),
		of("/a/1?x=1", `{"a":1,"b":[{"c":"x"}]}`, 200, `ok`, "GET h/x 503"),
		of("/a/1?x=1", `{"a":1,"b":[{"c":"x"}]}`, 200, `ok`, "GET h/x 200", "GET h/x 200"),
	}
	for _, other := range others {
		all[other] = true
	}
	if len(all) != len(others)+1 {
		t.Errorf("%d shapes, want %d: %v", len(all), len(others)+1, all)
	}
}

func TestCall(t *testing.T) {
	x := func(method, target string, status int) model.Exchange {
		return model.Exchange{Request: model.Request{Method: method, URL: target}, Reply: model.Reply{Status: status}}
	}
	for want, s := range map[string]model.OutwardCall{
		"POST pay.example/orders/{}/charge 200": {
			Host:     "127.0.0.1:1",
			Name:     "pay.example",
			Protocol: model.HTTP,
			Exchange: x("POST", "/orders/17/charge?a=1", 200),
		},
		"GET 127.0.0.1:1/{} 503": {Host: "127.0.0.1:1", Protocol: model.HTTP, Exchange: x("GET", "/deadbeefdeadbeef", 503)},
		"udp metrics.example":    {Host: "127.0.0.1:1", Name: "metrics.example", Protocol: model.UDP},
	} {
		if got := NameWithResult(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Answers without an error have traits for special values.
func TestTraits(t *testing.T) {
	product := func(name string, grams int, more string) string {
		return fmt.Sprintf(
			`{"productName":%q,"category":"rope","weightGrams":%d,"priceCents":7000%s}`,
			name,
			grams,
			more,
		)
	}
	rope := []string{`answer is empty`}
	for _, c := range []struct {
		name   string
		op     model.OpID
		x      model.Exchange
		traits []string
	}{
		{"nothing", "POST /products", exchange("/products", product("Rope", 7, ""), 201, `{}`), []string{`body/category is "rope"`}},
		{
			"the longest and the largest", "POST /products", exchange("/products", product(strings.Repeat("ä", 60), 50000, ""), 201, `{}`),
			[]string{`body/category is "rope"`, "body/productName is longest", "body/weightGrams is largest"},
		},
		{
			"the shortest and the smallest", "POST /products", exchange("/products", product("Rop", 1, `,"lengthMetres":6`), 201, `{}`),
			[]string{`body/category is "rope"`, "body/productName is shortest", "body/weightGrams is smallest"},
		},
		{
			"beside the edges", "POST /products", exchange("/products", product("Rope", 49999, ""), 201, `{}`),
			[]string{`body/category is "rope"`},
		},
		{
			"no members that the document knows", "POST /products",
			exchange("/products", `{"other":"tent","flag":true,"none":0}`, 201, ""),
			[]string{"body/flag is true", "body/none is zero"},
		},
		{
			"a query", "GET /products", exchange("/products?limit=100&sort=name&offset=3", "", 200, `[]`),
			append(slices.Clone(rope), `query/limit is largest`, `query/sort is "name"`),
		},
		{"a query that says too little", "GET /products", exchange("/products?limit=%zz&=;", "", 200, `[]`), rope},
		{
			"a list of one", "GET /products", exchange("/products", "", 200, `[{"category":"tent"}]`),
			[]string{"answer is one", `answer/*/category is "tent"`},
		},
		{
			"a list of several", "GET /products",
			exchange("/products", "", 200, `[{"category":"tent"},{"category":"boots"}]`),
			[]string{"answer is several", `answer/*/category is "boots"`, `answer/*/category is "tent"`},
		},
		{"no JSON", "GET /products", exchange("/products", "", 200, `[`), nil},
	} {
		got := ProfileOf(operation(t, c.op), c.x, nil).Traits
		slices.Sort(got)
		if diff := cmp.Diff(c.traits, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
}

// Refusals are distinguished by their message and by the values that violate the spec.
func TestRefusals(t *testing.T) {
	op := operation(t, "POST /products")
	of := func(asked, told string) string {
		return strings.Join(ProfileOf(op, exchange("/products", asked, 400, told), nil).Traits, " | ")
	}
	for _, c := range []struct{ request, answer, want string }{
		{`{}`, `{"error":"productName: must have at least 3 characters"}`, "says error productName: must have at least # characters"},
		{
			`{"weightGrams":0}`, `{"error":"weightGrams: must be at least 1"}`,
			"body/weightGrams is wrong, says error weightGrams: must be at least #",
		},
		{`{"weightGrams":0,"category":"sledge"}`, `{}`, "body/category is wrong, body/weightGrams is wrong, says "},
		{
			`{}`, `{"code":"E1042","detail":"cart \"k-17\" of 2026-11-22T10:00:00Z is gone"}`,
			"says code E1042; detail cart … of #-#-#T#Z is gone",
		},
		{`{}`, `{"code":1042,"at":1763800000,"id":"0e37f2e3-e7f8-4a3b-9d1f-3ad1e08fbf9d"}`, "says code 1042; id #"},
		{
			`{}`, `{"errors":[{"message":"\"priceCents\" is required"},{"message":"\"Ann\" is unknown"}]}`,
			`says message "priceCents" is required; message … is unknown`,
		},
		{`{"productName":"Two-person tent"}`, `{"error":"there is a Two-person tent"}`, "says error there is a …"},
		{`{}`, `<h1>Bad request 17</h1>`, "says <h#>Bad request #</h#>"},
		{`{}`, "", ""},
	} {
		if got := of(c.request, c.answer); got != c.want {
			t.Errorf("%s: got %q, want %q", c.answer, got, c.want)
		}
	}
}

// WantsProfile wants n exchanges of each shape and of each trait, for at most MaxDistinct shapes and MaxDistinct
// traits.
func TestProfileCounter(t *testing.T) {
	var b ProfileCounter
	look := func(shape string, traits ...string) Profile {
		return Profile{Kind: "GET /a 200", Shape: shape, Traits: traits}
	}
	for _, c := range []struct {
		look  Profile
		n     int
		wants bool
	}{
		{look("a"), 1, true},
		{look("a"), 1, false},
		{look("a"), 2, true},
		{look("a", "x"), 2, true},
		{look("a", "x", "y"), 1, true},
		{look("a", "x", "y"), 1, false},
		{Profile{Kind: "GET /a 404", Shape: "a", Traits: nil}, 1, true},
	} {
		wants, over := b.WantsProfile(c.look, c.n)
		if wants != c.wants || over {
			t.Errorf("%v %d: wants %v, over %v", c.look, c.n, wants, over)
		}
		if wants {
			b.CountProfile(c.look)
		}
	}
}

// varied returns a JSON value with the same members, but other texts and numbers.
func varied(v any, with func() int) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = varied(v[name], with)
		}
	case []any:
		for i := range v {
			v[i] = varied(v[i], with)
		}
	case string:
		return fmt.Sprint("text ", with())
	case float64:
		return with()
	case bool:
		return with()%2 == 0
	}
	return v
}

func encode(t interface{ Fatal(...any) }, v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A call of gRPC is named by its method, which is not taken for an ID, and by its status.
func TestNamesOfGRPCCalls(t *testing.T) {
	call := model.OutwardCall{Host: "stock.example:80", Protocol: model.HTTP}
	call.Request = model.Request{
		Method: "POST", URL: "/stock.v1.Stock/Find", Header: map[string][]string{"Content-Type": {"application/grpc+proto"}},
	}
	call.Reply = model.Reply{Status: 200, Trailer: map[string][]string{"Grpc-Status": {"5"}}}
	if got, want := NameWithResult(call), "grpc stock.example:80/stock.v1.Stock/Find 5"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	call.Reply.Header, call.Reply.Trailer = call.Reply.Trailer, nil
	if got, want := NameWithResult(call), "grpc stock.example:80/stock.v1.Stock/Find 5"; got != want {
		t.Errorf("an answer that is only a header: got %q, want %q", got, want)
	}
	call.Request.Header = nil
	if got, want := NameWithResult(call), "POST stock.example:80/{}/Find 200"; got != want {
		t.Errorf("without gRPC: got %q, want %q", got, want)
	}
}
