package probe

import (
	"encoding/json"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"
)

// mostShapes bounds how many shapes of what a service reads are kept.
const mostShapes = 100

// reads are the shapes of the JSON that packages read: the types that they hand to
// encoding/json, be it by way of functions of their own.
type reads struct {
	pkgs    []*packages.Package
	takers  map[*types.Func]int // functions that decode into a parameter, and which
	generic map[*types.Func]int // functions that decode into a type parameter, and which
}

// shapesOf are what packages read as JSON, in a stable order.
func shapesOf(pkgs []*packages.Package) []Shape {
	r := reads{pkgs: pkgs, takers: map[*types.Func]int{}, generic: map[*types.Func]int{}}
	for known := -1; known < len(r.takers)+len(r.generic); {
		known = len(r.takers) + len(r.generic)
		r.each(r.pass)
	}
	found := map[string]Shape{}
	keep := func(p *packages.Package, t types.Type) {
		s := shaper{keysOf(p), typedKeysOf(p)}.shape(t, maxShape)
		if text, err := json.Marshal(s); err == nil && (len(s.Fields) > 0 || s.Items != nil) {
			found[string(text)] = s
		}
	}
	r.each(func(p *packages.Package, _ *types.Func, into ast.Expr) {
		if t := pointee(p.TypesInfo.TypeOf(into)); t != nil {
			keep(p, t)
		}
	})
	r.instances(keep)
	var all []Shape
	for _, key := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[key])
	}
	return all[:min(len(all), mostShapes)]
}

// each calls a function for each expression into which something is decoded, and the
// function around it.
func (r *reads) each(do func(p *packages.Package, around *types.Func, into ast.Expr)) {
	for _, p := range r.pkgs {
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				around, _ := d.(*ast.FuncDecl)
				if around == nil || around.Body == nil {
					continue
				}
				fn, _ := p.TypesInfo.Defs[around.Name].(*types.Func)
				ast.Inspect(around.Body, func(n ast.Node) bool {
					if c, ok := n.(*ast.CallExpr); ok {
						if into := r.into(p.TypesInfo, c); into != nil {
							do(p, fn, into)
						}
					}
					return true
				})
			}
		}
	}
}

// into is what a call decodes into, nil of other calls.
func (r *reads) into(info *types.Info, c *ast.CallExpr) ast.Expr {
	id := calleeName(c)
	if id == nil {
		return nil
	}
	fn, ok := info.Uses[id].(*types.Func)
	if !ok {
		return nil
	}
	at, takes := r.takers[fn.Origin()]
	if fn.Pkg() != nil && fn.Pkg().Path() == "encoding/json" {
		switch fn.Name() {
		case "Unmarshal":
			at, takes = 1, true
		case "Decode":
			at, takes = 0, true
		}
	}
	if !takes || at >= len(c.Args) {
		return nil
	}
	return c.Args[at]
}

// pass notes that a function passes what it is given on to a decoder.
func (r *reads) pass(p *packages.Package, around *types.Func, into ast.Expr) {
	if around == nil {
		return
	}
	if id, ok := ast.Unparen(into).(*ast.Ident); ok {
		params := around.Signature().Params()
		for i := range params.Len() {
			if p.TypesInfo.Uses[id] == params.At(i) {
				r.takers[around] = i
			}
		}
	}
	if t, ok := pointee(p.TypesInfo.TypeOf(into)).(*types.TypeParam); ok && around.Signature().TypeParams() != nil {
		r.generic[around] = t.Index()
	}
}

// instances are the types with which functions are used that decode into a type
// parameter.
func (r *reads) instances(keep func(p *packages.Package, t types.Type)) {
	for _, p := range r.pkgs {
		for id, inst := range p.TypesInfo.Instances {
			fn, ok := p.TypesInfo.Uses[id].(*types.Func)
			if !ok {
				continue
			}
			if i, ok := r.generic[fn.Origin()]; ok && i < inst.TypeArgs.Len() {
				keep(p, inst.TypeArgs.At(i))
			}
		}
	}
}

// pointee is what a pointer points to, nil where there is none.
func pointee(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	p, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	return types.Unalias(p.Elem())
}
