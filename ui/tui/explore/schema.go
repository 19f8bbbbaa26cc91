package explore

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// deepest is how far schemas can be unfolded.
const deepest = 12

// branch is a place in a schema that is shown as a tree.
type branch struct {
	fold   string // names the place
	depth  int
	within []*model.Schema // the schemas around it
	first  bool            // whether it is unfolded unless a person folds it
}

// schema writes the parts of a schema, those of parts only where a person asks
// for them: a schema in itself is harmless that way.
func (b *book) schema(s *model.Schema, at branch) {
	all := parts(s)
	name := 0
	for _, p := range all {
		name = max(name, ansi.StringWidth(pane.Clean(p.name)))
	}
	for _, p := range all {
		b.part(p, at, min(name, 28))
	}
}

func (b *book) part(p part, at branch, nameWidth int) {
	inner := inside(p.schema)
	again := slices.Contains(at.within, inner)
	fold := ""
	if !again && at.depth < deepest && len(parts(p.schema)) > 0 {
		fold = at.fold + "/" + p.name
	}
	b.rows = append(b.rows, row{line: b.partLine(p, at, nameWidth, fold, again), fold: fold})
	if fold != "" && b.unfolded(fold, false) {
		b.schema(p.schema, branch{fold: fold, depth: at.depth + 1, within: append(slices.Clone(at.within), inner)})
	}
}

// partLine draws a part: fold, need, name, kind and what the document says.
func (b *book) partLine(p part, at branch, nameWidth int, fold string, again bool) pane.Line {
	column := 3 + 2*at.depth
	line := pane.Line{}
	if fold != "" {
		line = line.At(column, pane.Span{Text: b.glyph(fold, false), Style: theme.Dim})
	}
	text := kind(p.schema)
	if again {
		text += " ↺"
	}
	line = line.At(column+2, mark(model.Value{Required: p.required}), pane.Span{Text: " " + pane.Clean(p.name), Style: theme.Value}).
		At(column+6+nameWidth, pane.Span{Text: text, Style: theme.Plain})
	return b.remark(line, remark(p.schema))
}

// remark adds what the document says at the end of a line, if there is room.
func (b *book) remark(line pane.Line, text string) pane.Line {
	column := max(line.Width()+2, b.width*9/20)
	if text == "" || column > b.width-12 {
		return line
	}
	return line.At(column, pane.Span{Text: text, Style: theme.Dim})
}

// remark is the first sentence about a schema.
func remark(s *model.Schema) string {
	if s == nil {
		return ""
	}
	return sentence(s.Description)
}

func sentence(text string) string {
	text = pane.Clean(text)
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i+1]
	}
	return strings.TrimSpace(text)
}

func (b *book) glyph(fold string, first bool) string {
	if b.unfolded(fold, first) {
		return theme.Open
	}
	return theme.Closed
}
