package mutate

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// typeText returns a type as source, and whether the file imports what it needs.
func (c *sourceCode) typeText(t types.Type) (string, bool) {
	ok := true
	text := types.TypeString(t, func(p *types.Package) string {
		if p.Path() == c.pkg.Path() {
			return ""
		}
		name, imported := c.imported(p.Path())
		ok = ok && imported
		return name
	})
	return text, ok
}

// imported returns the name under which the file imports a package.
func (c *sourceCode) imported(pkg string) (string, bool) {
	for _, s := range c.file.Imports {
		if p := c.packageName(s); p != nil && p.Imported().Path() == pkg && p.Name() != "_" && p.Name() != "." {
			return p.Name(), true
		}
	}
	return "", false
}

func (c *sourceCode) packageName(s *ast.ImportSpec) *types.PkgName {
	if s.Name != nil {
		p, _ := c.info.Defs[s.Name].(*types.PkgName)
		return p
	}
	p, _ := c.info.Implicits[s].(*types.PkgName)
	return p
}

// zero returns the zero value of a type as source.
func (c *sourceCode) zero(t types.Type) (string, bool) {
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
		text, ok := c.typeText(t)
		return text + "{}", ok
	}
	return "nil", true
}

// zeros returns the zero values of results as source.
func (c *sourceCode) zeros(results *types.Tuple) (string, bool) {
	var all []string
	for v := range results.Variables() {
		text, ok := c.zero(v.Type())
		if !ok {
			return "", false
		}
		all = append(all, text)
	}
	return strings.Join(all, ", "), true
}

// resultText returns results as in the type of a function.
func (c *sourceCode) resultText(results *types.Tuple) (string, bool) {
	var all []string
	for v := range results.Variables() {
		text, ok := c.typeText(v.Type())
		if !ok {
			return "", false
		}
		all = append(all, text)
	}
	return "(" + strings.Join(all, ", ") + ")", true
}

// isZero reports whether an expression is written as a zero value.
func (c *sourceCode) isZero(e ast.Expr) bool {
	e = ast.Unparen(e)
	tv := c.info.Types[e]
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

// used returns a statement that evaluates some expressions, so that no variable in them
// is unused.
func (c *sourceCode) used(all []ast.Expr) string {
	var blanks, texts []string
	for _, e := range all {
		tv := c.info.Types[e]
		if results, ok := tv.Type.(*types.Tuple); ok { // it is the only argument
			return strings.TrimSuffix(strings.Repeat("_, ", results.Len()), ", ") + " = " + c.text(e)
		}
		if tv.Value == nil && !tv.IsNil() && !tv.IsType() {
			blanks, texts = append(blanks, "_"), append(texts, c.text(e))
		}
	}
	if len(texts) == 0 {
		return "_ = 0"
	}
	return strings.Join(blanks, ", ") + " = " + strings.Join(texts, ", ")
}

// locals returns the variables of the functions around that a node uses, each once.
func (c *sourceCode) locals(n ast.Node) []ast.Expr {
	var all []ast.Expr
	seen := map[types.Object]bool{}
	ast.Inspect(n, func(in ast.Node) bool {
		id, ok := in.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := c.info.Uses[id].(*types.Var)
		outside := ok && !v.IsField() && (v.Pos() < n.Pos() || v.Pos() > n.End()) && v.Parent() != c.pkg.Scope() && v.Pkg() == c.pkg
		if outside && !seen[v] {
			seen[v] = true
			all = append(all, id)
		}
		return true
	})
	return all
}

// withImports adds edits that make imports blank whose uses are all gone.
func (c *sourceCode) withImports(edits []edit) []edit {
	var more []edit
	for _, s := range c.file.Imports {
		p := c.packageName(s)
		if p == nil || p.Name() == "_" || p.Name() == "." || !c.gone(p, edits) {
			continue
		}
		from := c.offset(s.Path.Pos())
		e := edit{from: from, upTo: from, text: "_ "}
		if s.Name != nil {
			e = edit{from: c.offset(s.Name.Pos()), upTo: c.offset(s.Name.End()), text: "_"}
		}
		more = append(more, e)
	}
	return append(more, edits...)
}

// gone reports whether edits remove all uses of a package.
func (c *sourceCode) gone(p *types.PkgName, edits []edit) bool {
	names := regexp.MustCompile(`\b` + regexp.QuoteMeta(p.Name()) + `\.`)
	if slices.ContainsFunc(edits, func(e edit) bool { return names.MatchString(e.text) }) {
		return false
	}
	for _, at := range c.named[p] {
		if !slices.ContainsFunc(edits, func(e edit) bool { return e.from <= at && at < e.upTo }) {
			return false
		}
	}
	return true
}

// evaluated returns source that evaluates an expression and has another value.
func (c *sourceCode) evaluated(e ast.Expr, t types.Type, value string) (string, bool) {
	if len(c.locals(e)) == 0 && !c.anyCall(e) {
		return value, true
	}
	text, ok := c.typeText(t)
	return fmt.Sprintf("func() %s { %s; return %s }()", text, c.used([]ast.Expr{e}), value), ok
}

// anyCall reports whether an expression calls a function.
func (c *sourceCode) anyCall(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, ok := n.(*ast.CallExpr)
		found = found || ok
		return !found
	})
	return found
}

// other returns source of a value that differs from an expression and is not zero,
// unless another operator makes it.
func (c *sourceCode) other(e ast.Expr, t types.Type) (string, bool) {
	tv, text := c.info.Types[e], c.text(e)
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
			return c.anError()
		}
	}
	return "", false
}

// anError returns source of an error, if the file imports a package for it.
func (c *sourceCode) anError() (string, bool) {
	if name, ok := c.imported("errors"); ok {
		return name + `.New("mutant")`, true
	}
	name, ok := c.imported("fmt")
	return name + `.Errorf("mutant")`, ok
}

// literally reports whether an expression is a literal, or negated by another operator.
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
