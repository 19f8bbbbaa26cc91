package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	gopath "path"
	"path/filepath"
	"slices"

	"sonde/runner/instrument/probe"
)

// callGraph has the facts that are known about the functions of a service: which of them call other
// hosts, and which have side effects.
type callGraph struct {
	bodies          map[string]body          // bodies by the full name of the function
	callsHostItself map[string]bool          // functions that call other hosts without another function of the service
	callsHost       map[string]bool          // functions that call other hosts
	changesHost     map[string]bool          // functions whose calls may change the state of other hosts
	effects         map[string]bool          // functions with side effects
	repeatedEffects map[string]bool          // functions with side effects when they are called again
	constantUses    map[string][]path        // places where a constant is used, by objectName
	packageUses     map[*types.PkgName][]int // offsets at which a file names a package
}

// body is the body of a function.
type body struct {
	decl  *ast.FuncDecl
	info  *types.Info
	start place // place of the first statement or, if there is none, of the closing brace
}

// newCallGraph reads the functions of a service.
func newCallGraph(sources []probe.SourcePackage, fset *token.FileSet) *callGraph {
	c := &callGraph{
		bodies:          map[string]body{},
		callsHostItself: map[string]bool{},
		callsHost:       map[string]bool{},
		changesHost:     map[string]bool{},
		effects:         map[string]bool{},
		repeatedEffects: map[string]bool{},
		constantUses:    map[string][]path{},
		packageUses:     map[*types.PkgName][]int{},
	}
	for _, s := range sources {
		for _, file := range s.Files {
			c.readFile(s, file, fset)
		}
	}
	for name, b := range c.bodies {
		if c.bodyCallsHosts(b) {
			c.callsHostItself[name] = true
		}
	}
	c.propagate(c.callsHost, c.bodyCallsHosts)
	c.propagate(c.changesHost, func(b body) bool { return c.changesHosts(b.info, b.decl.Body) })
	c.propagate(c.effects, func(b body) bool { return c.bodyHasEffects(b, c.hasEffects) })
	c.propagate(c.repeatedEffects, func(b body) bool { return c.bodyHasEffects(b, c.hasEffectsAgain) })
	return c
}

// readFile records the functions of a file, and the uses of constants and packages.
func (g *callGraph) readFile(s probe.SourcePackage, file *ast.File, fset *token.FileSet) {
	count := gopath.Join(s.Path, filepath.Base(fset.PositionFor(file.Package, false).Filename))
	where := func(p token.Pos) place {
		at := fset.PositionFor(p, false)
		return place{file: count, line: at.Line, column: at.Column}
	}
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.FuncDecl:
			if fn, ok := s.Info.Defs[n.Name].(*types.Func); ok && n.Body != nil {
				start := n.Body.Rbrace
				if len(n.Body.List) > 0 {
					start = n.Body.List[0].Pos()
				}
				g.bodies[fn.FullName()] = body{decl: n, info: s.Info, start: where(start)}
			}
		case *ast.Ident:
			g.addUse(s.Info.Uses[n], fset.PositionFor(n.Pos(), false).Offset, func() path { return around(stack, n, where) })
		}
		return true
	})
}

// addUse records the use of a constant or package at an offset.
func (g *callGraph) addUse(o types.Object, offset int, where func() path) {
	switch o := o.(type) {
	case *types.PkgName:
		g.packageUses[o] = append(g.packageUses[o], offset)
	case *types.Const:
		g.constantUses[objectName(o)] = append(g.constantUses[objectName(o)], where())
	}
}

// objectName returns the name of a constant with its package's path. It returns "" for nil and for a
// predeclared constant.
func objectName(o types.Object) string {
	if o == nil || o.Pkg() == nil {
		return ""
	}
	return o.Pkg().Path() + "." + o.Name()
}

// propagate adds functions to the set found: those for which holds returns true. holds usually depends on found, so
// propagate repeats this until no function is added.
func (g *callGraph) propagate(found map[string]bool, holds func(body) bool) {
	for again := true; again; {
		again = false
		for name, b := range g.bodies {
			if !found[name] && holds(b) {
				found[name], again = true, true
			}
		}
	}
}

// callee returns the full name of the function that is called. It returns "" for a conversion, for a
// builtin, and if the function is known only at run time.
func callee(info *types.Info, call *ast.CallExpr) string {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	return functionNamed(info, fun)
}

// functionNamed returns the full name of the function that an expression names, "" if it names
// none.
func functionNamed(info *types.Info, e ast.Expr) string {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return ""
	}
	f, ok := info.Uses[id].(*types.Func)
	if !ok {
		return ""
	}
	return f.Origin().FullName()
}

// bodyCallsHosts reports whether a function calls another host.
func (g *callGraph) bodyCallsHosts(b body) bool { return g.nodeCallsHosts(b.info, b.decl.Body) }

// nodeCallsHosts reports whether a call in a node calls another host.
func (g *callGraph) nodeCallsHosts(info *types.Info, n ast.Node) bool {
	found := false
	datagrams := dials(info, n, "udp")
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && (g.callsHosts(info, call) || datagrams && writes(info, call))
		return !found
	})
	return found
}

// callsHosts reports whether a call calls another host, directly or through a function in its
// arguments.
func (g *callGraph) callsHosts(info *types.Info, call *ast.CallExpr) bool {
	name := callee(info, call)
	if g.callsHost[name] || dialers[name] && !datagram(info, call) {
		return true
	}
	return slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
		lit, ok := ast.Unparen(e).(*ast.FuncLit)
		return ok && g.nodeCallsHosts(info, lit.Body) || g.callsHost[functionNamed(info, e)]
	})
}

// dialers are functions of the standard library that call another host.
var dialers = nameSet(
	"(*net/http.Client).Do", "(*net/http.Client).Get", "(*net/http.Client).Head", "(*net/http.Client).Post", "(*net/http.Client).PostForm",
	"net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm",
	"(net/http.RoundTripper).RoundTrip", "(*net/http.Transport).RoundTrip",
	"net.Dial", "net.DialTimeout", "net.DialTCP", "net.DialUnix", "(*net.Dialer).Dial", "(*net.Dialer).DialContext",
	"crypto/tls.Dial", "crypto/tls.DialWithDialer", "(*crypto/tls.Dialer).Dial", "(*crypto/tls.Dialer).DialContext", "net/smtp.SendMail",
)

// nameSet returns the set of the names.
func nameSet(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, n := range names {
		all[n] = true
	}
	return all
}
