package probe

import (
	"strings"
	"testing"
)

// Source can be duplicated if it only computes and declares no name that is used outside.
func TestCanDuplicate(t *testing.T) {
	const vars = "var g func() int; var ch chan int; var list []int; var n int\n\n"
	for body, want := range map[string]bool{
		"for i := 0; i < n; i++ { n += i }":        true,
		"for _, v := range list { n += v }":        true,
		"for range ch { n++ }":                     false,
		"for n < 3 { n += g() }":                   false,
		"for n < 3 { n += len(list) }":             true,
		"for n < 3 { ch <- n }":                    false,
		"for n < 3 { n += <-ch }":                  false,
		"for n < 3 { func() { n++ }() }":           false,
		"for n < 3 { type t int; n++ }":            false,
		"for n < 3 { var m int; n += m }":          true,
		"for n < 3 { select { default: n++ } }":    false,
		"for n < 3 { next: for { break next }}":    false,
		"for n < 3 { n++; n++; n++;" + long + " }": false,
	} {
		p := parse(t, vars+"func f() { "+body+" }\n")
		if got := p.prober().light.canDuplicate(p.statement(t, "for ")); got != want {
			t.Errorf("canDuplicate(%.40s) is %t", body, got)
		}
	}
	moved := parse(t, vars+"//line other.go:1\nfunc f() { for n < 3 { n++ } }\n")
	if moved.prober().light.canDuplicate(moved.statement(t, "for ")) {
		t.Error("a file with line directives is duplicated")
	}
}

// long is more source than maxLightLoop.
var long = strings.Repeat("n++;", maxLightLoop/4)

// The light copy of a loop has no probes of predicates, and runs when no predicate is watched.
func TestLightLoop(t *testing.T) {
	p := parse(t, "func f(n int) { for i := 0; i < n; i++ { n-- } }\n")
	got, _ := p.prober().probe(p.file)
	open, _, _ := strings.Cut(string(got), "{for")
	if !strings.HasSuffix(open, "if !(__sonde.O(0))") {
		t.Errorf("the light copy runs after %s", open)
	}
	_, rest, _ := strings.Cut(string(got), "if !(__sonde.O(0)){")
	light, full, _ := strings.Cut(rest, "}else{")
	if strings.Contains(light, ".I(") || !strings.Contains(light, "__sonde.S(") {
		t.Errorf("the light copy is %s", light)
	}
	if !strings.Contains(full, "__sonde.I(0,") || !strings.HasPrefix(full, "/*line :7:17*/") {
		t.Errorf("the loop is %s", full)
	}
}

// A helper has a twin with another name, which light copies call.
func TestHelperTwin(t *testing.T) {
	p := parse(t, "func small(n int) bool { return n < 3 }\n\nfunc main() { for n := 19; n > 9; { if small(n) { n-- } } }\n")
	x := p.prober()
	got, _ := x.probe(p.file)
	if len(x.light.helpers) != 1 {
		t.Fatalf("%d helpers", len(x.light.helpers))
	}
	for _, want := range []string{"func __sondesmall(n int) bool {", "__sonde.RB(5,__sondesmall(n))", "__sonde.T(2,small(n))"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}
