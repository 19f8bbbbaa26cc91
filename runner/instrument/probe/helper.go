package probe

import (
	"go/ast"
	"go/types"
)

// helpers maps each helper of a file to its predicates. A helper is a short function that only computes. It has
// a light twin, which is a copy without probes of predicates. The light copies of loops call the twin. The
// reason is speed: in a hot loop, the probe of a predicate takes more time than the rest of the function, even
// while the predicate is not watched.
type helpers map[*types.Func]predRange

// predRange is the range of predicates [from, upTo).
type predRange struct{ from, upTo int }

// of returns the predicates of the helper that is called. It returns false if no helper is called.
func (h helpers) of(info *typeInfo, c *ast.CallExpr) (predRange, bool) {
	f := info.callee(c)
	if f == nil {
		return predRange{}, false
	}
	preds, ok := h[f.Origin()]
	return preds, ok
}

func (h helpers) has(info *typeInfo, c *ast.CallExpr) bool {
	_, ok := h.of(info, c)
	return ok
}

// predsIn returns the predicates of the helpers that are called in a part of the source.
func (h helpers) predsIn(info *typeInfo, part ast.Node) (all []int) {
	ast.Inspect(part, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			preds, _ := h.of(info, c)
			for p := preds.from; p < preds.upTo; p++ {
				all = append(all, p)
			}
		}
		return true
	})
	return all
}

// maxHelper is the maximum size of a helper's source in bytes.
const maxHelper = 400

// probeHelpers probes the helpers of a file, and returns the other declarations. A helper may call
// helpers that are declared before it.
func (x *prober) probeHelpers(f *ast.File) (others []ast.Decl) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !x.probeHelper(fn) {
			others = append(others, d)
		}
	}
	return others
}

// probeHelper probes a function if it can be a helper. It returns false otherwise.
func (x *prober) probeHelper(d *ast.FuncDecl) bool {
	fn, ok := x.types.Defs[d.Name].(*types.Func)
	if !ok || !x.mayProbe(d) || d.Name.Name == "init" || d.Name.Name == "main" || d.End()-d.Pos() > maxHelper ||
		!x.light.canDuplicate(d) {
		return false
	}
	preds, mark := x.targets.preds, x.edit.mark()
	x.body(d.Body)
	if preds < x.targets.preds {
		x.light.helpers[fn] = predRange{from: preds, upTo: x.targets.preds}
		x.addTwin(d, mark)
	}
	return true
}

// addTwin inserts the light twin of a helper after the helper. mark is the first edit of the
// helper.
func (x *prober) addTwin(d *ast.FuncDecl, mark int) {
	rename := edit{offset: x.file.offset(d.Name.Pos()), opens: true, text: runtimeName}
	twin := x.light.source(d, append([]edit{rename}, x.edit.since(mark)...))
	x.edit.after(d.End(), ";%s%s%s", x.light.lineComment(d.Pos()), twin, x.light.lineComment(d.End()))
}
