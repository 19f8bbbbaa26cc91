package demo

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// fakeProvider runs a payment provider and returns its URL.
func fakeProvider(t *testing.T, answer http.HandlerFunc) string {
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return server.URL + "/charge"
}

// fakeFeed runs a stock feed that answers each line with the same text, and returns its address.
func fakeFeed(t *testing.T, answer string) string {
	return listen(t, func(conn net.Conn) {
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "SKU TENT-") {
			t.Errorf("the stock feed got %q, %v", line, err)
		}
		fmt.Fprint(conn, answer)
	})
}

func listen(t *testing.T, serve func(net.Conn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serve(conn)
			conn.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String()
}

// closedAddress returns an address without a listener.
func closedAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestCardIsCharged(t *testing.T) {
	var got charge
	provider := fakeProvider(t, func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || r.Method != http.MethodPost || r.URL.Path != "/charge" {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
		fmt.Fprint(w, `{"approved":true,"receipt":"R-17"}`)
	})
	v := visit(t, Config{Payments: provider})
	answer := v.follow(on(anOrder,
		step{as: "alice", op: "POST /orders/1/payments", body: card, want: 201},
		step{as: "alice", op: "GET /orders/1/payments/1", body: "", want: 200}))
	if want := (charge{OrderID: 1, AmountCents: 60000, CardToken: "tok-4242"}); got != want {
		t.Errorf("the provider got %+v, want %+v", got, want)
	}
	if !strings.Contains(answer.body, `"receipt":"R-17"`) {
		t.Errorf("got %s, want the receipt", answer.body)
	}
}

// TestTraceIsPassedOn checks that the charge has the trace context of the request, if the request has one.
func TestTraceIsPassedOn(t *testing.T) {
	const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	for _, want := range []string{trace, ""} {
		got := "nothing was charged"
		v := visit(t, Config{Payments: fakeProvider(t, func(w http.ResponseWriter, r *http.Request) {
			got = r.Header.Get("traceparent")
			fmt.Fprint(w, `{"approved":true,"receipt":"R-1"}`)
		})})
		v.trace = want
		v.follow(on(anOrder, step{as: "alice", op: "POST /orders/1/payments", body: card, want: 201}))
		if got != want {
			t.Errorf("the provider got trace %q, want %q", got, want)
		}
	}
}

// TestUnusableProvider checks that an order remains unpaid if the provider fails, and that it can then be
// paid in another way.
func TestUnusableProvider(t *testing.T) {
	gone := "http://" + closedAddress(t) + "/charge"
	providers := map[string]string{
		"no listener": gone,
		"no URL":      "http://%zz",
		"no JSON":     fakeProvider(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "yes") }),
		"an error":    fakeProvider(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"approved":true}`, 500) }),
		"a redirect":  fakeProvider(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, gone, 307) }),
		"no end": fakeProvider(t, func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // the server notices a closed connection only after it has read the body
			<-r.Context().Done()
		}),
	}
	for name, url := range providers {
		t.Run(name, func(t *testing.T) {
			v := visit(t, Config{Payments: url, Timeout: 100 * time.Millisecond})
			v.follow(on(anOrder,
				step{as: "alice", op: "POST /orders/1/payments", body: card, want: 503},
				step{as: "alice", op: "POST /orders/1/payments", body: invoice, want: 201}))
		})
	}
}

// TestOthersAreServedDuringACharge checks that other calls are answered while the provider is asked, and that
// the order cannot be paid or cancelled meanwhile.
func TestOthersAreServedDuringACharge(t *testing.T) {
	var v *visitor
	v = visit(t, Config{Payments: fakeProvider(t, func(w http.ResponseWriter, _ *http.Request) {
		for _, s := range []step{
			{as: "alice", op: "GET /orders/1", body: "", want: 200},
			{as: "alice", op: "POST /orders/1/payments", body: invoice, want: 409},
			{as: "alice", op: "PATCH /orders/1", body: `{"orderStatus":"cancelled"}`, want: 409},
		} {
			if got := v.send(s.as, s.op, s.body); got.status != s.want {
				t.Errorf("%s: got %d %s, want %d", s.op, got.status, got.body, s.want)
			}
		}
		fmt.Fprint(w, `{"approved":true,"receipt":"R-1"}`)
	})})
	v.follow(on(anOrder, step{as: "alice", op: "POST /orders/1/payments", body: card, want: 201}))
}

func TestResetDuringCharge(t *testing.T) {
	var v *visitor
	v = visit(t, Config{Payments: fakeProvider(t, func(w http.ResponseWriter, _ *http.Request) {
		v.send("", "POST /__reset", "")
		fmt.Fprint(w, `{"approved":true,"receipt":"R-1"}`)
	})})
	v.follow(on(anOrder, step{as: "alice", op: "POST /orders/1/payments", body: card, want: 409}))
}

func TestStockFeed(t *testing.T) {
	for _, tc := range []struct {
		name, addr string
		want       int
	}{
		{"a number", fakeFeed(t, "OK 12\n"), 200},
		{"a number without a line end", fakeFeed(t, "OK 12"), 200},
		{"not known", fakeFeed(t, "NO\n"), 404},
		{"no number", fakeFeed(t, "OK many\n"), 503},
		{"a negative number", fakeFeed(t, "OK -1\n"), 503},
		{"another word", fakeFeed(t, "HELLO 12\n"), 503},
		{"nothing", fakeFeed(t, ""), 503},
		{"no end", fakeFeed(t, strings.Repeat("9", 2*maxLine)), 503},
		{"no listener", closedAddress(t), 503},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := visit(t, Config{Stock: tc.addr})
			got := v.follow(on(aProduct,
				step{as: "", op: "POST /stock/TENT-0001/sync", body: "", want: tc.want},
				step{as: "", op: "GET /stock/TENT-0001", body: "", want: 200}))
			if has := strings.Contains(got.body, `"onHand":12`); has != (tc.want == 200) {
				t.Errorf("got stock %s", got.body)
			}
		})
	}
}

func TestMetrics(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	v := visit(t, Config{Metrics: conn.LocalAddr().String()})
	v.follow(on(paidFor, step{as: "admin", op: "PATCH /orders/1", body: `{"orderStatus":"shipped","carrier":"post"}`, want: 200}))
	conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	for _, want := range []string{"orders.placed:1|c\n", "orders.paid:1|c\n", "orders.shipped:1|c\n"} {
		buffer := make([]byte, 100)
		n, _, err := conn.ReadFrom(buffer)
		if got := string(buffer[:n]); err != nil || got != want {
			t.Errorf("got datagram %q, %v, want %q", got, err, want)
		}
	}
}

// TestUnreachableMetrics checks that a counter which cannot be sent does not change the answer.
func TestUnreachableMetrics(t *testing.T) {
	for _, addr := range []string{closedAddress(t), "no address"} {
		visit(t, Config{Metrics: addr}).follow(paidFor)
	}
}

func TestConfigCheck(t *testing.T) {
	for _, tc := range []struct {
		c    Config
		want string
	}{
		{Config{}, ""},
		{Config{Payments: "http://payments.example/charge", Stock: "stock.example:7000", Metrics: ":8125"}, ""},
		{
			Config{Payments: "payments.example"},
			`payments "payments.example" is not an http URL, write it like http://payments.example/charge`,
		},
		{Config{Payments: "http://%zz"}, `payments "http://%zz" is not an http URL, write it like http://payments.example/charge`},
		{Config{Stock: "stock.example"}, `stock "stock.example" is not an address, write it as host:port`},
		{Config{Metrics: "metrics.example:"}, `metrics "metrics.example:" is not an address, write it as host:port`},
	} {
		got := ""
		if err := tc.c.Check(); err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("%+v: got %q, want %q", tc.c, got, tc.want)
		}
	}
}
