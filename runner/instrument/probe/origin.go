package probe

import (
	"go/ast"
	"go/types"
	"slices"
)

// origin says from where a function gets a document.
type origin struct {
	request bool // the document is the content of a request to the service
	param   int  // index of the parameter with which the function gets the document, or fromUnknown
}

// requestContent are the fields and methods of a request that have its content.
var requestContent = []string{"Body", "GetBody", "MultipartReader", "FormFile", "MultipartForm"}

// requestValues are the fields of a request that have form values.
var requestValues = []string{"Form", "PostForm", "URL"}

// maxOriginSteps is the maximum number of variables that a tracer follows.
const maxOriginSteps = 8

// tracer follows the variables of a function to the origin of an expression.
type tracer struct {
	info   *types.Info
	around *types.Func // the function with the expression, or nil
	body   *ast.BlockStmt
	part   []string // the fields and methods of a request that count as the request
	seen   map[types.Object]bool
	origin origin
}

// originOf returns the origin of an expression. around is the function that contains the expression, and body is the
// body of this function. originOf follows only the assignments to variables of the function. part are the fields and
// methods of a request that count as the request.
func originOf(info *types.Info, around *types.Func, body *ast.BlockStmt, e ast.Expr, part []string) origin {
	t := tracer{info, around, body, part, map[types.Object]bool{}, origin{param: fromUnknown}}
	if e != nil {
		t.follow(e)
	}
	return t.origin
}

func (t *tracer) follow(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		of := t.info.TypeOf(x)
		if s, ok := x.(*ast.SelectorExpr); ok && t.isRequest(s.X) {
			t.origin.request = t.origin.request || slices.Contains(t.part, s.Sel.Name)
			return false
		}
		switch {
		case of == nil:
			return true
		case t.isRequest(x):
			t.origin.request = true
			return false
		case isAnswer(of):
			return false
		}
		id, ok := x.(*ast.Ident)
		if !ok {
			return true
		}
		if v, ok := t.info.Uses[id].(*types.Var); ok && !v.IsField() && !t.seen[v] && len(t.seen) < maxOriginSteps {
			t.seen[v] = true
			t.variable(v)
		}
		return true
	})
}

// variable traces a variable to a parameter of the function, or else to the values that are assigned to it.
func (t *tracer) variable(v *types.Var) {
	if i := paramIndex(t.around, v); i >= 0 {
		t.origin.param = i
		return
	}
	for _, value := range valuesOf(t.info, t.body, v) {
		t.follow(value)
	}
}

func (t *tracer) isRequest(e ast.Expr) bool {
	of := t.info.TypeOf(e)
	if of == nil {
		return false
	}
	p, ok := types.Unalias(of).(*types.Pointer)
	return ok && isNamed(p.Elem(), "net/http", "Request")
}

// isAnswer reports whether values of a type come from a host.
func isAnswer(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return isNamed(t, "net/http", "Response") || isNamed(t, "net", "Conn") || isNamed(t, "crypto/tls", "Conn")
}

// paramIndex returns the index of the parameter v of a function. It returns -1 if v is not a parameter of the
// function.
func paramIndex(fn *types.Func, v *types.Var) int {
	if fn == nil {
		return -1
	}
	params := fn.Signature().Params()
	for i := range params.Len() {
		if params.At(i) == v {
			return i
		}
	}
	return -1
}

// valuesOf returns the expressions that are assigned to a variable in a block.
func valuesOf(info *types.Info, body *ast.BlockStmt, v *types.Var) (all []ast.Expr) {
	note := func(name *ast.Ident, values []ast.Expr, i int) {
		if len(values) > 0 && info.ObjectOf(name) == v {
			all = append(all, values[min(i, len(values)-1)])
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, ok := left.(*ast.Ident); ok {
					note(id, n.Rhs, i)
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				note(id, n.Values, i)
			}
		}
		return true
	})
	return all
}
