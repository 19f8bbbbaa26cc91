package unittests

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// The size of a table of cases.
const (
	maxColumns = 6
	maxCell    = 100
	maxRow     = 110
)

// caseTable is a test with a table of cases: tests of a function that differ in values only.
type caseTable struct {
	tests []*typedTest
	// pairs are the nodes of each test that correspond to nodes of the first test.
	pairs   []map[ast.Node]ast.Node
	columns []*column
}

// column is a value that differs between the cases.
type column struct {
	name  string
	of    types.Type
	nodes []ast.Node // in the first test
	cells []string   // by test
}

// typedTest is a test with its syntax and types.
type typedTest struct {
	test *unitTest
	decl *ast.FuncDecl
	text string    // of the declaration
	base token.Pos // the position of the first byte of text
	info *types.Info
}

func (t *typedTest) source(n ast.Node) string { return t.text[n.Pos()-t.base : n.End()-t.base] }

// tabulate merges tests into tables. Tests that are like no other stay alone.
func tabulate(tests []*typedTest) (tables []*caseTable) {
	for _, t := range tests {
		added := slices.ContainsFunc(tables, func(table *caseTable) bool { return table.add(t) })
		if !added {
			tables = append(tables, &caseTable{tests: []*typedTest{t}, pairs: []map[ast.Node]ast.Node{nil}})
		}
	}
	return tables
}

// add adds a test to a table if it is like the first one.
func (c *caseTable) add(t *typedTest) bool {
	first := c.tests[0]
	if first.test.Function != t.test.Function || !slices.Equal(first.test.Loosened, t.test.Loosened) {
		return false
	}
	m := shapeMatcher{a: first, b: t, pairs: map[ast.Node]ast.Node{}}
	if !m.same(first.decl.Body, t.decl.Body) {
		return false
	}
	nodes := m.diffs
	for _, col := range c.columns {
		nodes = append(nodes, col.nodes...)
	}
	next := caseTable{tests: append(slices.Clone(c.tests), t), pairs: append(slices.Clone(c.pairs), m.pairs)}
	if !next.setColumns(outermost(nodes)) {
		return false
	}
	*c = next
	return true
}

// outermost returns the nodes that are within no other, in the order of the source.
func outermost(nodes []ast.Node) (all []ast.Node) {
	slices.SortStableFunc(nodes, func(a, b ast.Node) int {
		if a.Pos() != b.Pos() {
			return int(a.Pos() - b.Pos())
		}
		return int(b.End() - a.End())
	})
	for _, n := range nodes {
		if len(all) == 0 || n.Pos() >= all[len(all)-1].End() {
			all = append(all, n)
		}
	}
	return all
}

// setColumns sets the columns of a table. It reports whether they are few and short.
func (c *caseTable) setColumns(nodes []ast.Node) bool {
	first := c.tests[0]
	names := namesOfValues(first)
	c.columns = nil
	for _, n := range nodes {
		col := &column{name: names[n], of: types.Default(first.info.TypeOf(n.(ast.Expr))), nodes: []ast.Node{n}}
		for i, t := range c.tests {
			own := n
			if i > 0 {
				own = c.pairs[i][n]
			}
			if own == nil {
				return false
			}
			text := t.source(own)
			if len(text) > maxCell || strings.Contains(text, "\n") {
				return false
			}
			col.cells = append(col.cells, text)
		}
		if same := c.sameColumn(col); same != nil {
			same.nodes = append(same.nodes, n)
			continue
		}
		c.columns = append(c.columns, col)
	}
	c.rename()
	return len(c.columns) <= maxColumns
}

// sameColumn returns a column with the same texts, such as an identifier that is an argument of several calls. Short texts
// may be the same by chance.
func (c *caseTable) sameColumn(col *column) *column {
	for _, other := range c.columns {
		long := !slices.ContainsFunc(col.cells, func(text string) bool { return len(text) < 5 || text == "false" })
		if long && slices.Equal(other.cells, col.cells) && types.Identical(other.of, col.of) && isConstant(c.tests[0], col.nodes[0]) {
			return other
		}
	}
	return nil
}

func isConstant(t *typedTest, n ast.Node) bool { return t.info.Types[n.(ast.Expr)].Value != nil }

// rename gives columns with equal names numbers.
func (c *caseTable) rename() {
	taken := map[string]bool{}
	for _, col := range c.columns {
		name := col.name
		for i := 2; taken[col.name]; i++ {
			col.name = name + strconv.Itoa(i)
		}
		taken[col.name] = true
	}
}

// shapeMatcher compares two tests.
type shapeMatcher struct {
	a, b  *typedTest
	pairs map[ast.Node]ast.Node // nodes of b by those of a
	diffs []ast.Node            // nodes of a whose values differ
}

