package explore

import (
	"cmp"
	"fmt"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/pointer"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// fewGroups is the number of a level's groups that are never folded.
const fewGroups = 12

// impactWriter writes the impact of an operation to its page, level by level.
type impactWriter struct {
	page   *pageWriter
	level  string // the fold of the current level
	column int    // the column of the paths of the level's groups with names
}

// impactPage writes the page with the impact of an operation.
func impactPage(op model.OpID, q *question, b *pageWriter) {
	if q.answer == nil {
		b.write(draw.Span{Text: " Finding what uses this …", Style: theme.Dim})
		return
	}
	i := q.answer.impact
	b.prose(draw.Clean("Impact: "+string(op)+" "+i.Summary()+"."), 1, 4, theme.Plain, "impact")
	if len(i.Levels) > 0 {
		b.write(draw.Span{Text: " "}, need(true), draw.Span{Text: " cannot be called without it   ", Style: theme.Dim},
			need(false), draw.Span{Text: " can refer to it", Style: theme.Dim})
	}
	w := impactWriter{page: b}
	for n := range i.Levels {
		w.writeLevel(i.Levels[:n], i.Levels[n])
	}
}

// writeLevel writes a level: the number of its operations, and its groups. before has the levels above it.
func (w *impactWriter) writeLevel(before []depend.ImpactLevel, l depend.ImpactLevel) {
	b := w.page
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
	title := "Directly: " + count
	switch {
	case l.Below != "":
		title = "Deleted with it, at and below its paths: " + words.Plural(len(l.Resources), "resource") + ", " + count
	case l.SharedField != "":
		title = fmt.Sprintf("Probably not affected: %s that could name it only in %s, a field that most of what is deleted has, too",
			words.Plural(all, "operation"), draw.Clean(pointer.Dotted(l.SharedField)))
	case n == 1 && before[0].Below != "":
		title = "What refers to it elsewhere: " + count
	case len(l.Entities) == 0:
		title = "At and below the path: " + count
	case n > 0:
		title = "Through " + draw.Clean(depend.ListEntities(l.Entities)) + ", which only these create: " + count
	}
	b.write()
	for _, line := range words.Wrap(title, max(8, b.width-2)) {
		b.write(draw.Span{Text: " " + line, Style: theme.Strong})
	}
	w.level = fmt.Sprintf("level %d", n)
	groups := impactGroups(l)
	shown := groups
	if len(groups) > fewGroups+1 && !b.unfolded(w.level, false) {
		shown = groups[:fewGroups]
	}
	w.column = groupPathColumn(shown, b.width)
	for _, g := range shown {
		w.writeGroup(g)
	}
	if len(groups) > fewGroups+1 {
		b.more(3, len(groups)-fewGroups, "resource", w.level)
	}
}

// impactGroup is a group of a level's operations. Its name is the kind of elements on which the operations
// work. If it is "", the group has all operations of a path.
type impactGroup struct {
	name string
	depend.ImpactGroup
}

// impactGroups returns the groups of a level. Groups are kinds of deleted elements, or paths.
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

// Columns of a group: the name of its elements, and the minimum of the path after it.
const groupName, leastPathColumn = 11, 34

// groupPathColumn returns the column of the paths of groups with names. It is after the longest name that
// leaves room for a path.
func groupPathColumn(all []impactGroup, width int) int {
	column := leastPathColumn
	for _, g := range all {
		if after := groupName + ansi.StringWidth(g.name) + 2; after+leastPath < width {
			column = max(column, after)
		}
	}
	return column
}

// writeGroup writes a group with its number of operations, and with its path at the column if it has a name.
// The operations are initially folded, unless there is only one.
func (w *impactWriter) writeGroup(g impactGroup) {
	b := w.page
	b.shortener = g.shortener()
	if len(g.Operations) == 1 && g.name == "" {
		w.writeOperation(g.Operations[0], 5)
		return
	}
	fold := w.level + " " + g.name + " " + g.Path
	glyph, open := theme.Closed, b.unfolded(fold, false)
	if open {
		glyph = theme.Open
	}
	line := draw.Line{}.At(3, draw.Span{Text: glyph + " ", Style: theme.Dim}, draw.Span{
		Text: fmt.Sprintf("%4d  ", len(g.Operations)), Style: theme.Strong,
	})
	style := theme.Plain
	if g.name != "" {
		line = append(line, draw.Span{Text: g.name, Style: theme.Plain})
		after := line.Width() + 2
		if b.width >= narrowPage {
			after = max(after, w.column)
		}
		line, style = line.At(after), theme.Dim
	}
	if room := b.width - line.Width() - 1; room >= leastPath {
		line = append(line, draw.Span{Text: draw.ShortPath(g.Path, room), Style: style})
	}
	b.rows = append(b.rows, row{line: line, fold: fold, about: draw.TextLine(draw.Clean(g.Path), theme.Dim)})
	if open {
		for _, op := range g.Operations {
			w.writeOperation(op, 11)
		}
	}
}

// shortener returns a shortener for the operations of the group that keeps them distinct.
func (g impactGroup) shortener() *draw.PathShortener {
	var ids []string
	for _, op := range g.Operations {
		ids = append(ids, string(op.Op))
	}
	return draw.NewPathShortener(ids)
}

// leastPath is the minimum room for the path of a group.
const leastPath = 8

// writeOperation writes an operation that uses the element.
func (w *impactWriter) writeOperation(op depend.ImpactedOperation, column int) {
	b := w.page
	takes := "takes " + strings.Join(op.Takes, ", ")
	if !op.Required {
		takes = "can take " + strings.Join(op.Takes, ", ")
	}
	line := draw.Line{}.At(column, need(op.Required)).At(column+2, b.operation(op.Op, b.width-column-3)...)
	b.rows = append(b.rows, row{line: line, to: op.Op, about: draw.TextLine(draw.Clean(takes), theme.Dim)})
}
