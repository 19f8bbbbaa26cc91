package report

import (
	"fmt"
	"math"
	"strings"

	"sonde/analysis/survey"
	"sonde/ui/theme"
)

// textBoxes draws the box plot in Figure 3 of the distiller paper.
func textBoxes(f survey.Figures, width int) string {
	lines := []string{theme.Strong.Render("Figure 3. Groups per seq")}
	cells := min(width-left-2, 60)
	for _, b := range []struct {
		name string
		survey.BoxPlot
	}{{"SC", f.SC}, {"DC", f.DC}} {
		if b.Count == 0 {
			lines = append(lines, "  "+b.name+"  no seq is listed")
			continue
		}
		lines = append(
			lines, "  "+b.name+"  "+theme.Accent.Render(box(b.BoxPlot, span(f), cells)),
			strings.Repeat(" ", left)+theme.Dim.Render(numbers(b.BoxPlot)),
		)
	}
	return strings.Join(append(lines, axis(span(f), cells)), "\n")
}

func numbers(b survey.BoxPlot) string {
	return fmt.Sprintf("%.2f to %.2f, quartiles %.2f, %.2f, %.2f, mean %.2f", b.Low, b.Top, b.Lower, b.Median, b.Upper, b.Mean)
}

// place returns the cell of a number on an axis that is cells wide and has the numbers from 1 to end.
func place(x float64, end, cells int) int {
	return int(math.Round((x - 1) / float64(end-1) * float64(cells-1)))
}

// box draws the whiskers, the box and the median.
func box(b survey.BoxPlot, end, cells int) string {
	line := []rune(strings.Repeat(" ", cells))
	at := func(x float64) int { return place(x, end, cells) }
	for i := at(b.Low); i <= at(b.Top); i++ {
		line[i] = '─'
	}
	line[at(b.Low)], line[at(b.Top)] = '├', '┤'
	for i := at(b.Lower); i <= at(b.Upper); i++ {
		line[i] = '▒'
	}
	line[at(b.Median)] = '┃'
	return strings.TrimRight(string(line), " ")
}

// axis writes the whole numbers from 1 to end, which are the labels of the axis under the boxes.
func axis(end, cells int) string {
	line := []rune(strings.Repeat(" ", cells))
	for n := 1; n <= end; n++ {
		copy(line[min(place(float64(n), end, cells), cells-1):], []rune(fmt.Sprint(n)))
	}
	return theme.Dim.Render(strings.Repeat(" ", left) + strings.TrimRight(string(line), " "))
}
