package generate_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/replay/generate"

	"github.com/google/go-cmp/cmp"
)

// setUp lists the operations of a test, each with the links into it.
func setUp(t model.Test) []string {
	var all []string
	for i, c := range t.Calls {
		line := fmt.Sprint(c.Op, " ", c.Status)
		for _, l := range t.Links {
			if l.To == i {
				line += fmt.Sprintf(" %s=%d%s%s", l.Name, l.From, l.Header, l.Pointer)
			}
		}
		all = append(all, line)
	}
	return all
}

// lines lists expectations, one a line.
func lines(all []model.Expectation) []string {
	var out []string
	for _, e := range all {
		text := strings.TrimSpace(fmt.Sprintf("%s %s %s", e.In, e.Name, e.Comparison))
		if e.Link != nil {
			text += fmt.Sprintf(" %d%s%s", e.Link.From, e.Link.Header, e.Link.Pointer)
		}
		if e.Name != "" || e.Comparison != model.CompareEquals {
			text += strings.TrimRight(" "+string(e.Value), " ")
		}
		out = append(out, text)
	}
	return out
}

// of returns the first test of an operation with a status.
func of(t *testing.T, s generate.Suite, op model.OpID, status int) model.Test {
	t.Helper()
	for _, test := range s.Tests {
		if last := test.Calls[test.Mock.Call]; last.Op == op && last.Status == status {
			return test
		}
	}
	t.Fatalf("there is no test of %s with %d: skipped %v", op, status, s.Skipped)
	return model.Test{}
}

// aDay returns the tests of a recorded day of the demo shop.
func aDay(t *testing.T) generate.Suite {
	s := openShop(t, approve)
	s.product("Wet tent")
	p := s.product("Dry tent")
	s.call("admin", "PUT", "/products/2/price", `{"priceCents":40000}`)
	order, payment := s.buy("alice", p, "tok-4242")
	s.call("", "POST", "/carts", `{"productId":2,"quantity":1,"giftWrap":false}`)
	s.call("alice", "GET", payment, "")
	s.call("admin", "PATCH", order, `{"orderStatus":"shipped","carrier":"post"}`)
	s.call("", "POST", "/stock/TENT-0002/sync", "")
	s.call("", "GET", "/stock/TENT-0002", "")
	s.call("alice", "POST", "/products/2/reviews", `{"rating":5,"title":"Good"}`)
	s.call("alice", "POST", "/products/2/reviews", `{"rating":5,"title":"Good"}`)
	s.call("", "GET", "/products", "")
	s.call("", "GET", "/nowhere", "")
	return generate.Tests(s.rec, s.spec, generate.Options{})
}

