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

// typeText returns a type as source. It returns false if the file does not import a package that
// the type needs.
func (c *codeFile) typeText(t types.Type) (string, bool) {
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

// imported returns the name under which the file imports a package, false if it does not.
func (c *codeFile) imported(pkg string) (string, bool) {
	for _, s := range c.file.Imports {
		if p := c.packageName(s); p != nil && p.Imported().Path() == pkg && p.Name() != "_" && p.Name() != "." {
			return p.Name(), true
		}
	}
	return "", false
}

// packageName returns the name that an import declares, nil if there is none.
func (c *codeFile) packageName(s *ast.ImportSpec) *types.PkgName {
	if s.Name != nil {
		p, _ := c.info.Defs[s.Name].(*types.PkgName)
		return p
	}
	p, _ := c.info.Implicits[s].(*types.PkgName)
	return p
}

// zero returns the zero value of a type as source, false if the file cannot name the type.
func (c *codeFile) zero(t types.Type) (string, bool) {
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

// zeros returns the zero values of results as source, false if the file cannot name a type.
func (c *codeFile) zeros(results *types.Tuple) (string, bool) {
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

// resultText returns results as source, as in a function's type. It returns false if the file
// cannot name a type.
func (c *codeFile) resultText(results *types.Tuple) (string, bool) {
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

// isZero reports whether an expression is nil, a constant with the zero value, or an empty struct literal.
func (c *codeFile) isZero(e ast.Expr) bool {
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

// evaluation returns a statement that evaluates expressions, so that the variables in them are
// used.
func (c *codeFile) evaluation(all []ast.Expr) string {
	var blanks, texts []string
	for _, e := range all {
		tv := c.info.Types[e]
		if results, ok := tv.Type.(*types.Tuple); ok { // a call with several results is the only argument
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

// outerVariables returns the variables that n uses and that are declared in the functions around n, each once.
func (c *codeFile) outerVariables(n ast.Node) []ast.Expr {
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

// withBlankImports returns the edits together with edits of imports. If the edits remove all uses of an import, a
// further edit makes the import blank, because Go rejects unused imports.
func (c *codeFile) withBlankImports(edits []edit) []edit {
	var more []edit
	for _, s := range c.file.Imports {
		p := c.packageName(s)
		if p == nil || p.Name() == "_" || p.Name() == "." || !c.isUnused(p, edits) {
			continue
		}
		from := c.offset(s.Path.Pos())
		e := edit{from: from, to: from, text: "_ "}
		if s.Name != nil {
			e = edit{from: c.offset(s.Name.Pos()), to: c.offset(s.Name.End()), text: "_"}
		}
		more = append(more, e)
	}
	return append(more, edits...)
}

// isUnused reports whether edits remove all uses of a package.
func (c *codeFile) isUnused(p *types.PkgName, edits []edit) bool {
	names := regexp.MustCompile(`\b` + regexp.QuoteMeta(p.Name()) + `\.`)
	if slices.ContainsFunc(edits, func(e edit) bool { return names.MatchString(e.text) }) {
		return false
	}
	for _, at := range c.packageUses[p] {
		if !slices.ContainsFunc(edits, func(e edit) bool { return e.from <= at && at < e.to }) {
			return false
		}
	}
	return true
}

// evaluatedWith returns the source of an expression with the given value that also evaluates e, so that all variables
// in e are used. t is the type of e. If e has no variables of functions and no calls, the source is just the value.
// evaluatedWith returns false if the file cannot name t.
func (c *codeFile) evaluatedWith(e ast.Expr, t types.Type, value string) (string, bool) {
	if len(c.outerVariables(e)) == 0 && !c.hasCall(e) {
		return value, true
	}
	text, ok := c.typeText(t)
	return fmt.Sprintf("func() %s { %s; return %s }()", text, c.evaluation([]ast.Expr{e}), value), ok
}

// hasCall reports whether an expression calls a function.
func (c *codeFile) hasCall(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, ok := n.(*ast.CallExpr)
		found = found || ok
		return !found
	})
	return found
}

// otherValue returns the source of a value of type t that differs from e. It returns false if it knows no
// such value, or if another mutation operator changes e.
func (c *codeFile) otherValue(e ast.Expr, t types.Type) (string, bool) {
	tv, text := c.info.Types[e], c.text(e)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case tv.Value != nil && hasOtherMutant(e):
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
			return c.newError()
		}
	}
	return "", false
}

// newError returns an expression that makes an error, such as errors.New("mutant"). It returns false if the file
// imports neither errors nor fmt.
func (c *codeFile) newError() (string, bool) {
	if name, ok := c.imported("errors"); ok {
		return name + `.New("mutant")`, true
	}
	name, ok := c.imported("fmt")
	return name + `.Errorf("mutant")`, ok
}

// hasOtherMutant reports whether another mutation operator changes an expression: a literal, a
// negation or a comparison.
func hasOtherMutant(e ast.Expr) bool {
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
