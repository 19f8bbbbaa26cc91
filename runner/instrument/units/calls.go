package units

import (
	"go/ast"
	"go/types"
)

// mockableCalls returns the mockable calls of a function, also those in function literals within it.
func (f *finder) mockableCalls(fn *ast.FuncDecl) (calls []Call) {
	o := newOrigins(f.pkg.TypesInfo, fn)
	for _, call := range f.callExprs(fn) {
		c, _ := f.mockableCall(call, o)
		calls = append(calls, c)
	}
	return calls
}

// callExprs returns the expressions of the mockable calls.
func (f *finder) callExprs(fn *ast.FuncDecl) (all []*ast.CallExpr) {
	o := newOrigins(f.pkg.TypesInfo, fn)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, is := n.(*ast.CallExpr); is {
			if _, ok := f.mockableCall(call, o); ok {
				all = append(all, call)
			}
		}
		return true
	})
	return all
}

// mockableCall returns a call as a mockable call. ok is false if it is none.
func (f *finder) mockableCall(call *ast.CallExpr, o *origins) (c Call, ok bool) {
	info := f.pkg.TypesInfo
	fun := ast.Unparen(call.Fun)
	if info.Types[fun].IsType() {
		return Call{}, false // a conversion
	}
	c.Line = f.pkg.Fset.Position(call.Pos()).Line
	var from origin
	if selection := f.methodSelection(fun); selection != nil {
		from, ok = o.ofReceiver(fun.(*ast.SelectorExpr), selection)
		c.Method = selection.Obj().Name()
		ok = ok && f.seams.isMockable(from.typ)
	} else {
		from, ok = o.of(fun)
		ok = ok && isFunction(from.typ)
	}
	if !ok {
		return Call{}, false
	}
	c.Target, c.Type, c.Injection = from.path, typeName(from.typ), from.injection()
	return c, true
}

// methodSelection returns the selection of a method, nil if an expression is no such selection.
func (f *finder) methodSelection(e ast.Expr) *types.Selection {
	selector, is := e.(*ast.SelectorExpr)
	if !is {
		return nil
	}
	selection := f.pkg.TypesInfo.Selections[selector]
	if selection == nil || selection.Kind() != types.MethodVal {
		return nil
	}
	return selection
}

func isFunction(t types.Type) bool {
	_, is := t.Underlying().(*types.Signature)
	return is
}
