package probe

import (
	"go/ast"
	"go/format"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"

	"github.com/google/go-cmp/cmp"
)

// Each function body in the table gets the probes that the table shows, and targets of the kinds that the table lists.
func TestProbeStatements(t *testing.T) {
	for name, c := range map[string]struct{ body, want, kinds string }{
		"block": {
			"func f(n int) int { n++; return n }",
			"func f(n int) int {__sonde.S(1); n++; return n }", "statement",
		},
		"call": {
			"func f(g func()) { g(); g() }",
			"func f(g func()) {__sonde.S(1); g();__sonde.S(2); g();__sonde.S(3) }", "statement, call, call",
		},
		"returned call": {
			"func f(g func() int) int { return g() }",
			"func f(g func() int) int {__sonde.S(1); {__sonde0:=g();__sonde.S(2);return __sonde0} }", "statement, call",
		},
		"panic": {
			`func f() { panic("no") }`,
			`func f() {__sonde.S(1); panic("no") }`, "statement",
		},
		"switch": {
			"func f(n int, g func()) { switch n { case 7: g() } }",
			"func f(n int, g func()) {__sonde.S(1); switch __sonde.SwI(0,0,n) { case 7:__sonde.S(2); g();__sonde.S(3) } }",
			"statement, statement, call, case",
		},
		"directive": {"//go:nosplit\nfunc f(n int) { n++ }", "", ""},
	} {
		p := parse(t, c.body+"\n")
		x := p.prober()
		got, probed := x.probe(p.file)
		if probed != (c.want != "") {
			t.Errorf("%s: probed is %t", name, probed)
		}
		if probed {
			if _, err := format.Source(got); err != nil {
				t.Errorf("%s: %v\n%s", name, err, got)
			}
			lines := strings.Split(strings.TrimSpace(string(got)), "\n")
			if diff := cmp.Diff(c.want, lines[len(lines)-1]); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		if diff := cmp.Diff(c.kinds, kindsOf(x.targets.targets)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Probes do not change the number of any line.
func TestProbesKeepLines(t *testing.T) {
	p := parse(t, `func f(list []int, s string) (n int) {
	for i, v := range list {
		if v > 3 &&
			strings.HasPrefix(
				s,
				"a") {
			n += i
		} else if v == 2 {
			return strings.Index(s,
				"b")
		}
	}
	return n
}
`)
	got, _ := p.prober().probe(p.file)
	before, after := strings.Split(string(p.info.file.text), "\n"), strings.Split(string(got), "\n")
	if len(before) != len(after) {
		t.Fatalf("%d lines became %d:\n%s", len(before), len(after), got)
	}
	for i, line := range before {
		for _, word := range []string{"range list", "n += i", `"a"`, `"b"`, "return n"} {
			if strings.Contains(line, word) && !strings.Contains(after[i], word) {
				t.Errorf("line %d has lost %s: %s", i+1, word, after[i])
			}
		}
	}
}

func TestMayProbe(t *testing.T) {
	p := parse(t, "func f() { g() }\n\n//go:norace\nfunc g() {}\n\n// g is no directive: go:norace\nfunc h() {}\n\nfunc _() { g() }\n")
	want := map[string]bool{"f": true, "g": false, "h": true, "_": false}
	x := p.prober()
	for _, d := range p.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && x.mayProbe(fn) != want[fn.Name.Name] {
			t.Errorf("mayProbe(%s) is %t", fn.Name.Name, !want[fn.Name.Name])
		}
	}
	if x.mayProbe(&ast.FuncDecl{Name: ast.NewIdent("external")}) {
		t.Error("a function without a body may be probed")
	}
}

// Each case of a switch without a tag, its default, and each case of a type switch is a target. The
// default has the terms of the conditions before it.
func TestChoiceTargets(t *testing.T) {
	p := parse(t, `func f(n int, v any) {
	switch {
	case n > 3:
		n++
	default:
		n--
	}
	switch v.(type) {
	case int:
		n++
	}
}
`)
	x := p.prober()
	x.probe(p.file)
	var cases []probedata.Target
	for _, target := range x.targets.targets {
		if target.Kind == probedata.SwitchCase || target.Kind == probedata.TypeCase {
			cases = append(cases, target)
		}
	}
	if got := kindsOf(cases); got != "case, case, type case" {
		t.Fatalf("cases are %s", got)
	}
	if d := cases[1].Terms; len(d) != 1 || d[0].Outcome != 1 || cases[1].Near != 0 {
		t.Errorf("the default follows from %v, near %d", d, cases[1].Near)
	}
	if cases[2].Near == 0 || cases[2].Terms != nil {
		t.Errorf("the type case is %+v", cases[2])
	}
}
