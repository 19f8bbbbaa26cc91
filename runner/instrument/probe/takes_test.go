package probe

import (
	"testing"

	"sonde/runner/instrument/probedata"

	"github.com/google/go-cmp/cmp"
)

// Separators, examples for parsers, regular expressions and lengths are collected from the source, if
// they are constant.
func TestTakesApart(t *testing.T) {
	dir := module(t, `-- go.mod --
module example.com/apart

go 1.22
-- main.go --
package main

import (
	"net/netip"
	"os"
	"regexp"
	"strings"
	"time"
)

var marks = regexp.MustCompile("(?i)<mark>")

func main() {
	text, by := os.Args[0], os.Args[1]
	name, value, _ := strings.Cut(text, "=")
	for _, part := range strings.SplitN(text, " | ", 2) {
		println(part, name, value, len(strings.Split(text, by)), len(strings.Fields(text)), strings.Index(text, "://"))
	}
	_, early := time.Parse("02-Jan-2006", value)
	_, exact := time.Parse(time.RFC3339, value)
	_, late := time.Parse(by, value)
	_, prefix := netip.ParsePrefix(value)
	println(strings.Join(nil, ","), early, exact, late, prefix, marks.FindStringIndex(text), regexp.MustCompile(by))
	println(len(text) > 64, 7 <= len([]rune(value)), len(os.Args) > 3, len(text) == 0)
}
`)
	got := manifestOf(t, Options{Dir: dir})
	if diff := cmp.Diff(&probedata.Separators{Words: []string{" ", " | "}, Parts: []string{"://", "="}}, got.Separators); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"(?i)<mark>"}, got.Patterns); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{7, 64}, got.Lengths); diff != "" {
		t.Error(diff)
	}
	want := []string{"0.0.0.0/0", "02-Jan-2006", "2006-01-02", "2006-01-02T15:04:05Z", "2030-01-02T15:04:05Z", "::/0"}
	if diff := cmp.Diff(want, got.Readable); diff != "" {
		t.Error(diff)
	}
}
