package probe

import (
	"go/ast"
	"go/constant"
	"go/token"

	"sonde/assets/probe/sondeprobe"
)

// sought probes the comparison of a number with what a call says that looks for a
// text in another, or compares two: strings.Index(s, "x") >= 0 is strings.Contains,
// and strings.Compare(a, b) == 0 is a == b.
func (x *prober) sought(e *ast.BinaryExpr, p int) bool {
	c, ok := e.X.(*ast.CallExpr)
	n, known := x.literal(e.Y)
	if !ok || !known || len(c.Args) != 2 || c.Ellipsis.IsValid() {
		return false
	}
	f := x.callee(c)
	if f == nil {
		return false
	}
	op := operators[e.Op]
	switch full := f.FullName(); {
	case (full == "strings.Compare" || full == "bytes.Compare") && n == 0:
		x.before(c.Pos(), "%s.%s(%d,%d,", name, inBytes("Order", full), p, op)
		x.rewrite(e, c, "")
		return true
	case full == "strings.Index" || full == "bytes.Index":
		if kind, negated, ok := search(op, n); ok {
			x.before(c.Pos(), "%s.%s(%d,%d,%t,%d,", name, inBytes("Find", full), p, kind, negated, op)
			x.rewrite(e, c, ","+x.text(e.Y))
			return true
		}
	}
	return false
}

// rewrite makes "f(a, b) >= 0" what stands behind a probe's first arguments: the
// function, which keeps its import in use, its arguments, and the number.
func (x *prober) rewrite(e *ast.BinaryExpr, c *ast.CallExpr, number string) {
	x.replace(c.Lparen, c.Lparen+1, ",")
	x.exprs(c.Args)
	x.replace(c.Rparen, e.End(), number+")")
}

// inBytes is the probe for the functions of a package.
func inBytes(fn, full string) string {
	if full[0] == 'b' {
		return fn + "B"
	}
	return fn
}

// search is what a place comes to that is compared with a number: that the text has
// the other, or has it not, or begins with it.
func search(op int, n int64) (kind int, negated, ok bool) {
	switch {
	case op == sondeprobe.Ge && n == 0, op == sondeprobe.Gt && n == -1, op == sondeprobe.Ne && n == -1:
		return sondeprobe.Contains, false, true
	case op == sondeprobe.Lt && n == 0, op == sondeprobe.Le && n == -1, op == sondeprobe.Eq && n == -1:
		return sondeprobe.Contains, true, true
	case op == sondeprobe.Eq && n == 0:
		return sondeprobe.HasPrefix, false, true
	case op == sondeprobe.Ne && n == 0:
		return sondeprobe.HasPrefix, true, true
	}
	return 0, false, false
}

// literal is a whole number that is written out; what has a name may be all that an
// import is for.
func (x *prober) literal(e ast.Expr) (int64, bool) {
	inner := e
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		inner = u.X
	}
	v := x.info.Types[e].Value
	if _, ok := inner.(*ast.BasicLit); !ok || v == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v))
}
