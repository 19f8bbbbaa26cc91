package probe

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"

	"sonde/runner/instrument/probedata"
)

// prober adds probes to a file. It walks declarations and statements; exprs adds the probes to the
// expressions in them.
type prober struct {
	file    *sourceFile
	types   *typeInfo
	edit    *editor
	targets *targetTable
	tables  *switchTables
	exprs   *exprProber
	light   *lightCopies

	near  int  // the hit that is set when the next statement is reached
	jumps bool // the current function has goto, which must not jump over a declaration
}

// newProber returns a prober of a file. The files of a build share targets and tables, which number
// the probes.
func newProber(types *typeInfo, targets *targetTable, tables *switchTables, sql bool) *prober {
	file := types.file
	edit, helpers := &editor{file: file}, helpers{}
	x := &prober{
		file: file, types: types, edit: edit, targets: targets, tables: tables,
		exprs: &exprProber{file: file, types: types, edit: edit, targets: targets, helpers: helpers, sql: sql},
		light: &lightCopies{file: file, types: types, helpers: helpers, moved: file.hasLineDirective()},
	}
	x.exprs.body = x.body
	return x
}

// unprobedDirective matches the directives of functions that must not call other functions, or whose
// body is elsewhere.
var unprobedDirective = regexp.MustCompile(`(?m)^//go:(nosplit|norace|systemstack|nowritebarrier|nowritebarrierrec|` +
	`yeswritebarrierrec|linkname|wasmexport|nocheckptr|uintptrescapes)\b`)

// probe returns the file with probes. It returns false if the file needs none.
func (x *prober) probe(f *ast.File) ([]byte, bool) {
	queries := x.targets.queries
	for _, d := range x.probeHelpers(f) {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if x.mayProbe(d) {
				x.body(d.Body)
			}
		case *ast.GenDecl:
			x.variables(d)
		}
	}
	if x.edit.mark() == 0 {
		return nil, false
	}
	x.edit.before(f.Name.End(), ";import %s %q", runtimeName, runtimePath)
	if x.targets.queries > queries {
		x.edit.before(f.Name.End(), ";import %s %q", sqlName, sqlPath)
	}
	return x.edit.result(), true
}

// mayProbe reports whether a function may contain probes.
func (x *prober) mayProbe(d *ast.FuncDecl) bool {
	return d.Body != nil && d.Name.Name != "_" && (d.Doc == nil || !unprobedDirective.MatchString(x.file.sourceOf(d.Doc)))
}

// body probes the body of a function, or of a function literal in another function.
func (x *prober) body(b *ast.BlockStmt) {
	near, jumps := x.near, x.jumps
	x.jumps = hasGoto(b)
	x.edit.record(inAll, func() { x.block(b) })
	x.near, x.jumps = near, jumps
}

// variables probes the initial values of a package's variables.
func (x *prober) variables(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	x.near = 0
	for _, s := range d.Specs {
		x.exprs.probeAll(s.(*ast.ValueSpec).Values)
	}
}

func hasGoto(b *ast.BlockStmt) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		if s, ok := n.(*ast.BranchStmt); ok && s.Tok == token.GOTO {
			found = true
		}
		return !found
	})
	return found
}

func (x *prober) keep(t probedata.Target) int { return x.targets.add(t, x.file.name) }

// hitStatement returns the source of a statement that sets a hit, the byte that records that a place was reached.
func hitStatement(hit int) string { return fmt.Sprintf("%s.S(%d);", runtimeName, hit) }
