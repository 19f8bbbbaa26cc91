package explore

import (
	"cmp"
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
		verb := "need"
		if required == 1 {
			verb = "needs"
		}
		count += fmt.Sprintf(", %s %s it", words.Count(required), verb)
	}
	title := "Directly"
	switch {
	case l.Below != "":
		title = "Deleted with it, at and below its paths"
		count = words.Plural(len(l.Resources), "resource") + ", " + count
	case l.SharedField != "":
		title = "Not below it, but with a field that elements below it have, too (" + draw.Clean(l.SharedField) + ")"
		count = words.Plural(all, "operation")
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
	groups := impactGroups(l)
	shown := groups
	if len(groups) > fewGroups+1 && !b.unfolded(fold, false) {
		shown = groups[:fewGroups]
	}
	for _, g := range shown {
		b.impactGroup(fold, g)
	}
	if len(groups) > fewGroups+1 {
		b.more(3, len(groups)-fewGroups, "resource", fold)
	}
}

// impactGroup is some operations of a level. The name is the kind of the elements on which they work, "" if they are all
// operations of a path.
type impactGroup struct {
	name string
	depend.ImpactGroup
}

// impactGroups returns the groups of a level: the kinds of elements that are deleted with an element, or the paths.
func impactGroups(l depend.ImpactLevel) (list []impactGroup) {
	for _, r := range l.Resources {
		name := cmp.Or(draw.Clean(r.Entity), "parts without an id")
		list = append(list, impactGroup{name, depend.ImpactGroup{Path: r.Path, Operations: r.Operations}})
	}
	if list != nil {
		return list
	}
	for _, g := range l.Groups {
		list = append(list, impactGroup{ImpactGroup: g})
	}
	return list
}

// impactGroup writes a resource with the number of its operations. They are folded at first, unless there is
// only one operation of a path.
func (b *pageWriter) impactGroup(level string, g impactGroup) {
	if len(g.Operations) == 1 && g.name == "" {
		b.impacted(g.Operations[0], 5)
		return
	}
	fold := level + " " + g.name + " " + g.Path
	glyph, open := theme.Closed, b.unfolded(fold, false)
	if open {
		glyph = theme.Open
	}
	line := draw.Line{}.At(3, draw.Span{Text: glyph + " ", Style: theme.Dim}, draw.Span{
		Text: fmt.Sprintf("%4d  ", len(g.Operations)), Style: theme.Strong,
	})
	if g.name != "" {
		line = append(line, draw.Span{Text: g.name + "  ", Style: theme.Plain})
		if b.width >= narrowPage {
			line = line.At(max(line.Width(), resourceColumn))
		}
	}
	if room := b.width - line.Width() - 1; room >= leastPath {
		line = append(line, draw.Span{Text: draw.ShortPath(g.Path, room), Style: pathStyle(g)})
	}
	b.rows = append(b.rows, row{line: line, fold: fold})
	if open {
		for _, op := range g.Operations {
			b.impacted(op, 11)
		}
	}
}

// resourceColumn is the column of the path of a named resource, if the name is not longer.
const resourceColumn = 34

// leastPath is the least room for the path of a group.
const leastPath = 8

// pathStyle returns the style of a group's path, which is dim after a name.
func pathStyle(g impactGroup) theme.Style {
	if g.name != "" {
		return theme.Dim
	}
	return theme.Plain
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
