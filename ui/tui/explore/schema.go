package explore

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/markup"
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
}

// schema writes the parts of a schema, those of parts only where a person asks
// for them: a schema in itself is harmless that way.
func (b *book) schema(s *model.Schema, at branch) {
	all := parts(s)
	name := 0
	for _, p := range all {
		name = max(name, ansi.StringWidth(draw.Clean(p.name)))
	}
	for _, p := range all {
		b.part(p, at, min(name, 28))
	}
}

// part writes a property. It can be unfolded if it consists of parts, or if
// there is more to say of it than its line has room for.
func (b *book) part(p part, at branch, nameWidth int) {
	inner := inside(p.schema)
	again := slices.Contains(at.within, inner)
	folds := !again && at.depth < deepest && len(parts(p.schema)) > 0
	line := b.partLine(p, at, nameWidth, again)
	told, whole := b.remark(line, p.schema)
	more := b.details(p.schema, line, whole)
	if !folds && len(more) == 0 {
		b.rows = append(b.rows, row{line: told})
		return
	}
	fold := at.fold + "/" + p.name
	if b.unfolded(fold, false) && !whole {
		told = line // all of it stands below
	}
	b.rows = append(b.rows, row{line: b.marked(told, 3+2*at.depth, fold, false), fold: fold})
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

// details are what is to say of a schema and does not stand in its line.
func (b *book) details(s *model.Schema, line draw.Line, whole bool) []string {
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
		more = append(more, "default: "+literal(s.Default))
	}
	if len(s.Examples) > 0 {
		more = append(more, "for example: "+choice(s.Examples, choices))
	}
	return more
}

// partLine draws a part: need, name and kind.
func (b *book) partLine(p part, at branch, nameWidth int, again bool) draw.Line {
	column := 5 + 2*at.depth
	text := kind(p.schema)
	if again {
		text += " ↺"
	}
	return draw.Line{}.
		At(column, need(p.required), draw.Span{Text: " " + draw.Clean(p.name), Style: theme.Value}).
		At(column+4+nameWidth, draw.Span{Text: text, Style: theme.Plain})
}

// marked draws the glyph of a fold into a column that the line leaves blank.
func (b *book) marked(line draw.Line, column int, fold string, first bool) draw.Line {
	glyph := theme.Closed
	if b.unfolded(fold, first) {
		glyph = theme.Open
	}
	return append(draw.Line{}.At(column, draw.Span{Text: glyph, Style: theme.Dim}), line.Drop(column+1)...)
}

// remark adds what the document says at the end of a line, and reports whether
// that is all of it.
func (b *book) remark(line draw.Line, s *model.Schema) (told draw.Line, whole bool) {
	if s == nil || strings.TrimSpace(s.Description) == "" {
		return line, true
	}
	text := sentence(s.Description)
	column := max(line.Width()+2, b.width*9/20)
	if column > b.width-12 {
		return line, false
	}
	whole = text == markup.Plain(s.Description) && column+ansi.StringWidth(text) <= b.width
	return line.At(column, draw.Span{Text: text, Style: theme.Dim}), whole
}

// sentence is the first one of a text.
func sentence(text string) string {
	text = markup.Plain(text)
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i+1]
	}
	return strings.TrimSpace(text)
}
