package units_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/runner/instrument/units"

	"github.com/google/go-cmp/cmp"
)

// declarations are the types that the sources of tests use.
const declarations = `package shop

import (
	"context"
	"database/sql"
	"io"
	"net/http"
	"sync"
	"time"
	"unsafe"
)

var _ context.Context
var _ *sql.DB
var _ http.Handler
var _ unsafe.Pointer

type Store interface {
	Get(id int) (string, error)
	Put(id int, text string)
}

type Service struct {
	mu     sync.Mutex
	store  Store
	hooks  []Store
	byName map[string]Store
	now    func() time.Time
	events chan int
	db     *sql.DB
	out    io.Writer
	opts   struct{ backup Store }
}

type Address struct{ Street string }

type Embedding struct{ Store }

type Order struct {
	ID    int
	At    time.Time
	Audit Store
	done  chan int
}
`

// imports are the imports of the functions of tests, and uses of them.
const imports = `package shop

import (
	"context"
	"io"
	"net/http"
	"time"
	"unsafe"
)

var (
	_ context.Context
	_ io.Reader
	_ http.Handler
	_ time.Time
	_ unsafe.Pointer
)

`

// find returns the functions under test of packages, by the name of the package. sources are their functions.
func find(t *testing.T, sources map[string]string) map[string]units.Package {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example.com\n\ngo 1.21\n"}
	names := map[string]string{}
	for name, functions := range sources {
		folder := strings.ReplaceAll(name, " ", "_")
		names["example.com/"+folder] = name
		files[folder+"/types.go"], files[folder+"/functions.go"] = declarations, imports+functions
	}
	write(t, dir, files)
	plan, err := units.Find(t.Context(), units.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]units.Package{}
	for _, p := range plan.Packages {
		found[names[p.Path]] = p
	}
	return found
}

// write writes files into a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// shown returns functions as lines, each with its mockable calls.
func shown(p units.Package) (lines []string) {
	for _, f := range p.Targets {
		var calls []string
		for _, c := range f.Calls {
			called := strings.TrimSpace(c.Target + " " + c.Method)
			calls = append(calls, fmt.Sprintf("%s (%s, %s)", called, c.Injection, c.Type))
		}
		lines = append(lines, f.Name+": "+strings.Join(calls, "; "))
	}
	return lines
}

