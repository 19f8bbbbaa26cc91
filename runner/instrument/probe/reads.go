package probe

import (
	"encoding/json"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// maxShapes bounds the shapes in a manifest.
const maxShapes = 100

// decoders finds the types into which packages decode JSON with encoding/json, also if they do so
// in functions of their own.
type decoders struct {
	pkgs    []*packages.Package
	takers  map[*types.Func]int // the index of the parameter into which a function decodes
	generic map[*types.Func]int // the index of the type parameter into which a function decodes
}

// shapesOf returns the shapes of the JSON that packages decode, at most maxShapes, in a stable order.
func shapesOf(pkgs []*packages.Package) []probedata.JSONShape {
	r := decoders{pkgs: pkgs, takers: map[*types.Func]int{}, generic: map[*types.Func]int{}}
	for known := -1; known < len(r.takers)+len(r.generic); {
		known = len(r.takers) + len(r.generic)
		r.each(r.pass)
	}
	found := map[string]probedata.JSONShape{}
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
	var all []probedata.JSONShape
	for _, key := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[key])
	}
	return all[:min(len(all), maxShapes)]
}

// each calls visit for each expression into which JSON is decoded. around is the function that
// contains the expression, or nil.
func (r *decoders) each(visit func(p *packages.Package, around *types.Func, into ast.Expr)) {
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
							visit(p, fn, into)
						}
					}
					return true
				})
			}
		}
	}
}

// into returns the argument into which a call decodes JSON, or nil.
func (r *decoders) into(info *types.Info, c *ast.CallExpr) ast.Expr {
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

// pass records that the function around decodes into one of its parameters, or into the type of a
// type parameter.
func (r *decoders) pass(p *packages.Package, around *types.Func, into ast.Expr) {
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

// instances calls keep with the type arguments of functions that decode into a type parameter.
func (r *decoders) instances(keep func(p *packages.Package, t types.Type)) {
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

// pointee returns the type that a pointer points to, or nil.
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
