package probe

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Limits for a loop that gets a light copy; see lightCopies.
const (
	maxLightLoop  = 4096 // maximum size of the loop's source, in bytes
	maxLightPreds = 16
)

// lightCopies makes light copies of tight loops. A light copy has no probes of predicates; its probes only
// record which places were reached. While none of the loop's predicates is watched, the copy runs instead of
// the loop. The copy is faster, because in a hot loop even the check whether a predicate is watched uses
// registers.
type lightCopies struct {
	file    *sourceFile
	types   *typeInfo
	helpers helpers
	moved   bool // the file has line directives, which would conflict with those of lineComment
}

// canDuplicate reports whether a part of the source can be in the program twice. Such a part is short and
// declares no name that is used outside of it. It also only computes, so that it ends before the next test
// begins, for which other predicates may be watched.
func (l *lightCopies) canDuplicate(part ast.Node) bool {
	ok := part.End()-part.Pos() <= maxLightLoop && !l.moved
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			ok = ok && !mayWait(l.types.Types[n.X].Type)
		case *ast.FuncLit, *ast.LabeledStmt, *ast.SelectStmt, *ast.SendStmt:
			ok = false
		case *ast.GenDecl:
			ok = ok && n.Tok == token.VAR
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CallExpr:
			ok = ok && (l.types.isBuiltinOrConversion(n) || l.helpers.has(l.types, n))
		}
		return ok
	})
	return ok
}

// mayWait reports whether a range over a value of a type may wait or call a function.
func mayWait(t types.Type) bool {
	if t == nil || isTypeParam(t) {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	}
	return false
}

// source returns the source of a node with the edits, except the probes of predicates.
func (l *lightCopies) source(n ast.Node, edits []edit) string {
	from := l.file.offset(n.Pos())
	edits = without(edits, inFull)
	for i := range edits {
		edits[i].offset -= from
	}
	return string(apply([]byte(l.file.sourceOf(n)), edits))
}

// lineComment returns a line directive. It gives the source that follows it the position p.
func (l *lightCopies) lineComment(p token.Pos) string {
	at := l.file.position(p)
	return fmt.Sprintf("/*line :%d:%d*/", at.Line, at.Column)
}

// lightLoop returns the light copy of a loop, "" if it has none.
func (x *prober) lightLoop(l loop) string {
	preds := x.predsOf(l)
	if l.at != l.stmt.Pos() || len(preds) == 0 || len(preds) > maxLightPreds || !x.light.canDuplicate(l.stmt) {
		return ""
	}
	return x.light.source(l.stmt, x.edit.since(l.mark))
}

// predsOf returns the predicates of a loop, and of the helpers that it calls.
func (x *prober) predsOf(l loop) []int {
	all := x.light.helpers.predsIn(x.types, l.stmt)
	for p := l.preds; p < x.targets.preds; p++ {
		all = append(all, p)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// chooseCopy inserts the light copy before a loop. The copy runs instead of the loop while none of
// the loop's predicates is watched. A line directive keeps the lines of the loop. chooseCopy does
// nothing if light is "".
func (x *prober) chooseCopy(l loop, light string) {
	if light == "" {
		return
	}
	var open []string
	for _, p := range x.predsOf(l) {
		open = append(open, fmt.Sprintf("%s.O(%d)", runtimeName, p))
	}
	x.edit.record(inFull, func() { // within the light copy of an enclosing loop, only the light copy is needed
		x.edit.before(l.stmt.Pos(), "if !(%s){%s}else{%s", strings.Join(open, "||"), light, x.light.lineComment(l.stmt.Pos()))
		x.edit.after(l.stmt.End(), "}")
	})
}
