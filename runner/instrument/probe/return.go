package probe

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// returned probes whether the calls in a return statement return.
func (x *prober) returned(s *ast.ReturnStmt) {
	switch call := x.types.onlyCall(s); {
	case !x.types.mayPanic(s.Results...):
		x.exprs.probeAll(s.Results)
	case call != nil:
		x.returnedCall(s, call)
	default:
		x.returnedLast(s)
	}
}

// returnedCall changes "return f()" into "{a, b := f(); probe; return a, b}". This form needs no
// names of types.
func (x *prober) returnedCall(s *ast.ReturnStmt, call *ast.CallExpr) {
	n := 1
	if t, ok := x.types.Types[call].Type.(*types.Tuple); ok {
		n = t.Len()
	}
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("%s%d", runtimeName, i))
	}
	list := strings.Join(names, ",")
	hit := x.addCall(call)
	x.edit.replace(s.Return, call.Pos(), "{"+list+":=")
	x.exprs.probe(call)
	x.edit.after(s.End(), ";%sreturn %s}", hitStatement(hit), list)
}

// returnedLast probes a return statement whose result is not a single call. It wraps the last result
// that calls a function and can be wrapped, if there is one.
func (x *prober) returnedLast(s *ast.ReturnStmt) {
	last := -1
	for i, e := range s.Results {
		if x.types.generic && x.types.mayPanic(e) && x.types.keepsType(e) {
			last = i
		}
	}
	for i, e := range s.Results {
		if i != last {
			x.exprs.probe(e)
			continue
		}
		hit := x.addCall(e)
		x.edit.before(e.Pos(), "%s.R(%d,", runtimeName, hit)
		x.exprs.probe(e)
		x.edit.after(e.End(), ")")
	}
}
