package probe

import (
	"go/ast"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each expression in the table gets the probes that the table shows.
func TestProbeExpressions(t *testing.T) {
	const vars = "var n, m int; var s string; var ok bool; var words map[string]bool; var g func() int\n\n"
	for source, c := range map[string]struct{ want, kinds string }{
		"n":                           {"n", ""},
		"3 < 4":                       {"3 < 4", ""},
		"!ok":                         {"!__sonde.T(0,ok)", "true, false"},
		"n < m":                       {"(__sonde.O(0)&&__sonde.I(0,1,__sonde.Int64(n),__sonde.Int64(m))||n < m)", "true, false"},
		"g() == 3":                    {"__sonde.I(0,2,__sonde.Int64(g() ),__sonde.Int64( 3))", "true, false"},
		`s >= "a"`:                    {`(__sonde.O(0)&&__sonde.Text(0,6,__sonde.String(s),__sonde.String("a"))||s >= "a")`, "true, false"},
		`strings.Contains(s, "a")`:    {`__sonde.P(0,3,strings.Contains,s, "a")`, "true, false"},
		`strings.Index(s, "a") >= 0`:  {`__sonde.Find(0,3,false,6,strings.Index,s, "a",0)`, "true, false"},
		`strings.Index(s, "a") == 2`:  {`__sonde.I(0,2,__sonde.Int64(strings.Index(s, "a") ),__sonde.Int64( 2))`, "true, false"},
		`strings.Compare(s, "") != 0`: {`__sonde.Order(0,5,strings.Compare,s, "")`, "true, false"},
		"ok || words[s]": {
			"__sonde.T(0,ok) || __sonde.TrueS(1,words,s)", "condition true, condition false, condition true, condition false, true, false",
		},
		"func() { n++ }": {"func() { n++ }", ""},
	} {
		p := parse(t, vars+"var _ = "+source+"\n")
		e := p.expr(t, source)
		x := p.prober().exprs
		literals := 0
		x.body = func(*ast.BlockStmt) { literals++ }
		x.probe(e)
		from, to := x.file.offset(e.Pos()), x.file.offset(e.End())
		tail := len(x.file.text) - to
		got := apply(x.file.text, x.edit.edits)
		if diff := cmp.Diff(c.want, string(got[from:len(got)-tail])); diff != "" {
			t.Errorf("%s: %s", source, diff)
		}
		if diff := cmp.Diff(c.kinds, kindsOf(x.targets.targets)); diff != "" {
			t.Errorf("%s: %s", source, diff)
		}
		if want := 0; source == "func() { n++ }" && literals != want+1 {
			t.Errorf("%s: %d bodies were probed", source, literals)
		}
	}
}

// The terms of && and || are those of the EvoMaster paper's branch distance for a
// fixed order of evaluation.
func TestTermsOfConditions(t *testing.T) {
	p := parse(t, "var a, b, c bool\n\nvar _ = a && (b || c)\n")
	d := p.prober().exprs.branch(p.expr(t, "a && (b || c)"))
	type term struct {
		Pred, Outcome int
		Base, Scale   float64
	}
	var yes, no []term
	for _, t := range d.yes {
		yes = append(yes, term{t.Pred, t.Outcome, t.Base, t.Scale})
	}
	for _, t := range d.no {
		no = append(no, term{t.Pred, t.Outcome, t.Base, t.Scale})
	}
	if diff := cmp.Diff([]term{{0, 0, 0, 0.5}, {1, 0, 0.5, 0.5}, {2, 0, 0.5, 0.5}}, yes); diff != "" {
		t.Errorf("true: %s", diff)
	}
	if diff := cmp.Diff([]term{{0, 1, 0, 1}, {1, 1, 0, 0.5}, {2, 1, 0.5, 0.5}}, no); diff != "" {
		t.Errorf("false: %s", diff)
	}
}

// An expression is pure if evaluating it twice makes no difference.
func TestIsPure(t *testing.T) {
	const vars = "type item struct{ n int }\n\n" +
		"var n, m int; var list []int; var words map[string]int; var at *item; var g func() int; var ch chan int\n\n"
	for source, want := range map[string]bool{
		"n": true, "n + m": true, "-n": true, "list[n]": true, "at.n": true, "len(list)": true, "float64(n)": true, "(n)": true,
		`words["a"]`: false, "g()": false, "<-ch": false, "n +\n\tm": false, "[]int{1}": false, "n / m": true,
	} {
		p := parse(t, vars+"var _ = "+source+"\n")
		if got := p.info.isPure(p.expr(t, source)); got != want {
			t.Errorf("isPure(%s) is %t", source, got)
		}
	}
}
