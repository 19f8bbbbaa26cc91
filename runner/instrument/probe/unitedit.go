package probe

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"sonde/assets/probe/sondevalue"
	"sonde/runner/instrument/unitdata"
	"sonde/runner/instrument/units"

	"golang.org/x/tools/go/packages"
)

// frameName is the variable with the frame of an invocation; see sondeunits.Frame.
const frameName = "__sondeFrame"

// unitEditor edits a function under test and its mockable calls.
type unitEditor struct {
	source   *unitSource
	pkg      *packages.Package
	edit     *editor
	decl     units.Declaration
	function int
}

// apply edits the function, and adds it to the source.
func (e *unitEditor) apply(path string) {
	sig := e.decl.Object.Signature()
	f := unitdata.Function{
		ID: e.function, Package: e.pkg.PkgPath, Name: e.decl.Name, File: path, Line: e.decl.Line,
		Params: varsOf(sig.Params()), Results: varsOf(sig.Results()), Variadic: sig.Variadic(),
		Reads: e.decl.Reads, AllFields: e.decl.AllFields, Obstacles: e.decl.Obstacles,
	}
	if recv := sig.Recv(); recv != nil {
		f.Receiver = &unitdata.Var{Name: recv.Name(), Type: unitTypeName(recv.Type())}
	}
	e.frame()
	parents := parentsOf(e.decl.Decl.Body, e.decl.Exprs)
	for i, call := range e.decl.Exprs {
		site, why := e.site(call, parents[call])
		if why != "" {
			e.source.skipped = append(e.source.skipped, unitdata.Skipped{
				Path: path, Function: e.decl.Name, Why: fmt.Sprintf("%s in line %d: %s", e.decl.Calls[i].Target, e.decl.Calls[i].Line, why),
			})
			continue
		}
		site.Line, site.Target, site.Method = e.decl.Calls[i].Line, e.decl.Calls[i].Target, e.decl.Calls[i].Method
		f.Sites = append(f.Sites, site)
	}
	e.source.functions = append(e.source.functions, f)
	e.source.receives = append(e.source.receives, unitShape{interfaces(sig.Params()), interfaces(sig.Results())})
	e.source.globals.add(e.pkg)
}

func varsOf(all *types.Tuple) (vars []unitdata.Var) {
	for v := range all.Variables() {
		vars = append(vars, unitdata.Var{Name: v.Name(), Type: unitTypeName(v.Type())})
	}
	return vars
}

// interfaces returns the names of the types that are interfaces, and "" for the others.
func interfaces(all *types.Tuple) (names []string) {
	for v := range all.Variables() {
		name := ""
		if types.IsInterface(v.Type()) {
			if _, is := types.Unalias(v.Type()).(*types.TypeParam); !is {
				name = unitTypeName(v.Type())
			}
		}
		names = append(names, name)
	}
	return names
}

// frame adds the frame of an invocation to the function. It names inputs and results that have no name.
func (e *unitEditor) frame() {
	decl := e.decl.Decl
	inputs := append(e.named(decl.Recv, "Receiver"), e.named(decl.Type.Params, "Param")...)
	results := e.named(decl.Type.Results, "Result")
	e.edit.before(decl.Body.Lbrace+1,
		"%[1]s := %[2]s.Enter(%[3]d); if %[1]s != nil { %[1]s.In(%[4]s); defer func() { %[1]s.Out(%[5]s) }() };",
		frameName, unitsName, e.function, strings.Join(inputs, ", "), strings.Join(results, ", "))
}

