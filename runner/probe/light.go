package probe

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// What is worth a copy: as long, and with as many predicates.
const (
	maxLight      = 4096
	maxLightPreds = 16
)

// light is a tight loop as it is when nothing is to be learned of its predicates:
// only what tells that places were reached stays in it. It is "" for loops that
// cannot be there twice, or need not be. Hot loops owe it their speed: each look at
// a predicate, though it be short, costs the loop registers.
func (x *prober) light(l loop) string {
	if l.at != l.stmt.Pos() || len(x.predsOf(l)) == 0 || len(x.predsOf(l)) > maxLightPreds || !x.twice(l.stmt) {
		return ""
	}
	return x.lightly(l.stmt, x.edits[l.edits:])
}

// predsOf are the predicates of a loop, and of the helpers that it calls.
func (x *prober) predsOf(l loop) []int {
	all := x.predsCalled(l.stmt)
	for p := l.preds; p < x.preds; p++ {
		all = append(all, p)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// lightly is the source of a node with all edits but those of predicates.
func (x *prober) lightly(n ast.Node, edits []edit) string {
	from, to := x.offset(n.Pos()), x.offset(n.End())
	edits = without(edits, inFull)
	for i := range edits {
		edits[i].offset -= from
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
	for _, p := range x.predsOf(l) {
		open = append(open, fmt.Sprintf("%s.O(%d)", name, p))
	}
	x.learning(func() { // a loop around it that is light, too, needs no second copy of it
		x.before(l.stmt.Pos(), "if !(%s){%s}else{%s", strings.Join(open, "||"), light, x.lineOf(l.stmt.Pos()))
		x.behind(l.stmt.End(), "}")
	})
}

// lineOf says for the compiler that what follows it is at a place.
func (x *prober) lineOf(p token.Pos) string {
	at := x.fset.PositionFor(p, false)
	return fmt.Sprintf("/*line :%d:%d*/", at.Line, at.Column)
}

// twice reports whether some source can be there twice: it is not long, and only
// computes, so that it is over before the next test, which may ask for other
// predicates; and nothing in it has a name outside it.
func (x *prober) twice(part ast.Node) bool {
	ok := part.End()-part.Pos() <= maxLight && !x.moved
	ast.Inspect(part, func(n ast.Node) bool {
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
			ok = ok && (x.builtinOrConversion(n) || x.isHelper(n))
		}
		return ok
	})
	return ok
}

// isQueue reports whether a range may wait or calls a function: the next element is
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
