package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/pointer"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// fewGroups is the number of a level's groups that the page always shows. Further groups are folded.
const fewGroups = 12

// impactWriter writes the impact of an operation to its page, level by level.
type impactWriter struct {
	page   *pageWriter
	level  string // the fold of the current level
	fold   int    // column of the fold signs of the level; operations without a fold begin there, too
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
		b.write(draw.Span{Text: " "}, need(true), draw.Span{Text: " takes it as a required input   ", Style: theme.Dim},
			need(false), draw.Span{Text: " as an optional one", Style: theme.Dim})
	}
	w := impactWriter{page: b}
	for n := range i.Levels {
		w.writeLevel(i.Levels[:n], i.Levels[n])
	}
}

// writeLevel writes a level: the number of its operations, and its groups. The parameter before has the earlier levels.
func (w *impactWriter) writeLevel(before []depend.ImpactLevel, l depend.ImpactLevel) {
	b := w.page
	n := len(before)
	all, required := l.Count()
	count := words.Plural(all, "operation")
	if all > required && l.Below == "" {
		count += fmt.Sprintf(", %s as a required input", words.Count(required))
	}
	groups := impactGroups(l)
	title, through := "Directly: "+count, ""
	switch {
	case l.Unlinked:
		title = "No longer linked to it, and also at paths of their own: " + words.Plural(len(groups), "resource") + ", " + count
	case l.Below != "":
		title = "Deleted with it, at and below its paths: " + words.Plural(len(groups), "resource") + ", " + count
	case l.SharedField != "":
		title = fmt.Sprintf("Probably not affected: %s that could name it only in %s, a field that most of what is deleted has, too",
			words.Plural(all, "operation"), draw.Clean(pointer.Dotted(l.SharedField)))
	case n > 0 && before[n-1].Below != "":
		title = "What takes it elsewhere: " + count
	case len(l.Entities) == 0:
		title = "At and below the path: " + count
	case n > 0:
		title = "Indirectly: " + count
		through = "They take what only the operations above create: " + draw.Clean(depend.ListEntities(l.Entities)) + "."
	}
	b.write()
	for _, line := range words.Wrap(title, max(8, b.width-2)) {
		b.write(draw.Span{Text: " " + line, Style: theme.Strong})
	}
	if through != "" {
		b.prose(through, 1, 4, theme.Dim, fmt.Sprintf("through %d", n))
	}
	w.level = fmt.Sprintf("level %d", n)
	shown := groups
	if len(groups) > fewGroups+1 && !b.unfolded(w.level, false) {
		shown = groups[:fewGroups]
	}
	w.column = groupPathColumn(shown, b.width)
	w.heading(shown)
	for _, g := range shown {
		w.writeGroup(g)
	}
	if len(groups) > fewGroups+1 {
		b.more(3, len(groups)-fewGroups, "resource", w.level)
	}
}

// impactGroup is a group of a level's operations. The name of the group is the kind of elements on which its
// operations work. If the name is "", the group has all operations of one path.
type impactGroup struct {
	name  string
	paths []string // paths of the operations, at least one
	ops   []depend.ImpactedOperation
}

// otherParts is the name of a group: the operations on those parts of the deleted element that have no ids of their
// own.
const otherParts = "other parts of it"

// impactGroups returns the groups of a level, the largest first. Groups are kinds of deleted elements, or paths.
func impactGroups(l depend.ImpactLevel) (list []impactGroup) {
	at := map[string]int{}
	for _, r := range l.Resources {
		name := cmp.Or(draw.Clean(r.Entity), otherParts)
		i, known := at[name]
		if !known {
			i = len(list)
			at[name] = i
			list = append(list, impactGroup{name: name})
		}
		list[i].paths = append(list[i].paths, r.Path)
		list[i].ops = append(list[i].ops, r.Operations...)
	}
	size := func(g impactGroup) int {
		if g.name == otherParts {
			return 0 // this group comes last
		}
		return len(g.ops)
	}
	slices.SortStableFunc(list, func(a, b impactGroup) int { return cmp.Compare(size(b), size(a)) })
	if list != nil {
		return list
	}
	for _, g := range l.Groups {
		list = append(list, impactGroup{paths: []string{g.Path}, ops: g.Operations})
	}
	return list
}