// named returns the names of the variables in a list, and gives names to those without one.
func (e *unitEditor) named(list *ast.FieldList, kind string) (names []string) {
	if list == nil {
		return nil
	}
	next := func() string {
		names = append(names, fmt.Sprintf("__sonde%s%d", kind, len(names)))
		return names[len(names)-1]
	}
	bare := list.Opening == token.NoPos // a single result without a name and without parentheses
	for _, field := range list.List {
		if len(field.Names) == 0 {
			text := next() + " "
			if bare {
				text = "(" + text
			}
			e.edit.before(field.Type.Pos(), "%s", text)
			if bare {
				e.edit.after(field.Type.End(), ")")
			}
		}
		for _, name := range field.Names {
			if name.Name == "_" {
				e.edit.replace(name.Pos(), name.End(), next())
			} else {
				names = append(names, name.Name)
			}
		}
	}
	return names
}

// site edits a mockable call. why says why it cannot be edited.
func (e *unitEditor) site(call *ast.CallExpr, at parent) (site unitdata.Site, why string) {
	fun := ast.Unparen(call.Fun)
	sig, is := e.pkg.TypesInfo.TypeOf(fun).Underlying().(*types.Signature)
	if !is {
		return site, "its type is not known"
	}
	site = unitdata.Site{
		ID: len(e.source.sites), Params: varsOf(sig.Params()), Results: varsOf(sig.Results()), Variadic: sig.Variadic(),
		Spread: call.Ellipsis.IsValid(), Later: at.later(sig),
	}
	args := unitArgs{editor: e, call: call, later: site.Later}
	if site.Constants, why = args.constants(); why != "" {
		return site, why
	}
	if sig.Results().Len() > 4 {
		return site, "it has more than four results"
	}
	target, targetType, why := e.target(fun)
	if why != "" {
		return site, why
	}
	site.Type = unitTypeName(targetType)
	if types.IsInterface(targetType) {
		e.source.mocked[site.Type] = true
	}
	open, name := "Target", sig.Results().Len()
	switch {
	case site.Later:
		open = "TargetLater"
	case name == 0:
		e.edit.after(call.End(), ";%s.Return0()", unitsName)
	default:
		e.edit.before(call.Pos(), "%s.Return%d(", unitsName, name)
	}
	e.edit.before(target.from, "%s.%s(%s, %d, ", unitsName, open, frameName, site.ID)
	e.edit.after(target.to, "%s)", target.path)
	args.apply()
	if name > 0 && !site.Later {
		e.edit.after(call.End(), ")")
	}
	e.source.sites = append(e.source.sites, site)
	e.source.siteOf = append(e.source.siteOf, e.function)
	return site, ""
}

// unitTarget is the source of a target: between two positions, and then the fields in path.
type unitTarget struct {
	from, to token.Pos
	path     string
}

// target returns the target of a call with its type.
func (e *unitEditor) target(fun ast.Expr) (t unitTarget, of types.Type, why string) {
	selector, is := fun.(*ast.SelectorExpr)
	var selection *types.Selection
	if is {
		selection = e.pkg.TypesInfo.Selections[selector]
	}
	if selection == nil || selection.Kind() != types.MethodVal {
		return unitTarget{from: fun.Pos(), to: fun.End()}, e.pkg.TypesInfo.TypeOf(fun), ""
	}
	t, of = unitTarget{from: selector.X.Pos(), to: selector.X.End()}, selection.Recv()
	for _, index := range selection.Index()[:len(selection.Index())-1] { // the embedded interface
		if p, is := of.Underlying().(*types.Pointer); is {
			of = p.Elem()
		}
		structure, is := of.Underlying().(*types.Struct)
		if !is {
			return t, of, "its target is not known"
		}
		field := structure.Field(index)
		if !field.Exported() && field.Pkg() != e.pkg.Types {
			return t, of, "its target is a hidden field of another package"
		}
		t.path, of = t.path+"."+field.Name(), field.Type()
	}
	return t, of, ""
}

// unitArgs are the arguments of a mockable call.
type unitArgs struct {
	editor *unitEditor
	call   *ast.CallExpr
	later  bool
	known  map[int]sondevalue.Value
	spread int // the number of values of f(g()), 0 for another call
}

