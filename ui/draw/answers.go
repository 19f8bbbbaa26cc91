package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// AnswersGlyph returns the glyph and the style for the answers of an operation. counts has the number of
// answers by status. 5xx takes precedence over 2xx, and 2xx over 4xx.
func AnswersGlyph(counts map[int]int) (string, theme.Style) {
	switch model.ClassOf(counts) {
	case model.ClassBroken:
		return theme.Class(500)
	case model.ClassSucceeded:
		return theme.Class(200)
	case model.ClassRefused:
		return theme.Class(400)
	}
	return theme.Class(0)
}

// Answers draws the statuses of the answers of an operation in at most width cells, with the glyph of AnswersGlyph.
// The most telling status comes first. In five cells it is "✗ 500". With more room it is "✗ 500×2 201×14", and "…"
// follows if statuses are left out. With less room it is the status, or the glyph alone.
func Answers(counts map[int]int, width int) Line {
	glyph, style := AnswersGlyph(counts)
	all := byImportance(counts)
	switch {
	case len(all) == 0 || width < 3:
		return TextLine(glyph, style)
	case width < 5:
		return TextLine(StatusText(all[0]), style)
	}
	line := Line{{Text: glyph + " ", Style: style}}
	for i, status := range all {
		_, style := theme.Class(status)
		span := Span{Text: fmt.Sprintf("%s×%s", StatusText(status), words.Count(counts[status])), Style: style}
		room := width - line.Width()
		if i < len(all)-1 {
			room -= len(" ") + 1 // for "…"
		}
		switch {
		case widthOf(span.Text) <= room:
			line = append(line, span, Span{Text: " "})
		case i == 0:
			return Line{{Text: glyph + " " + StatusText(status), Style: style}}
		default:
			return append(line, Span{Text: "…", Style: theme.Dim})
		}
	}
	return line[:len(line)-1]
}

// StatusText returns the number of a status in three cells; a call without an answer has the status 0.
func StatusText(status int) string {
	if status == 0 {
		return "—  "
	}
	return strconv.Itoa(status)
}

// byImportance returns the statuses that occur: 5xx, 2xx, 4xx, and then other statuses. The most frequent status of a
// class comes first.
func byImportance(counts map[int]int) []int {
	var all []int
	for status, n := range counts {
		if n > 0 {
			all = append(all, status)
		}
	}
	rank := func(status int) int {
		if i := slices.Index([]int{5, 2, 4}, status/100); i >= 0 {
			return i
		}
		return 3
	}
	slices.SortFunc(all, func(a, b int) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return all
}
