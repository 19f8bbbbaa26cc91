package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// callUnit is a statement with a call, and the next statement if that checks the error of the call.
type callUnit struct {
	first, last ast.Stmt
	call        *ast.CallExpr
	bindings    bindings
	assigns     bool // the statement assigns to variables that were declared before
}

// swapper finds mutants that make two calls in the other order.
type swapper struct {
	code  *codeFile
	calls *callGraph
	add   func(o Operator, n ast.Node, before, after string, edits []edit) *Mutant // adds a mutant, as finder.addEdits does
}

// bindings are the variables that some statements declare, and those that they use.
type bindings struct{ declares, uses map[types.Object]bool }

// swapNeighbours adds mutants in which two consecutive calls in a list of statements are swapped. The
// statements between the two calls must have no side effects.
func (s *swapper) swapNeighbours(list []ast.Stmt) {
	var last *callUnit
	var between []ast.Stmt
	for i := 0; i < len(list); i++ {
		u := s.unit(list[i:])
		switch {
		case u != nil:
			if last != nil {
				s.swap(*last, *u, between)
			}
			last, between = u, nil
			if u.last != u.first {
				i++
			}
		case s.hasNoEffects(list[i]):
			between = append(between, list[i])
		default:
			last, between = nil, nil
		}
	}
}

// unit returns the callUnit at the start of a list, nil if there is none.
func (s *swapper) unit(list []ast.Stmt) *callUnit {
	stmt := list[0]
	u := &callUnit{first: stmt, last: stmt}
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		u.call, _ = s.code.call(stmt.X)
	case *ast.AssignStmt:
		if len(stmt.Rhs) == 1 {
			u.call, _ = s.code.call(stmt.Rhs[0])
			u.assigns = stmt.Tok != token.DEFINE
		}
		if len(list) > 1 && u.call != nil && s.checksError(list[1]) {
			u.last = list[1]
		}
	case *ast.IfStmt:
		if a, ok := stmt.Init.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && stmt.Else == nil {
			u.call, _ = s.code.call(a.Rhs[0])
		}
	}
	if u.call == nil || !s.calls.hasEffects(s.code.info, u.call) {
		return nil
	}
	u.bindings = s.bindings(u.first, u.last)
	return u
}

// checksError reports whether a statement compares an error with nil. The previous statement most likely
// assigned this error.
func (s *swapper) checksError(stmt ast.Stmt) bool {
	c, ok := stmt.(*ast.IfStmt)
	if !ok || c.Init != nil || c.Else != nil {
		return false
	}
	b, ok := c.Cond.(*ast.BinaryExpr)
	return ok && b.Op == token.NEQ && s.code.info.Types[b.Y].IsNil() &&
		types.Identical(s.code.info.Types[b.X].Type, types.Universe.Lookup("error").Type())
}

// hasNoEffects reports whether a statement is an assignment or a declaration, and makes no call that may have
// side effects.
func (s *swapper) hasNoEffects(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt:
		found := false
		ast.Inspect(stmt, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			found = found || ok && s.calls.hasEffects(s.code.info, call)
			return !found
		})
		return !found
	}
	return false
}

// bindings returns the variables that statements declare, and the variables that they use but do
// not declare.
func (s *swapper) bindings(all ...ast.Stmt) bindings {
	b := bindings{map[types.Object]bool{}, map[types.Object]bool{}}
	anew := map[types.Object]bool{} // assigned, but not declared, by :=
	for _, stmt := range all {
		ast.Inspect(stmt, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o := s.code.info.Defs[id]; o != nil {
					b.declares[o] = true
				}
				if v, ok := s.code.info.Uses[id].(*types.Var); ok && !v.IsField() {
					b.uses[v] = true
				}
			}
			return true
		})
		if a, ok := stmt.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, e := range a.Lhs {
				anew[s.code.info.Uses[e.(*ast.Ident)]] = true
			}
		}
	}
	maps.DeleteFunc(b.uses, func(o types.Object, _ bool) bool { return b.declares[o] || anew[o] })
	return b
}

// dependsOn reports whether b uses a variable that is declared in other.
func (b bindings) dependsOn(other bindings) bool {
	for o := range other.declares {
		if b.uses[o] {
			return true
		}
	}
	return false
}

// swap adds a mutant with two calls in the other order. If both calls call other hosts, it also adds a refactoring with
// this change. It adds nothing if the order cannot matter, or if one of the calls or a statement between them uses a
// variable that another one of these statements declares.
func (s *swapper) swap(a, b callUnit, between []ast.Stmt) {
	mid := s.bindings(between...)
	depends := b.bindings.dependsOn(a.bindings) || b.bindings.dependsOn(mid) || mid.dependsOn(a.bindings) || a.bindings.dependsOn(mid)
	if depends || b.assigns && a.declaresAssigned(s.code.info, b) {
		return
	}
	first, second := s.text(a), s.text(b)
	if first == second || concurrent[callee(s.code.info, a.call)] && concurrent[callee(s.code.info, b.call)] {
		return // the same call twice, or calls that run in any order
	}
	edits := []edit{
		{from: s.code.offset(a.first.Pos()), to: s.code.offset(a.last.End()), text: second},
		{from: s.code.offset(b.first.Pos()), to: s.code.offset(b.last.End()), text: first},
	}
	outward := s.calls.callsHosts(s.code.info, a.call) && s.calls.callsHosts(s.code.info, b.call)
	s.add(Swapped, a.first, first+"; "+second, second+"; "+first, edits).Outward = outward
	if outward {
		s.add(Reordered, a.first, first+"; "+second, second+"; "+first, edits).Outward = true
	}
}

// concurrent are functions that run another function concurrently.
var concurrent = nameSet("(*sync.WaitGroup).Go", "(*golang.org/x/sync/errgroup.Group).Go", "time.AfterFunc", "context.AfterFunc")

// text returns the source of a callUnit.
func (s *swapper) text(u callUnit) string {
	return s.code.textBetween(u.first.Pos(), u.last.End())
}

// declaresAssigned reports whether the statements of u declare a variable to which the statement of other assigns.
func (u callUnit) declaresAssigned(info *types.Info, other callUnit) bool {
	a, ok := other.first.(*ast.AssignStmt)
	if !ok {
		return false
	}
	for _, e := range a.Lhs {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && u.bindings.declares[info.Uses[id]] {
			return true
		}
	}
	return false
}
