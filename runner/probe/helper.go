package probe

import (
	"go/ast"
	"go/types"
)

// helper is a short function that only computes. It has a light twin, which the
// light copies of loops call: where it is called again and again, each look at a
// predicate costs more than all that it does.
type helper struct{ from, upTo int } // its predicates

// longestHelper is how long a helper's source is, at most.
const longestHelper = 400

// help probes the helpers of a file and returns the other declarations. A helper may
// call those that stand before it.
func (x *prober) help(f *ast.File) (others []ast.Decl) {
	x.helpers = map[*types.Func]helper{}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !x.helps(fn) {
			others = append(others, d)
		}
	}
	return others
}

// helps makes a function a helper, if it can be one.
func (x *prober) helps(d *ast.FuncDecl) bool {
	is, ok := x.info.Defs[d.Name].(*types.Func)
	if !ok || !x.probes(d) || d.Name.Name == "init" || d.Name.Name == "main" || d.End()-d.Pos() > longestHelper || !x.twice(d) {
		return false
	}
	preds, edits := x.preds, len(x.edits)
	x.body(d.Body)
	if h := (helper{preds, x.preds}); h.upTo > h.from {
		x.helpers[is] = h
		x.twin(d, edits)
	}
	return true
}

// twin puts the light twin behind a helper.
func (x *prober) twin(d *ast.FuncDecl, edits int) {
	named := edit{offset: x.offset(d.Name.Pos()), opens: true, text: name}
	light := x.lightly(d, append([]edit{named}, x.edits[edits:]...))
	x.behind(d.End(), ";%s%s%s", x.lineOf(d.Pos()), light, x.lineOf(d.End()))
}

// helperOf returns the helper that a call calls.
func (x *prober) helperOf(c *ast.CallExpr) (helper, bool) {
	f := x.callee(c)
	if f == nil {
		return helper{}, false
	}
	h, ok := x.helpers[f.Origin()]
	return h, ok
}

func (x *prober) isHelper(c *ast.CallExpr) bool {
	_, ok := x.helperOf(c)
	return ok
}

// helped lets what is light call a helper's twin.
func (x *prober) helped(c *ast.CallExpr) {
	if !x.isHelper(c) {
		return
	}
	x.edits = append(x.edits, edit{offset: x.offset(calleeName(c).Pos()), opens: true, in: inLight, text: name})
}

// predsCalled are the predicates of the helpers that are called in a part of the
// source.
func (x *prober) predsCalled(part ast.Node) (all []int) {
	ast.Inspect(part, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			h, _ := x.helperOf(c)
			for p := h.from; p < h.upTo; p++ {
				all = append(all, p)
			}
		}
		return true
	})
	return all
}
