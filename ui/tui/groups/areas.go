package groups

import (
	"fmt"
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// areaLines returns the number of lines of an area in an overview of the given width.
func areaLines(width int) int {
	if width < roomy {
		return 3
	}
	return 2
}

// areas draws the overview of a section with parts. For each area it has the name, the size, the parts or
// resources, and the values that the operations share.
func (p painter) areas(width int) string {
	list := p.table.sections.list
	longest, largest := 0, 1
	for _, part := range p.figure.parts {
		longest = max(longest, draw.TextLine(list[part].name, theme.Plain).Width())
		largest = max(largest, p.table.size(part))
	}
	count := len(words.Count(largest))
	bar := min(width/5, 30)
	name := max(0, min(longest, width-count-bar-6))
	var lines []string
	from, to := p.figure.rows.Visible()
	for i := from; i < to; i++ {
		part := p.figure.parts[i]
		s, size := list[part], p.table.size(part)
		at := i == p.figure.rows.At
		head := draw.Line{{Text: p.areaCursor(at) + " ", Style: theme.Active}, {Text: draw.CutMiddle(s.name, name), Style: theme.Strong}}
		head = head.At(name+3, draw.Span{Text: fmt.Sprintf("%*s ", count, words.Count(size)), Style: theme.Plain})
		head = append(head, draw.BarSpans(float64(size)/float64(largest), bar)...)
		lines = append(lines, p.table.find.Highlight(head).Render(width, at && p.focus == picture))
		lines = append(lines, s.details(width)...)
	}
	return strings.Join(lines, "\n")
}

// areaCursor returns the cursor mark for an area. If the overview does not have the focus, it returns a blank,
// because the table has a cursor mark then.
func (p painter) areaCursor(at bool) string {
	if at && p.focus == picture {
		return theme.Cursor
	}
	return " "
}

// details draws the subject of a section and the values that its operations share. If both are on one line,
// the subject is cut to make room for the values, but not below three fifths of the width.
func (s section) details(width int) []string {
	indent := draw.TextLine("    ", theme.Plain)
	about := slices.Concat(indent, draw.TextLine(s.about, theme.Dim))
	shared := draw.Span{Text: "┆ " + draw.Clean(strings.Join(s.shared, ", ")), Style: theme.Value}
	if len(s.shared) == 0 {
		shared.Text = ""
	}
	if areaLines(width) == 3 {
		return []string{about.Render(width, false), append(indent, shared).Render(width, false)}
	}
	end := max(width*3/5, width-draw.Line{shared}.Width())
	return []string{about.At(min(about.Width()+2, end), shared).Render(width, false)}
}