// about describes the group in the foot of the page.
func (g impactGroup) about() string {
	text := strings.Join(g.paths, ", ")
	if g.name == otherParts {
		text += ": what has no id of its own there"
	}
	return draw.Clean(text)
}

// The columns of a group's row: the sign of its fold, the name of its elements, and the leftmost column in which its
// path may begin.
const groupFold, groupName, leastPathColumn = 14, 16, 36

// countHeading is the heading of the column with the number of operations of a group. It is aligned right.
const countHeading = "operations"

// heading writes the headings of the columns of groups. It writes nothing if no group has a number.
func (w *impactWriter) heading(shown []impactGroup) {
	w.fold = 3
	if !slices.ContainsFunc(shown, impactGroup.folds) {
		return
	}
	w.fold = groupFold
	line := draw.Line{}.At(2, draw.Span{Text: countHeading, Style: theme.Dim})
	if shown[0].name != "" {
		line = line.At(groupName, draw.Span{Text: "resource", Style: theme.Dim})
		if w.page.width >= narrowPage {
			line = line.At(w.column, draw.Span{Text: "path", Style: theme.Dim})
		}
	} else {
		line = line.At(groupName, draw.Span{Text: "path", Style: theme.Dim})
	}
	w.page.write(line...)
}

// folds reports whether the operations of the group are below a row with their number.
func (g impactGroup) folds() bool { return len(g.ops) != 1 || g.name != "" }

// groupPathColumn returns the column in which the paths of groups with names begin. It is after the longest name.
// Names that need more than half of the room do not count.
func groupPathColumn(all []impactGroup, width int) int {
	column := leastPathColumn
	for _, g := range all {
		if after := groupName + ansi.StringWidth(g.name) + 2; after-groupName <= (width-groupName)/2 {
			column = max(column, after)
		}
	}
	return column
}

// writeGroup writes a group with its number of operations. If the group has a name, its path follows in column
// w.column. The operations are initially folded. If a group without a name has only one operation, writeGroup writes
// just this operation.
func (w *impactWriter) writeGroup(g impactGroup) {
	b := w.page
	b.shortener = g.shortener()
	if !g.folds() {
		w.writeOperation(g.ops[0], w.fold)
		return
	}
	fold := w.level + " " + g.name + " " + g.paths[0]
	glyph, open := theme.Closed, b.unfolded(fold, false)
	if open {
		glyph = theme.Open
	}
	count := fmt.Sprintf("%*d", len(countHeading), len(g.ops))
	line := draw.Line{}.At(2, draw.Span{Text: count, Style: theme.Strong}).At(groupFold, draw.Span{Text: glyph + " ", Style: theme.Dim})
	style := theme.Plain
	if g.name != "" {
		line = append(line, draw.Span{Text: g.name, Style: theme.Plain})
		after := line.Width() + 2
		if b.width >= narrowPage {
			after = max(after, w.column)
		}
		line, style = line.At(after), theme.Dim
	}
	more := ""
	if n := len(g.paths) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	if room := b.width - line.Width() - 1 - len(more); room >= leastPath {
		line = append(line, draw.Span{Text: draw.LiteralPath(g.paths[0], room) + more, Style: style})
	}
	b.rows = append(b.rows, row{line: line, fold: fold, about: draw.TextLine(g.about(), theme.Dim)})
	if open {
		for _, op := range g.ops {
			w.writeOperation(op, groupName)
		}
	}
}

// shortener returns a shortener for the paths of the group's operations. The shortened paths remain distinct.
func (g impactGroup) shortener() *draw.PathShortener {
	var ids []string
	for _, op := range g.ops {
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
