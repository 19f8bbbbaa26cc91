package probe

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"

	"sonde/runner/instrument/probedata"
)

// sourceFile is a source file of the service.
type sourceFile struct {
	fset  *token.FileSet
	text  []byte
	name  string // name of the file in the manifest
	index int    // index of the file in the manifest
}

var lineDirective = regexp.MustCompile(`//line |/\*line `)

// hasLineDirective reports whether the file contains line directives.
func (f *sourceFile) hasLineDirective() bool { return lineDirective.Match(f.text) }

func (f *sourceFile) position(p token.Pos) token.Position { return f.fset.PositionFor(p, false) }

func (f *sourceFile) offset(p token.Pos) int { return f.position(p).Offset }

// source returns the source between two positions.
func (f *sourceFile) source(from, to token.Pos) string {
	return string(f.text[f.offset(from):f.offset(to)])
}

// sourceOf returns the source of a node.
func (f *sourceFile) sourceOf(n ast.Node) string { return f.source(n.Pos(), n.End()) }

// rest returns the source from a position to the end of the file.
func (f *sourceFile) rest(from token.Pos) string { return string(f.text[f.offset(from):]) }

// newTarget returns a target at a position. Its label is the first line of label, shortened.
func (f *sourceFile) newTarget(kind probedata.TargetKind, at token.Pos, label string) probedata.Target {
	p := f.position(at)
	return probedata.Target{Kind: kind, File: f.index, Line: p.Line, Col: p.Column, Label: shortened(label)}
}

// maxLabel is the maximum length of a label in characters.
const maxLabel = 60

// shortened returns the first line of a text, cut to maxLabel characters.
func shortened(source string) string {
	line, _, _ := strings.Cut(source, "\n")
	runes := []rune(strings.TrimSpace(line))
	if len(runes) > maxLabel {
		return string(runes[:maxLabel-1]) + "…"
	}
	return string(runes)
}
