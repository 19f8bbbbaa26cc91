package probe

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"sonde/runner/instrument/probedata"

	"golang.org/x/tools/go/packages"
)

// This file finds what a service reads from the results of queries to databases. A service may read rows in two
// ways: by Scan of database/sql and by methods of this name in libraries, or into structs whose fields have the
// names of columns.

// maxResults is the maximum number of results in a manifest.
const maxResults = 500

// resultFinder finds the results of queries in packages.
type resultFinder struct {
	vars    map[types.Object]globalVar
	decls   map[*types.Func]declaredFunc
	readers map[*types.Func][]rowReader
	found   map[string]probedata.QueryResult // results by their JSON
}

// globalVar is the initial value of a variable of a package, with the types of that package.
type globalVar struct {
	info  *types.Info
	value ast.Expr
}

type declaredFunc struct {
	info *types.Info
	body *ast.BlockStmt
}

// rowReader describes what a function reads from one of its parameters. param is the index of this parameter: a row,
// several rows, or the text of the query whose result the function reads.
type rowReader struct {
	param  int
	result probedata.QueryResult // result of the query; its Parts are not set
}

// resultsOf returns what packages read from the results of queries, in a stable order. It returns at most
// maxResults.
func resultsOf(pkgs []*packages.Package) (all []probedata.QueryResult) {
	f := &resultFinder{
		vars: map[types.Object]globalVar{}, decls: map[*types.Func]declaredFunc{}, readers: map[*types.Func][]rowReader{},
		found: map[string]probedata.QueryResult{},
	}
	for _, p := range pkgs {
		f.declare(p)
	}
	for known := -1; known < f.readerCount(); {
		known = f.readerCount()
		for _, p := range pkgs {
			eachFunc(p, func(fn *types.Func, body *ast.BlockStmt) { f.function(p.TypesInfo, fn, body) })
		}
	}
	for _, key := range slices.Sorted(maps.Keys(f.found)) {
		all = append(all, f.found[key])
	}
	return all[:min(len(all), maxResults)]
}

// declare records the functions and variables of a package.
func (f *resultFinder) declare(p *packages.Package) {
	eachFunc(p, func(fn *types.Func, body *ast.BlockStmt) { f.decls[fn] = declaredFunc{p.TypesInfo, body} })
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				s := s.(*ast.ValueSpec)
				for i, id := range s.Names {
					if i < len(s.Values) && len(s.Names) == len(s.Values) {
						f.vars[p.TypesInfo.Defs[id]] = globalVar{p.TypesInfo, s.Values[i]}
					}
				}
			}
		}
	}
}

func (f *resultFinder) readerCount() (n int) {
	for _, all := range f.readers {
		n += len(all)
	}
	return n
}

func (f *resultFinder) add(r probedata.QueryResult) {
	if key, err := json.Marshal(r); err == nil && len(r.Columns)+len(r.Documents) > 0 {
		f.found[string(key)] = r
	}
}

// queryCall is a call with the text of a query as an argument.
type queryCall struct {
	call      *ast.CallExpr
	parts     []string
	single    bool // the query returns one row
	documents []int
	isRead    bool // what the service reads from the result is known
}

// resultScope finds results in the body of a function.
type resultScope struct {
	*resultFinder
	info    *types.Info
	fn      *types.Func
	body    *ast.BlockStmt
	queries []queryCall
}

// function adds the results of queries that a function of the service reads.
func (f *resultFinder) function(info *types.Info, fn *types.Func, body *ast.BlockStmt) {
	s := &resultScope{resultFinder: f, info: info, fn: fn, body: body}
	eachCall(body, func(c *ast.CallExpr) { s.addQuery(c) })
	eachCall(body, func(c *ast.CallExpr) {
		s.scan(c)
		s.passes(c)
	})
	for i := range s.queries {
		if r := s.argumentResult(s.queries[i]); len(r.Columns) > 0 {
			s.addResult(&s.queries[i], r)
		}
	}
	eachCall(body, func(c *ast.CallExpr) { s.mapRows(c) })
	for i := range s.queries {
		if q := &s.queries[i]; !q.isRead {
			s.addResult(q, probedata.QueryResult{})
		}
	}
}

func eachCall(body *ast.BlockStmt, visit func(c *ast.CallExpr)) {
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			visit(c)
		}
		return true
	})
}

