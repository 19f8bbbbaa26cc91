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

// callees is what is known of the functions of a service: which call other hosts, which
// have side effects, once or each time, and where constants are used.
type callees struct {
	bodies map[string]body
	out    map[string]bool
	change map[string]bool
	adds   map[string]bool
	uses   map[string][]path
	named  map[*types.PkgName][]int // offsets at which a file names a package
}

// body is the body of a function, with the types of its package.
type body struct {
	decl *ast.FuncDecl
	info *types.Info
}

func newCallees(sources []probe.SourcePackage, fset *token.FileSet) *callees {
	c := &callees{
		bodies: map[string]body{},
		out:    map[string]bool{},
		change: map[string]bool{},
		adds:   map[string]bool{},
		uses:   map[string][]path{},
		named:  map[*types.PkgName][]int{},
	}
	for _, s := range sources {
		for _, f := range s.Files {
			c.read(s, f, fset)
		}
	}
	c.spread(c.out, c.callsOut)
	c.spread(c.change, func(b body) bool { return c.alters(b, c.changes) })
	c.spread(c.adds, func(b body) bool { return c.alters(b, c.changesAgain) })
	return c
}

// read records the functions of a file, and the uses of constants and packages.
func (c *callees) read(s probe.SourcePackage, f *ast.File, fset *token.FileSet) {
	count := gopath.Join(s.Path, filepath.Base(fset.PositionFor(f.Package, false).Filename))
	where := func(p token.Pos) place {
		at := fset.PositionFor(p, false)
		return place{file: count, line: at.Line, column: at.Column}
	}
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.FuncDecl:
			if fn, ok := s.Info.Defs[n.Name].(*types.Func); ok && n.Body != nil {
				c.bodies[fn.FullName()] = body{n, s.Info}
			}
		case *ast.Ident:
			c.use(s.Info.Uses[n], fset.PositionFor(n.Pos(), false).Offset, func() path { return around(stack, n, where) })
		}
		return true
	})
}

func (c *callees) use(o types.Object, offset int, where func() path) {
	switch o := o.(type) {
	case *types.PkgName:
		c.named[o] = append(c.named[o], offset)
	case *types.Const:
		c.uses[objectName(o)] = append(c.uses[objectName(o)], where())
	}
}

// objectName returns the name of a constant, which is the same in all packages.
func objectName(o types.Object) string {
	if o == nil || o.Pkg() == nil {
		return ""
	}
	return o.Pkg().Path() + "." + o.Name()
}

// spread adds the functions for which a condition holds, until no more follows.
func (c *callees) spread(found map[string]bool, holds func(body) bool) {
	for again := true; again; {
		again = false
		for name, b := range c.bodies {
			if !found[name] && holds(b) {
				found[name], again = true, true
			}
		}
	}
}

// callee returns the full name of the function that is called, "" if that is known only at
// run time.
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

// functionNamed returns the full name of the function that an expression names, or "".
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

// callsOut reports whether a function calls another host.
func (c *callees) callsOut(b body) bool { return c.callsOutIn(b.info, b.decl.Body) }

func (c *callees) callsOutIn(info *types.Info, n ast.Node) bool {
	found := false
	datagrams := dials(info, n, "udp")
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && (c.outward(info, call) || datagrams && writes(info, call))
		return !found
	})
	return found
}

// outward reports whether a call calls another host, itself or by a function that it gets.
func (c *callees) outward(info *types.Info, call *ast.CallExpr) bool {
	name := callee(info, call)
	if c.out[name] || connecting[name] && !datagram(info, call) {
		return true
	}
	return slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
		f, ok := ast.Unparen(e).(*ast.FuncLit)
		return ok && c.callsOutIn(info, f.Body) || c.out[functionNamed(info, e)]
	})
}

// connecting are the functions of the standard library that call another host.
var connecting = named(
	"(*net/http.Client).Do", "(*net/http.Client).Get", "(*net/http.Client).Head", "(*net/http.Client).Post", "(*net/http.Client).PostForm",
	"net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm",
	"(net/http.RoundTripper).RoundTrip", "(*net/http.Transport).RoundTrip",
	"net.Dial", "net.DialTimeout", "net.DialTCP", "net.DialUnix", "(*net.Dialer).Dial", "(*net.Dialer).DialContext",
	"crypto/tls.Dial", "crypto/tls.DialWithDialer", "(*crypto/tls.Dialer).Dial", "(*crypto/tls.Dialer).DialContext", "net/smtp.SendMail",
)

func named(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, n := range names {
		all[n] = true
	}
	return all
}
