package probe

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// noteSources records the expressions that a statement or a declaration assigns to local variables.
func (p *panicProber) noteSources(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) {
			for i, e := range n.Lhs {
				p.noteSource(e, n.Rhs[i])
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			switch {
			case len(n.Values) == 0:
				p.noteSource(name, nil)
			case len(n.Values) == len(n.Names):
				p.noteSource(name, n.Values[i])
			}
		}
	}
}

// noteSource records that the expression from is assigned to the variable to. It ignores variables that are neither
// pointers nor maps. from is nil if the variable is declared without a value.
func (p *panicProber) noteSource(to, from ast.Expr) {
	id, ok := to.(*ast.Ident)
	if !ok {
		return
	}
	v := p.types.Defs[id]
	if v == nil {
		v = p.types.Uses[id]
	}
	if v != nil && (isPointer(v.Type()) || isMap(v.Type())) {
		p.sources[v] = append(p.sources[v], from)
	}
}

func isMap(t types.Type) bool {
	_, is := t.Underlying().(*types.Map)
	return is
}

// mayBeNil reports whether a pointer or map may be nil because of the content of a request. It must be one of these:
//   - a value of a map
//   - the result of a function that returns nil
//   - a field with a tag, because decoders set such fields
//   - a variable that is assigned nil or one of these, or that is declared without a value
//
// Other pointers, such as receivers and parameters, are hardly ever nil. They are the most frequent, and their probes
// would only cost time.
func (p *panicProber) mayBeNil(e ast.Expr) bool {
	if p.isSourceOfNil(e) {
		return true
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	for _, source := range p.sources[p.types.Uses[id]] {
		if source == nil || p.isSourceOfNil(source) {
			return true
		}
	}
	return false
}

// functionsReturningNil returns the functions whose only result is a pointer or a map, and that have a statement
// "return nil".
func functionsReturningNil(pkgs []*packages.Package) map[types.Object]bool {
	all := map[types.Object]bool{}
	for _, p := range pkgs {
		eachFunc(p, func(f *types.Func, body *ast.BlockStmt) {
			if f == nil {
				return
			}
			results := f.Signature().Results()
			if results.Len() == 1 && (isPointer(results.At(0).Type()) || isMap(results.At(0).Type())) && returnsNil(p.TypesInfo, body) {
				all[f] = true
			}
		})
	}
	return all
}

// returnsNil reports whether a function returns nil, not counting the function literals in it.
func returnsNil(info *types.Info, body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || len(n.Results) == 1 && info.Types[n.Results[0]].IsNil()
		}
		return !found
	})
	return found
}

func (p *panicProber) isSourceOfNil(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return p.types.Types[e].IsNil()
	case *ast.IndexExpr:
		t := p.types.Types[e.X].Type
		return t != nil && isMap(t)
	case *ast.CallExpr:
		f := p.types.callee(e)
		return f != nil && p.nils[f.Origin()]
	case *ast.SelectorExpr:
		return hasTag(p.types.Selections[e])
	}
	return false
}

// hasTag reports whether a selection is a field with a tag.
func hasTag(s *types.Selection) bool {
	if s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 {
		return false
	}
	t := s.Recv()
	if at, ok := t.Underlying().(*types.Pointer); ok {
		t = at.Elem()
	}
	fields, ok := t.Underlying().(*types.Struct)
	return ok && fields.Tag(s.Index()[0]) != ""
}