// addQuery records a call if one of its arguments is the text of a query.
func (s *resultScope) addQuery(c *ast.CallExpr) {
	id := calleeName(c)
	if id == nil || s.isMessage(id) {
		return
	}
	for i, arg := range c.Args {
		if t := s.info.TypeOf(arg); t == nil || !isText(t) {
			continue
		}
		parts := s.text(arg, 0)
		if !isQuery.MatchString(parts[0]) {
			continue
		}
		q := queryCall{call: c, parts: parts}
		q.single = s.isSingle(id.Name, q)
		for n, value := range c.Args[i+1:] {
			if isDocument(s.info.TypeOf(value)) {
				q.documents = append(q.documents, n+1)
			}
		}
		s.queries = append(s.queries, q)
		return
	}
}

// isSingle reports whether the query q returns one row. name is the name of the called function:
//
//   - If the name contains Rows, or an argument points to a list, the query returns several rows.
//   - Otherwise, if the name contains Row, as QueryRow does, the query returns one row.
//   - If the name begins with Get and the function reads into an argument, the query returns one row.
func (s *resultScope) isSingle(name string, q queryCall) bool {
	isList := func(arg ast.Expr) bool {
		to := pointee(s.info.TypeOf(arg))
		if to == nil || isBytes(to) || isValue(to) {
			return false
		}
		_, ok := to.Underlying().(*types.Slice)
		return ok
	}
	switch {
	case strings.Contains(name, "Rows"), slices.ContainsFunc(q.call.Args, isList):
		return false
	case strings.Contains(name, "Row"):
		return true
	}
	return strings.HasPrefix(name, "Get") && len(s.argumentResult(q).Columns) > 0
}

// messagePackages are the names of packages whose functions take the text or the format of a message. A message
// may begin like a query, as "select product: %w" does.
var messagePackages = []string{"fmt", "errors", "log", "slog"}

// isMessage reports whether id names a function that takes the text of a message.
func (s *resultScope) isMessage(id *ast.Ident) bool {
	fn, ok := s.info.Uses[id].(*types.Func)
	return ok && fn.Pkg() != nil && slices.Contains(messagePackages, fn.Pkg().Name())
}

// scan adds what a call reads from a row. The call is Scan with a pointer for each column, or a method with a
// pointer to a struct or to a list of structs.
func (s *resultScope) scan(c *ast.CallExpr) {
	method, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	fn, ok := s.info.Uses[method.Sel].(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return
	}
	var r probedata.QueryResult
	switch sig := fn.Signature(); {
	case fn.Name() == "Scan" && sig.Variadic():
		r.Columns = s.pointers(c)
	case slices.Contains(structReaders, fn.Name()):
		for _, arg := range c.Args {
			if len(r.Columns) == 0 {
				r = s.structResult(s.info.TypeOf(arg))
			}
		}
	}
	if len(r.Columns) > 0 {
		s.relate(method.X, c.Pos(), r)
	}
}

// structReaders are the names of methods that read rows into structs by the names of columns, or write them into a table.
var structReaders = []string{
	"Scan", "StructScan", "ScanStruct", "ScanStructs", "Find", "First", "Take", "Last", "One", "All", "Model", "Create", "Save",
}

// structResult returns the result of a query that is read into a struct, or into a list of structs. t is the type of
// the pointer to the struct or the list. The fields of the struct are the columns. For other types the result has no
// columns.
func (s *resultScope) structResult(t types.Type) (r probedata.QueryResult) {
	elem, all := structColumns(t)
	if all == nil {
		return r
	}
	r.Columns, r.ByName = all, true
	n, ok := elem.(*types.Named)
	if !ok {
		return r
	}
	r.Tables = []string{snakeCase(n.Obj().Name())}
	if m, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), "TableName"); m != nil {
		if fn, ok := m.(*types.Func); ok {
			if name := s.decls[fn].returnedText(); name != "" {
				r.Tables = []string{name}
			}
		}
	}
	return r
}

// returnedText returns the constant text that a function returns, "" if there is none.
func (d declaredFunc) returnedText() (text string) {
	if d.body == nil {
		return ""
	}
	ast.Inspect(d.body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 && text == "" {
			text = textOf(d.info, r.Results[0])
		}
		return true
	})
	return text
}

