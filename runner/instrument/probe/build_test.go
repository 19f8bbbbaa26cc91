package probe

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"
)

const little = `
-- go.mod --
module example.com/little

go 1.22
-- main.go --
package main

import (
	_ "errors"

	"example.com/little/api"
)

func main() { println(api.Big(4)) }
-- api/api.go --
package api

func Big(n int) bool { return n > 3 }
-- api/odd.go --
package api

func Odd(n int) bool {
	__sonde := n % 2
	return __sonde == 1
}
`

// Only the file that does not compile with probes is built without them, and the manifest names it.
func TestPlainFile(t *testing.T) {
	dir, r := builtModule(t, little, Options{})
	m := r.Manifest
	odd := filepath.Join(dir, "api", "odd.go")
	if len(m.Skipped) != 1 || m.Skipped[0].Path != odd || !strings.Contains(m.Skipped[0].Why, "__sonde") {
		t.Errorf("skipped: %v", m.Skipped)
	}
	if got, want := packagesOf(m), []string{"example.com/little", "example.com/little/api"}; !slices.Equal(got, want) {
		t.Errorf("probed: %v, want %v", got, want)
	}
}

// The manifest has the checksum of each file.
func TestSum(t *testing.T) {
	_, r := builtModule(t, little, Options{})
	for _, f := range r.Manifest.Files {
		text, err := os.ReadFile(f.Path)
		if want := fmt.Sprintf("%x", sha256.Sum256(text)); err != nil || f.Sum != want {
			t.Errorf("%s: sum %q, want %q, error %v", f.Name, f.Sum, want, err)
		}
	}
}

func packagesOf(m *probedata.Manifest) []string {
	var all []string
	for _, f := range m.Files {
		all = append(all, f.Package)
	}
	return slices.Compact(all)
}

// The packages that match the patterns are probed.
func TestCover(t *testing.T) {
	dir := module(t, little)
	for _, c := range []struct{ pattern, want string }{
		{"./api", "example.com/little/api"},
		{"example.com/little", "example.com/little"},
		{"./...", "example.com/little example.com/little/api"},
		{"example.com/little/api/...", "example.com/little/api"},
	} {
		if got := strings.Join(packagesOf(manifestOf(t, Options{Dir: dir, Cover: []string{c.pattern}})), " "); got != c.want {
			t.Errorf("%s covers %s, want %s", c.pattern, got, c.want)
		}
	}
}

// Other modules of a workspace can be probed, too.
func TestWorkspace(t *testing.T) {
	dir := module(t, workspace)
	m := built(t, Options{Dir: filepath.Join(dir, "app"), Cover: []string{".", "example.com/lib/..."}}).Manifest
	if got, want := packagesOf(m), []string{"example.com/app", "example.com/lib"}; !slices.Equal(got, want) {
		t.Errorf("probed: %v, want %v", got, want)
	}
}

const workspace = `
-- go.work --
go 1.22

use (
	./app
	./lib
)
-- app/go.mod --
module example.com/app

go 1.22
-- app/main.go --
package main

import "example.com/lib"

func main() { println(lib.Twice(4)) }
-- lib/go.mod --
module example.com/lib

go 1.16
-- lib/lib.go --
package lib

func Twice(n int) int {
	if n > 3 {
		return 0
	}
	return 2 * n
}
`

// A vendored dependency is built from the vendor folder, and can be probed.
func TestVendor(t *testing.T) {
	dir := module(t, vendored)
	if got, want := packagesOf(manifestOf(t, Options{Dir: dir, Vendor: true})), []string{"example.com/app"}; !slices.Equal(got, want) {
		t.Errorf("probed: %v, want %v", got, want)
	}
	if got, want := packagesOf(
		built(t, Options{Dir: dir, Vendor: true, Cover: []string{"example.com/lib"}}).Manifest,
	), []string{"example.com/lib"}; !slices.Equal(got, want) {
		t.Errorf("probed: %v, want %v", got, want)
	}
}

const vendored = `
-- go.mod --
module example.com/app

go 1.22

require example.com/lib v1.0.0
-- go.sum --
example.com/lib v1.0.0 h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
-- main.go --
package main

import "example.com/lib"

func main() { println(lib.Twice(4)) }
-- vendor/modules.txt --
# example.com/lib v1.0.0
## explicit; go 1.16
example.com/lib
-- vendor/example.com/lib/lib.go --
package lib

func Twice(n int) int { return 2 * n }
`

// Files that cgo rewrites have no probes, and the other files of the package do.
func TestCgo(t *testing.T) {
	if out, _ := exec.Command("go", "env", "CGO_ENABLED").Output(); strings.TrimSpace(string(out)) != "1" {
		t.Skipf("cgo is off: there is no such file to build")
	}
	dir := module(t, `
-- go.mod --
module example.com/c

go 1.22
-- main.go --
package main

func main() { println(add(1, 2)) }
-- c.go --
package main

// static int add(int a, int b) { return a + b; }
import "C"

func add(a, b int) int { return int(C.add(C.int(a), C.int(b))) }
`)
	m := built(t, Options{Dir: dir}).Manifest
	if want := (probedata.SkippedFile{
		Path: filepath.Join(dir, "c.go"),
		Why:  `it imports "C"`,
	}); !slices.Equal(m.Skipped, []probedata.SkippedFile{want}) || len(m.Files) != 1 {
		t.Errorf("skipped %v, probed %v", m.Skipped, m.Files)
	}
}

// Bad input gives an error of one line, and no binary.
func TestBadInput(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the Go command many times")
	}
	dir := module(t, little+`
-- broken/main.go --
package main

func main() { undefined() }
-- notgo/readme.txt --
none
-- uses/main.go --
package main

import "example.com/little/wrong"

func main() { wrong.F() }
-- wrong/wrong.go --
package wrong

func F() int { return "" }
`)
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Package: "./api"}, `"./api" is package api: give the service's main package`},
		{Options{Package: "./..."}, `"./..." is 5 packages: give one main package`},
		{Options{Package: "./broken"}, `"example.com/little/broken" does not compile without probes: `},
		{Options{Package: "./uses"}, `"example.com/little/wrong" does not compile without probes: `},
		{Options{Package: "./nowhere"}, "nowhere"},
		{Options{Package: "./notgo"}, "no Go files"},
		{Options{Package: "main.go"}, `"main.go" are files: give the folder or the import path of the main package`},
		{Options{Package: ".", Cover: []string{"./nowhere"}}, `"./nowhere" matches no package of "example.com/little"`},
		{
			Options{Package: ".", Cover: []string{"errors"}},
			`there is nothing to probe in "example.com/little": errors: it is in the standard library`,
		},
		{Options{Package: ".", Cover: []string{"../x"}}, `"../x" is not a pattern of packages`},
		{Options{Package: ".", Dir: "/nowhere"}, `"/nowhere" is not a folder`},
	} {
		if c.o.Dir == "" {
			c.o.Dir = dir
		}
		c.o.Out = filepath.Join(t.TempDir(), "service")
		r, err := Build(context.Background(), c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: got %v, %v; want %q", c.o, r, err, c.want)
		}
		if _, err := os.Stat(c.o.Out); err == nil {
			t.Errorf("%+v left a binary", c.o)
		}
	}
}

// Without a Go installation the error says what to do.
func TestNoToolchain(t *testing.T) {
	dir := module(t, little)
	t.Setenv("PATH", t.TempDir())
	if _, err := Build(context.Background(), Options{Dir: dir, Package: "."}); err == nil || !strings.Contains(err.Error(), "install Go") {
		t.Errorf("got %v", err)
	}
}
