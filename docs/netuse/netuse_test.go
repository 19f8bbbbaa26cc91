package main

import (
	"context"
	"errors"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
)

// Each package of testdata/uses uses the network in one way, itself or by a function of a module that it requires.
func TestUses(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads the types of the standard library")
	}
	t.Setenv("CGO_ENABLED", "0") // so that the go command compiles nothing
	s, err := newSource(t.Context(), filepath.Join("testdata", "uses"), "./...")
	if err != nil {
		t.Fatal(err)
	}
	c := s.config(t.Context(), syntax)
	all, err := packages.Load(c, s.patterns...)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, p := range all {
		r := reading{}
		r.add(c.Fset, []*packages.Package{p}, func(path string) bool { return path == p.PkgPath })
		if r.Broken > 0 {
			t.Errorf("%s: %v", p.PkgPath, p.Errors)
		}
		got[path.Base(p.PkgPath)] = describe(&r, itself)
		if with := describe(&r, withRequired); with != got[path.Base(p.PkgPath)] {
			got[path.Base(p.PkgPath)] += " | " + with
		}
	}
	want := map[string]string{
		"dial":      "dial by TCP, dial by UDP",
		"variable":  "dial by a variable network, listen by a variable network",
		"listen":    "listen by TCP, listen by UDP, accept",
		"unix":      "not handled: Unix socket",
		"either":    "dial by a variable network; not handled: Unix socket",
		"raw":       "not handled: raw IP socket",
		"client":    "HTTP client",
		"server":    "HTTP server, TLS",
		"handler":   "no network",
		"types":     "no network",
		"checks":    "HTTP client, TLS; not handled: own checks of certificates",
		"lookup":    "look up names, a resolver of its own",
		"links":     "network interfaces",
		"mail":      "dial by TCP, net/rpc, mail by SMTP, database/sql",
		"calls":     "not handled: system call on sockets",
		"ancillary": "not handled: packages such as x/net/ipv4",
		"files":     "not handled: socket from a file, socket as a file",
		"fetch":     "no network | HTTP client",
		"sizer":     "no network | look up names",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A package with C code uses sockets if the code includes a header with functions of sockets.
func TestSocketsInC(t *testing.T) {
	for text, want := range map[string]int{"#include <sys/socket.h>": 1, "# include <netdb.h>": 1, "#include <stdio.h>": 0} {
		file := filepath.Join(t.TempDir(), "c.go")
		if err := os.WriteFile(file, []byte("package c\n\n// "+text+"\nimport \"C\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		g := newGraph(token.NewFileSet())
		g.addC(&packages.Package{PkgPath: "example.com/c", GoFiles: []string{file}}, true)
		if got := len(g.uses()); got != want {
			t.Errorf("%s: %d uses, want %d", text, got, want)
		}
	}
}

// The list has 100 different modules, each with a version.
func TestList(t *testing.T) {
	text, err := os.ReadFile("modules.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, err := readList(string(text))
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]bool{}
	for _, m := range all {
		paths[m.Path] = true
		if !strings.HasPrefix(m.Version, "v") {
			t.Errorf("%s has no version", m)
		}
	}
	if len(paths) != 100 || len(all) != 100 {
		t.Errorf("%d modules, %d different, want 100", len(all), len(paths))
	}
	if _, err := readList("example.com/a\n"); err == nil {
		t.Error("a line without a version is no error")
	}
}

func TestOutside(t *testing.T) {
	for path, want := range map[string]bool{
		"a.example/m": false, "a.example/m/example": true, "a.example/m/_examples/x": true, "a.example/m/examples/x": true,
		"a.example/m/testdata": true, "a.example/m/exampled": false, "a.example/m/_x": true,
	} {
		if got := outside.MatchString(path); got != want {
			t.Errorf("%s: %t, want %t", path, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	for args, want := range map[string]string{
		"":                     "",
		"-tests -sample 3":     "",
		"-sample 0":            "at least 1",
		"more":                 "no arguments",
		"-only a.example/none": "no such module",
		"-list none":           "no such file",
	} {
		o, err := parse(strings.Fields(args))
		if err == nil {
			if o.list == "docs/netuse/modules.txt" {
				o.list = "modules.txt"
			}
			_, err = o.modules()
		}
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}

// A module counts in the tables for what it does itself, and for what it does by what it requires.
func TestTables(t *testing.T) {
	readings := []*reading{
		{Module: module{"a.example/client", "v1"}, Packages: 2, Imports: true, Uses: []use{
			{Class: httpClient, Own: true, Place: "a.example/client/c.go:1"},
		}},
		{Module: module{"b.example/unix", "v1"}, Packages: 1, Broken: 1, Uses: []use{
			{Class: dialTCP, Own: true, Place: "b.example/unix/u.go:1"}, {Class: unixSocket, Place: "a.example/client/c.go:2"},
		}},
		{Module: module{"c.example/tls", "v1"}, Packages: 1, Imports: true, Uses: []use{
			{Class: tlsSession, Own: true}, {Class: ownChecks, Own: true},
		}},
		{Module: module{"d.example/gone", "v1"}, Failure: "it is gone"},
	}
	var out strings.Builder
	printReadings(&out, readings)
	for _, want := range []string{
		"| a.example/client@v1 | 2 | HTTP client | HTTP client |",
		"| b.example/unix@v1 | 1 (1 with errors) | dial by TCP | dial by TCP; not handled: Unix socket |",
		"| c.example/tls@v1 | 1 | no network | no network |",
		"| d.example/gone@v1 | | not read: it is gone | |",
		"| of 4 modules | itself | with the modules that it requires |",
		"| read | 3 | 3 |",
		"| import `net` or a package below it | 2 | 2 |",
		"| use the network | 2 | 2 |",
		"| of these handled wholly | 2 | 1 |",
		"| of these handled wholly but for Unix sockets | 2 | 2 |",
		"| HTTP client | 1 | 1 |",
		"| TLS | 0 | 0 |",
		"| Unix socket (not handled: Unix sockets are real) | 0 | 1 |",
		"2 of 4 packages use the network themselves (50%), of which 2 (100%) are handled wholly",
	} {
		if !slices.Contains(strings.Split(out.String(), "\n"), want) {
			t.Errorf("no line %q in\n%s", want, &out)
		}
	}
}

// The output of a run has the results of the tests, and the packets that docs/offline saw.
func TestParseOutcome(t *testing.T) {
	passed := "=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- SKIP: TestA/127.0.0.1:54321 (0.00s)\nPASS\n" +
		"offline: 3 times to tcp 203.0.113.9:80\n"
	got := parseOutcome([]byte(passed), errors.New("exit status 1"))
	if got.failed != "" || got.packets != 3 || got.tests["TestA"] != "PASS" || got.tests["TestA/127.0.0.1:N"] != "SKIP" {
		t.Errorf("got %+v", got)
	}
	failed := parseOutcome([]byte("--- FAIL: TestA (0.00s)\nFAIL\n"), errors.New("exit status 1"))
	if failed.failed != "--- FAIL: TestA (0.00s)" {
		t.Errorf("got %+v", failed)
	}
	if diff := difference(got, failed); diff != "TestA: PASS without, FAIL with the virtual network" {
		t.Errorf("got %q", diff)
	}
	if diff := difference(got, got); diff != "" {
		t.Errorf("a run differs from itself: %s", diff)
	}
	hung := parseOutcome(nil, context.DeadlineExceeded)
	if diff := difference(outcome{}, hung); diff == "" {
		t.Error("a run that failed without results is no difference")
	}
}

// A result that an earlier run wrote is read again, and one that failed is not written.
func TestKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a", "reading.json")
	if _, err := kept(file, func() (*reading, error) { return nil, context.Canceled }); err == nil {
		t.Error("a run that ended early is no error")
	}
	want := &reading{Module: module{"a.example/client", "v1"}, Uses: []use{{Class: httpClient, Name: "net/http.Get", Own: true}}}
	made := 0
	for range 2 {
		got, err := kept(file, func() (*reading, error) { made++; return want, nil })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if made != 1 {
		t.Errorf("made %d times, want once", made)
	}
}

func TestEvenly(t *testing.T) {
	all := []string{"a", "b", "c", "d", "e", "f", "g"}
	for most, want := range map[int]string{7: "a b c d e f g", 3: "a c e", 1: "a"} {
		if got := strings.Join(evenly(all, most), " "); got != want {
			t.Errorf("%d: %s, want %s", most, got, want)
		}
	}
}

// Replacements by folders are removed from go.mod, and those by other modules are not.
func TestDropReplaced(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the go command")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "go.mod")
	text := "module m.example\n\ngo 1.26\n\nreplace a.example => ./a\n\n" +
		"replace b.example v1.0.0 => ../b\n\nreplace c.example => d.example v1.0.0\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := dropReplaced(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for replaced, want := range map[string]bool{"a.example =>": false, "b.example v1.0.0 =>": false, "c.example =>": true} {
		if strings.Contains(string(got), replaced) != want {
			t.Errorf("%q: want %t in\n%s", replaced, want, got)
		}
	}
}