// pointers returns the columns that a call of Scan reads into its arguments, or into a list of pointers.
func (s *resultScope) pointers(c *ast.CallExpr) []probedata.ResultColumn {
	if !c.Ellipsis.IsValid() {
		return columnsOfPointers(s.info, c.Args)
	}
	if len(c.Args) != 1 {
		return nil
	}
	switch list := ast.Unparen(c.Args[0]).(type) {
	case *ast.CallExpr:
		fn, _ := s.info.Uses[calleeName(list)].(*types.Func)
		if fn == nil {
			return nil
		}
		d, ok := s.decls[fn.Origin()]
		if !ok {
			return nil
		}
		return returnedPointers(d)
	case *ast.Ident:
		if v, ok := s.info.Uses[list].(*types.Var); ok {
			for _, value := range valuesOf(s.info, s.body, v) {
				if l, ok := ast.Unparen(value).(*ast.CompositeLit); ok {
					return columnsOfPointers(s.info, l.Elts)
				}
			}
		}
	case *ast.CompositeLit:
		return columnsOfPointers(s.info, list.Elts)
	}
	return nil
}

// returnedPointers returns the columns of the list of pointers that a function returns.
func returnedPointers(d declaredFunc) (all []probedata.ResultColumn) {
	ast.Inspect(d.body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 && all == nil {
			if list, ok := ast.Unparen(r.Results[0]).(*ast.CompositeLit); ok {
				all = columnsOfPointers(d.info, list.Elts)
			}
		}
		return all == nil
	})
	return all
}

// relate adds the result r, which is read from the expression row, to its query:
//
//   - If row is a parameter of the function, or the text of the query is one, the function becomes a reader.
//   - Otherwise the query is in the expression row, or in the value of a variable in that expression.
//   - If these contain no query, it is the last query before the position at.
func (s *resultScope) relate(row ast.Expr, at token.Pos, r probedata.QueryResult) {
	if id, ok := row.(*ast.Ident); ok {
		if v, _ := s.info.Uses[id].(*types.Var); v != nil && paramIndex(s.fn, v) >= 0 {
			s.addReader(rowReader{paramIndex(s.fn, v), r})
			return
		}
	}
	found := false
	for _, value := range s.sources(row, map[*types.Var]bool{}) {
		if q := s.queryIn(value); q != nil {
			s.addResult(q, r)
			found = true
		} else if i := s.textParam(value); i >= 0 {
			s.addReader(rowReader{i, r})
			found = true
		}
	}
	if found {
		return
	}
	s.relateLast(at, r)
}

// sources returns an expression and the values of all variables in it. For a variable in such a value, it also returns
// the values of this variable, and so on. For example, the values for a row include the statement that was prepared for
// the row. seen are the variables whose values were already returned.
func (s *resultScope) sources(e ast.Expr, seen map[*types.Var]bool) []ast.Expr {
	all := []ast.Expr{e}
	if e == nil {
		return all
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if m, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
				all = append(all, s.sources(m.X, seen)[1:]...)
			}
			return false
		}
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := s.info.Uses[id].(*types.Var); ok && !v.IsField() && !seen[v] {
				seen[v] = true
				for _, value := range valuesOf(s.info, s.body, v) {
					all = append(all, s.sources(value, seen)...)
				}
			}
		}
		return true
	})
	return all
}

// textParam returns the index of a parameter of the function. The parameter is a text, and is an argument of a
// call in the expression e. textParam returns -1 if there is no such parameter.
func (s *resultScope) textParam(e ast.Expr) int {
	found := -1
	if e == nil {
		return found
	}
	ast.Inspect(e, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		for i := 0; ok && i < len(c.Args); i++ {
			id, isName := ast.Unparen(c.Args[i]).(*ast.Ident)
			if !isName {
				continue
			}
			if v, ok := s.info.Uses[id].(*types.Var); ok && isText(v.Type()) && found < 0 {
				found = paramIndex(s.fn, v)
			}
		}
		return found < 0
	})
	return found
}

// relateLast adds the result r to the last query before a position. If there is none, the query is not known.
func (s *resultScope) relateLast(at token.Pos, r probedata.QueryResult) {
	var last *queryCall
	for i, q := range s.queries {
		if q.call.Pos() < at && (last == nil || q.call.Pos() > last.call.Pos()) {
			last = &s.queries[i]
		}
	}
	if last != nil {
		s.addResult(last, r)
		return
	}
	s.add(r)
}

// queryIn returns the query that is sent in an expression. It returns nil if there is none.
func (s *resultScope) queryIn(e ast.Expr) *queryCall {
	for i, q := range s.queries {
		if e != nil && q.call.Pos() >= e.Pos() && q.call.End() <= e.End() {
			return &s.queries[i]
		}
	}
	return nil
}

