// Command insecure is a service for tests of security tests: beside each operation with a fault, which README.md
// lists, it has a similar operation without one.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"html/template"
	"io"
	"log"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// thing is what a user created.
type thing struct {
	owner string
	data  map[string]any
}

// collection has things, and the rules about who may do what with the things of others.
type collection struct {
	name string
	// read, list and change allow a user to do so with the things of others. public allows reading without credentials.
	read, list, change, public bool
	// override is a method that a GET may name, without a check of the permission.
	override string
	// assign stores all properties of a request, and secret shows the password.
	assign, secret bool
	things         map[string]thing
}

type service struct {
	mu          sync.Mutex
	made        int
	collections map[string]*collection
	folder      string
}

// users are the users by their tokens.
var users = map[string]string{"ann-token": "ann", "bob-token": "bob", "root-token": "root"}

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "address to listen at")
	flag.Parse()
	folder, err := os.MkdirTemp("", "insecure-")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "terms.txt"), []byte("be nice\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	s := &service{folder: folder}
	s.reset()
	ended, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() { log.Fatal(http.ListenAndServe(*addr, s.handler())) }()
	<-ended.Done()
	os.RemoveAll(folder)
}

func (s *service) reset() {
	s.made, s.collections = 0, map[string]*collection{}
	for _, c := range []collection{
		{name: "notes", read: true, change: true},
		{name: "letters", list: true},
		{name: "accounts", change: true},
		{name: "boxes", override: "DELETE"},
		{name: "crates", override: "PUT"},
		{name: "drafts"},
		{name: "pastes", read: true, public: true},
		{name: "wikis", read: true, list: true, change: true},
		{name: "members", assign: true, secret: true},
		{name: "guests"},
	} {
		c.things = map[string]thing{}
		s.collections[c.name] = &c
	}
}

func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /reset", func(http.ResponseWriter, *http.Request) { s.reset() })
	mux.HandleFunc("GET /hello", hello)
	mux.HandleFunc("GET /greet", greet)
	mux.HandleFunc("GET /search", query(true, true))
	mux.HandleFunc("GET /items", query(false, true))
	mux.HandleFunc("GET /visits", query(false, false))
	mux.HandleFunc("GET /rows/{number}", row)
	mux.HandleFunc("GET /find", find)
	mux.HandleFunc("GET /texts", texts)
	mux.HandleFunc("GET /files", s.file(false))
	mux.HandleFunc("GET /documents", s.file(true))
	mux.HandleFunc("POST /previews", preview(false))
	mux.HandleFunc("POST /imports", preview(true))
	mux.HandleFunc("GET /stats", s.stats("ann", "bob", "root"))
	mux.HandleFunc("GET /audits", s.stats("root"))
	mux.HandleFunc("/{collection}", s.collection)
	mux.HandleFunc("/{collection}/{id}", s.element)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		mux.ServeHTTP(w, r)
	})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, status int, text string) {
	answer(w, status, map[string]string{"error": text})
}

func caller(r *http.Request) string {
	return users[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
}

func (s *service) collection(w http.ResponseWriter, r *http.Request) {
	c, user := s.collections[r.PathValue("collection")], caller(r)
	switch {
	case c == nil:
		refuse(w, 404, "nothing here")
	case user == "":
		refuse(w, 401, "who are you?")
	case r.Method == "GET":
		items := []any{}
		for _, id := range slices.Sorted(maps.Keys(c.things)) {
			if t := c.things[id]; c.list || t.owner == user {
				items = append(items, c.shown(t))
			}
		}
		answer(w, 200, items)
	default:
		data, ok := body(r)
		if !ok {
			refuse(w, 400, "name is a text")
			return
		}
		s.made++
		id := fmt.Sprintf("%s-%d", c.name, s.made)
		made := map[string]any{"role": "reader"}
		c.set(made, data)
		made["id"] = id
		c.things[id] = thing{user, made}
		answer(w, 201, c.shown(c.things[id]))
	}
}

// body returns the JSON object in a request with a name.
func body(r *http.Request) (data map[string]any, ok bool) {
	if json.NewDecoder(r.Body).Decode(&data) != nil {
		return nil, false
	}
	name, ok := data["name"].(string)
	return data, ok && name != ""
}

// set sets the properties that a request may set, or all of them.
func (c *collection) set(to, from map[string]any) {
	for name, value := range from {
		if c.assign || name == "name" || name == "password" {
			to[name] = value
		}
	}
}

func (c *collection) shown(t thing) map[string]any {
	data := maps.Clone(t.data)
	if !c.secret {
		delete(data, "password")
	}
	if c.name != "members" && c.name != "guests" {
		delete(data, "role")
	}
	return data
}

func (s *service) element(w http.ResponseWriter, r *http.Request) {
	c, user, method := s.collections[r.PathValue("collection")], caller(r), r.Method
	if c == nil {
		refuse(w, 404, "nothing here")
		return
	}
	id := r.PathValue("id")
	t, known := c.things[id]
	own := t.owner == user || user == "root" // an administrator may do anything
	if other := r.Header.Get("X-HTTP-Method-Override"); known && method == "GET" && other != "" && other == c.override {
		method, user, own = other, "root", true
	}
	switch {
	case user == "" && !(c.public && method == "GET"):
		refuse(w, 401, "who are you?")
	case !known:
		refuse(w, 404, "no such thing")
	case method == "GET" && (own || c.read):
		answer(w, 200, c.shown(t))
	case method == "GET" || !own && !c.change:
		refuse(w, 403, "it is not yours")
	case method == "DELETE":
		delete(c.things, id)
		w.WriteHeader(204)
	default:
		data, ok := body(r)
		if !ok {
			refuse(w, 400, "name is a text")
			return
		}
		c.set(t.data, data)
		t.data["id"] = id
		answer(w, 200, c.shown(t))
	}
}

func (s *service) stats(allowed ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch user := caller(r); {
		case user == "":
			refuse(w, 401, "who are you?")
		case !slices.Contains(allowed, user):
			refuse(w, 403, "you are no administrator")
		default:
			answer(w, 200, map[string]any{"made": s.made, "state": "up"})
		}
	}
}

