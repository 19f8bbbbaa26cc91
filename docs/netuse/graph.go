package main

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// use is a place in the source that uses the network.
type use struct {
	Class class
	Name  string // what is used, such as "net.Dial"
	Place string // file:line, the file with its import path
	Own   bool   // the place is in the module itself, not in a module that it requires
}

// graph says which declarations refer to which. A node is a function, a package-level variable or a type, under
// the names of functionName, variableName and typeName.
type graph struct {
	fset  *token.FileSet
	nodes map[string]*node
	roots []string // the functions and variables of the module, and what runs when a package is initialised
}

// node is a declaration.
type node struct {
	uses []use
	next []string // the nodes to which the declaration refers; for a type, its methods and the types that it embeds
}

func newGraph(fset *token.FileSet) *graph { return &graph{fset: fset, nodes: map[string]*node{}} }

func (g *graph) node(name string) *node {
	n := g.nodes[name]
	if n == nil {
		n = &node{}
		g.nodes[name] = n
	}
	return n
}

// uses returns the uses of the network in the nodes that can be reached from the roots.
func (g *graph) uses() (all []use) {
	seen := map[string]bool{}
	for todo := slices.Clone(g.roots); len(todo) > 0; {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := g.nodes[name]
		if n == nil || seen[name] {
			continue
		}
		seen[name] = true
		all, todo = append(all, n.uses...), append(todo, n.next...)
	}
	return all
}

// addPackage adds the declarations of a package. own means that it is part of the module that is read: then all of its
// functions and variables are roots, because any program may use them.
func (g *graph) addPackage(p *packages.Package, own bool) {
	r := &reader{graph: g, info: p.TypesInfo, path: p.PkgPath, own: own}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				r.function(d)
			case *ast.GenDecl:
				r.declaration(d)
			}
		}
	}
	if !r.variable {
		return
	}
	for _, u := range r.unix {
		u.node.uses = append(u.node.uses, u.use)
	}
}

// reader reads the declarations of one package.
type reader struct {
	*graph
	info *types.Info
	path string
	own  bool
	node *node // the declaration that is read
	// A package that opens sockets by a variable network and has a text such as "unix" is taken to open Unix sockets, too.
	variable bool
	unix     []unixText
}

// unixText is a declaration with the name of a network of Unix sockets.
type unixText struct {
	node *node
	use  use
}

func (r *reader) function(d *ast.FuncDecl) {
	f, ok := r.info.Defs[d.Name].(*types.Func)
	if !ok {
		return
	}
	name := f.FullName()
	runs := d.Recv == nil && (d.Name.Name == "init" || d.Name.Name == "_") // there may be several with this name
	if runs {
		name += r.place(d.Pos())
	}
	r.node = r.graph.node(name)
	if r.own || runs {
		r.roots = append(r.roots, name)
	}
	if owner := receiver(f); owner != nil {
		t := r.graph.node(typeName(owner))
		t.next = append(t.next, name)
	}
	r.add(names[name], name, d.Pos()) // a module that declares a function such as ipv4.NewConn uses the network as its callers do
	if d.Body != nil {
		r.read(d.Body)
	}
}

// receiver returns the type of which a function is a method, nil if it is not a method.
func receiver(f *types.Func) *types.TypeName {
	recv := f.Signature().Recv()
	if recv == nil {
		return nil
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	return named.Obj()
}

func typeName(t *types.TypeName) string { return "type " + t.Pkg().Path() + "." + t.Name() }

func variableName(v types.Object) string { return "var " + v.Pkg().Path() + "." + v.Name() }

// isStandard reports whether a package is in the standard library, whose paths have no dot in their first element.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func (r *reader) place(p token.Pos) string {
	at := r.fset.PositionFor(p, false)
	return r.path + "/" + filepath.Base(at.Filename) + ":" + strconv.Itoa(at.Line)
}

// declaration reads variables and types of the package level.
func (r *reader) declaration(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			if d.Tok == token.VAR {
				r.variables(spec)
			}
		case *ast.TypeSpec:
			if t, ok := r.info.Defs[spec.Name].(*types.TypeName); ok {
				r.node = r.graph.node(typeName(t))
				r.embedded(spec.Type)
			}
		}
	}
}

