package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// signature is that of the function around.
func (x *finder) signature() *types.Signature {
	for _, n := range slices.Backward(x.stack) {
		switch n := n.(type) {
		case *ast.FuncLit:
			s, _ := x.info.Types[n].Type.(*types.Signature)
			return s
		case *ast.FuncDecl:
			return x.info.Defs[n.Name].Type().(*types.Signature)
		}
	}
	return nil
}

// giveBack has other values returned.
func (x *finder) giveBack(n *ast.ReturnStmt) {
	s := x.signature()
	switch {
	case s == nil || len(n.Results) == 0:
	case len(n.Results) == s.Results().Len():
		for i, e := range n.Results {
			x.value(e, s.Results().At(i).Type())
		}
	default: // one call gives all
		if zeros, ok := x.zeros(s.Results()); ok {
			blanks := strings.TrimSuffix(strings.Repeat("_, ", s.Results().Len()), ", ")
			x.addEdits(Return, n, x.text(n), "return "+zeros, []edit{
				{from: x.offset(n.Pos()), upTo: x.offset(n.Results[0].Pos()), text: "{ " + blanks + " = "}, {from: x.offset(n.End()), upTo: x.offset(n.End()), text: "; return " + zeros + " }"},
			})
		}
	}
	if len(n.Results) == 1 {
		x.valued(n.Results[0])
	}
}

// value has a zero value returned in the place of one, and another one.
func (x *finder) value(e ast.Expr, t types.Type) {
	if zero, ok := x.zero(t); ok && !x.isZero(e) {
		if text, ok := x.evaluated(e, t, zero); ok {
			x.addEdits(Return, e, "return "+x.text(e), "return "+zero, []edit{{from: x.offset(e.Pos()), upTo: x.offset(e.End()), text: text}})
		}
	}
	if other, ok := x.other(e, t); ok {
		x.addEdits(Return, e, "return "+x.text(e), "return "+other, []edit{{from: x.offset(e.Pos()), upTo: x.offset(e.End()), text: other}})
	}
}

// other writes a value that differs from one and is not zero, where no other operator
// has it.
func (x *finder) other(e ast.Expr, t types.Type) (string, bool) {
	tv, text := x.info.Types[e], x.text(e)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case tv.Value != nil && literally(e):
			return "", false
		case u.Info()&types.IsNumeric != 0:
			return "(" + text + ") + 1", true
		case u.Info()&types.IsString != 0:
			return "(" + text + `) + "x"`, true
		case u.Info()&types.IsBoolean != 0:
			return "!(" + text + ")", true
		}
	case *types.Interface:
		if tv.IsNil() && types.Identical(t, types.Universe.Lookup("error").Type()) {
			return x.anError()
		}
	}
	return "", false
}

// literally reports whether an expression is a literal, or already the contrary of
// something.
func literally(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false"
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	case *ast.BinaryExpr:
		return operatorOf(e.Op) == Relational
	}
	return false
}

// anError writes an error, where the file imports what makes one.
func (x *finder) anError() (string, bool) {
	if name, ok := x.imported("errors"); ok {
		return name + `.New("mutant")`, true
	}
	name, ok := x.imported("fmt")
	return name + `.Errorf("mutant")`, ok
}

// resultsOf are the results of a declared function.
func (x *finder) resultsOf(name *ast.Ident) *types.Tuple {
	return x.info.Defs[name].Type().(*types.Signature).Results()
}

// extreme has a function do nothing (RICK, section 4.4: "replaces the whole body of an
// MUT with a default return statement").
func (x *finder) extreme(f *ast.FuncDecl) {
	if f.Recv == nil && (f.Name.Name == "main" || f.Name.Name == "init") {
		return
	}
	x.emptied(f.Body, x.resultsOf(f.Name), "")
}

// extremeLit has a function without a name do nothing. What it names of the functions
// around is still named.
func (x *finder) extremeLit(f *ast.FuncLit) {
	s, ok := x.info.Types[f].Type.(*types.Signature)
	if !ok {
		return
	}
	names := ""
	if all := x.locals(f); len(all) > 0 {
		names = x.used(all) + "; "
	}
	x.emptied(f.Body, s.Results(), names)
}

func (x *finder) emptied(body *ast.BlockStmt, results *types.Tuple, names string) {
	if body == nil || len(body.List) == 0 || x.returnsZero(body) {
		return
	}
	zeros, ok := x.zeros(results)
	if !ok {
		return
	}
	after := strings.TrimSpace("{ " + names + "return " + zeros)
	x.addEdits(Extreme, body, x.text(body), "{ "+strings.TrimSpace("return "+zeros)+" }", []edit{{from: x.offset(body.Pos()), upTo: x.offset(body.End()), text: after + " }"}})
}

// returnsZero reports whether a function does nothing already.
func (x *finder) returnsZero(body *ast.BlockStmt) bool {
	r, ok := body.List[0].(*ast.ReturnStmt)
	return ok && len(r.Results) > 0 && !slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return !x.isZero(e) })
}