// same reports whether two nodes are equal but for values that a table can have.
func (m *shapeMatcher) same(a, b ast.Node) bool {
	m.pairs[a] = b
	before := len(m.diffs)
	if head(a) == head(b) && m.sameParts(a, b) {
		if _, isCall := a.(*ast.CallExpr); isCall && len(m.diffs)-before > 1 && m.isValue(a, b) { // such as two times
			m.diffs = append(m.diffs[:before], a)
		}
		return true
	}
	m.diffs = m.diffs[:before]
	if !m.isValue(a, b) {
		return false
	}
	m.diffs = append(m.diffs, a)
	return true
}

func (m *shapeMatcher) sameParts(a, b ast.Node) bool {
	left, right := parts(a), parts(b)
	if len(left) != len(right) {
		return false
	}
	for i := range left {
		if isLabel(m.a, a, i) {
			if m.a.source(left[i]) != m.b.source(right[i]) {
				return false
			}
			continue
		}
		if !m.same(left[i], right[i]) {
			return false
		}
	}
	return true
}

// isLabel reports whether a part of a call is its function, or what names a mocked method or a check.
func isLabel(t *typedTest, n ast.Node, part int) bool {
	call, is := n.(*ast.CallExpr)
	if !is {
		return false
	}
	switch of := t.source(call.Fun); {
	case strings.HasSuffix(of, "calls.expect"):
		return part <= 1
	case of == "unitEqual", of == "unitError":
		return part <= 2
	}
	_, isChain := call.Fun.(*ast.SelectorExpr)
	return part == 0 && !isChain
}

// isValue reports whether two nodes are values of the same type that can be written outside of the test.
func (m *shapeMatcher) isValue(a, b ast.Node) bool {
	x, isX := a.(ast.Expr)
	y, isY := b.(ast.Expr)
	if !isX || !isY || !m.a.outside(x) || !m.b.outside(y) {
		return false
	}
	of := m.a.info.TypeOf(x)
	if _, isFunc := of.Underlying().(*types.Signature); isFunc {
		return false
	}
	return types.Identical(of, m.b.info.TypeOf(y)) && of != types.Typ[types.UntypedNil]
}

// outside reports whether an expression is a value without local variables and function literals.
func (t *typedTest) outside(x ast.Expr) bool {
	if tv, ok := t.info.Types[x]; !ok || !tv.IsValue() {
		return false
	}
	return !mentions(x, localNames(t.decl))
}

// head returns what of a node is not in its parts.
func head(n ast.Node) string {
	kind := fmt.Sprintf("%T", n)
	switch n := n.(type) {
	case *ast.Ident:
		return kind + n.Name
	case *ast.BasicLit:
		return kind + n.Value
	case *ast.BinaryExpr:
		return kind + n.Op.String()
	case *ast.UnaryExpr:
		return kind + n.Op.String()
	case *ast.AssignStmt:
		return kind + n.Tok.String()
	case *ast.GenDecl:
		return kind + n.Tok.String()
	}
	return kind
}

// parts returns the nodes directly within a node.
func parts(n ast.Node) (all []ast.Node) {
	ast.Inspect(n, func(inner ast.Node) bool {
		if inner == nil || inner == n {
			return inner == n
		}
		all = append(all, inner)
		return false
	})
	return all
}

// namesOfValues returns names for the values of a test: the variable, field or parameter that has them.
func namesOfValues(t *typedTest) map[ast.Node]string {
	names := map[ast.Node]string{}
	var name func(n ast.Node, as string)
	name = func(n ast.Node, as string) {
		switch inner := n.(type) {
		case *ast.AssignStmt:
			if id, is := inner.Lhs[0].(*ast.Ident); is && len(inner.Rhs) == 1 && id.Name != "got" && id.Name != "err" {
				as = id.Name
			}
		case *ast.KeyValueExpr:
			if id, is := inner.Key.(*ast.Ident); is {
				as = id.Name
			}
		}
		names[n] = lower(as)
		if call, is := n.(*ast.CallExpr); is {
			nameArguments(t, call, as, name)
			return
		}
		for _, part := range parts(n) {
			name(part, as)
		}
	}
	name(t.decl.Body, "value")
	return names
}

// nameArguments names the arguments of a call.
func nameArguments(t *typedTest, call *ast.CallExpr, as string, name func(ast.Node, string)) {
	name(call.Fun, as)
	of := t.source(call.Fun)
	sig, _ := t.info.TypeOf(call.Fun).(*types.Signature)
	for i, arg := range call.Args {
		own := as
		switch {
		case of == "unitEqual" || of == "unitError":
			own = wanted(call)
		case strings.HasSuffix(of, ".returns"):
			own = "returned"
		case strings.HasSuffix(of, ".expect"):
			own = "arg"
		case sig != nil && !sig.Variadic() && i < sig.Params().Len() && sig.Params().At(i).Name() != "":
			own = sig.Params().At(i).Name()
		}
		name(arg, own)
	}
}

