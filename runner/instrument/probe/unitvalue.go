package probe

import (
	"fmt"
	"go/constant"
	"go/types"
	"strconv"
	"strings"

	"sonde/assets/probe/sondevalue"

	"golang.org/x/tools/go/packages"
)

// constantValue returns a constant of the source as it would be recorded.
func constantValue(tv types.TypeAndValue) sondevalue.Value {
	v := sondevalue.Value{Kind: sondevalue.Scalar, Type: unitTypeName(types.Default(tv.Type))}
	switch c := constant.ToInt(tv.Value); {
	case tv.Value.Kind() == constant.String:
		v.Kind, v.Text = sondevalue.String, constant.StringVal(tv.Value)
	case tv.Value.Kind() == constant.Bool:
		v.Text = strconv.FormatBool(constant.BoolVal(tv.Value))
	case c.Kind() == constant.Int && isInteger(tv.Type):
		v.Text = c.ExactString()
	default:
		f, _ := constant.Float64Val(constant.Real(tv.Value))
		v.Text = strconv.FormatFloat(f, 'g', -1, 64)
	}
	if v.Text == "" || v.Text == "0" || v.Text == "false" {
		v = sondevalue.Value{Type: v.Type}
	}
	return v
}

// globalVariables are the package-level variables by which recorded values are named: those of the packages with functions
// under test, and the exported ones of their imports, if they are errors or pointers.
type globalVariables struct {
	own map[string][]string // names, by the import path of the package
}

func newGlobalVariables() *globalVariables { return &globalVariables{own: map[string][]string{}} }

// add adds the variables of a package.
func (g *globalVariables) add(p *packages.Package) {
	if g.own[p.PkgPath] == nil {
		g.own[p.PkgPath] = append([]string{}, identities(p.Types, false)...)
	}
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// identities returns the names of the variables of a package that are errors or pointers.
func identities(p *types.Package, exported bool) (names []string) {
	for _, name := range p.Scope().Names() {
		v, is := p.Scope().Lookup(name).(*types.Var)
		if !is || name == "_" || exported && !v.Exported() {
			continue
		}
		_, pointer := v.Type().Underlying().(*types.Pointer)
		if pointer || types.Implements(v.Type(), errorType) {
			names = append(names, name)
		}
	}
	return names
}

// source returns the file of a package that registers the variables.
func (g *globalVariables) source(p *packages.Package) []byte {
	var imports, body strings.Builder
	for _, name := range g.own[p.PkgPath] {
		fmt.Fprintf(&body, "\t%s.Global(%q, func() any { return %s })\n", unitsName, p.PkgPath+"."+name, name)
	}
	for i, imported := range p.Types.Imports() {
		names := identities(imported, true)
		if len(names) == 0 || imported.Path() == "C" || imported.Path() == "unsafe" {
			continue
		}
		local := fmt.Sprintf("__import%d", i)
		fmt.Fprintf(&imports, "import %s %q\n", local, imported.Path())
		for _, name := range names {
			fmt.Fprintf(&body, "\t%s.Global(%q, func() any { return %s.%s })\n", unitsName, imported.Path()+"."+name, local, name)
		}
	}
	return fmt.Appendf(nil, "package %s\n\nimport %s %q\n%s\nfunc init() {\n%s\t_ = %s.Build\n}\n",
		p.Name, unitsName, unitsPath, imports.String(), body.String(), unitsName)
}
