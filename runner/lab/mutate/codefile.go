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

// codeFile is a file of the service. It answers questions about nodes, and returns Go source that
// fits into the file.
type codeFile struct {
	fset        *token.FileSet
	src         []byte
	file        *ast.File
	info        *types.Info
	pkg         *types.Package
	path        string                   // path of the file
	name        string                   // path in the module
	coverName   string                   // name in coverage profiles: import path and base name
	packageUses map[*types.PkgName][]int // offsets at which packages are named
}

// newCodeFile reads a file.
func newCodeFile(
	b *probe.VariantBuilder, s probe.SourcePackage, file *ast.File, named map[*types.PkgName][]int,
) (*codeFile, error) {
	path := b.Fset.PositionFor(file.Package, false).Filename
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return &codeFile{
		fset: b.Fset, src: src, file: file, info: s.Info, pkg: s.Package, path: path, name: nameOf(b.Module, path),
		coverName: gopath.Join(s.Path, filepath.Base(path)), packageUses: named,
	}, nil
}

// nameOf returns the path of a file in the module, or the whole path if the file is outside of the
// module.
func nameOf(module, file string) string {
	if from, err := filepath.Rel(module, file); err == nil && module != "" && !strings.HasPrefix(from, "..") {
		return filepath.ToSlash(from)
	}
	return file
}

// isHandWritten reports whether the file was not written by a generator or cgo.
func (c *codeFile) isHandWritten() bool {
	return strings.HasSuffix(c.path, ".go") && !ast.IsGenerated(c.file)
}

// place converts a position to a place, which is in the form of coverage profiles.
func (c *codeFile) place(p token.Pos) place {
	at := c.fset.PositionFor(p, false)
	return place{file: c.coverName, line: at.Line, column: at.Column}
}

// offset returns the offset of a position in the file.
func (c *codeFile) offset(p token.Pos) int { return c.fset.PositionFor(p, false).Offset }

// text returns the source of a node.
func (c *codeFile) text(n ast.Node) string { return c.textBetween(n.Pos(), n.End()) }

// textBetween returns the source between two positions.
func (c *codeFile) textBetween(from, to token.Pos) string {
	return string(c.src[c.offset(from):c.offset(to)])
}

// replacement returns an edit that replaces a node by a text.
func (c *codeFile) replacement(n ast.Node, text string) []edit {
	return []edit{{from: c.offset(n.Pos()), to: c.offset(n.End()), text: text}}
}

// changesNothing reports whether the edits leave the file as it is.
func (c *codeFile) changesNothing(edits []edit) bool {
	return bytes.Equal(apply(c.src, edits), c.src)
}

// call returns e, without parentheses, if it is the call of a function. It returns false for other
// expressions, such as conversions, and for calls of builtins other than delete, clear, copy and close.
func (c *codeFile) call(e ast.Expr) (*ast.CallExpr, bool) {
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

// operands returns the expressions that are evaluated before a call is made. These are the receiver of a method or a
// function value, if there is one, and the arguments.
func (c *codeFile) operands(call *ast.CallExpr) []ast.Expr {
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
