package probe

import (
	"go/ast"
	"strings"

	"sonde/assets/probe/sondeprobe"
)

// searchResult probes a comparison of a number with the result of Index or Compare of package
// strings or bytes. It returns false for other comparisons. For example,
// strings.Index(s, "x") >= 0 has the distance of strings.Contains, and
// strings.Compare(a, b) == 0 has the distance of a == b.
func (x *exprProber) searchResult(e *ast.BinaryExpr, p int) bool {
	c, ok := e.X.(*ast.CallExpr)
	n, known := x.types.literalInt(e.Y)
	if !ok || !known || len(c.Args) != 2 || c.Ellipsis.IsValid() {
		return false
	}
	f := x.types.callee(c)
	if f == nil {
		return false
	}
	op := operators[e.Op]
	switch full := f.FullName(); {
	case (full == "strings.Compare" || full == "bytes.Compare") && n == 0:
		x.edit.before(c.Pos(), "%s.%s(%d,%d,", runtimeName, probeOfPackage("Order", full), p, op)
		x.rewriteResult(e, c, "")
		return true
	case full == "strings.Index" || full == "bytes.Index":
		if relation, negated, ok := relationOfIndex(op, n); ok {
			x.edit.before(c.Pos(), "%s.%s(%d,%d,%t,%d,", runtimeName, probeOfPackage("Find", full), p, relation, negated, op)
			x.rewriteResult(e, c, ","+x.file.sourceOf(e.Y))
			return true
		}
	}
	return false
}

// rewriteResult changes "f(a, b) >= 0" into the last arguments of a probe: the function, so that
// the import of its package remains used, its arguments, and the number, if any.
func (x *exprProber) rewriteResult(e *ast.BinaryExpr, c *ast.CallExpr, number string) {
	x.edit.replace(c.Lparen, c.Lparen+1, ",")
	x.probeAll(c.Args)
	x.edit.replace(c.Rparen, e.End(), number+")")
}

// probeOfPackage returns the variant of a probe for a function of package strings or bytes.
func probeOfPackage(probe, function string) string {
	if strings.HasPrefix(function, "bytes.") {
		return probe + "B"
	}
	return probe
}

// relationOfIndex returns the relation that is checked by comparing an index, such as strings.Index(s, t),
// with a number: s contains t, or s begins with t. negated means that the comparison checks the opposite.
// relationOfIndex returns false if the comparison checks neither.
func relationOfIndex(op int, n int64) (relation int, negated, ok bool) {
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
