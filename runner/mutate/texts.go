package mutate

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// typeText writes a type as the file may, and reports whether it may.
func (x *finder) typeText(t types.Type) (string, bool) {
	ok := true
	text := types.TypeString(t, func(p *types.Package) string {
		if p.Path() == x.pkg.Path() {
			return ""
		}
		name, imported := x.imported(p.Path())
		ok = ok && imported
		return name
	})
	return text, ok
}

// imported is the name by which the file knows a package.
func (x *finder) imported(pkg string) (string, bool) {
	for _, s := range x.file.Imports {
		if p := x.packageName(s); p != nil && p.Imported().Path() == pkg && p.Name() != "_" && p.Name() != "." {
			return p.Name(), true
		}
	}
	return "", false
}

func (x *finder) packageName(s *ast.ImportSpec) *types.PkgName {
	if s.Name != nil {
		p, _ := x.info.Defs[s.Name].(*types.PkgName)
		return p
	}
	p, _ := x.info.Implicits[s].(*types.PkgName)
	return p
}

// zero writes a type's zero value.
func (x *finder) zero(t types.Type) (string, bool) {
	if _, ok := t.(*types.TypeParam); ok {
		return "*new(" + t.String() + ")", true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		}
		return "nil", true // of package unsafe
	case *types.Struct, *types.Array:
		text, ok := x.typeText(t)
		return text + "{}", ok
	}
	return "nil", true
}

// zeros writes the zero values of results.
func (x *finder) zeros(results *types.Tuple) (string, bool) {
	var all []string
	for v := range results.Variables() {
		text, ok := x.zero(v.Type())
		if !ok {
			return "", false
		}
		all = append(all, text)
	}
	return strings.Join(all, ", "), true
}

// resultText writes results as a function's type has them.
func (x *finder) resultText(results *types.Tuple) (string, bool) {
	var all []string
	for v := range results.Variables() {
		text, ok := x.typeText(v.Type())
		if !ok {
			return "", false
		}
		all = append(all, text)
	}
	return "(" + strings.Join(all, ", ") + ")", true
}

// isZero reports whether an expression is a zero value as it stands there.
func (x *finder) isZero(e ast.Expr) bool {
	e = ast.Unparen(e)
	tv := x.info.Types[e]
	if c, ok := e.(*ast.CompositeLit); ok {
		_, pointless := tv.Type.Underlying().(*types.Struct)
		return pointless && len(c.Elts) == 0
	}
	switch v := tv.Value; {
	case tv.IsNil():
		return true
	case v == nil:
		return false
	case v.Kind() == constant.Bool:
		return !constant.BoolVal(v)
	case v.Kind() == constant.String:
		return constant.StringVal(v) == ""
	default:
		return constant.Sign(v) == 0 && constant.Sign(constant.Imag(v)) == 0
	}
}

// used writes a statement that evaluates some expressions, so that what they name is
// not unused.
func (x *finder) used(all []ast.Expr) string {
	var blanks, texts []string
	for _, e := range all {
		tv := x.info.Types[e]
		if results, ok := tv.Type.(*types.Tuple); ok { // it is alone, but for what it is called of
			return strings.TrimSuffix(strings.Repeat("_, ", results.Len()), ", ") + " = " + x.text(e)
		}
		if tv.Value == nil && !tv.IsNil() && !tv.IsType() {
			blanks, texts = append(blanks, "_"), append(texts, x.text(e))
		}
	}
	if len(texts) == 0 {
		return "_ = 0"
	}
	return strings.Join(blanks, ", ") + " = " + strings.Join(texts, ", ")
}

// locals are the variables of the functions around that a node names, each once.
func (x *finder) locals(n ast.Node) []ast.Expr {
	var all []ast.Expr
	seen := map[types.Object]bool{}
	ast.Inspect(n, func(in ast.Node) bool {
		id, ok := in.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := x.info.Uses[id].(*types.Var)
		outside := ok && !v.IsField() && (v.Pos() < n.Pos() || v.Pos() > n.End()) && v.Parent() != x.pkg.Scope() && v.Pkg() == x.pkg
		if outside && !seen[v] {
			seen[v] = true
			all = append(all, id)
		}
		return true
	})
	return all
}

// withImports adds to edits that packages are not named any more whose uses all went.
func (x *finder) withImports(edits []edit) []edit {
	var more []edit
	for _, s := range x.file.Imports {
		p := x.packageName(s)
		if p == nil || p.Name() == "_" || p.Name() == "." || !x.gone(p, edits) {
			continue
		}
		from := x.offset(s.Path.Pos())
		e := edit{from: from, upTo: from, text: "_ "}
		if s.Name != nil {
			e = edit{from: x.offset(s.Name.Pos()), upTo: x.offset(s.Name.End()), text: "_"}
		}
		more = append(more, e)
	}
	return append(more, edits...)
}

// gone reports whether no use of a package is left after edits.
func (x *finder) gone(p *types.PkgName, edits []edit) bool {
	names := regexp.MustCompile(`\b` + regexp.QuoteMeta(p.Name()) + `\.`)
	if slices.ContainsFunc(edits, func(e edit) bool { return names.MatchString(e.text) }) {
		return false
	}
	for _, at := range x.named[p] {
		if !slices.ContainsFunc(edits, func(e edit) bool { return e.from <= at && at < e.upTo }) {
			return false
		}
	}
	return true
}

// evaluated writes an expression that evaluates another one and is a value instead.
func (x *finder) evaluated(e ast.Expr, t types.Type, value string) (string, bool) {
	if len(x.locals(e)) == 0 && !x.anyCall(e) {
		return value, true
	}
	text, ok := x.typeText(t)
	return fmt.Sprintf("func() %s { %s; return %s }()", text, x.used([]ast.Expr{e}), value), ok
}

// anyCall reports whether an expression calls a function.
func (x *finder) anyCall(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, ok := n.(*ast.CallExpr)
		found = found || ok
		return !found
	})
	return found
}
