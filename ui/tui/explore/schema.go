package explore

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/markup"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// maxDepth is the depth to which schemas can be unfolded.
const maxDepth = 12

// branch is a position in a schema that is shown as a tree.
type branch struct {
	fold   string // the name of its fold
	depth  int
	within []*model.Schema // the schemas around it
}

// schema writes the parts of a schema. Nested parts are folded at first, so that a schema that
// contains itself can be shown.
func (b *pageWriter) schema(s *model.Schema, at branch) {
	all := parts(s)
	name := 0
	for _, p := range all {
		name = max(name, ansi.StringWidth(draw.Clean(p.name)))
	}
	for _, p := range all {
		b.part(p, at, min(name, 28))
	}
}

// part writes a property. It can be unfolded if it has parts, or details for which the
// line has no room.
func (b *pageWriter) part(p part, at branch, nameWidth int) {
	inner := inside(p.schema)
	again := slices.Contains(at.within, inner)
	folds := !again && at.depth < maxDepth && len(parts(p.schema)) > 0
	line := b.partLine(p, at, nameWidth, again)
	described, whole := b.remark(line, p.schema)
	more := b.details(p.schema, line, whole)
	if !folds && len(more) == 0 {
		b.rows = append(b.rows, row{line: described})
		return
	}
	fold := at.fold + "/" + p.name
	if b.unfolded(fold, false) && !whole {
		described = line // the whole description is below
	}
	b.rows = append(b.rows, row{line: b.marked(described, 3+2*at.depth, fold, false), fold: fold})
	if !b.unfolded(fold, false) {
		return
	}
	for i, text := range more {
		b.prose(text, 7+2*at.depth, 40, theme.Dim, fmt.Sprint(fold, " about ", i))
	}
	if folds {
		b.schema(p.schema, branch{fold: fold, depth: at.depth + 1, within: append(slices.Clone(at.within), inner)})
	}
}

// details returns the default and the examples of a schema, and the facts for which its line has no
// room.
func (b *pageWriter) details(s *model.Schema, line draw.Line, whole bool) []string {
	if s == nil {
		return nil
	}
	var more []string
	if !whole {
		more = append(more, s.Description)
	}
	switch {
	case len(s.Enum) > choices:
		more = append(more, choice(s.Enum, len(s.Enum)))
	case line.Width() > b.width:
		more = append(more, kind(s))
	}
	if s.Default != nil {
		more = append(more, "default: "+words.Literal(s.Default))
	}
	if len(s.Examples) > 0 {
		more = append(more, "for example: "+choice(s.Examples, choices))
	}
	return more
}

// partLine draws a part: whether it is required, its name and its kind. If again is true, the part is
// inside a part with the same schema, which is marked.
func (b *pageWriter) partLine(p part, at branch, nameWidth int, again bool) draw.Line {
	column := 5 + 2*at.depth
	text := kind(p.schema)
	if again {
		text += " ↺"
	}
	return draw.Line{}.
		At(column, need(p.required), draw.Span{Text: " " + draw.Clean(p.name), Style: theme.Value}).
		At(column+4+nameWidth, draw.Span{Text: text, Style: theme.Plain})
}

// marked draws the glyph of a fold into a blank column of a line.
func (b *pageWriter) marked(line draw.Line, column int, fold string, first bool) draw.Line {
	glyph := theme.Closed
	if b.unfolded(fold, first) {
		glyph = theme.Open
	}
	return append(draw.Line{}.At(column, draw.Span{Text: glyph, Style: theme.Dim}), line.Drop(column+1)...)
}

// remark adds the first sentence of a schema's description to a line, if there is room.
// It reports whether that is the whole description.
func (b *pageWriter) remark(line draw.Line, s *model.Schema) (described draw.Line, whole bool) {
	if s == nil || strings.TrimSpace(s.Description) == "" {
		return line, true
	}
	plain := markup.Plain(s.Description)
	text := sentence(plain)
	column := max(line.Width()+2, b.width*9/20)
	if column > b.width-12 {
		return line, false
	}
	whole = text == plain && column+ansi.StringWidth(text) <= b.width
	return line.At(column, draw.Span{Text: text, Style: theme.Dim}), whole
}

// sentence returns the first sentence of a text without markup.
func sentence(text string) string {
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i+1]
	}
	return strings.TrimSpace(text)
}
