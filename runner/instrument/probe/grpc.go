package probe

import (
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"
	"strings"

	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// This file finds the gRPC methods that generated clients call, and the shapes of the replies.

// grpcPath is the import path of gRPC.
const grpcPath = "google.golang.org/grpc"

// Limits of the part of a manifest about gRPC.
const (
	maxClientPackages = 40 // packages that are loaded only for their clients
	maxCalls          = 400
)

// clientPackages returns the paths of packages with generated clients of gRPC that main imports, directly or
// indirectly. It leaves out the packages in probed, and returns at most maxClientPackages. Generated code is often in
// a module of its own.
func clientPackages(main *packages.Package, probed []string) (paths []string) {
	packages.Visit([]*packages.Package{main}, nil, func(p *packages.Package) {
		isOwn := p.PkgPath == grpcPath || strings.HasPrefix(p.PkgPath, grpcPath+"/internal/")
		if p.Imports[grpcPath] == nil || isOwn || slices.Contains(probed, p.PkgPath) {
			return
		}
		if slices.ContainsFunc(p.GoFiles, func(name string) bool { return strings.HasSuffix(name, ".pb.go") }) {
			paths = append(paths, p.PkgPath)
		}
	})
	slices.Sort(paths)
	return paths[:min(len(paths), maxClientPackages)]
}

// callsOf returns the methods of gRPC that clients in packages call, at most maxCalls, sorted by path.
func callsOf(pkgs []*packages.Package) (all []probedata.GRPCMethod) {
	found := map[string]probedata.GRPCMethod{}
	for _, p := range pkgs {
		eachFunc(p, func(fn *types.Func, body *ast.BlockStmt) {
			eachCall(body, func(c *ast.CallExpr) {
				m, reply := grpcCall(p.TypesInfo, fn, body, c)
				if _, known := found[m.Path]; !known && reply != nil {
					m.Reply = newMessageShaper().message(reply, maxShape)
					found[m.Path] = m
				}
			})
		})
	}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[path])
	}
	return all[:min(len(all), maxCalls)]
}

// grpcCall returns the gRPC method that a call in generated code calls, without the shape of its reply. around is the
// function that contains the call, and body is the body of this function. reply is the type of the messages that the
// host sends. reply is nil if the call is not a call of gRPC, or if the method or the type is not known.
func grpcCall(info *types.Info, around *types.Func, body *ast.BlockStmt, c *ast.CallExpr) (m probedata.GRPCMethod, reply types.Type) {
	id := calleeName(c)
	fn, ok := info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != grpcPath {
		return m, nil
	}
	path := -1
	switch fn.Name() {
	case "Invoke": // ctx, method, request, reply
		path = 1
		if len(c.Args) > 3 {
			reply = pointee(info.TypeOf(c.Args[3]))
		}
	case "NewStream": // ctx, description, method
		path = 2
	case "NewClientStream": // ctx, description, connection, method
		path = 3
	}
	if path < 0 || path >= len(c.Args) {
		return m, nil
	}
	m.Path = textOf(info, c.Args[path])
	if fn.Name() != "Invoke" {
		reply, m.Stream = receivedType(info, around, body)
	}
	if !strings.HasPrefix(m.Path, "/") {
		return m, nil
	}
	return m, reply
}

// receivedType returns the type of the messages that a function receives from the gRPC stream that it opens. A
// generated function returns the stream, whose methods show the type; any other function receives the messages in its
// body. stream reports whether the host may send any number of messages.
func receivedType(info *types.Info, around *types.Func, body *ast.BlockStmt) (reply types.Type, stream bool) {
	if results := around.Signature().Results(); results.Len() > 0 {
		for _, method := range []string{"CloseAndRecv", "Recv"} {
			m, _, _ := types.LookupFieldOrMethod(results.At(0).Type(), true, around.Pkg(), method)
			if fn, ok := m.(*types.Func); ok && fn.Signature().Results().Len() == 2 {
				return pointee(fn.Signature().Results().At(0).Type()), method == "Recv"
			}
		}
	}
	eachCall(body, func(c *ast.CallExpr) {
		if id := calleeName(c); id != nil && id.Name == "RecvMsg" && len(c.Args) == 1 && reply == nil {
			reply = pointee(info.TypeOf(c.Args[0]))
		}
	})
	return reply, true
}

// statusCodesOf returns the sorted codes of gRPC to which packages refer. It leaves out OK, and codes that are used to
// make errors.
func statusCodesOf(pkgs []*packages.Package) []int {
	found := map[int]bool{}
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					fn, ok := p.TypesInfo.Uses[calleeName(n)].(*types.Func)
					return !ok || fn.Pkg() == nil || fn.Pkg().Path() != grpcPath+"/status" || fn.Name() == "Code"
				case *ast.Ident:
					c, ok := p.TypesInfo.Uses[n].(*types.Const)
					if !ok || !isNamed(c.Type(), grpcPath+"/codes", "Code") {
						return true
					}
					if code, exact := constant.Int64Val(c.Val()); exact && code > 0 {
						found[int(code)] = true
					}
				}
				return true
			})
		}
	}
	return slices.Sorted(maps.Keys(found))
}
