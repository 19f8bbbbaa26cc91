package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// unit is a call that stands in a list of statements, with the look at its error that
// follows it.
type unit struct {
	first, last ast.Stmt
	call        *ast.CallExpr
	names       bindings
	assigns     bool // to what is there before
}

// bindings are the variables that some statements declare and use.
type bindings struct{ declares, uses map[types.Object]bool }

// neighbours swaps calls that follow each other, with nothing between them that calls.
func (x *finder) neighbours(list []ast.Stmt) {
	var last *unit
	var between []ast.Stmt
	for i := 0; i < len(list); i++ {
		u := x.unit(list[i:])
		switch {
		case u != nil:
			if last != nil {
				x.swap(*last, *u, between)
			}
			last, between = u, nil
			if u.last != u.first {
				i++
			}
		case x.quiet(list[i]):
			between = append(between, list[i])
		default:
			last, between = nil, nil
		}
	}
}

// unit is the one with which a list begins, nil where it begins with none.
func (x *finder) unit(list []ast.Stmt) *unit {
	s := list[0]
	u := &unit{first: s, last: s}
	switch s := s.(type) {
	case *ast.ExprStmt:
		u.call, _ = x.call(s.X)
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			u.call, _ = x.call(s.Rhs[0])
			u.assigns = s.Tok != token.DEFINE
		}
		if len(list) > 1 && u.call != nil && x.looksAt(list[1]) {
			u.last = list[1]
		}
	case *ast.IfStmt:
		if a, ok := s.Init.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && s.Else == nil {
			u.call, _ = x.call(a.Rhs[0])
		}
	}
	if u.call == nil || !x.changes(x.info, u.call) {
		return nil
	}
	u.names = x.bindings(u.first, u.last)
	return u
}

// looksAt reports whether a statement is a look at the error of the one before it.
func (x *finder) looksAt(s ast.Stmt) bool {
	c, ok := s.(*ast.IfStmt)
	if !ok || c.Init != nil || c.Else != nil {
		return false
	}
	b, ok := c.Cond.(*ast.BinaryExpr)
	return ok && b.Op == token.NEQ && x.info.Types[b.Y].IsNil() && types.Identical(x.info.Types[b.X].Type, types.Universe.Lookup("error").Type())
}

// quiet reports whether a statement calls nothing and leads nowhere.
func (x *finder) quiet(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt:
		found := false
		ast.Inspect(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			found = found || ok && x.changes(x.info, call)
			return !found
		})
		return !found
	}
	return false
}

// bindings are those of the statements from one to another, outside of them.
func (x *finder) bindings(all ...ast.Stmt) bindings {
	b := bindings{map[types.Object]bool{}, map[types.Object]bool{}}
	anew := map[types.Object]bool{} // declared, where nobody did before
	for _, s := range all {
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o := x.info.Defs[id]; o != nil {
					b.declares[o] = true
				}
				if v, ok := x.info.Uses[id].(*types.Var); ok && !v.IsField() {
					b.uses[v] = true
				}
			}
			return true
		})
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, e := range a.Lhs {
				anew[x.info.Uses[e.(*ast.Ident)]] = true
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

// swap adds a mutant with two calls in the other order, where the later needs nothing
// that the earlier or what is between declares.
func (x *finder) swap(a, b unit, between []ast.Stmt) {
	mid := x.bindings(between...)
	if b.names.needs(a.names) || b.names.needs(mid) || mid.needs(a.names) || a.names.needs(mid) || b.assigns && a.declaresAny(x.info, b) {
		return
	}
	first, second := x.span(a), x.span(b)
	if first == second || beside[callee(x.info, a.call)] && beside[callee(x.info, b.call)] {
		return // the same call, twice, or what runs in any order
	}
	m := x.addEdits(Swapped, a.first, first+"; "+second, second+"; "+first, []edit{
		{from: x.offset(a.first.Pos()), upTo: x.offset(a.last.End()), text: second}, {from: x.offset(b.first.Pos()), upTo: x.offset(b.last.End()), text: first},
	})
	m.Outward = x.outward(x.info, a.call) && x.outward(x.info, b.call)
}

// beside are functions that run others beside each other.
var beside = named("(*sync.WaitGroup).Go", "(*golang.org/x/sync/errgroup.Group).Go", "time.AfterFunc", "context.AfterFunc")

// span is the text of a unit.
func (x *finder) span(u unit) string {
	return string(x.src[x.offset(u.first.Pos()):x.offset(u.last.End())])
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
