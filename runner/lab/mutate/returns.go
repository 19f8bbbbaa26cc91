package mutate

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// signature returns the signature of the function around the current node, nil outside of
// functions.
func (f *finder) signature() *types.Signature {
	for _, n := range slices.Backward(f.stack) {
		switch n := n.(type) {
		case *ast.FuncLit:
			s, _ := f.code.info.Types[n].Type.(*types.Signature)
			return s
		case *ast.FuncDecl:
			return f.code.info.Defs[n.Name].Type().(*types.Signature)
		}
	}
	return nil
}

// returnStmt changes the values of a return statement.
func (f *finder) returnStmt(n *ast.ReturnStmt) {
	s := f.signature()
	switch {
	case s == nil || len(n.Results) == 0:
		return
	case len(n.Results) == s.Results().Len():
		for i, e := range n.Results {
			f.returnValue(e, s.Results().At(i).Type())
		}
	default: // a single call returns all values
		if zeros, ok := f.code.zeros(s.Results()); ok {
			blanks := strings.TrimSuffix(strings.Repeat("_, ", s.Results().Len()), ", ")
			f.addEdits(Return, n, f.code.text(n), "return "+zeros, []edit{
				{from: f.code.offset(n.Pos()), to: f.code.offset(n.Results[0].Pos()), text: "{ " + blanks + " = "},
				{from: f.code.offset(n.End()), to: f.code.offset(n.End()), text: "; return " + zeros + " }"},
			})
		}
	}
	f.extractResults(n, s.Results())
	if len(n.Results) == 1 {
		f.callWithResults(n.Results[0])
	}
}

// returnValue replaces a returned value by the zero value, and by another value.
func (f *finder) returnValue(e ast.Expr, t types.Type) {
	if zero, ok := f.code.zero(t); ok && !f.code.isZero(e) {
		if text, ok := f.code.evaluatedWith(e, t, zero); ok {
			f.addEdits(
				Return, e, "return "+f.code.text(e), "return "+zero,
				f.code.replacement(e, text),
			)
		}
	}
	if other, ok := f.code.otherValue(e, t); ok {
		f.addEdits(Return, e, "return "+f.code.text(e), "return "+other, f.code.replacement(e, other))
	}
}

// resultsOf returns the results of a declared function.
func (f *finder) resultsOf(name *ast.Ident) *types.Tuple {
	return f.code.info.Defs[name].Type().(*types.Signature).Results()
}

// extreme makes a function other than main and init return at once (RICK paper, section 4.4: "replaces the whole
// body of an MUT with a default return statement").
func (f *finder) extreme(decl *ast.FuncDecl) {
	if decl.Recv == nil && (decl.Name.Name == "main" || decl.Name.Name == "init") {
		return
	}
	f.emptyBody(decl.Body, f.resultsOf(decl.Name), "")
}

// extremeLit makes a function literal return at once. The mutant evaluates the variables of the
// functions around it, because Go rejects unused variables.
func (f *finder) extremeLit(lit *ast.FuncLit) {
	s, ok := f.code.info.Types[lit].Type.(*types.Signature)
	if !ok {
		return
	}
	prefix := ""
	if all := f.code.outerVariables(lit); len(all) > 0 {
		prefix = f.code.evaluation(all) + "; "
	}
	f.emptyBody(lit.Body, s.Results(), prefix)
}

// emptyBody replaces the body of a function by the statements in prefix and a return of zero values.
func (f *finder) emptyBody(body *ast.BlockStmt, results *types.Tuple, prefix string) {
	if body == nil || len(body.List) == 0 || f.returnsZero(body) {
		return
	}
	zeros, ok := f.code.zeros(results)
	if !ok {
		return
	}
	after := strings.TrimSpace("{ " + prefix + "return " + zeros)
	f.addEdits(
		Extreme, body, f.code.text(body), "{ "+strings.TrimSpace("return "+zeros)+" }",
		f.code.replacement(body, after+" }"),
	)
}

// returnsZero reports whether a function returns only zero values in its first statement.
func (f *finder) returnsZero(body *ast.BlockStmt) bool {
	r, ok := body.List[0].(*ast.ReturnStmt)
	return ok && len(r.Results) > 0 && !slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return !f.code.isZero(e) })
}
