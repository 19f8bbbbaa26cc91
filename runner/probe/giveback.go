package probe

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// giveBack probes a return: that what it calls came back.
func (x *prober) giveBack(s *ast.ReturnStmt) {
	switch call := x.onlyCall(s); {
	case !x.calls(s.Results...):
		x.exprs(s.Results)
	case call != nil:
		x.giveCall(s, call)
	default:
		x.giveLast(s)
	}
}

// onlyCall is the call that a return consists of.
func (x *prober) onlyCall(s *ast.ReturnStmt) *ast.CallExpr {
	if len(s.Results) != 1 {
		return nil
	}
	if c, ok := s.Results[0].(*ast.CallExpr); ok && !x.builtinOrConversion(c) {
		return c
	}
	return nil
}

// giveCall makes "return f()" into "{a, b := f(); probe; return a, b}", for which
// the names of types need not be known.
func (x *prober) giveCall(s *ast.ReturnStmt, call *ast.CallExpr) {
	n := 1
	if t, ok := x.info.Types[call].Type.(*types.Tuple); ok {
		n = t.Len()
	}
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("%s%d", name, i))
	}
	list := strings.Join(names, ",")
	hit := x.called(call)
	x.replace(s.Return, call.Pos(), "{"+list+":=")
	x.expr(call)
	x.behind(s.End(), ";%s.S(%d);return %s}", name, hit, list)
}

// giveLast probes the last of several results that calls and can be wrapped.
func (x *prober) giveLast(s *ast.ReturnStmt) {
	last := -1
	for i, e := range s.Results {
		if x.generic && x.calls(e) && x.keepsType(e) {
			last = i
		}
	}
	for i, e := range s.Results {
		if i != last {
			x.expr(e)
			continue
		}
		hit := x.called(e)
		x.before(e.Pos(), "%s.R(%d,", name, hit)
		x.expr(e)
		x.behind(e.End(), ")")
	}
}
