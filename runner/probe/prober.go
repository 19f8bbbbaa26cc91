package probe

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// name is what the probed files call the injected package.
const name = "__sonde"

// prober puts probes into one file.
type prober struct {
	*numbers
	fset    *token.FileSet
	info    *types.Info
	src     []byte
	sql     bool
	number  int    // of the file in the manifest
	file    string // its name there
	generic bool   // its language has type parameters
	// passesGenerics tells that its language takes a generic function for an argument.
	passesGenerics bool
	edits          []edit
	near           int    // the hit which tells that the next statement was come to
	jumps          bool   // the function that is being probed has goto
	in             copies // those that are being probed: where a predicate is, the full one
	moved          bool   // the file says with //line that it is somewhere else
	helpers        map[*types.Func]helper
}

// pragma are the directives of functions that must not call anything, or whose
// bodies are somebody else's.
var pragma = regexp.MustCompile(`(?m)^//go:(nosplit|norace|systemstack|nowritebarrier|nowritebarrierrec|yeswritebarrierrec|linkname|wasmexport|nocheckptr|uintptrescapes)\b`)

var lineDirective = regexp.MustCompile(`//line |/\*line `)

// probe returns the file with probes, and whether it has any.
func (x *prober) probe(f *ast.File) ([]byte, bool) {
	queries := x.queries
	x.moved = lineDirective.Match(x.src)
	for _, d := range x.help(f) {
		switch d := d.(type) {
		case *ast.FuncDecl:
			x.function(d)
		case *ast.GenDecl:
			x.variables(d)
		}
	}
	if len(x.edits) == 0 {
		return nil, false
	}
	at := x.offset(f.Name.End())
	x.edits = append(x.edits, edit{offset: at, remove: 0, opens: true, in: inAll, text: fmt.Sprintf(";import %s %q", name, runtimePath)})
	if x.queries > queries {
		x.edits = append(x.edits, edit{offset: at, remove: 0, opens: true, in: inAll, text: fmt.Sprintf(";import %s %q", sqlName, sqlPath)})
	}
	return apply(x.src, without(x.edits, inLight)), true
}

func (x *prober) function(d *ast.FuncDecl) {
	if x.probes(d) {
		x.body(d.Body)
	}
}

// probes reports whether there may be probes in a function.
func (x *prober) probes(d *ast.FuncDecl) bool {
	return d.Body != nil && d.Name.Name != "_" && (d.Doc == nil || !pragma.MatchString(x.text(d.Doc)))
}

// body probes a function's body; what is known of the function around it is kept.
func (x *prober) body(b *ast.BlockStmt) {
	near, jumps, in := x.near, x.jumps, x.in
	x.jumps, x.in = hasGoto(b), inAll
	x.block(b)
	x.near, x.jumps, x.in = near, jumps, in
}

// variables probes the initialisers of a package's variables.
func (x *prober) variables(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	x.near = 0
	for _, s := range d.Specs {
		for _, v := range s.(*ast.ValueSpec).Values {
			x.expr(v)
		}
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

// target makes a target of a node, from a place on.
func (x *prober) target(kind Kind, at token.Pos, label string) Target {
	p := x.fset.PositionFor(at, false)
	return Target{Kind: kind, File: x.number, Line: p.Line, Col: p.Column, Label: short(label)}
}

func (x *prober) keep(t Target) { x.add(t, x.file) }

// maxLabel is how much of the source a target shows.
const maxLabel = 60

// short is the first line of some source, as much as a label needs.
func short(source string) string {
	line, _, _ := strings.Cut(source, "\n")
	runes := []rune(strings.TrimSpace(line))
	if len(runes) > maxLabel {
		return string(runes[:maxLabel-1]) + "…"
	}
	return string(runes)
}

// learning makes the probes of a predicate.
func (x *prober) learning(probe func()) {
	was := x.in
	x.in = inFull
	probe()
	x.in = was
}

func (x *prober) offset(p token.Pos) int { return x.fset.PositionFor(p, false).Offset }

func (x *prober) text(n ast.Node) string {
	return string(x.src[x.offset(n.Pos()):x.offset(n.End())])
}

// before puts text before what begins at a place.
func (x *prober) before(at token.Pos, format string, args ...any) {
	x.edits = append(x.edits, edit{offset: x.offset(at), remove: 0, opens: true, in: x.in, text: fmt.Sprintf(format, args...)})
}

// behind puts text behind what ends at a place.
func (x *prober) behind(at token.Pos, format string, args ...any) {
	x.edits = append(x.edits, edit{offset: x.offset(at), remove: 0, opens: false, in: x.in, text: fmt.Sprintf(format, args...)})
}

// replace puts text in place of what is between two places, which keeps its
// lines.
func (x *prober) replace(from, to token.Pos, text string) {
	a, b := x.offset(from), x.offset(to)
	lines := strings.Repeat("\n", strings.Count(string(x.src[a:b]), "\n"))
	x.edits = append(x.edits, edit{offset: a, remove: b - a, opens: true, in: x.in, text: text + lines})
}
