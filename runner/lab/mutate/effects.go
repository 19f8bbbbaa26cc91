package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// hasEffects reports whether a call may have side effects. No test can notice that a call without side effects is
// made twice or in another order. Such a change is therefore not a mutant.
func (g *callGraph) hasEffects(info *types.Info, call *ast.CallExpr) bool {
	if info.Types[call.Fun].IsType() {
		return false
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := info.Uses[id].(*types.Builtin); ok {
			return !pureFunctions[b.Name()]
		}
	}
	name := callee(info, call)
	if _, own := g.bodies[name]; own {
		return g.effects[name]
	}
	return !pureFunctions[name] && !isPure(name)
}

// hasEffectsAgain reports whether a call may have side effects if the same call was made directly
// before.
func (g *callGraph) hasEffectsAgain(info *types.Info, call *ast.CallExpr) bool {
	name := callee(info, call)
	if _, own := g.bodies[name]; own {
		return g.repeatedEffects[name]
	}
	return g.hasEffects(info, call) && !idempotent[name] && !isIdempotent(info, call)
}

// idempotent are functions that have no effect when they are called again.
var idempotent = nameSet(
	"encoding/json.Unmarshal", "errors.As", "fmt.Sscan", "fmt.Sscanf", "fmt.Sscanln",
	"(net/http.Header).Set", "(net/http.Header).Del", "(net/url.Values).Set", "(net/url.Values).Del",
	"(io.Closer).Close", "(net.Conn).Close", "(*os.File).Close",
	"(net.Conn).SetDeadline", "(net.Conn).SetReadDeadline", "(net.Conn).SetWriteDeadline", "(*net/http.Server).Shutdown",
	"(*sync.WaitGroup).Wait", "slices.Sort", "slices.SortFunc", "slices.SortStableFunc",
	"sort.Strings", "sort.Ints", "sort.Slice", "maps.Copy",
)

// isIdempotent reports whether a call is an idempotent builtin, or cancels a context.
func isIdempotent(info *types.Info, call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	if b, ok := info.Uses[id].(*types.Builtin); ok {
		return b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy"
	}
	n, ok := info.Types[call.Fun].Type.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context"
}

// bodyHasEffects reports whether a function may change anything outside of itself. It calls callHasEffects for each
// call in the function, to learn whether the call may do so.
func (g *callGraph) bodyHasEffects(b body, callHasEffects func(*types.Info, *ast.CallExpr) bool) bool {
	found := false
	ast.Inspect(b.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || callHasEffects(b.info, n)
		case *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.IncDecStmt:
			found = found || !b.isOwn(n.X)
		case *ast.AssignStmt:
			found = found || n.Tok != token.DEFINE && slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return !b.isOwn(e) })
		}
		return !found
	})
	return found
}

// isOwn reports whether e belongs to the function itself, so that an assignment to e has no effect outside of it.
// isOwn returns true for a variable of the function, such as a parameter, and for a field or an element of a variable
// that is declared in the function's body. If such a variable p is a pointer, isOwn returns true for p.x, but false
// for *p. It returns false for deeper parts, such as a.b.c.
func (b body) isOwn(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := b.info.ObjectOf(e).(*types.Var)
		return e.Name == "_" || ok && v.Pos() >= b.decl.Pos() && v.Pos() < b.decl.End()
	case *ast.IndexExpr:
		return b.isDeclaredInBody(e.X)
	case *ast.SelectorExpr:
		return b.isDeclaredInBody(e.X)
	}
	return false
}

// isDeclaredInBody reports whether e is a variable that is declared in the function's body.
func (b body) isDeclaredInBody(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := b.info.ObjectOf(id).(*types.Var)
	return ok && v.Pos() > b.decl.Body.Pos() && v.Pos() < b.decl.Body.End()
}

// pureFunctions are functions without side effects.
var pureFunctions = nameSet(
	"len", "cap", "append", "make", "new", "min", "max", "real", "imag", "complex",
	"encoding/json.Marshal", "encoding/json.MarshalIndent", "encoding/json.Valid", "sort.Search", "sort.SearchInts", "sort.SearchStrings",
	"context.Background", "context.WithValue", "(context.Context).Value",
	"(context.Context).Err", "(context.Context).Done", "(error).Error",
	"(net/http.Header).Get", "(net/http.Header).Values",
	"(net/http.ResponseWriter).Header", "(*net/http.Request).Context", "(*net/http.Request).PathValue", "(*net/http.Request).Cookie",
	"net/http.StatusText", "net/http.NewRequest", "net/http.NewRequestWithContext",
	"net/http.MaxBytesReader", "os.Getenv", "io.LimitReader", "bufio.NewReader", "bytes.NewReader", "bytes.NewBuffer", "strings.NewReader",
	"encoding/json.NewDecoder", "encoding/json.NewEncoder", "crypto/sha1.Sum",
	"crypto/sha256.Sum256", "crypto/md5.Sum", "regexp.MustCompile", "regexp.Compile",
	"net.JoinHostPort", "net.SplitHostPort", "net.ParseIP", "(net.Conn).RemoteAddr", "(net.Conn).LocalAddr",
)

// purePackages are packages whose functions have no side effects. Their methods may have some.
var purePackages = nameSet(
	"strings", "strconv", "errors", "math", "math/bits", "unicode", "unicode/utf8", "cmp", "path",
	"path/filepath", "bytes", "maps", "html", "mime", "net/url", "net/netip", "encoding/hex",
)

// pureTypes are types whose methods have no side effects.
var pureTypes = nameSet(
	"time.Time", "time.Duration", "time.Month", "time.Weekday", "*regexp.Regexp", "*net/url.URL", "reflect.Type",
	"reflect.Value", "*encoding/base64.Encoding",
)

// impureExceptions are functions of pure packages, and methods of pure types, for which isPure returns false.
var impureExceptions = nameSet(
	"maps.Copy", "maps.DeleteFunc", "strings.NewReplacer", "(reflect.Value).Set", "bytes.NewBuffer", "time.Sleep",
)

// isPure reports whether a function outside of the service has no side effects, judging by its package or
// type.
func isPure(name string) bool {
	if impureExceptions[name] {
		return false
	}
	if method, ok := strings.CutPrefix(name, "("); ok {
		of, method, _ := strings.Cut(method, ").")
		return pureTypes[of] || of == "net/url.Values" && (method == "Get" || method == "Has" || method == "Encode")
	}
	at := strings.LastIndexByte(name, '.')
	if at < 0 {
		return false
	}
	pkg, function := name[:at], name[at+1:]
	switch pkg {
	case "fmt":
		return strings.HasPrefix(function, "Sprint") || strings.HasPrefix(function, "Append") || function == "Errorf"
	case "slices":
		return !strings.HasPrefix(function, "Sort") && function != "Reverse" && function != "Delete" &&
			function != "DeleteFunc" && function != "Insert"
	case "time":
		return function == "Now" || function == "Since" || function == "Until" || function == "Parse" ||
			function == "ParseDuration" || function == "Date" || function == "Unix"
	}
	return purePackages[pkg]
}