func TestMockableCalls(t *testing.T) {
	cases := map[string]struct {
		source string
		want   []string
	}{
		"a parameter": {
			`func F(s Store) { s.Put(1, "a") }`,
			[]string{"F: s Put (parameter, shop.Store)"},
		},
		"a field of the receiver": {
			`func (s *Service) F() { s.store.Get(1) }`,
			[]string{"(*Service).F: s.store Get (receiver field, shop.Store)"},
		},
		"a field of a field": {
			`func (s *Service) F() { s.opts.backup.Get(1) }`,
			[]string{"(*Service).F: s.opts.backup Get (receiver field, shop.Store)"},
		},
		"a field of a parameter": {
			`func F(o *Order) { o.Audit.Put(o.ID, "") }`,
			[]string{"F: o.Audit Put (parameter field, shop.Store)"},
		},
		"an embedded interface": {
			`func (e Embedding) F() { e.Put(1, "") }`,
			[]string{"Embedding.F: e.Store Put (receiver field, shop.Store)"},
		},
		"elements": {
			`func (s *Service) F(more ...Store) {
				for _, h := range s.hooks { h.Get(1) }
				s.byName["a"].Get(2)
				more[0].Get(3)
			}`,
			[]string{"(*Service).F: s.hooks[] Get (receiver field, shop.Store); s.byName[] Get (receiver field, shop.Store); " +
				"more[] Get (parameter field, shop.Store)"},
		},
		"a local variable": {
			`func (s *Service) F() { store := s.store; other := store; other.Get(1) }`,
			[]string{"(*Service).F: s.store Get (receiver field, shop.Store)"},
		},
		"function values": {
			`func (s *Service) F(log func(string)) { log(s.now().String()) }`,
			[]string{"(*Service).F: log (parameter, func(string)); s.now (receiver field, func() time.Time)"},
		},
		"a function literal and a goroutine": {
			`func F(s Store) { go func() { s.Put(1, "") }() }`,
			[]string{"F: s Put (parameter, shop.Store)"},
		},
		"interfaces of the standard library": {
			`func (s *Service) F(ctx context.Context, w http.ResponseWriter, err error) {
				ctx.Done()
				_ = err.Error()
				s.out.Write(nil)
				w.WriteHeader(200)
			}`,
			[]string{"(*Service).F: s.out Write (receiver field, io.Writer); w WriteHeader (parameter, http.ResponseWriter)"},
		},
		"an interface without a name": {
			`func F(s interface{ Close() }) { s.Close() }`,
			[]string{"F: s Close (parameter, interface{Close()})"},
		},
		"a changed parameter":    {`func F(s Store) { s = Embedding{}; s.Put(1, "") }`, nil},
		"a parameter by address": {`func F(s Store) { p := &s; _ = p; s.Put(1, "") }`, nil},
		"a changed field":        {`func (s *Service) F() { s.store = nil; s.store.Put(1, "") }`, nil},
		"a created object":       {`func F() { var s Store = Embedding{}; s.Put(1, "") }`, nil},
		"a received object":      {`func F(c chan Store) { for s := range c { s.Put(1, "") } }`, nil},
		"a global":               {"var global Store\nfunc F() { global.Put(1, \"\") }", nil},
		"a promoted method": {
			`func F(e *Embedding) { e.Get(1) }`,
			[]string{"F: e.Store Get (parameter field, shop.Store)"},
		},
		"a conversion":     {`func F(n int) int64 { return int64(n) }`, nil},
		"a type parameter": {`func F[S Store](s S) { s.Put(1, "") }`, nil},
		"a type assertion": {`func F(x any) { x.(Store).Put(1, "") }`, nil},
	}
	sources := map[string]string{}
	for name, c := range cases {
		sources[name] = c.source
	}
	found := find(t, sources)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, shown(found[name])); d != "" {
				t.Errorf("functions under test (-want +got):\n%s", d)
			}
		})
	}
}

func TestObstacles(t *testing.T) {
	cases := map[string]struct {
		source string
		want   []string
	}{
		"values":            {`func F(s Store, n int, m map[string][]*Address, at time.Time) { s.Put(n, "") }`, nil},
		"a channel":         {`func F(s Store, c chan<- int) { s.Put(1, "") }`, []string{"c is a channel"}},
		"without a name":    {`func F(s Store, _ chan int) { s.Put(1, "") }`, nil},
		"an unsafe pointer": {`func F(s Store, p unsafe.Pointer) { s.Put(1, "") }`, []string{"p is an unsafe pointer"}},
		"fields that it uses": {
			`func (s *Service) F() { s.mu.Lock(); s.store.Put(1, ""); s.db.Close() }`,
			[]string{"s.db is a sql.DB, whose fields are hidden"},
		},
		"fields that its methods use": {
			"func (s *Service) F() { s.store.Put(1, \"\"); s.g() }\nfunc (s *Service) g() { s.events <- 1; s.h() }\n" +
				"func (s *Service) h() { s.db.Close(); s.g() }",
			[]string{"s.events is a channel", "s.db is a sql.DB, whose fields are hidden"},
		},
		"all fields": {
			"func (s *Service) F() { s.store.Put(1, \"\"); g(s) }\nfunc g(*Service) {}",
			[]string{"s.events is a channel", "s.db is a sql.DB, whose fields are hidden"},
		},
		"a field of a parameter": {`func F(o Order) { o.Audit.Put(1, ""); o.done <- 1 }`, []string{"o.done is a channel"}},
		"an unused field":        {`func F(o Order) { o.Audit.Put(1, "") }`, nil},
		"known types":            {`func F(s Store, r *http.Request, c *http.Client) { s.Put(1, "") }`, nil},
		"a type parameter":       {`func F[T any](s Store, t T) { s.Put(1, "") }`, []string{"t is of a type parameter"}},
	}
	sources := map[string]string{}
	for name, c := range cases {
		sources[name] = c.source
	}
	found := find(t, sources)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			targets := found[name].Targets
			at := -1
			for i, f := range targets {
				if f.Name == "F" || strings.HasSuffix(f.Name, ".F") {
					at = i
				}
			}
			if at < 0 {
				t.Fatalf("got %+v", targets)
			}
			if d := cmp.Diff(c.want, targets[at].Obstacles); d != "" {
				t.Errorf("obstacles (-want +got):\n%s", d)
			}
			if targets[at].CanWrite() != (len(c.want) == 0) {
				t.Errorf("CanWrite is %v", targets[at].CanWrite())
			}
		})
	}
}

