package cli_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sonde/runner/replay/unittests"

	"golang.org/x/tools/txtar"
)

// desk is a service whose handlers get a context of a framework in another module, with the request and what answers it.
// Its language is older than range over integers.
const desk = `
-- go.mod --
module example.com/desk

go 1.20

require example.com/web v0.0.0

replace example.com/web => ./web
-- web/go.mod --
module example.com/web

go 1.20
-- web/web.go --
// Package web is a framework.
package web

import (
	"encoding/json"
	"net/http"
)

type Responder interface {
	http.ResponseWriter
	Status() int
}

type responder struct {
	http.ResponseWriter
	status int
}

func (r *responder) Status() int { return r.status }

func (r *responder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

type Context struct {
	Request *http.Request
	Writer  Responder
	Keys    map[any]any
	Errors  []string
	engine  *Engine
}

type Engine struct{ answers int }

// New returns a context for an answer.
func New(w http.ResponseWriter) (*Context, *Engine) {
	e := &Engine{}
	return &Context{Writer: &responder{ResponseWriter: w}, Keys: map[any]any{}, engine: e}, e
}

func (c *Context) JSON(status int, v any) {
	c.engine.answers++
	c.Writer.WriteHeader(status)
	json.NewEncoder(c.Writer).Encode(v)
}
-- sonde.yaml --
spec: openapi.yaml
sut: {build: ., run: ["{binary}", "127.0.0.1:{port}"], ready: /health}
-- openapi.yaml --
openapi: 3.0.3
info: {title: Desk, version: "1"}
paths:
  /hello:
    get: {responses: {"200": {description: hello}}}
  /tickets:
    post:
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {"201": {description: made}, "409": {description: there is one}}
-- login/login.go --
// Package login knows who sends a request.
package login

import "example.com/web"

type User struct{ Name string }

type identity struct{ user, admin *User }

func Register(c *web.Context, user *User) { c.Keys["login"] = &identity{user: user} }

func RegisterAdmin(c *web.Context, admin *User) { c.Keys["login"] = &identity{admin: admin} }

func Name(c *web.Context) string { return c.Keys["login"].(*identity).user.Name }
-- ticket/ticket.go --
// Package ticket keeps tickets.
package ticket

import (
	"encoding/json"

	"example.com/desk/login"
	"example.com/web"
)

type Ticket struct {
	ID          int
	Title, User string
}

type Store interface {
	Save(t *Ticket) (ok bool)
	Ready() bool
}

type API struct{ Store Store }

func (a *API) Create(c *web.Context) {
	t := &Ticket{User: login.Name(c)}
	json.NewDecoder(c.Request.Body).Decode(t)
	if !Keep(a.Store, t) {
		c.JSON(409, "there is one")
		return
	}
	c.Writer.Header().Set("Location", t.Title)
	c.JSON(201, t)
}

// Hello greets without a look at the request.
func (a *API) Hello(c *web.Context) {
	if a.Store.Ready() {
		c.JSON(200, "hello")
	}
}

// Keep saves a ticket, which gets its number.
func Keep(s Store, t *Ticket) bool { return s.Save(t) }
-- main.go --
package main

import (
	"fmt"
	"net/http"
	"os"

	"example.com/desk/login"
	"example.com/desk/ticket"
	"example.com/web"
)

type shelf map[string]bool

func (s shelf) Save(t *ticket.Ticket) bool {
	t.ID = len(s) + 1
	known := s[t.Title]
	s[t.Title] = true
	return !known
}

func (s shelf) Ready() bool { return true }

func main() {
	api := &ticket.API{Store: shelf{}}
	http.HandleFunc("/health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("/tickets", func(w http.ResponseWriter, r *http.Request) {
		c, _ := web.New(w)
		c.Request = r
		login.Register(c, &login.User{Name: "ann"})
		api.Create(c)
	})
	http.HandleFunc("/hello", func(w http.ResponseWriter, r *http.Request) {
		c, _ := web.New(w)
		c.Request = r
		api.Hello(c)
	})
	fmt.Println(http.ListenAndServe(os.Args[1], nil))
}
`

// Tests of handlers make the context of the framework by its own function, with the request, the user whose type is
// hidden, and a recorder for the answer. What a mock writes through a pointer is compared before and after.
func TestUnitTestsOfFramework(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("it builds a service that records its functions")
	}
	t.Parallel()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(desk)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := recording(t, "--config", filepath.Join(dir, "sonde.yaml"), "--net", "--units")
	request(t, "POST", r.in+"/tickets", `{"Title": "lamp"}`, 201)
	request(t, "POST", r.in+"/tickets", `{"Title": "lamp"}`, 409)
	request(t, "GET", r.in+"/hello", "", 200)
	r.ended(t, 0)

	report := unitTests(t, r.folder, dir)
	if report.Total.Tested != 3 || len(report.Omitted) != 0 {
		t.Fatalf("got %+v", report.Result)
	}
	text := content(t, filepath.Join(dir, "ticket", unittests.TestsFile))
	for _, want := range []string{
		"c, _ := web.New(w)", `httptest.NewRequest("POST", "/tickets", strings.NewReader(`, `login.Register(c, &login.User{Name: "ann"})`,
		`calls.expect("Store.Save", &Ticket{Title: "lamp", User: "ann"})`, `wantStatus: 409`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	if out, err := goTest(dir, "./ticket"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	source := filepath.Join(dir, "ticket", "ticket.go")
	was := content(t, source)
	for _, change := range [][2]string{
		{"c.JSON(409", "c.JSON(400"}, {"s.Save(t)", "s.Save(&Ticket{})"}, {"c.JSON(201, t)", "c.JSON(201, t.ID)"},
	} {
		if err := os.WriteFile(source, []byte(strings.Replace(was, change[0], change[1], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := goTest(dir, "./ticket"); err == nil {
			t.Errorf("with %q: the tests pass: %s", change[1], out)
		}
	}
}
