package probe

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// The loops that are worth a copy: as long, and with as many predicates.
const (
	maxLight      = 4096
	maxLightPreds = 16
)

// light is a tight loop as it is when nothing is to be learned of its predicates:
// only what tells that places were reached stays in it. It is "" for loops that
// cannot be there twice, or need not be. Hot loops owe it their speed: each look at
// a predicate, though it be short, costs the loop registers.
func (x *prober) light(l loop) string {
	from, to := x.offset(l.stmt.Pos()), x.offset(l.stmt.End())
	n := x.preds - l.preds
	if n == 0 || n > maxLightPreds || to-from > maxLight || l.at != l.stmt.Pos() || x.moved || !x.tight(l) {
		return ""
	}
	var edits []edit
	for _, e := range x.edits[l.edits:] {
		if !e.learns {
			e.offset -= from
			edits = append(edits, e)
		}
	}
	return string(apply(x.src[from:to], edits))
}

// choose puts the light copy before a loop. The compiler is told that the loop
// itself is still on the lines where it was.
func (x *prober) choose(l loop, light string) {
	if light == "" {
		return
	}
	var open []string
	for p := l.preds; p < x.preds; p++ {
		open = append(open, fmt.Sprintf("%s.O(%d)", name, p))
	}
	at := x.fset.PositionFor(l.stmt.Pos(), false)
	x.learning(func() { // a loop around it that is light, too, needs no second copy of it
		x.before(l.stmt.Pos(), "if !(%s){%s}else{/*line :%d:%d*/", strings.Join(open, "||"), light, at.Line, at.Column)
		x.behind(l.stmt.End(), "}")
	})
}

// tight tells whether a loop only computes, so that it is over before the next
// test, which may ask for other predicates; and whether it can be there twice:
// nothing in it has a name outside it.
func (x *prober) tight(l loop) bool {
	ok := true
	ast.Inspect(l.stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			ok = ok && !isQueue(x.info.Types[n.X].Type)
		case *ast.FuncLit, *ast.LabeledStmt, *ast.SelectStmt, *ast.SendStmt:
			ok = false
		case *ast.GenDecl:
			ok = ok && n.Tok == token.VAR
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			ok = ok && x.builtinOrConversion(n)
		}
		return ok
	})
	return ok
}

// isQueue tells whether a range may wait or calls a function: the next element is
// somebody else's to give.
func isQueue(t types.Type) bool {
	if t == nil || isTypeParam(t) {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	}
	return false
}
