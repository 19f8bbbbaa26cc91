//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// movedService is a service that answers HTTP with package net alone. It does not use net/http, so that a changed Go
// release, which must compile all packages anew, builds it quickly.
var movedService = map[string]string{
	"go.mod": "module example.com/moved\n\ngo 1.22\n",
	"main.go": `package main

import (
	"io"
	"net"
	"os"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	for err == nil {
		var c net.Conn
		if c, err = l.Accept(); err == nil {
			c.Read(make([]byte, 4096))
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
			c.Close()
		}
	}
}
`,
	"openapi.yaml": "openapi: 3.0.3\ninfo: {title: Moved, version: '1'}\npaths:\n  /health:\n" +
		"    get: {responses: {'200': {description: well}}}\n",
	"sonde.yaml": "spec: openapi.yaml\nsut: {build: {package: .}, ready: /health}\nnet: true\n",
}

// A search with a Go release whose package net has changed ends with an error that names the missing
// function. With --no-net the search works.
func TestMovedNetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs other programs: left out by -short")
	}
	useGo(t, movedGo(t, "func (fd *netFD) accept(", "func (fd *netFD) acceptOne(", "fd.accept(", "fd.acceptOne("))
	dir := t.TempDir()
	for name, text := range movedService {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	code, out, errs := run(t, "search", "--calls", "20", "-o", "run")
	if want := " has no net.(*netFD).accept, which the virtual network needs: build without --net\n"; code != 2 ||
		!strings.HasSuffix(errs, want) {
		t.Errorf("code %d, want 2 and %q in\n%s%s", code, want, out, errs)
	}
	code, out, errs = run(t, "search", "--calls", "20", "-o", "run", "--no-net")
	if code != 0 || !strings.Contains(out, "run") {
		t.Errorf("with --no-net: code %d\n%s%s", code, out, errs)
	}
}

// movedGo returns a copy of the installed Go release with renamed functions in package net. names are pairs
// of an old and a new name.
func movedGo(t *testing.T, names ...string) (root string) {
	t.Helper()
	real, root := goEnv("GOROOT"), t.TempDir()
	linkAll(t, real, root, "src")
	linkAll(t, filepath.Join(real, "src"), filepath.Join(root, "src"), "net")
	linkAll(t, filepath.Join(real, "src", "net"), filepath.Join(root, "src", "net"), "")
	files, err := filepath.Glob(filepath.Join(root, "src", "net", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err == nil {
			err = os.Remove(f) // removes only the link
		}
		if err == nil {
			err = os.WriteFile(f, []byte(strings.NewReplacer(names...).Replace(string(text))), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// linkAll creates a folder with links to the files and folders in another folder, except for the entry named skip. The
// paths of the new and the other folder are to and from.
func linkAll(t *testing.T, from, to, skip string) {
	t.Helper()
	all, err := os.ReadDir(from)
	if err == nil {
		err = os.MkdirAll(to, 0o700)
	}
	for _, e := range all {
		if err == nil && e.Name() != skip {
			err = os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name()))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// useGo makes the test use another Go release.
func useGo(t *testing.T, root string) {
	t.Helper()
	t.Setenv("GOCACHE", goEnv("GOCACHE")) // the user's cache, because the run has another home
	t.Setenv("GOROOT", root)
	t.Setenv("GOTOOLCHAIN", "local")
	t.Setenv("PATH", filepath.Join(root, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// A file of stubs with an unknown key ends a search before any call. The error names the
// line.
func TestBadStubsInSearch(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "stubs.yaml")
	if err := os.WriteFile(file, []byte("stubs:\n  - host: a.example:80\n    proto: http\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := run(t, "search", "--demo", "--net", "--stubs", file, "--calls", "10", "-o", filepath.Join(dir, "run"))
	if want := `line 3: unknown key "proto" in a stub`; code != 2 || !strings.Contains(errs, want) {
		t.Errorf("code %d, want 2 and %s in\n%s%s", code, want, out, errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "run")); !os.IsNotExist(err) {
		t.Errorf("there is a run: %v", err)
	}
}