func (s *resultScope) addReader(r rowReader) {
	same := func(other rowReader) bool {
		return other.param == r.param && len(other.result.Columns) == len(r.result.Columns)
	}
	if s.fn != nil && !slices.ContainsFunc(s.readers[s.fn], same) {
		s.readers[s.fn] = append(s.readers[s.fn], r)
	}
}

// addResult adds r as the result of the query q. The text of the query, and the parameters that are documents,
// come from q.
func (s *resultScope) addResult(q *queryCall, r probedata.QueryResult) {
	q.isRead = true
	r.Parts, r.Single, r.Documents = q.parts, r.Single || q.single, q.documents
	s.add(r)
}

// passes adds the results of a call that passes a row, or the text of a query, to a function that reads rows.
func (s *resultScope) passes(c *ast.CallExpr) {
	id := genericName(c)
	if id == nil {
		return
	}
	fn, ok := s.info.Uses[id].(*types.Func)
	if !ok {
		return
	}
	for _, r := range s.readers[fn.Origin()] {
		if i := slices.IndexFunc(s.queries, func(q queryCall) bool { return q.call == c }); i >= 0 {
			s.addResult(&s.queries[i], r.result)
		} else if r.param < len(c.Args) {
			s.relate(c.Args[r.param], c.Pos(), r.result)
		}
	}
}

// argumentResult returns the result of a query that is read into an argument of the call itself. This argument precedes
// the text of the query, and points to a struct, to a list of structs, or to a value.
func (s *resultScope) argumentResult(q queryCall) (r probedata.QueryResult) {
	for _, arg := range q.call.Args {
		t := s.info.TypeOf(arg)
		if t == nil || isText(t) {
			return r
		}
		if _, isPointer := types.Unalias(t).Underlying().(*types.Pointer); !isPointer {
			continue
		}
		if r := s.structResult(t); len(r.Columns) > 0 {
			return r
		}
		if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND {
			elem := pointee(t)
			if list, ok := elem.Underlying().(*types.Slice); ok && !isBytes(elem) {
				elem = list.Elem()
			}
			r.Columns = []probedata.ResultColumn{columnOf(elem)}
			return r
		}
	}
	return r
}

// rowMappers are the names of generic functions that read a row into a type. The value is true if the function
// finds the columns by their names.
var rowMappers = map[string]bool{
	"RowTo": false, "RowToAddrOf": false, "RowToStructByPos": false, "RowToAddrOfStructByPos": false, "RowToStructByName": true,
	"RowToAddrOfStructByName": true, "RowToStructByNameLax": true, "RowToAddrOfStructByNameLax": true,
}

// mapRows adds the result of a call whose arguments are rows and a generic function that reads each row into a type,
// such as pgx.CollectRows(rows, pgx.RowToStructByName[T]).
func (s *resultScope) mapRows(c *ast.CallExpr) {
	collector := genericName(c)
	for _, arg := range c.Args {
		id := genericName(&ast.CallExpr{Fun: arg})
		if id == nil || collector == nil {
			continue
		}
		byName, known := rowMappers[id.Name]
		inst, ok := s.info.Instances[id]
		if !known || !ok || inst.TypeArgs.Len() != 1 {
			continue
		}
		of := inst.TypeArgs.At(0)
		r := s.structResult(types.NewPointer(of))
		if len(r.Columns) == 0 {
			r.Columns = []probedata.ResultColumn{columnOf(of)}
		}
		r.ByName, r.Single = byName, strings.Contains(collector.Name, "One")
		s.relate(c.Args[0], c.Pos(), r)
	}
}

// mysqlDrivers are the paths of packages that are clients of MySQL. Packages below these paths count, too.
var mysqlDrivers = []string{"github.com/go-sql-driver/mysql", "github.com/go-mysql-org/go-mysql", "github.com/ziutek/mymysql"}

// driversOf returns the databases for Manifest.Drivers. It returns "mysql" if main imports a driver of MySQL,
// directly or indirectly.
func driversOf(main *packages.Package) (all []string) {
	packages.Visit([]*packages.Package{main}, nil, func(p *packages.Package) {
		is := func(path string) bool { return p.PkgPath == path || strings.HasPrefix(p.PkgPath, path+"/") }
		if len(all) == 0 && slices.ContainsFunc(mysqlDrivers, is) {
			all = append(all, "mysql")
		}
	})
	return all
}
