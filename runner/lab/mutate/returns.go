package mutate

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// signature returns that of the function around the current node.
func (x *finder) signature() *types.Signature {
	for _, n := range slices.Backward(x.stack) {
		switch n := n.(type) {
		case *ast.FuncLit:
			s, _ := x.code.info.Types[n].Type.(*types.Signature)
			return s
		case *ast.FuncDecl:
			return x.code.info.Defs[n.Name].Type().(*types.Signature)
		}
	}
	return nil
}

// returned changes the values of a return statement.
func (x *finder) returned(n *ast.ReturnStmt) {
	s := x.signature()
	switch {
	case s == nil || len(n.Results) == 0:
	case len(n.Results) == s.Results().Len():
		for i, e := range n.Results {
			x.value(e, s.Results().At(i).Type())
		}
	default: // one call returns all
		if zeros, ok := x.code.zeros(s.Results()); ok {
			blanks := strings.TrimSuffix(strings.Repeat("_, ", s.Results().Len()), ", ")
			x.addEdits(Return, n, x.code.text(n), "return "+zeros, []edit{
				{from: x.code.offset(n.Pos()), upTo: x.code.offset(n.Results[0].Pos()), text: "{ " + blanks + " = "},
				{from: x.code.offset(n.End()), upTo: x.code.offset(n.End()), text: "; return " + zeros + " }"},
			})
		}
	}
	if len(n.Results) == 1 {
		x.valued(n.Results[0])
	}
}

// value replaces a returned value by the zero value, and by another one.
func (x *finder) value(e ast.Expr, t types.Type) {
	if zero, ok := x.code.zero(t); ok && !x.code.isZero(e) {
		if text, ok := x.code.evaluated(e, t, zero); ok {
			x.addEdits(
				Return, e, "return "+x.code.text(e), "return "+zero,
				x.code.replaced(e, text),
			)
		}
	}
	if other, ok := x.code.other(e, t); ok {
		x.addEdits(Return, e, "return "+x.code.text(e), "return "+other, x.code.replaced(e, other))
	}
}

// resultsOf returns the results of a declared function.
func (x *finder) resultsOf(name *ast.Ident) *types.Tuple {
	return x.code.info.Defs[name].Type().(*types.Signature).Results()
}

// extreme makes a function return at once (RICK paper, section 4.4: "replaces the whole
// body of an MUT with a default return statement").
func (x *finder) extreme(f *ast.FuncDecl) {
	if f.Recv == nil && (f.Name.Name == "main" || f.Name.Name == "init") {
		return
	}
	x.emptied(f.Body, x.resultsOf(f.Name), "")
}

// extremeLit makes a function literal return at once. It still uses the variables of the
// functions around, which must not be unused.
func (x *finder) extremeLit(f *ast.FuncLit) {
	s, ok := x.code.info.Types[f].Type.(*types.Signature)
	if !ok {
		return
	}
	names := ""
	if all := x.code.locals(f); len(all) > 0 {
		names = x.code.used(all) + "; "
	}
	x.emptied(f.Body, s.Results(), names)
}

func (x *finder) emptied(body *ast.BlockStmt, results *types.Tuple, names string) {
	if body == nil || len(body.List) == 0 || x.returnsZero(body) {
		return
	}
	zeros, ok := x.code.zeros(results)
	if !ok {
		return
	}
	after := strings.TrimSpace("{ " + names + "return " + zeros)
	x.addEdits(
		Extreme, body, x.code.text(body), "{ "+strings.TrimSpace("return "+zeros)+" }",
		x.code.replaced(body, after+" }"),
	)
}

// returnsZero reports whether a function returns zero values already.
func (x *finder) returnsZero(body *ast.BlockStmt) bool {
	r, ok := body.List[0].(*ast.ReturnStmt)
	return ok && len(r.Results) > 0 && !slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return !x.code.isZero(e) })
}
