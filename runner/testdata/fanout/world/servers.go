package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"
)

// others has the services that the planner asks. There is no flight to ZZZ, and no bed in FUL.
type others struct {
	busy int

	mu     sync.Mutex
	chance *rand.Rand
	number int // the number of the newest reservation
}

func newOthers(seed uint64, busy int) *others {
	return &others{busy: busy, chance: rand.New(rand.NewPCG(seed, 0))}
}

// serve runs the three services until the context ends.
func serve(ctx context.Context, o *others, addrs ...string) error {
	for i, handler := range []http.Handler{o.flights(), o.hotels(), o.weather()} {
		if err := onlyHere(addrs[i]); err != nil {
			return err
		}
		l, err := net.Listen("tcp", addrs[i])
		if err != nil {
			return err
		}
		fmt.Printf("%s http://%s\n", []string{"flights", "hotels", "weather"}[i], l.Addr())
		go http.Serve(l, o.tired(handler))
	}
	<-ctx.Done()
	return nil
}

// tired answers some requests with 503 and passes the others on, both after a delay.
func (o *others) tired(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		busy, takes := o.chance.IntN(100) < o.busy, o.chance.IntN(10)
		o.mu.Unlock()
		time.Sleep(time.Duration(1+takes) * time.Millisecond)
		if busy {
			w.Header().Set("Retry-After", "0")
			http.Error(w, `{"error":"busy"}`, http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (o *others) flights() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /offers", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if q.Get("to") == "ZZZ" {
			http.Error(w, `{"error":"no such place"}`, http.StatusNotFound)
			return
		}
		n := sum(r.URL.RawQuery)
		send(w, http.StatusOK, map[string]any{
			"offerId": fmt.Sprintf("F-%s-%05d", q.Get("to"), n%100000), "departure": fmt.Sprintf("%02d:%02d", 6+n%16, n%4*15), "priceCents": 4900 + n%40000,
		})
	})
	o.reservations(mux)
	return mux
}

func (o *others) hotels() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /offers", func(w http.ResponseWriter, r *http.Request) {
		n := sum(r.URL.RawQuery)
		send(w, http.StatusOK, map[string]any{
			"offerId": fmt.Sprintf("H-%s-%05d", r.URL.Query().Get("town"), n%100000), "hotelName": []string{"Sonne", "Post", "Krone"}[n%3], "priceCents": 5900 + n%20000,
		})
	})
	o.reservations(mux)
	return mux
}

// reservations adds the handlers that make and cancel reservations.
func (o *others) reservations(mux *http.ServeMux) {
	mux.HandleFunc("POST /reservations", func(w http.ResponseWriter, r *http.Request) {
		var in struct{ OfferID, Name string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.OfferID == "" || in.Name == "" {
			http.Error(w, `{"error":"offerId, name: are required"}`, http.StatusBadRequest)
			return
		}
		if in.OfferID[:min(5, len(in.OfferID))] == "H-FUL" {
			http.Error(w, `{"error":"no bed is left"}`, http.StatusConflict)
			return
		}
		o.mu.Lock()
		o.number++
		id := fmt.Sprintf("R%04d-%06x", o.number, o.chance.IntN(1<<24))
		o.mu.Unlock()
		send(w, http.StatusCreated, map[string]any{"reservationId": id})
	})
	mux.HandleFunc("DELETE /reservations/{id}", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
}

func (o *others) weather() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /forecast/{town}", func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("town") == "FOG" {
			http.Error(w, `{"error":"nobody knows"}`, http.StatusNotFound)
			return
		}
		n := sum(r.URL.String())
		send(w, http.StatusOK, map[string]any{"celsius": n%40 - 8, "rain": n%3 == 0})
	})
	return mux
}

func send(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

// sum returns a number that depends only on a text.
func sum(text string) int {
	h := fnv.New32a()
	h.Write([]byte(text))
	return int(h.Sum32() >> 1)
}
