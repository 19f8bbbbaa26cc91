package mutate

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	gopath "path"
	"path/filepath"
	"strings"

	"sonde/runner/instrument/probe"
)

// sourceCode is a file of the service: it answers questions about the file's nodes, and
// writes Go that fits into the file.
type sourceCode struct {
	fset  *token.FileSet
	src   []byte
	file  *ast.File
	info  *types.Info
	pkg   *types.Package
	path  string                   // of the file
	name  string                   // its path in the module
	count string                   // its name in coverage: import path and base name
	named map[*types.PkgName][]int // the offsets at which packages are named
}

func newSourceCode(
	b *probe.VariantBuilder, s probe.SourcePackage, f *ast.File, named map[*types.PkgName][]int,
) (*sourceCode, error) {
	path := b.Fset.PositionFor(f.Package, false).Filename
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return &sourceCode{
		fset: b.Fset, src: src, file: f, info: s.Info, pkg: s.Package, path: path, name: nameOf(b.Module, path),
		count: gopath.Join(s.Path, filepath.Base(path)), named: named,
	}, nil
}

// nameOf returns a file's path in the module, or the whole path outside of it.
func nameOf(module, file string) string {
	if from, err := filepath.Rel(module, file); err == nil && module != "" && !strings.HasPrefix(from, "..") {
		return filepath.ToSlash(from)
	}
	return file
}

// isWritten reports whether a person wrote the file, not a generator or cgo.
func (c *sourceCode) isWritten() bool {
	return strings.HasSuffix(c.path, ".go") && !ast.IsGenerated(c.file)
}

func (c *sourceCode) place(p token.Pos) place {
	at := c.fset.PositionFor(p, false)
	return place{file: c.count, line: at.Line, column: at.Column}
}

func (c *sourceCode) offset(p token.Pos) int { return c.fset.PositionFor(p, false).Offset }

// text returns the source of a node.
func (c *sourceCode) text(n ast.Node) string { return c.span(n.Pos(), n.End()) }

// span returns the source between two positions.
func (c *sourceCode) span(from, to token.Pos) string {
	return string(c.src[c.offset(from):c.offset(to)])
}

// replaced returns an edit that puts a text in the place of a node.
func (c *sourceCode) replaced(n ast.Node, text string) []edit {
	return []edit{{from: c.offset(n.Pos()), upTo: c.offset(n.End()), text: text}}
}

// changesNothing reports whether the file is the same with the edits.
func (c *sourceCode) changesNothing(edits []edit) bool {
	return bytes.Equal(apply(c.src, edits), c.src)
}

// call returns an expression as a call of a function: not a conversion, and of the
// builtins only those with side effects.
func (c *sourceCode) call(e ast.Expr) (*ast.CallExpr, bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || c.info.Types[call.Fun].IsType() {
		return nil, false
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if _, builtin := c.info.Uses[id].(*types.Builtin); builtin {
			return call, id.Name == "delete" || id.Name == "clear" || id.Name == "copy" || id.Name == "close"
		}
	}
	return call, true
}

// parts returns the expressions in a call, without the name of the function.
func (c *sourceCode) parts(call *ast.CallExpr) []ast.Expr {
	all := append([]ast.Expr{}, call.Args...)
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		if id, ok := f.X.(*ast.Ident); ok {
			if _, pkg := c.info.Uses[id].(*types.PkgName); pkg {
				return all
			}
		}
		return append([]ast.Expr{f.X}, all...)
	case *ast.Ident:
		if _, variable := c.info.Uses[f].(*types.Var); variable {
			return append([]ast.Expr{f}, all...)
		}
	case *ast.FuncLit, *ast.CallExpr:
		return append([]ast.Expr{f}, all...)
	}
	return all
}
