package probe

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"

	"golang.org/x/tools/txtar"
)

const tested = `
-- go.mod --
module example.com/tested

go 1.22
-- main.go --
package main

import "example.com/tested/api"

func main() { println(api.Half(4)) }
-- api/api.go --
package api

func Half(n int) int {
	if n%2 != 0 {
		return 0
	}
	return n / 2
}

func Twice(n int) int { return 2 * n }
-- api/api_test.go --
package api

import (
	"flag"
	"testing"
)

var odd = flag.Int("odd", 3, "")

func TestHalf(t *testing.T) {
	if Half(4) != 2 {
		t.Error("not half")
	}
}

func TestOdd(t *testing.T) {
	if Half(*odd) != 0 {
		t.Error("half of an odd number")
	}
}
-- other/other_test.go --
package other

import (
	"testing"

	"example.com/tested/api"
)

func TestTwice(t *testing.T) {
	if api.Twice(2) != 4 {
		t.Error("not twice")
	}
}
`

// CoverTests counts the statements of the packages with probes that tests reach, whichever package the tests are in.
func TestCoverTests(t *testing.T) {
	needsBuild(t)
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(tested)).Files {
		write(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	o := Options{Dir: dir, Package: "."}
	for command, want := range map[string]int{
		"go test ./...":                            4,
		"go test ./api":                            3,
		"go test -run TestHalf ./api":              2,
		"go test ./other":                          1,
		"go test -v ./api -args -odd=5 -test.v":    3,
		"go test -run=TestOdd ./api --args -odd 7": 2,
	} {
		blocks, err := CoverTests(t.Context(), o, strings.Fields(command))
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		if got := CountStatements(blocks); got.Covered != want {
			t.Errorf("%s: %d statements, want %d", command, got.Covered, want)
		}
		if slices.ContainsFunc(blocks, func(b CoverBlock) bool { return strings.Contains(b.Place, "_test.go") }) {
			t.Errorf("%s: statements of tests are counted: %v", command, blocks)
		}
	}
	for command, want := range map[string]string{
		"go test ./api -args -odd 4": "--- FAIL: TestOdd",
		"go test ./none":             "[setup failed]",
		"go test .":                  "there are no tests",
		"make test":                  "it is no go test command",
	} {
		if _, err := CoverTests(t.Context(), o, strings.Fields(command)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %s", command, err, want)
		}
	}
}

// Blocks of several commands are united: a block counts once, and is reached if one of the commands reaches it.
func TestUniteBlocks(t *testing.T) {
	one := []CoverBlock{{Place: "a", Statements: 2, Reached: true, Times: 1}, {Place: "b", Statements: 3}}
	other := []CoverBlock{{Place: "b", Statements: 3, Reached: true, Times: 1}, {Place: "c", Statements: 4}}
	if got, want := CountStatements(UniteBlocks(one, other)), (model.CoverageCount{Covered: 5, All: 9}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	often := blocks([]byte("a 1 99999999999999999999\n"))
	if got := UniteBlocks(often, often, one); got[0].Times != math.MaxInt {
		t.Errorf("%d times, want the largest int", got[0].Times)
	}
}
