package units

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Declaration is a function under test with its syntax.
type Declaration struct {
	Function
	Decl   *ast.FuncDecl
	Object *types.Func
	// Exprs are the mockable calls, in the order of Function.Calls.
	Exprs []*ast.CallExpr
	// Reads are the names of the receiver's fields that the function uses, in itself or in methods of its package that it
	// calls. AllFields reports whether it may use all.
	Reads     []string
	AllFields bool
}

// Inspect returns the functions under test of a package that was loaded with its syntax and types.
func Inspect(p *packages.Package) (all []Declaration) {
	f := newFinder(p)
	for _, file := range f.files() {
		for _, d := range file.Decls {
			fn, is := d.(*ast.FuncDecl)
			if !is {
				continue
			}
			target, is := f.target(fn)
			if !is {
				continue
			}
			one := Declaration{Function: target, Decl: fn, Object: p.TypesInfo.Defs[fn.Name].(*types.Func), Exprs: f.callExprs(fn)}
			one.Reads, one.AllFields = f.receiverReads(fn)
			all = append(all, one)
		}
	}
	return all
}

// receiverReads returns the names of the receiver's fields that a method uses; all is true if it may use all.
func (f *finder) receiverReads(fn *ast.FuncDecl) (names []string, all bool) {
	recv := receiverOf(f.pkg.TypesInfo, fn)
	if recv == nil {
		return nil, false
	}
	if _, is := structOf(recv.Type()); !is {
		return nil, true
	}
	used := f.reads.of(recv, fn)
	for field := range used.fields {
		names = append(names, field.Name())
	}
	slices.Sort(names)
	return names, used.all
}
