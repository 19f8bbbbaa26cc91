package explore

import (
	"fmt"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// fewGroups is the number of resources of a level that are never folded.
const fewGroups = 12

// impactPage returns the page with what uses what an operation creates.
func impactPage(op model.OpID, q *question, b *pageWriter) []row {
	if q.answer == nil {
		b.write(draw.Span{Text: " Finding what uses this …", Style: theme.Dim})
		return b.rows
	}
	i := q.answer.impact
	b.prose(draw.Clean("Impact: "+string(op)+" "+i.Summary()+"."), 1, 4, theme.Plain, "impact")
	if len(i.Levels) > 0 {
		b.write(draw.Span{Text: " "}, need(true), draw.Span{Text: " cannot be called without it   ", Style: theme.Dim},
			need(false), draw.Span{Text: " can refer to it", Style: theme.Dim})
	}
	for n := range i.Levels {
		b.impactLevel(i.Levels[:n], i.Levels[n])
	}
	return b.rows
}

// impactLevel writes a level, given those before it: the number of its operations, and its resources.
func (b *pageWriter) impactLevel(before []depend.ImpactLevel, l depend.ImpactLevel) {
	n := len(before)
	all, required := l.Count()
	count := words.Plural(all, "operation")
	if all > required && l.Below == "" {
		count += fmt.Sprintf(", %s need it", words.Count(required))
	}
	title := "Directly"
	switch {
	case l.Below != "":
		title = "Deleted with it, at and below its paths"
	case n == 1 && before[0].Below != "":
		title = "What refers to it elsewhere"
	case len(l.Entities) == 0:
		title = "At and below the path"
	case n > 0:
		title = "Through " + draw.Clean(depend.ListEntities(l.Entities)) + ", which only these create"
	}
	b.write()
	for _, line := range words.Wrap(title+": "+count, max(8, b.width-2)) {
		b.write(draw.Span{Text: " " + line, Style: theme.Strong})
	}
	fold := fmt.Sprintf("level %d", n)
	groups := l.Groups
	if len(groups) > fewGroups+1 && !b.unfolded(fold, false) {
		groups = groups[:fewGroups]
	}
	for _, g := range groups {
		b.impactGroup(fold, g)
	}
	if len(l.Groups) > fewGroups+1 {
		b.more(3, len(l.Groups)-fewGroups, "resource", fold)
	}
}

// impactGroup writes a resource with the number of its operations. They are folded at first, unless there is
// only one.
func (b *pageWriter) impactGroup(level string, g depend.ImpactGroup) {
	if len(g.Operations) == 1 {
		b.impacted(g.Operations[0], 5)
		return
	}
	fold := level + " " + g.Path
	glyph, open := theme.Closed, b.unfolded(fold, false)
	if open {
		glyph = theme.Open
	}
	line := draw.Line{}.At(3, draw.Span{Text: glyph + " ", Style: theme.Dim}, draw.Span{
		Text: fmt.Sprintf("%4d  ", len(g.Operations)), Style: theme.Strong,
	})
	line = append(line, draw.Span{Text: draw.ShortPath(g.Path, b.width-line.Width()-1), Style: theme.Plain})
	b.rows = append(b.rows, row{line: line, fold: fold})
	if open {
		for _, op := range g.Operations {
			b.impacted(op, 11)
		}
	}
}

// impacted writes an operation that takes the element.
func (b *pageWriter) impacted(op depend.ImpactedOperation, column int) {
	takes := "takes " + strings.Join(op.Takes, ", ")
	if !op.Required {
		takes = "can take " + strings.Join(op.Takes, ", ")
	}
	line := draw.Line{}.At(column, need(op.Required)).At(column+2, b.names.Operation(op.Op, b.width-column-3)...)
	b.rows = append(b.rows, row{line: line, to: op.Op, about: draw.TextLine(draw.Clean(takes), theme.Dim)})
}