func (r *reader) variables(spec *ast.ValueSpec) {
	for i, id := range spec.Names {
		v := r.info.Defs[id]
		name := r.place(id.Pos())
		if v != nil {
			name = variableName(v)
		}
		r.node = r.graph.node(name)
		if r.own || id.Name == "_" {
			r.roots = append(r.roots, name)
		}
		switch {
		case len(spec.Values) == len(spec.Names):
			r.read(spec.Values[i])
		case len(spec.Values) == 1: // a call with several results
			r.read(spec.Values[0])
		}
	}
}

// embedded adds the embedded types of a struct: the struct has their methods.
func (r *reader) embedded(t ast.Expr) {
	s, ok := t.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 {
			r.read(f.Type)
		}
	}
}

// read adds to the node what a part of its declaration uses.
func (r *reader) read(part ast.Node) {
	opened := map[*ast.Ident]bool{} // names of functions whose class is known from an argument
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id := r.opens(n); id != nil {
				opened[id] = true
			}
		case *ast.CompositeLit:
			r.literal(n)
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && slices.Contains(unixNetworks, text) {
				r.unix = append(r.unix, unixText{r.node, r.use(unixSocket, n.Value, n.Pos())})
			}
		case *ast.Ident:
			r.identifier(n, opened[n])
		}
		return true
	})
}

// opens adds a call of one of the openings. It returns the name of the function that is called, or nil for other calls.
func (r *reader) opens(call *ast.CallExpr) *ast.Ident {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	f, ok := r.info.Uses[id].(*types.Func)
	if !ok {
		return nil
	}
	o, ok := openings[f.FullName()]
	if !ok || o.argument >= len(call.Args) {
		return nil
	}
	network := ""
	if v := r.info.Types[call.Args[o.argument]].Value; v != nil && v.Kind() == constant.String {
		network = constant.StringVal(v)
	}
	r.add([]class{o.of(network)}, f.FullName(), call.Pos())
	return id
}

func (r *reader) literal(l *ast.CompositeLit) {
	t, ok := types.Unalias(r.info.TypeOf(l)).(*types.Named)
	if ok && t.Obj().Pkg() != nil {
		name := t.Obj().Pkg().Path() + "." + t.Obj().Name() + "{}"
		r.add(names[name], name, l.Pos())
	}
}

// identifier adds the function, type, variable or constant to which an identifier refers. If opened is true, the class
// of the use is already known from an argument of the call.
func (r *reader) identifier(id *ast.Ident, opened bool) {
	o := r.info.Uses[id]
	if o == nil || o.Pkg() == nil {
		return
	}
	path, next := o.Pkg().Path(), ""
	name := path + "." + o.Name()
	switch o := o.(type) {
	case *types.Func:
		name = o.Origin().FullName()
		next = name
		if known, ok := openings[name]; ok && !opened {
			r.add([]class{known.other}, name, id.Pos())
		}
	case *types.TypeName:
		if t, ok := types.Unalias(o.Type()).(*types.Named); ok && t.Obj().Pkg() != nil {
			o = t.Obj()
		}
		path, next = o.Pkg().Path(), typeName(o)
	case *types.Var:
		if o.IsField() {
			r.field(o, id.Pos())
			return
		}
		if o.Parent() != o.Pkg().Scope() {
			return
		}
		next = variableName(o)
	case *types.Const:
	default:
		return
	}
	r.add(names[name], name, id.Pos())
	if next != "" && !isStandard(path) {
		r.node.next = append(r.node.next, next)
	}
}

// field adds the use of a field in which a module sets its own checks of certificates.
func (r *reader) field(f *types.Var, at token.Pos) {
	name := f.Pkg().Path() + "." + f.Name()
	if slices.Contains(names[name], ownChecks) {
		r.add(names[name], name, at)
	}
}

func (r *reader) add(all []class, name string, at token.Pos) {
	for _, c := range all {
		r.variable = r.variable || c == dialAny || c == listenAny
		r.node.uses = append(r.node.uses, r.use(c, name, at))
	}
}

func (r *reader) use(c class, name string, at token.Pos) use {
	return use{Class: c, Name: name, Place: r.place(at), Own: r.own}
}

// compareUses orders uses by class, name and place.
func compareUses(a, b use) int {
	return cmp.Or(
		cmp.Compare(slices.Index(classes, a.Class), slices.Index(classes, b.Class)), cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.Place, b.Place),
	)
}
