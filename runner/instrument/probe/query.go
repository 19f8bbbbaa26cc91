package probe

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"sonde/assets/probe"
	"sonde/runner/instrument/probedata"
)

const (
	sqlPath   = "database/sql"
	sqlName   = "__sondesql"       // the name under which probed files import database/sql
	queryPath = "sondeprobe/query" // the import path of assets/probe/sondequery in a build
)

// query probes a call that queries a database, or that executes an UPDATE or a DELETE. It returns false for other
// calls. It adds two targets: some rows are returned or changed, and no rows are.
func (x *exprProber) query(c *ast.CallExpr) bool {
	probe := ""
	if x.sql {
		probe = x.types.queryProbe(c)
	}
	if probe == "" {
		return false
	}
	p := x.targets.newQuery()
	if probe == "SondeRow" {
		x.edit.before(c.Pos(), "%s.%s(%s.Query(%d),", sqlName, probe, runtimeName, p)
	} else {
		x.edit.before(c.Pos(), "%s.%s(%s.Query(%d))(", sqlName, probe, runtimeName, p)
	}
	x.children(c)
	x.edit.after(c.End(), ")")
	x.addOutcomes(c, c.Lparen, probedata.QueryRows, probedata.QueryNoRows, outcome(p, 0), outcome(p, 1))
	return true
}

// queryProbe returns the probe of a call of a method that returns a row or rows, or that executes an UPDATE or a DELETE, ""
// for other calls. The method belongs to a type of database/sql or to an interface.
func (x *typeInfo) queryProbe(c *ast.CallExpr) string {
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
	case r.Len() != 2 || !types.Identical(r.At(1).Type(), types.Universe.Lookup("error").Type()):
		return ""
	case isSQL(r.At(0).Type(), "Rows"):
		return "SondeRows"
	case isNamed(r.At(0).Type(), sqlPath, "Result") && slices.ContainsFunc(c.Args, x.isChange):
		return "SondeResult"
	}
	return ""
}

// changeStatement matches the beginning of a statement whose conditions choose the rows that it changes.
var changeStatement = regexp.MustCompile(`(?i)^(\s+|--[^\n]*\n|/\*([^*]|\*[^*/])*\*+/)*(UPDATE|DELETE)\s`)

// isChange reports whether an expression is a constant with an UPDATE or a DELETE.
func (x *typeInfo) isChange(e ast.Expr) bool {
	v := x.Types[e].Value
	return v != nil && v.Kind() == constant.String && changeStatement.MatchString(constant.StringVal(v))
}

// isSQL reports whether t is a pointer to a type of database/sql that has one of the names.
func isSQL(t types.Type, names ...string) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && slices.ContainsFunc(names, func(name string) bool { return isNamed(p.Elem(), sqlPath, name) })
}

// patchSQL adds code to database/sql. The added code reports queries, and lets tests insert rows.
func (o *overlay) patchSQL(goroot string) error {
	dir := filepath.Join(goroot, "src", filepath.FromSlash(sqlPath))
	file := filepath.Join(dir, "sql.go")
	src, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("database/sql cannot be read: %w", err)
	}
	o.sources[file], err = patchedSQL(src)
	if err != nil {
		return err
	}
	for _, name := range []string{"sql", "rows", "postgres", "clean", "cleansqlite", "cleanpostgres", "postgrescatalog", "postgresseed"} {
		o.sources[filepath.Join(dir, "zz_sonde"+name+".go")], err = probe.SQL.ReadFile("_sql/" + name + ".go")
		if err != nil {
			return err
		}
	}
	return o.addPackage(probe.Query, "sondequery", filepath.Join(goroot, "src", filepath.FromSlash(queryPath)))
}

// sqlHooks maps the wrapped methods of database/sql to their new names.
var sqlHooks = map[string]string{
	"OpenDB":            "sondeOpenDB",
	"DB.conn":           "sondeConn",
	"DB.queryDC":        "sondeQueryDC",
	"DB.execDC":         "sondeExecDC",
	"Stmt.QueryContext": "sondeQueryContext",
	"Rows.nextLocked":   "sondeNextLocked",
}

var errNoQuery = errors.New("--sql finds no query of database/sql in what is covered: leave it out, or cover the packages that query")

var errNoHook = errors.New("this Go's database/sql differs from those that --sql is made for: leave out --sql")

// patchedSQL returns the source of database/sql with the wrapped methods renamed, and with a field
// in Rows for the query.
func patchedSQL(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "sql.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, errNoHook
	}
	var edits []edit
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if to := sqlHooks[funcName(n)]; to != "" {
				edits = append(edits, edit{offset: fset.Position(n.Name.Pos()).Offset, remove: len(n.Name.Name), text: to})
			}
			return false
		case *ast.TypeSpec:
			if s, ok := n.Type.(*ast.StructType); ok && n.Name.Name == "Rows" {
				edits = append(edits, edit{offset: fset.Position(s.Fields.Opening).Offset + 1, text: "sonde sondePendingQuery;"})
			}
		}
		return true
	})
	if len(edits) != len(sqlHooks)+1 {
		return nil, errNoHook
	}
	return apply(src, edits), nil
}

// funcName returns "TYPE.METHOD" for a method with a pointer receiver, the name of a function, and "" for another method.
func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	if p, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
		if t, ok := p.X.(*ast.Ident); ok {
			return t.Name + "." + f.Name.Name
		}
	}
	return ""
}
