package probe

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"

	"sonde/assets/probe"
)

// The package in which queries are watched, and what probed files call it.
const (
	sqlPath   = "database/sql"
	sqlName   = "__sondesql"
	queryPath = "sondeprobe/query"
)

// query probes a call by which rows are asked for, and reports whether it is one.
// The targets are at its parenthesis: that rows come, and that none do.
func (x *prober) query(c *ast.CallExpr) bool {
	fn := ""
	if x.sql {
		fn = x.asks(c)
	}
	if fn == "" {
		return false
	}
	p := x.pred(2)
	x.queries++
	if fn == "SondeRow" {
		x.before(c.Pos(), "%s.%s(%s.Query(%d),", sqlName, fn, name, p)
	} else {
		x.before(c.Pos(), "%s.%s(%s.Query(%d))(", sqlName, fn, name, p)
	}
	x.children(c)
	x.behind(c.End(), ")")
	x.pair(c, c.Lparen, Rows, NoRows, outcome(p, 0), outcome(p, 1))
	return true
}

// asks returns what probes a call of a method that makes a row or rows, "" for
// others. The method is database/sql's or, where the service names what it needs
// of it, an interface's.
func (x *prober) asks(c *ast.CallExpr) string {
	f := x.callee(c)
	if f == nil || f.Signature().Recv() == nil {
		return ""
	}
	if !isSQL(f.Signature().Recv().Type(), "DB", "Tx", "Conn", "Stmt") && !types.IsInterface(f.Signature().Recv().Type()) {
		return ""
	}
	switch r := f.Signature().Results(); {
	case r.Len() == 1 && isSQL(r.At(0).Type(), "Row"):
		return "SondeRow"
	case r.Len() == 2 && isSQL(r.At(0).Type(), "Rows") && types.Identical(r.At(1).Type(), types.Universe.Lookup("error").Type()):
		return "SondeRows"
	}
	return ""
}

// isSQL reports whether a type is a pointer to one of database/sql's.
func isSQL(t types.Type, names ...string) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && slices.ContainsFunc(names, func(name string) bool { return isNamed(p.Elem(), sqlPath, name) })
}

// watchSQL puts into database/sql what tells of queries.
func (o *overlay) watchSQL(goroot string) error {
	dir := filepath.Join(goroot, "src", filepath.FromSlash(sqlPath))
	file := filepath.Join(dir, "sql.go")
	src, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("database/sql cannot be read: %w", err)
	}
	o.sources[file], err = hooked(src)
	if err != nil {
		return err
	}
	o.sources[filepath.Join(dir, "zz_sonde.go")], err = probe.SQL.ReadFile("_sql/sql.go")
	if err != nil {
		return err
	}
	return o.inject(probe.Query, filepath.Join(goroot, "src", filepath.FromSlash(queryPath)), "sondequery")
}

// hooks are the methods of database/sql that are wrapped, and the names under
// which they then are found.
var hooks = map[string]string{"DB.queryDC": "sondeQueryDC", "Stmt.QueryContext": "sondeQueryContext", "Rows.nextLocked": "sondeNextLocked"}

var errNoQuery = errors.New("--sql finds no query of database/sql in what is covered: leave it out, or cover the packages that query")

var errNoHook = errors.New("this Go's database/sql is not as it is known here: leave out --sql")

// hooked is the source of database/sql with a field in Rows for what was asked,
// and the wrapped methods renamed.
func hooked(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "sql.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, errNoHook
	}
	var edits []edit
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if to := hooks[methodName(n)]; to != "" {
				edits = append(edits, edit{offset: fset.Position(n.Name.Pos()).Offset, remove: len(n.Name.Name), text: to})
			}
			return false
		case *ast.TypeSpec:
			if s, ok := n.Type.(*ast.StructType); ok && n.Name.Name == "Rows" {
				edits = append(edits, edit{offset: fset.Position(s.Fields.Opening).Offset + 1, text: "sonde sondeAsked;"})
			}
		}
		return true
	})
	if len(edits) != len(hooks)+1 {
		return nil, errNoHook
	}
	return apply(src, edits), nil
}

// methodName is a method's with that of the type to which its receiver points.
func methodName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	if p, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
		if t, ok := p.X.(*ast.Ident); ok {
			return t.Name + "." + f.Name.Name
		}
	}
	return ""
}