func TestCounts(t *testing.T) {
	p := find(t, map[string]string{
		"a": "func F(s Store, c chan int) int {\ns.Get(1)\ns.Get(2)\nreturn 1 }\n\nfunc G(s Store) { s.Get(1) }\n\nfunc h() {}\n",
	})["a"]
	plan := units.Plan{Packages: []units.Package{p}}
	want := units.Counts{Lines: p.Lines, Declared: 3, Targets: 2, Calls: 3, CanWrite: 1}
	if got := plan.Count(); got != want || got.Lines < 50 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	f := p.Targets[0]
	if f.File != "a/functions.go" || f.Lines != 4 || f.Params != 2 || f.Calls[1].Line != f.Line+2 {
		t.Errorf("got %+v", f)
	}
}

// Files that a program writes are left out.
func TestGeneratedFiles(t *testing.T) {
	dir := t.TempDir()
	text := "// Code generated by hand. DO NOT EDIT.\n\npackage shop\n\nfunc F(f func()) { f() }\n"
	write(t, dir, map[string]string{"go.mod": "module shop\n\ngo 1.21\n", "f.go": text})
	plan, err := units.Find(t.Context(), units.Options{Dir: dir})
	if err != nil || plan.Count() != (units.Counts{}) {
		t.Errorf("got %+v and %v", plan, err)
	}
}

// A package that does not compile does not hide the others.
func TestSkippedPackages(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "module shop\n\ngo 1.21\n", "a/a.go": "package a\nvar x int = \"\"\n",
		"b/b.go": "package b\nfunc F(f func()) { f() }\n",
	})
	plan, err := units.Find(t.Context(), units.Options{Dir: dir})
	if err != nil || plan.Count().Targets != 1 || len(plan.Skipped) != 1 || plan.Skipped[0].Path != "shop/a" ||
		!strings.Contains(plan.Skipped[0].Why, "a.go:2:13") {
		t.Errorf("got %+v and %v", plan, err)
	}
}

func TestFindFails(t *testing.T) {
	for name, c := range map[string]struct {
		files    map[string]string
		patterns []string
		want     string
	}{
		"no module":       {map[string]string{"f.go": "package shop\n"}, nil, "there is no Go module here"},
		"no such package": {map[string]string{"go.mod": "module shop\n", "f.go": "package shop\n"}, []string{"./other"}, "other"},
		"a syntax error": {
			map[string]string{"go.mod": "module shop\n", "f.go": "package shop\nfunc {\n"},
			nil,
			`"shop" does not compile: ./f.go:2:6: syntax error`,
		},
		"a type error":     {map[string]string{"go.mod": "module shop\n", "f.go": "package shop\nvar x int = \"\"\n"}, nil, "f.go:2:13"},
		"no file is there": {map[string]string{"go.mod": "module shop\n"}, nil, "there are no Go files"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, c.files)
			_, err := units.Find(t.Context(), units.Options{Dir: dir, Patterns: c.patterns})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
