package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// unit is a call in a list of statements, with the check of its error that follows it.
type unit struct {
	first, last ast.Stmt
	call        *ast.CallExpr
	names       bindings
	assigns     bool // to variables that exist before
}

// swapper finds the mutants with two calls in the other order.
type swapper struct {
	code  *sourceCode
	known *callees
	add   func(o Operator, n ast.Node, before, after string, edits []edit) *Mutant
}

// bindings are the variables that some statements declare and use.
type bindings struct{ declares, uses map[types.Object]bool }

// neighbours swaps calls that follow each other, with no other call between them.
func (w *swapper) neighbours(list []ast.Stmt) {
	var last *unit
	var between []ast.Stmt
	for i := 0; i < len(list); i++ {
		u := w.unit(list[i:])
		switch {
		case u != nil:
			if last != nil {
				w.swap(*last, *u, between)
			}
			last, between = u, nil
			if u.last != u.first {
				i++
			}
		case w.quiet(list[i]):
			between = append(between, list[i])
		default:
			last, between = nil, nil
		}
	}
}

// unit returns the unit with which a list begins, or nil.
func (w *swapper) unit(list []ast.Stmt) *unit {
	s := list[0]
	u := &unit{first: s, last: s}
	switch s := s.(type) {
	case *ast.ExprStmt:
		u.call, _ = w.code.call(s.X)
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			u.call, _ = w.code.call(s.Rhs[0])
			u.assigns = s.Tok != token.DEFINE
		}
		if len(list) > 1 && u.call != nil && w.checksError(list[1]) {
			u.last = list[1]
		}
	case *ast.IfStmt:
		if a, ok := s.Init.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && s.Else == nil {
			u.call, _ = w.code.call(a.Rhs[0])
		}
	}
	if u.call == nil || !w.known.changes(w.code.info, u.call) {
		return nil
	}
	u.names = w.bindings(u.first, u.last)
	return u
}

// checksError reports whether a statement checks the error of the one before it.
func (w *swapper) checksError(s ast.Stmt) bool {
	c, ok := s.(*ast.IfStmt)
	if !ok || c.Init != nil || c.Else != nil {
		return false
	}
	b, ok := c.Cond.(*ast.BinaryExpr)
	return ok && b.Op == token.NEQ && w.code.info.Types[b.Y].IsNil() &&
		types.Identical(w.code.info.Types[b.X].Type, types.Universe.Lookup("error").Type())
}

// quiet reports whether a statement has no side effects by calls, and does not jump.
func (w *swapper) quiet(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt:
		found := false
		ast.Inspect(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			found = found || ok && w.known.changes(w.code.info, call)
			return !found
		})
		return !found
	}
	return false
}

// bindings returns the variables of statements that others may use or declare.
func (w *swapper) bindings(all ...ast.Stmt) bindings {
	b := bindings{map[types.Object]bool{}, map[types.Object]bool{}}
	anew := map[types.Object]bool{} // declared again by :=
	for _, s := range all {
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o := w.code.info.Defs[id]; o != nil {
					b.declares[o] = true
				}
				if v, ok := w.code.info.Uses[id].(*types.Var); ok && !v.IsField() {
					b.uses[v] = true
				}
			}
			return true
		})
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, e := range a.Lhs {
				anew[w.code.info.Uses[e.(*ast.Ident)]] = true
			}
		}
	}
	maps.DeleteFunc(b.uses, func(o types.Object, _ bool) bool { return b.declares[o] || anew[o] })
	return b
}

func (b bindings) needs(other bindings) bool {
	for o := range other.declares {
		if b.uses[o] {
			return true
		}
	}
	return false
}

// swap adds a mutant with two calls in the other order, if the later needs nothing that
// the earlier, or a statement between them, declares.
func (w *swapper) swap(a, b unit, between []ast.Stmt) {
	mid := w.bindings(between...)
	depends := b.names.needs(a.names) || b.names.needs(mid) || mid.needs(a.names) || a.names.needs(mid)
	if depends || b.assigns && a.declaresAny(w.code.info, b) {
		return
	}
	first, second := w.span(a), w.span(b)
	if first == second || concurrent[callee(w.code.info, a.call)] && concurrent[callee(w.code.info, b.call)] {
		return // the same call twice, or calls that run in any order
	}
	m := w.add(Swapped, a.first, first+"; "+second, second+"; "+first, []edit{
		{from: w.code.offset(a.first.Pos()), upTo: w.code.offset(a.last.End()), text: second},
		{from: w.code.offset(b.first.Pos()), upTo: w.code.offset(b.last.End()), text: first},
	})
	m.Outward = w.known.outward(w.code.info, a.call) && w.known.outward(w.code.info, b.call)
}

// concurrent are functions that run another one concurrently.
var concurrent = named("(*sync.WaitGroup).Go", "(*golang.org/x/sync/errgroup.Group).Go", "time.AfterFunc", "context.AfterFunc")

// span returns the source of a unit.
func (w *swapper) span(u unit) string {
	return w.code.span(u.first.Pos(), u.last.End())
}

// declaresAny reports whether a unit declares what another assigns to.
func (u unit) declaresAny(info *types.Info, other unit) bool {
	a, ok := other.first.(*ast.AssignStmt)
	if !ok {
		return false
	}
	for _, e := range a.Lhs {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && u.names.declares[info.Uses[id]] {
			return true
		}
	}
	return false
}
