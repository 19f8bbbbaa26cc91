package units

import (
	"go/ast"
	"go/token"
	"go/types"
)

// origin is the place from which a function takes a value: the receiver or a parameter, or a field or an element of one.
type origin struct {
	root     *types.Var
	receiver bool   // root is the receiver
	path     string // such as "s.store"
	deep     bool   // the value is in a field or an element of root
	typ      types.Type
}

func (o origin) injection() Injection {
	switch {
	case o.receiver:
		return ByReceiverField
	case o.deep:
		return ByParameterField
	}
	return ByParameter
}

// field returns the origin of a field.
func (o origin) field(v *types.Var) origin {
	o.path, o.deep, o.typ = o.path+"."+v.Name(), true, v.Type()
	return o
}

// element returns the origin of an element.
func (o origin) element(t types.Type) origin {
	o.path, o.deep, o.typ = o.path+"[]", true, t
	return o
}

// origins finds the origins of expressions within a function.
type origins struct {
	info *types.Info
	// roots are the receiver and the parameters.
	roots map[*types.Var]origin
	// changed are the variables and fields that the function assigns, or whose address it takes. They may have values
	// that were not injected.
	changed map[*types.Var]bool
	// sources are the expressions from which local variables get their only values.
	sources map[*types.Var]source
}

// source is an expression that gives a local variable its value.
type source struct {
	from ast.Expr
	// element reports whether the variable is an element of from, as in a range statement.
	element bool
}

func newOrigins(info *types.Info, fn *ast.FuncDecl) *origins {
	o := &origins{
		info: info, roots: map[*types.Var]origin{}, changed: map[*types.Var]bool{}, sources: map[*types.Var]source{},
	}
	o.addRoots(fn.Recv, true)
	o.addRoots(fn.Type.Params, false)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		o.note(n)
		return true
	})
	return o
}

func (o *origins) addRoots(fields *ast.FieldList, receiver bool) {
	if fields == nil {
		return
	}
	for _, field := range fields.List {
		for _, name := range field.Names {
			if v, is := o.info.Defs[name].(*types.Var); is {
				o.roots[v] = origin{root: v, receiver: receiver, path: v.Name(), typ: v.Type()}
			}
		}
	}
}

// note records what a statement or an expression does to variables and fields.
func (o *origins) note(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		o.noteAssignment(n)
	case *ast.RangeStmt:
		o.noteRange(n)
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if len(n.Values) == len(n.Names) {
				o.define(name, source{from: n.Values[i]})
			}
		}
	case *ast.IncDecStmt:
		o.change(n.X)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			o.change(n.X)
		}
	}
}

func (o *origins) noteAssignment(n *ast.AssignStmt) {
	for i, to := range n.Lhs {
		if n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) && o.define(to, source{from: n.Rhs[i]}) {
			continue
		}
		o.change(to)
	}
}

func (o *origins) noteRange(n *ast.RangeStmt) {
	if n.Value != nil && !(n.Tok == token.DEFINE && o.define(n.Value, source{from: n.X, element: true})) {
		o.change(n.Value)
	}
	if n.Key != nil && n.Tok == token.ASSIGN {
		o.change(n.Key)
	}
}

// define records the source of a new variable. It returns false if the expression is no new variable.
func (o *origins) define(to ast.Expr, from source) bool {
	id, is := to.(*ast.Ident)
	if !is {
		return false
	}
	v, is := o.info.Defs[id].(*types.Var)
	if is {
		o.sources[v] = from
	}
	return is
}

// change records that a variable or a field has another value.
func (o *origins) change(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, is := o.info.Uses[e].(*types.Var); is {
			o.changed[v] = true
		}
	case *ast.SelectorExpr:
		if v, is := o.info.Uses[e.Sel].(*types.Var); is {
			o.changed[v.Origin()] = true
		}
	}
}

// of returns the origin of an expression. ok is false if the value does not come, unchanged, from the receiver or a
// parameter.
func (o *origins) of(e ast.Expr) (from origin, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return o.ofIdent(e)
	case *ast.SelectorExpr:
		selection := o.info.Selections[e]
		if selection == nil || selection.Kind() != types.FieldVal {
			return origin{}, false
		}
		return o.ofFields(e.X, selection, len(selection.Index()))
	case *ast.StarExpr:
		from, ok = o.of(e.X)
		from.typ = o.info.TypeOf(e)
		return from, ok
	case *ast.IndexExpr:
		from, ok = o.of(e.X)
		return from.element(o.info.TypeOf(e)), ok
	}
	return origin{}, false
}

func (o *origins) ofIdent(id *ast.Ident) (from origin, ok bool) {
	v, is := o.info.Uses[id].(*types.Var)
	if !is || o.changed[v] {
		return origin{}, false
	}
	if root, is := o.roots[v]; is {
		return root, true
	}
	s, is := o.sources[v]
	if !is {
		return origin{}, false
	}
	from, ok = o.of(s.from)
	if s.element {
		from, ok = from.element(v.Type()), ok && hasElements(o.info.TypeOf(s.from))
	}
	return from, ok
}

// hasElements reports whether a range statement takes its values from a collection, not from a channel or a function.
func hasElements(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return false
	}
	return true
}

// ofReceiver returns the origin of the value whose method is selected. That is an embedded interface if the method is
// promoted.
func (o *origins) ofReceiver(e *ast.SelectorExpr, selection *types.Selection) (from origin, ok bool) {
	return o.ofFields(e.X, selection, len(selection.Index())-1)
}

// ofFields returns the origin of the field that the first n indexes of a selection select.
func (o *origins) ofFields(x ast.Expr, selection *types.Selection, n int) (from origin, ok bool) {
	from, ok = o.of(x)
	if !ok {
		return origin{}, false
	}
	t := selection.Recv()
	for _, index := range selection.Index()[:n] {
		structure, is := structOf(t)
		if !is {
			return origin{}, false
		}
		field := structure.Field(index)
		if o.changed[field.Origin()] {
			return origin{}, false
		}
		from, t = from.field(field), field.Type()
	}
	return from, true
}

// structOf returns the struct type of a value or of what it points to.
func structOf(t types.Type) (*types.Struct, bool) {
	if p, is := t.Underlying().(*types.Pointer); is {
		t = p.Elem()
	}
	s, is := t.Underlying().(*types.Struct)
	return s, is
}