func TestWhatIsNeededComesBefore(t *testing.T) {
	day := aDay(t)
	cart := []string{
		"POST /products 201", "PUT /products/{productId}/price 200 productId=0Location", "POST /carts 201 /productId=0Location",
		"POST /carts/{cartId}/items 201 cartId=2Location /productId=0Location", "POST /orders 201 /cartId=2Location",
		"POST /orders/{orderId}/payments 201 orderId=4Location",
	}
	for _, want := range [][]string{
		cart,
		append(slices.Clone(cart), "GET /orders/{orderId}/payments/{paymentId} 200 orderId=4Location paymentId=5Location"),
		append(slices.Clone(cart), "PATCH /orders/{orderId} 200 orderId=4Location"),
		{
			"POST /products 201", "POST /products 201", "PUT /products/{productId}/price 200 productId=1Location",
			"POST /products/{productId}/reviews 201 productId=1Location", "GET /products 200",
		},
	} {
		words := strings.Fields(want[len(want)-1])
		status := 200
		fmt.Sscan(words[2], &status)
		got := setUp(of(t, day, model.OpID(words[0]+" "+words[1]), status))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	refused := setUp(of(t, day, "POST /products/{productId}/reviews", 409))
	if n := len(refused); n < 3 || refused[n-2] != "POST /products/{productId}/reviews 201 productId=0Location" {
		t.Errorf("what was refused because of an earlier call has set-up %q", refused)
	}
	if len(day.Skipped) != 1 || day.Skipped[0].Why != "it is not an operation of the spec" {
		t.Errorf("skipped %v", day.Skipped)
	}
}

func TestOracles(t *testing.T) {
	pay := of(t, aDay(t), "POST /orders/{orderId}/payments", 201)
	m := pay.Mock
	want := "POST /orders/{orderId}/payments with method card: posts /charge to payments.example once, " +
		"tells 127.0.0.1:9003 once and answers 201"
	if m.About != want {
		t.Errorf("got %q", m.About)
	}
	if diff := cmp.Diff(
		[]string{"status  equals", `header Location pattern "/orders/\\d+/payments/\\d+"`, "body  equals"},
		lines(m.Output),
	); diff != "" {
		t.Error(diff)
	}
	if len(m.ExpectedCalls) != 2 || m.ExpectedCalls[0].Phase != 0 || m.ExpectedCalls[1].Phase != 1 {
		t.Fatalf("wanted %+v", m.ExpectedCalls)
	}
	if diff := cmp.Diff(
		[]string{`header Content-Type equals "application/json"`, "body  equals", "body /orderId linked 4/orderId"},
		lines(m.ExpectedCalls[0].Params),
	); diff != "" {
		t.Error(diff)
	}
	charge := pay.Stubs[m.ExpectedCalls[0].Stub]
	if charge.Match.JSON != `{"amountCents":120000,"cardToken":"tok-4242"}` || charge.Match.Path != "/charge" ||
		charge.Host != payHost {
		t.Errorf("the charge is answered by %+v", charge)
	}
	counter := pay.Stubs[m.ExpectedCalls[1].Stub]
	if counter.Match.Equals != "orders.paid:1|c\n" || counter.Protocol != model.UDP {
		t.Errorf("the counter is answered by %+v", counter)
	}
}

// Values that vary are compared by their form, with a reason. All others are compared exactly.
func TestVaryingValues(t *testing.T) {
	day := aDay(t)
	for _, c := range []struct {
		op     model.OpID
		status int
		want   []string
	}{
		{"POST /products", 201, []string{`body /createdAt near`, `body /productId type "integer"`, `body /sku pattern "TENT-\\d{4}"`}},
		{
			"POST /carts", 201,
			[]string{
				`body /cartId pattern`, `body /lines/0/itemId type "integer"`,
				`body /lines/0/productId linked 0/productId`, `body /openedAt near`,
			},
		},
		{
			"GET /orders/{orderId}/payments/{paymentId}", 200,
			[]string{`body /orderId linked 4/orderId`, `body /paidAt near`, `body /paymentId linked 5Location`},
		},
		{"GET /stock/{sku}", 200, []string{`body /countedAt linked`, `body /sku linked 0/sku`}},
		{"POST /products/{productId}/reviews", 409, nil},
	} {
		test := of(t, day, c.op, c.status)
		var got []string
		for i, text := range lines(test.Mock.Output) {
			e := test.Mock.Output[i]
			if e.In != model.InBody || e.Name == "" {
				continue
			}
			got = append(got, text)
			if e.Comparison != model.CompareLinked && e.Why == "" {
				t.Errorf("%s: %s has no reason", c.op, text)
			}
		}
		if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
			t.Errorf("%s: got %q, want %q", c.op, got, c.want)
		}
	}
}

// If a host gave different answers to the same call, its stub has all of these answers.
func TestRetryIsAScript(t *testing.T) {
	rec := recording(served(
		"POST",
		"/charge",
		`{"a":1}`,
		200,
		`{}`,
		sentTo(
			"pay.example:80",
			"POST",
			"/pay",
			`{"a":1}`,
			503,
			`busy`,
		),
		sentTo("pay.example:80", "POST", "/pay", `{"a":1}`, 503, `busy`),
		sentTo("pay.example:80", "POST", "/pay", `{"a":1}`, 200, `{"ok":true}`),
		sentTo("pay.example:80", "POST", "/pay", `{"a":2}`, 200, `{"ok":true}`),
	))
	test := of(t, generate.Tests(rec, spec("POST /charge"), generate.Options{}), "POST /charge", 200)
	data, _ := json.Marshal(test.Stubs)
	want := `[{"host":"pay.example:80","protocol":"http","match":{"method":"POST","path":"/pay",` +
		`"json":"{\"a\":1}"},"answers":[{"status":503,"body":"busy"},{"status":503,"body":"busy"},` +
		`{"status":200,"body":"{\"ok\":true}"}]},` +
		`{"host":"pay.example:80","protocol":"http","match":{"method":"POST","path":"/pay",` +
		`"json":"{\"a\":2}"},"answers":[{"status":200,"body":"{\"ok\":true}"}]}]`
	if string(data) != want {
		t.Errorf("got %s", data)
	}
}
