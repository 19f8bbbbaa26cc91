package demo

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestWhoMayCall(t *testing.T) {
	v := visit(t, Config{})
	v.follow(aProduct)
	for header, want := range map[string]int{
		"":                  401,
		"Bearer":            401,
		"Bearer demo-mia":   401,
		"Basic demo-admin":  401,
		"demo-admin":        401,
		"Bearer demo-bob":   403,
		"Bearer demo-admin": 204,
		"bearer demo-admin": 404, // the case of the scheme does not matter; the product is gone
	} {
		t.Run(header, func(t *testing.T) {
			v.follow(aProduct)
			if want == 404 {
				v.send("admin", "DELETE /products/1", "")
			}
			req, err := http.NewRequest("DELETE", v.url+"/products/1", nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", header)
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != want {
				t.Errorf("got %d, want %d", res.StatusCode, want)
			}
			if challenged := res.Header.Get("WWW-Authenticate") == "Bearer"; challenged != (want == 401) {
				t.Errorf("%d with WWW-Authenticate %v", want, challenged)
			}
		})
	}
}

func TestUsersAreACopy(t *testing.T) {
	Users()[0].Token = "changed"
	for _, u := range Users() {
		if want := "demo-" + u.Name; u.Token != want || u.Admin != (u.Name == "admin") {
			t.Errorf("got %+v, want the token %q", u, want)
		}
	}
}

func TestWhatIsNoOperation(t *testing.T) {
	v := visit(t, Config{})
	for _, tc := range []struct {
		op    string
		want  int
		allow string
	}{
		{"GET /", 404, ""},
		{"GET /products/", 404, ""},
		{"GET /products//price", 404, ""},
		{"GET /products/../health", 404, ""},
		{"GET /products/1%2F2", 404, ""},
		{"GET /carts/%00", 404, ""},
		{"DELETE /products", 405, "GET, HEAD, POST"},
		{"GET /__reset", 405, "POST"},
	} {
		got := v.send("", tc.op, "")
		if got.status != tc.want || got.header.Get("Allow") != tc.allow || !strings.HasPrefix(got.body, `{"error":"`) {
			t.Errorf("%s: got %d, allow %q, %s; want %d, %q", tc.op, got.status, got.header.Get("Allow"), got.body, tc.want, tc.allow)
		}
	}
}

func TestIdsAreWrittenInOneWay(t *testing.T) {
	v := visit(t, Config{})
	v.follow(aProduct)
	for _, id := range []string{"0", "01", "+1", "-1", "1.0", "one", "99999999999999999999"} {
		if got := v.call("", "GET /products/"+id, ""); got.status != 404 {
			t.Errorf("%s: got %d %s, want 404", id, got.status, got.body)
		}
	}
}

func TestBodies(t *testing.T) {
	v := visit(t, Config{})
	v.follow(aProduct)
	for body, want := range map[string]string{
		"":               "body: must be a JSON object",
		"[]":             "body: must be a JSON object",
		"3":              "body: must be a JSON object",
		"null":           "cartId: is required",
		`{"cartId":`:     "body: must be a JSON object",
		`{} {}`:          "body: must be a JSON object",
		`{"cartId":7}`:   "cartId: must be a text",
		`{"cartId":"x"}`: "cartId: must have at least 36 characters",
		`{"cartId":"` + strings.Repeat("ä", 37) + `"}`: "cartId: must have at most 36 characters",
		`{"address":[]}`:                               "address: must be an object",
		`{"address":{"postcode":1.5}}`:                 "address.postcode: must be a whole number",
		`{"address":{"postcode":1e99}}`:                "address.postcode: must be a whole number",
		strings.Repeat(" ", maxBody):                   "body: must be a JSON object",
		strings.Repeat(" ", maxBody+1):                 "body: must be whole and at most 1 MiB",
		strings.Repeat(`{"address":`, 20_000):          "body: must be a JSON object",
		strings.Replace(ordered, "{cart}", uuid(1), 1): fmt.Sprintf("cartId: there is no cart %q", uuid(1)),
		strings.Replace(ordered, "80101", "999", 1):    "address.postcode: must be at least 1000",
		strings.Replace(ordered, "80101", "999999", 1): "address.postcode: must be at most 99999",
	} {
		body = strings.Replace(body, "{cart}", uuid(1), 1)
		got := v.call("alice", "POST /orders", body)
		if text := strings.ReplaceAll(want, `"`, `\"`); got.body != `{"error":"`+text+`"}`+"\n" {
			t.Errorf("%.60s: got %d %s, want %q", body, got.status, got.body, want)
		}
	}
}

// TestExpressLabels checks combinations of country and postcode.
func TestExpressLabels(t *testing.T) {
	v := visit(t, Config{})
	for _, tc := range []struct {
		country  string
		postcode int
		want     int
	}{{"DE", 9999, 422}, {"DE", 10000, 201}, {"AT", 9999, 201}, {"CH", 10000, 422}} {
		v.follow(on(aCart, step{as: "alice", op: "POST /orders", body: fmt.Sprintf(
			`{"cartId":"{cart}","delivery":"express","address":{"street":"Bergweg 7","postcode":%d,"country":%q}}`,
			tc.postcode, tc.country), want: tc.want}))
	}
}

// TestOrderLife checks each change of an order's state: those that the shop does not allow are answered 409.
func TestOrderLife(t *testing.T) {
	const (
		ship    = `{"orderStatus":"shipped","carrier":"post"}`
		deliver = `{"orderStatus":"delivered"}`
		cancel  = `{"orderStatus":"cancelled","reason":"Too late"}`
	)
	move := func(body string, want int) step {
		return step{as: "admin", op: "PATCH /orders/1", body: body, want: want}
	}
	for name, steps := range map[string][]step{
		"paid first": on(paidFor, move(deliver, 409), move(ship, 200), move(cancel, 409), move(deliver, 200), move(ship, 409)),
		"paid on delivery": on(
			onDelivery, step{as: "alice", op: "POST /orders/1/payments", body: invoice, want: 409},
			move(ship, 200), move(deliver, 200),
		),
		"cancelled": on(
			anOrder, move(ship, 409), move(cancel, 200), move(cancel, 409),
			step{as: "alice", op: "POST /orders/1/payments", body: invoice, want: 409},
		),
		"without a carrier": on(paidFor, move(`{"orderStatus":"shipped"}`, 422)),
	} {
		t.Run(name, func(t *testing.T) { visit(t, Config{}).follow(steps) })
	}
}

func TestResetForgetsEverything(t *testing.T) {
	v := visit(t, Config{})
	v.follow(paidFor)
	if got := v.send("", "POST /__reset", ""); got.status != 204 || got.body != "" {
		t.Errorf("got %d %q, want an empty 204", got.status, got.body)
	}
	v.call("", "POST /carts", inCart) // fails, because the product does not exist any more
	for _, op := range []string{"GET /products/1", "GET /carts/{cart}", "GET /orders/1", "GET /stock/TENT-0001"} {
		if got := v.call("admin", op, ""); got.status != 404 {
			t.Errorf("%s: got %d after a reset, want 404", op, got.status)
		}
	}
}

// TestManyAtOnce makes calls at the same time, for the race detector.
func TestManyAtOnce(t *testing.T) {
	v := visit(t, Config{})
	v.follow(aCart)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for range 20 {
				v.send("admin", "POST /products", stove)
				v.send("", "POST /carts/{cart}/items", `{"productId":1,"quantity":1}`)
				v.send("", "GET /products?sort=name", "")
				if i == 0 {
					v.shop.Reset()
				}
			}
		})
	}
	all.Wait()
}

func BenchmarkReset(b *testing.B) {
	s := NewShop(Config{})
	for b.Loop() {
		s.Reset()
	}
}
