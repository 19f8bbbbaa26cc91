package codec

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// unknownValue replaces a part of a path whose value is known only when the test runs. It differs from every fixed text
// of a path template.
const unknownValue = "%7B%7D"

// goSeqs reads the calls of each test function in a Go file that sonde export wrote, such as call(t, "GET",
// "/products/"+id.path()). The user may have edited the file:
//   - A call in a loop counts once.
//   - Calls in reset, in TestMain and in methods are ignored.
//   - Calls in other functions, and calls whose method or path is computed, are counted as unread.
//
// goSeqs returns ErrUnknownFile if no test has such a call and the file does not declare the helper function call.
func goSeqs(src []byte) (RequestSeqs, error) {
	t := RequestSeqs{Kind: KindGoTests}
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return t, fmt.Errorf("it is not a Go file: %w", err)
	}
	known := slices.ContainsFunc(file.Decls, isHelper)
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || f.Recv != nil || isHelper(d) || f.Name.Name == "reset" || f.Name.Name == "TestMain" {
			continue
		}
		steps, unread := goSteps(f.Body)
		if !strings.HasPrefix(f.Name.Name, "Test") {
			t.Unread += len(steps) + unread
			continue
		}
		known = known || len(steps) > 0
		t.Unread += unread
		t.All = append(t.All, RequestSeq{Name: f.Name.Name, Steps: steps})
	}
	if !known {
		return RequestSeqs{Kind: KindGoTests}, ErrUnknownFile
	}
	return t, nil
}

// isHelper reports whether a declaration is the function that exported files call to send a request: func call(t
// *testing.T, method, path string, …).
func isHelper(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv != nil || f.Name.Name != "call" {
		return false
	}
	var names []string
	for _, field := range f.Type.Params.List {
		for _, n := range field.Names {
			names = append(names, n.Name)
		}
	}
	return len(names) >= 3 && slices.Equal(names[:3], []string{"t", "method", "path"})
}

// goSteps returns the calls in a function's body in the order in which they are made. unread is the number of calls
// whose method or path is computed. A call that is an argument of another call comes before that call.
func goSteps(body *ast.BlockStmt) (steps []RequestStep, unread int) {
	var calls []*ast.CallExpr
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && len(c.Args) >= 3 {
			if name, ok := c.Fun.(*ast.Ident); ok && name.Name == "call" {
				calls = append(calls, c)
			}
		}
		return true
	})
	slices.SortStableFunc(calls, func(a, b *ast.CallExpr) int { return cmp.Compare(a.End(), b.End()) })
	for _, c := range calls {
		method, ok1 := literalText(c.Args[1])
		path, ok2 := literalText(c.Args[2])
		if !ok1 || !ok2 {
			unread++
			continue
		}
		steps = append(steps, RequestStep{Method: method, URL: path})
	}
	return steps, unread
}

// literalText returns the text of an expression that joins literals and values of earlier answers with +. In the
// text, each value is replaced by unknownValue. ok is false for other expressions.
func literalText(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.ParenExpr:
		return literalText(e.X)
	case *ast.BinaryExpr:
		left, ok1 := literalText(e.X)
		right, ok2 := literalText(e.Y)
		return left + right, ok1 && ok2 && e.Op == token.ADD
	case *ast.CallExpr:
		way, ok := e.Fun.(*ast.SelectorExpr)
		return unknownValue, ok && len(e.Args) == 0 && (way.Sel.Name == "path" || way.Sel.Name == "query")
	}
	return "", false
}
