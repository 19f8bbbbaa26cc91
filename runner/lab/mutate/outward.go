package mutate

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// datagram reports whether a call dials UDP. The other host notices such a call only when a
// datagram is sent.
func datagram(info *types.Info, call *ast.CallExpr) bool {
	for _, e := range call.Args {
		if v := info.Types[e].Value; v != nil && v.Kind() == constant.String {
			return strings.HasPrefix(constant.StringVal(v), "udp")
		}
	}
	return false
}

// dials reports whether a node contains a call that dials: with UDP if protocol is "udp", with another
// protocol otherwise.
func dials(info *types.Info, n ast.Node, protocol string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && dialers[callee(info, call)] && datagram(info, call) == (protocol == "udp")
		return !found
	})
	return found
}

// writes reports whether a call writes to a network connection, by a method of the connection or by a
// function such as fmt.Fprint.
func writes(info *types.Info, call *ast.CallExpr) bool {
	name := callee(info, call)
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && strings.HasPrefix(s.Sel.Name, "Write") && isConn(info.Types[s.X].Type) {
		return true
	}
	prints := strings.HasPrefix(name, "fmt.Fprint") || name == "io.WriteString" || name == "io.Copy"
	return prints && len(call.Args) > 0 && isConn(info.Types[call.Args[0]].Type)
}

// isConn reports whether a type is a connection of package net.
func isConn(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "net" && strings.HasSuffix(n.Obj().Name(), "Conn")
}