func hello(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<html><body><p>Hello %s</p></body></html>", r.FormValue("name"))
}

var page = template.Must(template.New("").Parse(`<html><body><p>Hello {{.}}</p><textarea>{{.}}</textarea></body></html>`))

func greet(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	page.Execute(w, r.FormValue("name"))
}

// query answers with the result of a query that contains a value of the request. errors and rows select what
// the answer shows.
func query(errors, rows bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		found, err := run("name = '" + r.FormValue("name") + "'")
		switch {
		case err != nil && errors:
			refuse(w, 400, "ERROR: "+err.Error())
		case !rows:
			answer(w, 200, map[string]string{"state": "noted"})
		default:
			answer(w, 200, found)
		}
	}
}

func row(w http.ResponseWriter, r *http.Request) {
	found, err := run("number = " + r.PathValue("number"))
	if err != nil || len(found) == 0 {
		refuse(w, 404, "no such row")
		return
	}
	answer(w, 200, found[0])
}

// find compares values as a database does with parameters.
func find(w http.ResponseWriter, r *http.Request) {
	found := []map[string]any{}
	for _, row := range table {
		if row["name"] == r.FormValue("name") {
			found = append(found, row)
		}
	}
	answer(w, 200, found)
}

// texts finds rows by any word, as a full-text search does, and refuses a single quote.
func texts(w http.ResponseWriter, r *http.Request) {
	q := r.FormValue("q")
	if strings.Count(q, "'")%2 == 1 {
		refuse(w, 400, `syntax error in the search near "'"`)
		return
	}
	found := []map[string]any{}
	for _, row := range table {
		for word := range strings.FieldsFuncSeq(q, func(c rune) bool { return strings.ContainsRune(" '=", c) }) {
			if strings.Contains(fmt.Sprint(row["text"]), word) {
				found = append(found, row)
				break
			}
		}
	}
	answer(w, 200, found)
}

// file answers with a file of the folder or, unless safe is true, of any other folder.
func (s *service) file(safe bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := r.FormValue("filename")
		if safe && !filepath.IsLocal(name) {
			refuse(w, 400, "no such file")
			return
		}
		data, err := os.ReadFile(filepath.Join(s.folder, name))
		if err != nil {
			refuse(w, 404, "no such file")
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		w.Write(data)
	}
}

// preview reads a page of any host or, if safe is true, only of a known host.
func preview(safe bool) http.HandlerFunc {
	client := &http.Client{Timeout: time.Second}
	return func(w http.ResponseWriter, r *http.Request) {
		var sent struct{ URL string }
		err := json.NewDecoder(r.Body).Decode(&sent)
		to, bad := url.Parse(sent.URL)
		if err != nil || bad != nil || to.Scheme != "http" || safe && to.Host != "news.example" {
			refuse(w, 400, "url is not allowed")
			return
		}
		res, err := client.Get(sent.URL)
		if err != nil {
			answer(w, 200, map[string]string{"state": "not read"})
			return
		}
		defer res.Body.Close()
		io.Copy(io.Discard, io.LimitReader(res.Body, 1<<16))
		answer(w, 200, map[string]string{"state": "read"})
	}
}
