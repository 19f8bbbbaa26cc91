package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
)

type item struct {
	ID       int      `json:"id"`
	Name     string   `json:"name"`
	Price    float64  `json:"price"`
	Quantity int      `json:"quantity"`
	Tags     []string `json:"tags"`
}

// store does what services usually do: it decodes JSON, checks it, stores it and
// finds it.
type store struct {
	mu    sync.Mutex
	items map[int]item
	next  int
}

func (i item) check() error {
	switch {
	case len(i.Name) < 2 || len(i.Name) > 40:
		return errors.New("name: 2 to 40 letters")
	case i.Price <= 0 || i.Price > 1e6:
		return errors.New("price: above 0")
	case i.Quantity < 0:
		return errors.New("quantity: not below 0")
	}
	for _, t := range i.Tags {
		if t == "" || strings.ContainsAny(t, " ,") {
			return errors.New("tags: single words")
		}
	}
	return nil
}

func (s *store) add(w http.ResponseWriter, r *http.Request) {
	var i item
	if err := json.NewDecoder(r.Body).Decode(&i); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := i.check(); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	s.mu.Lock()
	s.next = s.next%100 + 1
	i.ID = s.next
	s.items[i.ID] = i
	s.mu.Unlock()
	write(w, http.StatusCreated, i)
}

func (s *store) list(w http.ResponseWriter, r *http.Request) {
	tag := r.URL.Query().Get("tag")
	var found []item
	s.mu.Lock()
	for _, i := range s.items {
		if tag == "" || slices.Contains(i.Tags, tag) {
			found = append(found, i)
		}
	}
	s.mu.Unlock()
	slices.SortFunc(found, func(a, b item) int {
		if a.Price != b.Price && a.Price < b.Price {
			return -1
		}
		return a.ID - b.ID
	})
	if len(found) > 5 {
		found = found[:5]
	}
	write(w, http.StatusOK, found)
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		panic(err)
	}
}

func serve() {
	s := &store{items: map[int]item{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /items", s.add)
	mux.HandleFunc("GET /items", s.list)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	go http.Serve(l, mux)
	io.Copy(io.Discard, os.Stdin)
}