// wanted returns the name of what a check expects: want for the first result, wantErr for an error, wantStatus for a status.
func wanted(check *ast.CallExpr) string {
	label, _ := stringConstant(check.Args[1])
	if id, is := check.Args[2].(*ast.Ident); is && id.Name == "err" {
		return "wantErr"
	}
	if n, is := strings.CutPrefix(label, "result "); is {
		return "want" + strings.TrimPrefix(n, "1")
	}
	label = label[strings.LastIndexByte(label, '.')+1:]
	if !token.IsIdentifier(label) {
		return "want"
	}
	return "want" + upper(label)
}

// lower returns a name that begins with a lower-case letter, unless that is a keyword or ends an abbreviation.
func lower(name string) string {
	if token.IsKeyword(strings.ToLower(name)) {
		return upper(name)
	}
	if strings.ToUpper(name) == name {
		return strings.ToLower(name)
	}
	if len(name) > 1 && name[1] >= 'A' && name[1] <= 'Z' { // such as SiteID, but not ID
		return name
	}
	return strings.ToLower(name[:1]) + name[1:]
}

// declaration returns the source of a table. typeName writes types, and fmtName is the name of package fmt.
func (c *caseTable) declaration(typeName func(types.Type) string, fmtName string) string {
	first := c.tests[0]
	if len(c.tests) == 1 {
		return first.text
	}
	var b strings.Builder
	name := first.test.Name
	fmt.Fprintf(&b, "// %s calls %s as it was called when it was recorded, in %d cases.\n", name, first.test.Function, len(c.tests))
	row := "tt"
	if localNames(first.decl)[row] {
		row = "testCase"
	}
	fmt.Fprintf(&b, "func %s(t *testing.T) {\nfor %s, %s := range []struct {\n", name, c.index(), row)
	for _, col := range c.columns {
		fmt.Fprintf(&b, "%s %s\n", col.name, typeName(col.of))
	}
	b.WriteString("}{\n")
	for i := range c.tests {
		b.WriteString(c.row(i))
	}
	fmt.Fprintf(&b, "} {\nt.Run(%s, func(t *testing.T) {\n", c.caseName(row, fmtName))
	var edits []edit
	start := int(first.decl.Body.Lbrace - first.base + 1)
	for _, col := range c.columns {
		for _, n := range col.nodes {
			edits = append(edits, edit{int(n.Pos()-first.base) - start, int(n.End()-first.base) - start, row + "." + col.name})
		}
	}
	body := first.text[start : first.decl.Body.Rbrace-first.base]
	b.WriteString(strings.TrimSpace(edited(body, edits)) + "\n})\n}\n}\n")
	return b.String()
}

// row writes the cells of a case.
func (c *caseTable) row(i int) string {
	var cells []string
	width := 0
	for _, col := range c.columns {
		cells = append(cells, col.name+": "+col.cells[i])
		width += len(col.name) + len(col.cells[i]) + 4
	}
	if width > maxRow {
		return "{\n" + strings.Join(cells, ",\n") + ",\n},\n"
	}
	return "{" + strings.Join(cells, ", ") + "},\n"
}

// named returns the column by which cases are named: the first with different texts. It returns nil if there is none.
func (c *caseTable) named() *column {
	for _, col := range c.columns {
		if !types.Identical(col.of, types.Typ[types.String]) || !isConstant(c.tests[0], col.nodes[0]) {
			continue
		}
		seen := map[string]bool{`""`: true}
		if !slices.ContainsFunc(col.cells, func(text string) bool { was := seen[text]; seen[text] = true; return was }) {
			return col
		}
	}
	return nil
}

// index returns the name of the loop's index.
func (c *caseTable) index() string {
	if c.named() != nil {
		return "_"
	}
	return "i"
}

// caseName returns the expression of the name of a case.
func (c *caseTable) caseName(row, fmtName string) string {
	if col := c.named(); col != nil {
		return row + "." + col.name
	}
	return fmtName + `.Sprint("case ", i+1)`
}

// merged returns the figures of a table.
func (c *caseTable) merged() GeneratedTest {
	all := c.tests[0].test.GeneratedTest
	all.Cases = len(c.tests)
	for _, t := range c.tests[1:] {
		all.Stubs += t.test.Stubs
		all.Output += t.test.Output
		all.Parameters += t.test.Parameters
		all.Calls += t.test.Calls
	}
	return all
}
