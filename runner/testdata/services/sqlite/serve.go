package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
)

// answer is the answer of an operation: a value, or a problem.
type answer struct {
	status int
	value  int
	fault  string // the planted fault that was triggered
}

func (s *shop) handler() http.Handler {
	mux, mu := http.NewServeMux(), &sync.Mutex{}
	for pattern, do := range map[string]func(*http.Request) (answer, error){
		"POST /orders": s.order, "GET /orders/{id}": s.readOrder, "GET /vouchers/{code}": s.readVoucher, "POST /logins": s.logIn,
		"GET /stock": s.readStock, "GET /shipments/{number}": s.readShipment, "GET /rates": s.readRate, "POST /returns": s.giveBack,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			a, err := do(r)
			a.write(w, err)
		})
	}
	mux.HandleFunc("POST /reset", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if _, err := s.db.ExecContext(r.Context(), schema); err != nil {
			panic(err)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	return mux
}

func (a answer) write(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	if a.fault != "" {
		w.Header().Set("X-Fault", a.fault)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		a.status = http.StatusBadRequest
	}
	if a.status == 0 {
		a.status = http.StatusNotFound
	}
	w.WriteHeader(a.status)
	if a.status < 300 {
		fmt.Fprintf(w, `{"value":%d}`, a.value)
	} else {
		fmt.Fprint(w, `{"error":"no"}`)
	}
}

// whole returns a parameter of the query or the path as an integer. It returns -1, which no thing has,
// for an invalid one.
func whole(r *http.Request, name string) int {
	text := r.PathValue(name)
	if text == "" {
		text = r.FormValue(name)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// read decodes a body.
func read(r *http.Request, into any) error { return json.NewDecoder(r.Body).Decode(into) }
