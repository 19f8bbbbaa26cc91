package demo

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

var load = sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData(Specification()) })

// document returns the spec, read by a strict parser.
func document(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// operations returns the document's operations under names such as
// "GET /health".
func operations(doc *openapi3.T) map[string]*openapi3.Operation {
	ops := map[string]*openapi3.Operation{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			ops[method+" "+path] = op
		}
	}
	return ops
}

// step is one call with the expected status. In op and body, {cart} is replaced by the id of the newest cart.
type step struct {
	as, op, body string
	want         int
}

// visitor calls a shop and compares every answer with the document.
type visitor struct {
	t     testing.TB
	shop  *Shop
	url   string
	ops   map[string]*openapi3.Operation
	cart  string
	trace string          // the trace context that is sent, "" for none
	seen  map[string]bool // the operations and statuses of answers, such as "GET /health 200"
}

// visit opens a shop on a loopback port.
func visit(t testing.TB, c Config) *visitor {
	t.Helper()
	if c.Now == nil {
		c.Now = func() time.Time { return time.Date(2026, 5, 31, 12, 0, 0, 0, time.UTC) }
	}
	shop := NewShop(c)
	server := httptest.NewServer(shop)
	t.Cleanup(server.Close)
	return &visitor{t: t, shop: shop, url: server.URL, ops: operations(document(t)), seen: map[string]bool{}}
}

// visitorAnswer is an answer of the shop.
type visitorAnswer struct {
	status int
	header http.Header
	body   string
}

// send sends one request with the JSON body and the user's token.
func (v *visitor) send(as, op, body string) visitorAnswer {
	v.t.Helper()
	method, path, _ := strings.Cut(strings.ReplaceAll(op, "{cart}", v.cart), " ")
	req, err := http.NewRequest(method, v.url+path, strings.NewReader(strings.ReplaceAll(body, "{cart}", v.cart)))
	if err != nil {
		v.t.Fatal(err)
	}
	if as != "" {
		req.Header.Set("Authorization", "Bearer demo-"+as)
	}
	if v.trace != "" {
		req.Header.Set("traceparent", v.trace)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return visitorAnswer{status: res.StatusCode, header: res.Header, body: string(text)}
}

// call sends a request to an operation and checks its answer against the document.
func (v *visitor) call(as, op, body string) visitorAnswer {
	v.t.Helper()
	return v.judge(v.name(op), v.send(as, op, body))
}

// judge checks an answer of an operation against the document.
func (v *visitor) judge(name string, got visitorAnswer) visitorAnswer {
	v.t.Helper()
	v.seen[name+" "+strconv.Itoa(got.status)] = true
	if name == "POST /carts" && got.status == http.StatusCreated {
		v.cart = strings.TrimPrefix(got.header.Get("Location"), "/carts/")
	}
	if got.status != http.StatusInternalServerError {
		v.conforms(name, got)
	}
	return got
}

// name returns the operation that a request is for.
func (v *visitor) name(op string) string {
	v.t.Helper()
	method, path, _ := strings.Cut(strings.ReplaceAll(op, "{cart}", v.cart), " ")
	_, name := v.shop.mux.Handler(httptest.NewRequest(method, path, nil))
	if v.ops[name] == nil {
		v.t.Fatalf("%s is no operation of the document", op)
	}
	return name
}

func (v *visitor) conforms(name string, got visitorAnswer) {
	v.t.Helper()
	declared := v.ops[name].Responses.Value(strconv.Itoa(got.status))
	if declared == nil {
		v.t.Errorf("%s answered %d, which is not declared: %s", name, got.status, got.body)
		return
	}
	_, located := declared.Value.Headers["Location"]
	if has := got.header.Get("Location") != ""; has != located {
		v.t.Errorf("%s %d: Location sent %v, declared %v", name, got.status, has, located)
	}
	media := declared.Value.Content["application/json"]
	if media == nil {
		if got.body != "" {
			v.t.Errorf("%s %d: got body %q, want none", name, got.status, got.body)
		}
		return
	}
	var value any
	if err := json.Unmarshal([]byte(got.body), &value); err != nil {
		v.t.Errorf("%s %d: %v in %q", name, got.status, err, got.body)
	} else if err := media.Schema.Value.VisitJSON(value); err != nil {
		v.t.Errorf("%s %d: %v", name, got.status, err)
	}
}

// follow runs the steps on a new shop and returns the last answer.
func (v *visitor) follow(steps []step) visitorAnswer {
	v.t.Helper()
	v.shop.Reset()
	var got visitorAnswer
	for i, s := range steps {
		got = v.call(s.as, s.op, s.body)
		if got.status != s.want {
			v.t.Fatalf("step %d, %s %s %s: got %d %s, want %d", i+1, s.as, s.op, s.body, got.status, got.body, s.want)
		}
	}
	return got
}

// on returns a new slice with the steps of its first argument, followed by its other arguments.
func on(before []step, then ...step) []step {
	return append(append([]step(nil), before...), then...)
}

// Valid bodies.
const (
	tent     = `{"productName":"Two-person tent","category":"tent","weightGrams":2500,"priceCents":30000}`
	stove    = `{"productName":"Gas stove","category":"stove","weightGrams":400,"priceCents":4000,"season":"all-year"}`
	inCart   = `{"productId":1,"quantity":2,"giftWrap":false}`
	toGraz   = `"address":{"street":"Bergweg 7","postcode":80101,"country":"DE"}`
	ordered  = `{"cartId":"{cart}","delivery":"standard",` + toGraz + `}`
	onPost   = `{"cartId":"{cart}","delivery":"standard","payOn":"delivery",` + toGraz + `}`
	invoice  = `{"method":"invoice","instalments":3}`
	card     = `{"method":"card","cardToken":"tok-4242"}`
	twoTiers = `{"tiers":[{"fromCents":50000,"discountPercent":20},{"fromCents":10000,"discountPercent":10}],` +
		`"validFrom":"2026-01-01","validUntil":"2026-12-31"}`
)

// Steps that bring the shop into the states that other calls need.
var (
	aProduct   = []step{{as: "admin", op: "POST /products", body: tent, want: 201}}
	aCart      = on(aProduct, step{as: "", op: "POST /carts", body: inCart, want: 201})
	anOrder    = on(aCart, step{as: "alice", op: "POST /orders", body: ordered, want: 201})
	onDelivery = on(aCart, step{as: "alice", op: "POST /orders", body: onPost, want: 201})
	paidFor    = on(anOrder, step{as: "alice", op: "POST /orders/1/payments", body: invoice, want: 201})
)
