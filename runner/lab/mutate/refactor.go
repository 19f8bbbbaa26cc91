package mutate

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The refactorings change how a service is written and how it calls hosts, but not what it does for its users. A test that fails
// on one of them raises a false alarm.
const (
	Reordered Operator = "reordered" // two calls of hosts that do not depend on each other are made in the other order
	Repeated  Operator = "repeated"  // what is read from a host is read twice
	Renamed   Operator = "renamed"   // the path of a request to a host has another name, as if the host had renamed it
	Extracted Operator = "extracted" // a function of their own computes the returned values
	Inverted  Operator = "inverted"  // the branches of an if statement change places
)

// Refactorings lists the refactorings.
var Refactorings = []Operator{Reordered, Repeated, Renamed, Extracted, Inverted}

// repeatRead adds a refactoring that makes a call twice, if the call only reads from hosts.
func (f *finder) repeatRead(e ast.Expr, call *ast.CallExpr, resultTypes string) {
	around := f.functionBody()
	if around == nil || !f.calls.callsHosts(f.code.info, call) || f.calls.changesHosts(f.code.info, call) {
		return
	}
	reads := hasConstant(f.code.info, around, readingMethods) && !hasConstant(f.code.info, around, changingMethods)
	if sendsRequest(callee(f.code.info, call)) && !reads {
		return // the request may change the host: its method is set elsewhere, or changes the host
	}
	text := f.code.text(e)
	m := f.addEdits(Repeated, e, text, text+"; "+text, f.code.replacement(e, "func() "+resultTypes+" { "+text+"; return "+text+" }()"))
	m.Outward = true
}

// extractResults adds a refactoring in which a function literal computes the values of a return statement.
func (f *finder) extractResults(n *ast.ReturnStmt, results *types.Tuple) {
	text, ok := f.code.resultText(results)
	if !ok || results.Len() == 0 {
		return
	}
	values := f.code.textBetween(n.Results[0].Pos(), n.End())
	after := "return func() " + text + " { return " + values + " }()"
	f.add(Extracted, n, after)
}

// invertBranches adds a refactoring in which the branches of an if statement change places.
func (f *finder) invertBranches(n *ast.IfStmt) {
	other, ok := n.Else.(*ast.BlockStmt)
	if !ok {
		return
	}
	cond, first, second := f.code.text(n.Cond), f.code.text(n.Body), f.code.text(other)
	f.addEdits(Inverted, n, "if "+cond, "if !("+cond+") with its branches exchanged", slices.Concat(
		f.code.replacement(n.Cond, "!("+cond+")"), f.code.replacement(n.Body, second), f.code.replacement(other, first),
	))
}

// urlHost matches the beginning of a URL up to its path.
var urlHost = regexp.MustCompile(`^[a-z]+://[^/]*`)

// lastWord matches the last word in a path.
var lastWord = regexp.MustCompile(`(?s)^(.*/[A-Za-z][A-Za-z_-]*)(.*)$`)

// renamePath adds a refactoring that renames the last word of a path in a request to a host.
func (f *finder) renamePath(n *ast.BasicLit) {
	if !f.isRequest() {
		return
	}
	path := constant.StringVal(f.code.info.Types[n].Value)
	host := urlHost.FindString(path)
	if m := lastWord.FindStringSubmatch(path[len(host):]); m != nil {
		f.add(Renamed, n, strconv.Quote(host+m[1]+"2"+m[2])).Outward = true
	}
}

// requestMakers are functions of the standard library that make a request or its URL, or send a request.
var requestMakers = nameSet(
	"net/http.NewRequest", "net/http.NewRequestWithContext", "(*net/http.Client).Get", "(*net/http.Client).Head",
	"(*net/http.Client).Post", "(*net/http.Client).PostForm", "net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm",
	"(*net/url.URL).JoinPath", "net/url.JoinPath",
)

// isRequest reports whether the current node is in an argument of a call that makes a request to a host.
func (f *finder) isRequest() bool {
	for _, outer := range slices.Backward(f.stack) {
		switch outer := outer.(type) {
		case *ast.CallExpr:
			if name := callee(f.code.info, outer); requestMakers[name] || f.calls.callsHost[name] {
				return true
			}
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		}
	}
	return false
}

// The methods of requests. A changing method may change the state of a host, and a reading method does not.
var (
	changingMethods = []string{"POST", "PUT", "PATCH", "DELETE"}
	readingMethods  = []string{"GET", "HEAD"}
)

// hasConstant reports whether a node contains a constant that is one of the texts.
func hasConstant(info *types.Info, n ast.Node, texts []string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			v := info.Types[e].Value
			found = found || v != nil && v.Kind() == constant.String && slices.Contains(texts, constant.StringVal(v))
		}
		return !found
	})
	return found
}

// sendsRequest reports whether a function in dialers sends a request with any method.
func sendsRequest(name string) bool {
	return strings.HasSuffix(name, ".Do") || strings.HasSuffix(name, ".RoundTrip")
}

// functionBody returns the body of the function around the current node, nil outside of functions.
func (f *finder) functionBody() *ast.BlockStmt {
	for _, outer := range slices.Backward(f.stack) {
		switch outer := outer.(type) {
		case *ast.FuncLit:
			return outer.Body
		case *ast.FuncDecl:
			return outer.Body
		}
	}
	return nil
}

// otherDialers are the functions in dialers whose calls may change the state of a host.
var otherDialers = func() map[string]bool {
	all := map[string]bool{}
	for name := range dialers {
		if !sendsRequest(name) && !strings.HasSuffix(name, ".Get") && !strings.HasSuffix(name, ".Head") {
			all[name] = true
		}
	}
	return all
}()

// changesHosts reports whether a call may change the state of a host: with a method such as POST, or another protocol than HTTP.
func (g *callGraph) changesHosts(info *types.Info, n ast.Node) bool {
	found := hasConstant(info, n, changingMethods)
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			name := callee(info, call)
			found = found || otherDialers[name] || g.changesHost[name]
		}
		return !found
	})
	return found
}
