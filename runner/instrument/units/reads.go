package units

import (
	"go/ast"
	"go/types"
)

// fieldReads finds which fields of a struct functions use. A test needs values for these only.
type fieldReads struct {
	info   *types.Info
	bodies map[types.Object]*ast.FuncDecl
	known  map[*types.Var]fieldSet
}

// fieldSet is a set of fields of a struct.
type fieldSet struct {
	all    bool // all fields may be used: the struct itself is passed on
	fields map[*types.Var]bool
}

func newFieldReads(info *types.Info, bodies map[types.Object]*ast.FuncDecl) *fieldReads {
	return &fieldReads{info: info, bodies: bodies, known: map[*types.Var]fieldSet{}}
}

// of returns the fields that a function uses of its receiver or of a parameter: in its body, and in methods of the same
// package that it calls with the same receiver.
func (r *fieldReads) of(v *types.Var, fn *ast.FuncDecl) fieldSet {
	if known, is := r.known[v]; is {
		return known // for a recursive method that is incomplete; the first call completes it
	}
	used := fieldSet{fields: map[*types.Var]bool{}}
	r.known[v] = used
	selected := map[*ast.Ident]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, is := variableOf(n.X); is && r.info.Uses[id] == v {
				selected[id] = true
				used.add(r.selected(n, fn))
			}
		case *ast.Ident:
			if r.info.Uses[n] == v && !selected[n] {
				used.all = true
			}
		}
		return true
	})
	r.known[v] = used
	return used
}

func (s *fieldSet) add(other fieldSet) {
	s.all = s.all || other.all
	for field := range other.fields {
		s.fields[field] = true
	}
}

// variableOf returns the variable of an expression such as v, (v) or *v.
func variableOf(e ast.Expr) (*ast.Ident, bool) {
	e = ast.Unparen(e)
	if star, is := e.(*ast.StarExpr); is {
		e = ast.Unparen(star.X)
	}
	id, is := e.(*ast.Ident)
	return id, is
}

// selected returns the fields that a selection uses: the selected field, or the fields that the selected method uses.
func (r *fieldReads) selected(e *ast.SelectorExpr, within *ast.FuncDecl) fieldSet {
	selection := r.info.Selections[e]
	if selection == nil {
		return fieldSet{all: true}
	}
	if selection.Kind() == types.FieldVal || len(selection.Index()) > 1 {
		structure, is := structOf(selection.Recv())
		if !is {
			return fieldSet{all: true}
		}
		return fieldSet{fields: map[*types.Var]bool{structure.Field(selection.Index()[0]).Origin(): true}}
	}
	fn := r.bodies[selection.Obj().(*types.Func).Origin()]
	if fn == nil || fn == within {
		return fieldSet{all: fn == nil}
	}
	recv := receiverOf(r.info, fn)
	if recv == nil {
		return fieldSet{}
	}
	return r.of(recv, fn)
}

// receiverOf returns the receiver of a method, nil if it has no name.
func receiverOf(info *types.Info, fn *ast.FuncDecl) *types.Var {
	if fn.Recv == nil || len(fn.Recv.List) == 0 || len(fn.Recv.List[0].Names) == 0 {
		return nil
	}
	v, _ := info.Defs[fn.Recv.List[0].Names[0]].(*types.Var)
	return v
}
