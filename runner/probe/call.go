package probe

import (
	"fmt"
	"go/ast"
	"go/types"

	"sonde/assets/probe/sondeprobe"
)

// outcomeOnly is the probe of a call that is a branch wherever it stands, and of
// which no distance is known.
const outcomeOnly = "T"

// knownCalls are the calls that are branches wherever they stand, and their
// probes. Others are where they are a condition, and their outcome is all.
var knownCalls = map[string]struct {
	fn   string
	kind int
}{
	"strings.HasPrefix":  {"P", sondeprobe.HasPrefix},
	"strings.HasSuffix":  {"P", sondeprobe.HasSuffix},
	"strings.Contains":   {"P", sondeprobe.Contains},
	"strings.EqualFold":  {"P", sondeprobe.EqualFold},
	"bytes.Equal":        {"PB", sondeprobe.Equal},
	"bytes.HasPrefix":    {"PB", sondeprobe.HasPrefix},
	"bytes.HasSuffix":    {"PB", sondeprobe.HasSuffix},
	"bytes.Contains":     {"PB", sondeprobe.Contains},
	"bytes.EqualFold":    {"PB", sondeprobe.EqualFold},
	"errors.Is":          {"Is", 0},
	"(time.Time).Before": {"Time", sondeprobe.Lt},
	"(time.Time).After":  {"Time", sondeprobe.Gt},
	"(time.Time).Equal":  {"Time", sondeprobe.Eq},

	"slices.Contains": {"In", 0},

	"(*regexp.Regexp).Match":       {fn: outcomeOnly},
	"(*regexp.Regexp).MatchString": {fn: "Re"},
}

// knownCall is the name of the function or method that a call calls, if it is one
// of those and can be probed as such; "" else.
func (x *prober) knownCall(c *ast.CallExpr) string {
	f := x.callee(c)
	if f == nil || c.Ellipsis.IsValid() || !x.isBool(c) {
		return ""
	}
	full := f.FullName()
	fits := false
	switch knownCalls[full].fn {
	case outcomeOnly, "Re":
		fits = true
	case "Time":
		fits = x.generic && len(c.Args) == 1 && x.calledOn(c, isTime)
	case "P", "PB", "Is":
		fits = len(c.Args) == 2
	case "In":
		fits = len(c.Args) == 2 && x.passesGenerics && x.listed(c) != ""
	}
	if _, is := x.kindOf(c); !fits && !is {
		return ""
	}
	return full
}

// isPattern reports whether a method is called on a pointer to a regular expression
// itself, not on what holds one.
func (x *prober) isPattern(c *ast.CallExpr) bool {
	return len(c.Args) == 1 && x.calledOn(c, func(t types.Type) bool {
		p, ok := types.Unalias(t).(*types.Pointer)
		return ok && isNamed(p.Elem(), "regexp", "Regexp")
	})
}

// calledOn reports whether a method is called on a value of a type itself, not on what
// holds or points to one.
func (x *prober) calledOn(c *ast.CallExpr, is func(types.Type) bool) bool {
	on := receiver(c)
	return on != nil && !x.info.Types[on].IsType() && is(x.info.Types[on].Type)
}

// receiver is the value of which a call calls a method, or the package of its function;
// nil where there is neither.
func receiver(c *ast.CallExpr) ast.Expr {
	if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
		return sel.X
	}
	return nil
}

// call probes a call whose branch distance is known. The function becomes an
// argument, so that its import stays in use.
func (x *prober) call(c *ast.CallExpr, p int) bool {
	if x.kind(c, p) {
		return true
	}
	full := x.knownCall(c)
	known := knownCalls[full]
	if full == "" || known.fn == outcomeOnly || known.fn == "Re" && !x.isPattern(c) {
		return false
	}
	fn, arg := known.fn, fmt.Sprintf("%d,", known.kind)
	switch fn {
	case "Is", "Re":
		arg = ""
	case "In":
		fn, arg = fn+x.listed(c), ""
	}
	x.before(c.Pos(), "%s.%s(%d,%s", name, fn, p, arg)
	if known.fn == "Time" || known.fn == "Re" {
		on := receiver(c)
		x.expr(on)
		x.replace(on.End(), c.Lparen+1, ",")
	} else {
		x.replace(c.Lparen, c.Lparen+1, ",")
	}
	x.exprs(c.Args)
	return true
}

// cuts are the calls that cut a text by another and tell whether it was there, and
// their probes.
var cuts = map[string]struct {
	fn   string
	kind int
}{
	"strings.CutPrefix": {"CutEnd", sondeprobe.HasPrefix},
	"strings.CutSuffix": {"CutEnd", sondeprobe.HasSuffix},
	"strings.Cut":       {"CutAt", sondeprobe.Contains},
	"bytes.CutPrefix":   {"CutEnd", sondeprobe.HasPrefix},
	"bytes.CutSuffix":   {"CutEnd", sondeprobe.HasSuffix},
	"bytes.Cut":         {"CutAt", sondeprobe.Contains},
}

// cutting probes one of these: both outcomes are targets, whatever becomes of them.
func (x *prober) cutting(c *ast.CallExpr) bool {
	f := x.callee(c)
	if f == nil || !x.generic || len(c.Args) != 2 {
		return false
	}
	known, is := cuts[f.FullName()]
	if !is {
		return false
	}
	p := x.pred(2)
	x.learning(func() {
		x.before(c.Pos(), "%s.%s(%d,%d,", name, known.fn, p, known.kind)
		x.replace(c.Lparen, c.Lparen+1, ",")
		x.exprs(c.Args)
	})
	x.decided(c, c.Lparen, outcome(p, 0), outcome(p, 1))
	return true
}

// listed is the letter of what a list is of in which a call looks for something.
func (x *prober) listed(c *ast.CallExpr) string {
	list, ok := x.info.Types[c.Args[0]].Type.Underlying().(*types.Slice)
	if !ok || isTypeParam(list.Elem()) || x.shifts(c.Args[1]) {
		return ""
	}
	return letter(list.Elem())
}

// callee is the function or method that a call names.
func (x *prober) callee(c *ast.CallExpr) *types.Func {
	f, _ := x.info.Uses[calleeName(c)].(*types.Func)
	return f
}

// calleeName is the name of what is called, without that of its package or receiver;
// nil where it has none.
func calleeName(c *ast.CallExpr) *ast.Ident {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	}
	return nil
}

// calls reports whether evaluating expressions calls a function that may not come
// back: no builtin, no conversion, and not what is inside a function literal.
func (x *prober) calls(all ...ast.Expr) bool {
	found := false
	for _, e := range all {
		if e == nil {
			continue
		}
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				found = found || !x.builtinOrConversion(n)
			}
			return !found
		})
	}
	return found
}

func (x *prober) builtinOrConversion(c *ast.CallExpr) bool {
	tv, ok := x.info.Types[c.Fun]
	return !ok || tv.IsBuiltin() || tv.IsType()
}

// leavers are the functions that never come back.
var leavers = map[string]bool{
	"os.Exit": true, "runtime.Goexit": true, "syscall.Exit": true,
	"log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true, "log.Panic": true, "log.Panicf": true, "log.Panicln": true,
	"(*log.Logger).Fatal": true, "(*log.Logger).Fatalf": true, "(*log.Logger).Fatalln": true,
	"(*log.Logger).Panic": true, "(*log.Logger).Panicf": true, "(*log.Logger).Panicln": true,
}

// leaves reports whether a statement is a call that never comes back.
func (x *prober) leaves(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	c, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	if f := x.callee(c); f != nil {
		return leavers[f.FullName()]
	}
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	return ok && id.Name == "panic"
}
