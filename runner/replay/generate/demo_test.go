package generate_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/openapi"
)

// shop is the demo shop behind a recorder that admits one request at a time.
type shop struct {
	t    testing.TB
	spec *model.Spec
	url  string

	turn sync.Mutex // held while a request is in the shop
	mu   sync.Mutex
	rec  model.Recording
	now  *model.ServedRequest
}

const (
	payHost, stockHost, metricsHost = "127.0.0.1:9001", "127.0.0.1:9002", "127.0.0.1:9003"
)

// openShop starts the demo shop and the three hosts that it calls. The function charge answers payments; n is the
// number of the payment.
func openShop(t testing.TB, charge func(w http.ResponseWriter, n int)) *shop {
	t.Helper()
	spec, err := openapi.Parse(context.Background(), "demo", demo.Specification(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{t: t, spec: spec}
	s.rec = model.Recording{Title: spec.Title, Users: users(), Reset: &model.Reset{Method: "POST", Path: "/__reset"}}
	n := 0
	pay := httptest.NewServer(s.outside(func(w http.ResponseWriter, _ *http.Request) { n++; charge(w, n) }))
	t.Cleanup(pay.Close)
	shop := demo.NewShop(demo.Config{
		Payments: pay.URL + "/charge",
		Stock:    s.feed(),
		Metrics:  s.metrics(),
		Timeout:  5 * time.Second,
		Healthy:  true,
	})
	front := httptest.NewServer(s.inside(shop))
	t.Cleanup(front.Close)
	s.url, s.rec.BaseURL = front.URL, front.URL
	return s
}

func users() []model.User {
	var all []model.User
	for _, u := range demo.Users() {
		all = append(all, model.User{Name: u.Name, Header: "Authorization", Public: "Bearer " + u.Token})
	}
	return all
}

// inside returns a handler that records the requests to the shop.
func (s *shop) inside(shop http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.turn.Lock()
		defer s.turn.Unlock()
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		x := model.ServedRequest{ID: fmt.Sprintf("%032x", len(s.rec.Served)+1), Session: r.Header.Get("Authorization")}
		x.Exchange = model.Exchange{
			At:      time.Now(),
			Request: model.Request{Method: r.Method, URL: r.URL.RequestURI(), Header: r.Header.Clone(), Body: body},
		}
		for _, u := range users() {
			if r.Header.Get("Authorization") == u.Public {
				x.User = u.Name
			}
		}
		s.mu.Lock()
		s.now = &x
		s.mu.Unlock()
		said := httptest.NewRecorder()
		shop.ServeHTTP(said, r)
		time.Sleep(2 * time.Millisecond) // so that datagrams arrive
		x.Took = time.Since(x.At)
		x.Reply = model.Reply{Status: said.Code, Header: said.Header(), Body: said.Body.Bytes()}
		s.mu.Lock()
		s.rec.Served, s.now = append(s.rec.Served, x), nil
		s.mu.Unlock()
		for name, values := range said.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(said.Code)
		w.Write(said.Body.Bytes())
	})
}

// note adds an outward call to the request in flight.
func (s *shop) note(x model.OutwardCall) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil {
		s.t.Errorf("%s got a message without a call", x.Host)
		return
	}
	x.CauseID, x.Attribution, x.Took = s.now.ID, model.AttributedBySerial, time.Since(x.At)
	s.now.OutwardCalls = append(s.now.OutwardCalls, x)
}

// outside returns a handler that records the shop's HTTP calls to a host.
func (s *shop) outside(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := time.Now()
		body, _ := io.ReadAll(r.Body)
		said := httptest.NewRecorder()
		next(said, r)
		s.note(
			model.OutwardCall{
				Host:     payHost,
				Name:     "payments.example:80",
				Protocol: model.HTTP,
				Exchange: model.Exchange{
					At: at, Request: model.Request{Method: r.Method, URL: r.URL.RequestURI(), Header: r.Header, Body: body},
					Reply: model.Reply{Status: said.Code, Header: said.Header(), Body: said.Body.Bytes()},
				},
			},
		)
		w.WriteHeader(said.Code)
		w.Write(said.Body.Bytes())
	})
}

// feed starts the stock feed, which has 12 of each product, and returns its address.
func (s *shop) feed() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			at := time.Now()
			line, _ := bufio.NewReader(c).ReadString('\n')
			s.note(model.OutwardCall{
				Host:     stockHost,
				Name:     stockHost,
				Protocol: model.TCP,
				Exchange: model.Exchange{At: at},
				Messages: []model.MessagePair{{Request: []byte(line), Answer: []byte("OK 12\n")}},
			})
			io.WriteString(c, "OK 12\n")
			c.Close()
		}
	}()
	return l.Addr().String()
}

func (s *shop) metrics() string {
	l, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { l.Close() })
	go func() {
		for buf := make([]byte, 1500); ; {
			n, _, err := l.ReadFrom(buf)
			if err != nil {
				return
			}
			s.note(model.OutwardCall{
				Host:     metricsHost,
				Name:     metricsHost,
				Protocol: model.UDP,
				Exchange: model.Exchange{At: time.Now()},
				Messages: []model.MessagePair{{Request: slices.Clone(buf[:n])}},
			})
		}
	}()
	return l.LocalAddr().String()
}

// call sends a request as a user, "" for anonymous. It returns the answer's Location and the
// members of its body.
func (s *shop) call(user, method, path, body string) (location string, fields map[string]any) {
	s.t.Helper()
	req, _ := http.NewRequest(method, s.url+path, strings.NewReader(body))
	for _, u := range users() {
		if u.Name == user {
			req.Header.Set("Authorization", u.Public)
		}
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	json.NewDecoder(res.Body).Decode(&fields)
	return res.Header.Get("Location"), fields
}

// buy orders a product and pays by card.
func (s *shop) buy(user string, product any, card string) (order, payment string) {
	_, cart := s.call("", "POST", "/carts", fmt.Sprintf(`{"productId":%v,"quantity":2,"giftWrap":false}`, product))
	s.call(
		"",
		"POST",
		fmt.Sprintf("/carts/%v/items", cart["cartId"]),
		fmt.Sprintf(`{"productId":%v,"quantity":1,"size":"L"}`, product),
	)
	order, _ = s.call(
		user, "POST", "/orders",
		fmt.Sprintf(
			`{"cartId":"%v","delivery":"standard","address":{"street":"Bergweg 7","postcode":80101,"country":"DE"}}`,
			cart["cartId"],
		),
	)
	payment, _ = s.call(user, "POST", order+"/payments", `{"method":"card","cardToken":"`+card+`"}`)
	return order, payment
}

// product creates a product as the admin.
func (s *shop) product(name string) (id any) {
	_, p := s.call(
		"admin",
		"POST",
		"/products",
		`{"productName":"`+name+`","category":"tent","weightGrams":2000,"priceCents":50000}`,
	)
	return p["productId"]
}

func approve(w http.ResponseWriter, n int) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"approved":true,"receipt":"R-%06d"}`, 4711+n)
}
