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

// maxDepth is the maximum depth to which schemas can be unfolded.
const maxDepth = 12

// branch is a position in a schema tree.
type branch struct {
	fold   string // name of the fold of the branch
	depth  int
	within []*model.Schema // the enclosing schemas
}

// schema writes the parts of a schema. Nested parts are initially folded, so that a recursive schema can be
// shown.
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

// part writes the row of a property. The row can be unfolded if the property has parts, or if some of its details do
// not fit into the row.
func (b *pageWriter) part(p part, at branch, nameWidth int) {
	inner := inside(p.schema)
	again := slices.Contains(at.within, inner)
	folds := !again && at.depth < maxDepth && len(parts(p.schema)) > 0
	line := b.partLine(p, at, nameWidth, again)
	described, whole := b.remark(line, p.schema)
	more := b.details(p.schema, line, whole)
	if !folds && len(more) == 0 {
		b.rows = append(b.rows, row{line: described, declared: &declaration{p, b.answering}})
		return
	}
	fold := at.fold + "/" + p.name
	if b.unfolded(fold, false) && !whole {
		described = line // the complete description is below
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

// text describes what the spec declares: its name, its kind, whether it is required, and its description.
func (d *declaration) text() string {
	text := draw.Clean(d.name) + ": " + draw.SchemaKind(d.schema)
	if d.required && !d.out {
		text += ", required"
	}
	if d.schema != nil && d.schema.Description != "" {
		text += ". " + sentence(markup.Plain(d.schema.Description))
	}
	return text
}

// details returns the default and the examples of a schema, and facts that do not fit into its line.
func (b *pageWriter) details(s *model.Schema, line draw.Line, whole bool) []string {
	if s == nil {
		return nil
	}
	var more []string
	if !whole {
		more = append(more, s.Description)
	}
	switch {
	case len(s.Enum) > draw.ShownChoices:
		more = append(more, draw.ValueList(s.Enum, len(s.Enum)))
	case line.Width() > b.width:
		more = append(more, draw.SchemaKind(s))
	}
	if s.Default != nil {
		more = append(more, "default: "+words.Literal(s.Default))
	}
	if len(s.Examples) > 0 {
		more = append(more, "for example: "+draw.ValueList(s.Examples, draw.ShownChoices))
	}
	return more
}

// partLine draws the line of a part: its name, its kind, and whether it is required. If again is set, the
// line is marked, because an enclosing part has the same schema.
func (b *pageWriter) partLine(p part, at branch, nameWidth int, again bool) draw.Line {
	column := 5 + 2*at.depth
	text := draw.SchemaKind(p.schema)
	if again {
		text += " ↺"
	}
	return draw.Line{}.
		At(column, need(p.required), draw.Span{Text: " " + draw.Clean(p.name), Style: theme.Value}).
		At(column+4+nameWidth, draw.Span{Text: text, Style: theme.Plain})
}

// marked draws the sign of a fold into a blank column of a line.
func (b *pageWriter) marked(line draw.Line, column int, fold string, first bool) draw.Line {
	glyph := theme.Closed
	if b.unfolded(fold, first) {
		glyph = theme.Open
	}
	return append(draw.Line{}.At(column, draw.Span{Text: glyph, Style: theme.Dim}), line.Drop(column+1)...)
}

// remark adds the first sentence of a schema's description to a line, if there is room. whole reports
// whether the line has the complete description, which may be empty.
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

// sentence returns the first sentence of a text that has no markup.
func sentence(text string) string {
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i+1]
	}
	return strings.TrimSpace(text)
}
