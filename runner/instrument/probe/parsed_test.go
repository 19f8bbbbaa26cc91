package probe

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"
	"testing"

	"sonde/runner/instrument/probedata"
)

// parsedFile is the type-checked source of one file, in memory.
type parsedFile struct {
	file *ast.File
	info *typeInfo
}

// testFiles and testImporter are shared by all parsed files: reading package strings
// from source takes time.
var (
	testFiles    = token.NewFileSet()
	testImporter = sync.OnceValue(func() types.Importer { return importer.ForCompiler(testFiles, "source", nil) })
)

// parse type-checks the body of a package that imports strings.
func parse(t testing.TB, body string) *parsedFile {
	t.Helper()
	src := "package shop\n\nimport \"strings\"\n\nvar _ = strings.ToLower\n\n" + body
	f, err := parser.ParseFile(testFiles, "shop.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
	c := types.Config{Importer: testImporter()}
	if _, err := c.Check("shop", testFiles, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	file := &sourceFile{fset: testFiles, text: []byte(src), name: "shop/shop.go"}
	return &parsedFile{file: f, info: &typeInfo{Info: info, file: file, generic: true, passesGenerics: true}}
}

// expr returns the first expression whose source is a text.
func (p *parsedFile) expr(t testing.TB, source string) ast.Expr {
	t.Helper()
	var found ast.Expr
	ast.Inspect(p.file, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && found == nil && p.info.file.sourceOf(e) == source {
			found = e
		}
		return found == nil
	})
	if found == nil {
		t.Fatalf("there is no expression %s", source)
	}
	return found
}

// statement returns the first statement whose source begins with a text.
func (p *parsedFile) statement(t testing.TB, prefix string) ast.Stmt {
	t.Helper()
	var found ast.Stmt
	ast.Inspect(p.file, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && found == nil && strings.HasPrefix(p.info.file.sourceOf(s), prefix) {
			found = s
		}
		return found == nil
	})
	if found == nil {
		t.Fatalf("there is no statement %s", prefix)
	}
	return found
}

// prober returns a prober of the file, in a build that has no other file.
func (p *parsedFile) prober() *prober {
	return newProber(p.info, newTargetTable(), &switchTables{}, false)
}

// kindsOf returns the kinds of targets, separated by commas.
func kindsOf(targets []probedata.Target) string {
	var all []string
	for _, t := range targets {
		all = append(all, string(t.Kind))
	}
	return strings.Join(all, ", ")
}
