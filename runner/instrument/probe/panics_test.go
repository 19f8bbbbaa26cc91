package probe

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"

	"github.com/google/go-cmp/cmp"
)

const panicVars = `type item struct { n int; next *item ` + "`json:\"next\"`" + ` }

var all = map[string]*item{}

func find() *item { return nil }

`

// withPanics returns a prober that also probes operations that may panic.
func (p *parsedFile) withPanics() *prober {
	x := p.prober()
	nils := map[types.Object]bool{}
	for _, d := range p.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && returnsNil(p.info.Info, f.Body) {
			nils[p.info.Defs[f.Name]] = true
		}
	}
	x.exprs.panics = newPanicProber(p.info, p.file, nils)
	return x
}

// Each statement in the table gets the probes that the table shows. %s is __sonde.
func TestProbePanics(t *testing.T) {
	for source, want := range map[string]string{
		"_ = list[n]":                     "_ = list[(n+%s.At(0,n,%s.Len(list)))]",
		"_ = &list[n]":                    "_ = &list[(n+%s.At(0,n,%s.Len(list)))]",
		"list[n]++":                       "list[(n+%s.At(0,n,%s.Len(list)))]++",
		"_ = list[u]":                     "_ = list[(u+%s.AtN(0,u,%s.Len(list)))]",
		"_ = s[2]":                        "_ = s[(2+%s.AtFixed(0,2,%s.Length(s),true))]",
		"_ = row[n]":                      "_ = row[(n+%s.At(0,n,3))]",
		"_ = row[2]":                      "_ = row[2]",
		`_ = "0123456789abcdef"[u&15]`:    `_ = "0123456789abcdef"[u&15]`,
		"_ = list[n:]":                    "_ = list[(n+%s.At(0,n,%s.Len(list)+1)):]",
		"_ = list[:n]":                    "_ = list[:(n+%s.At(0,n,%s.Cap(list)+1))]",
		"_ = list[n : n+2]":               "_ = list[n : (n+2+%s.At(0,n+2,%s.Cap(list)+1))]",
		"_ = n / m":                       "_ = n / (m+%s.Divisor(0,m))",
		"n %= m - 1":                      "n %= (m - 1+%s.Divisor(0,m - 1))",
		"_ = 1.5 / f":                     "_ = 1.5 / f",
		"_ = n / 2":                       "_ = n / 2",
		"_ = v.(string)":                  "_ = %s.As[string](0,v).(string)",
		"_, _ = v.(string)":               "_, _ = v.(string)",
		"_ = all[s].n":                    "_ = %s.Pointer(0,all[s]).n",
		"_ = it.n":                        "_ = it.n",
		"_ = it.next.n":                   "_ = %s.Pointer(0,it.next).n",
		"it.next.n = list[n]":             "%s.Pointer(0,it.next).n = list[(n+%s.At(1,n,%s.Len(list)))]",
		"_ = list[n] == m":                "(%s.At(1,n,%s.Len(list))!=0||%s.O(0)&&%s.I(0,2,%s.Int64(list[n]),%s.Int64(m))||list[n] == m)",
		"_ = len(rows[n])":                "_ = len(rows[n])",
		"for range rows[n] {}":            "for range rows[n] {",
		"for i := range list { list[i]++": "list[i]++",
	} {
		end := ""
		if strings.HasPrefix(source, "for i") {
			end = " }"
		}
		const head = "func f(list []int, row [3]int, rows [2][3]int, s string, n, m int, u uint8, f float64, v any, it *item) {\n"
		p := parse(t, panicVars+head+source+end+"\n}\n")
		got, _ := p.withPanics().probe(p.file)
		if want = strings.ReplaceAll(want, "%s", runtimeName); !strings.Contains(string(got), want) {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
}

const orderVars = `type item struct { list []int; n int }

var global any

func number() int { return 7 }

func f(list []int, n int, v any, it *item, ok bool, ch chan int) {
	var shared any
	go func() { shared = 2 }()
	_ = shared
`

// Operands are neither read earlier nor moved if a call in the same statement may change them, or if another
// operation would fail before.
func TestOrderOfOperands(t *testing.T) {
	for source, want := range map[string]int{
		"_ = list[n] + number()":             1, // the index stays where it is
		"_ = it.list[it.n] + number()":       0,
		"_ = number() + it.list[it.n]":       0, // it.list may fail before it.n
		"_ = it.list[n]":                     1,
		"_ = it.list[n] + number()":          0,
		"it.list[n] = number()":              0,
		"_ = min(it.list[n], number())":      0,
		"_ = ok && it.list[n] > number()":    0,
		"_ = it.list[n] > 3 && number() > 2": 1,
		"_ = v.(int) + number()":             1, // v is local
		"_ = global.(int) + number()":        0,
		"_ = number() + global.(int)":        1,
		"_ = list[n] + global.(int)":         1, // list[n] would fail first
		"_ = shared.(int) + number()":        0,
		"_ = 7 / it.n":                       1,
		"_ = list[n] / it.n":                 1,
		"func() { shared = 1 }()":            0,
		"global, list[n] = number(), 3":      1,
		"select { case ch <- it.list[n]: }":  0,
	} {
		p := parse(t, orderVars+source+"\n}\n")
		x := p.withPanics()
		x.probe(p.file)
		panics := 0
		for _, target := range x.targets.targets {
			if target.Kind == probedata.Panics {
				panics++
			}
		}
		if diff := cmp.Diff(want, panics); diff != "" {
			t.Errorf("%s: %s", source, diff)
		}
	}
}