// constants returns the arguments that are constants or nil. why says why the arguments cannot be recorded.
func (a *unitArgs) constants() (known map[int]sondevalue.Value, why string) {
	info := a.editor.pkg.TypesInfo
	a.known = map[int]sondevalue.Value{}
	for i, arg := range a.call.Args {
		tv := info.Types[arg]
		if tuple, is := tv.Type.(*types.Tuple); is {
			if a.spread = tuple.Len(); a.spread > 3 || a.later {
				return nil, "its arguments are the results of a call"
			}
			return nil, ""
		}
		switch {
		case tv.IsNil():
			a.known[i] = sondevalue.Value{}
		case tv.Value != nil:
			a.known[i] = constantValue(tv)
		case hasUntypedOperands(info, arg):
			return nil, "the type of an argument depends on the parameter"
		}
	}
	return a.known, ""
}

// hasUntypedOperands reports whether an expression that is not constant gets its type from where it is used: a shift of a
// constant, or a comparison.
func hasUntypedOperands(info *types.Info, e ast.Expr) bool {
	b, is := ast.Unparen(e).(*ast.BinaryExpr)
	if !is {
		return false
	}
	switch b.Op {
	case token.SHL, token.SHR:
		return info.Types[b.X].Value != nil
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return !types.Identical(info.TypeOf(e), types.Typ[types.Bool])
	}
	return hasUntypedOperands(info, b.X) && hasUntypedOperands(info, b.Y)
}

// apply passes the arguments that are not constant through sondeunits.
func (a *unitArgs) apply() {
	edit := a.editor.edit
	if a.spread > 0 {
		if a.spread > 1 {
			edit.before(a.call.Args[0].Pos(), "%s.Args%d(", unitsName, a.spread)
		} else {
			edit.before(a.call.Args[0].Pos(), "%s.Arg(0, ", unitsName)
		}
		edit.after(a.call.Args[0].End(), ")")
		return
	}
	last := -1
	for i := range a.call.Args {
		if _, is := a.known[i]; !is {
			last = i
		}
	}
	for i, arg := range a.call.Args {
		if _, is := a.known[i]; is {
			continue
		}
		ends := a.later && i == last
		if ends {
			edit.before(arg.Pos(), "%s.EndLater(", unitsName)
		}
		edit.before(arg.Pos(), "%s.Arg(%d, ", unitsName, i)
		edit.after(arg.End(), ")")
		if ends {
			edit.after(arg.End(), ")")
		}
	}
}

// parent is the statement around a call.
type parent struct {
	statement ast.Stmt // nil if the call is part of an expression
	inList    bool     // another statement may follow in the same list
}

// later reports whether the results of the call are not known: it is the call of a go or defer statement, or there is no
// place after it.
func (p parent) later(sig *types.Signature) bool {
	switch p.statement.(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return true
	}
	return sig.Results().Len() == 0 && !p.inList
}

// parentsOf returns the statements around calls.
func parentsOf(body *ast.BlockStmt, calls []*ast.CallExpr) map[*ast.CallExpr]parent {
	found := map[*ast.CallExpr]parent{}
	wanted := map[ast.Expr]*ast.CallExpr{}
	for _, c := range calls {
		wanted[c] = c
	}
	list := func(all []ast.Stmt) {
		for _, s := range all {
			for {
				labelled, is := s.(*ast.LabeledStmt)
				if !is {
					break
				}
				s = labelled.Stmt
			}
			if x, is := s.(*ast.ExprStmt); is {
				if c := wanted[ast.Unparen(x.X)]; c != nil {
					found[c] = parent{s, true}
				}
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			list(n.List)
		case *ast.CaseClause:
			list(n.Body)
		case *ast.CommClause:
			list(n.Body)
		case *ast.GoStmt:
			if c := wanted[n.Call]; c != nil {
				found[c] = parent{statement: n}
			}
		case *ast.DeferStmt:
			if c := wanted[n.Call]; c != nil {
				found[c] = parent{statement: n}
			}
		}
		return true
	})
	return found
}
