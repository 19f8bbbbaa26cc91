package report

import (
	"fmt"
	"strings"

	"sonde/analysis/survey"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// mostBars is how many bars are drawn; the last one stands for the rest.
const mostBars = 20

// eighths are the ends of a bar, by how much of the cell they fill.
var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// textBars draws Figure 2.
func textBars(all []survey.GroupBin, width int) string {
	lines := []string{theme.Strong.Render("Figure 2. Cases by number of groups")}
	shown, more := bins(all, mostBars)
	top := 1
	for _, b := range shown {
		top = max(top, b.Cases)
	}
	room := width - len("20+ │ ") - len(words.Count(top)) + 1
	for i, b := range shown {
		name := fmt.Sprintf("%2d ", b.Groups)
		if more && i == len(shown)-1 {
			name = fmt.Sprintf("%2d+", b.Groups)
		}
		lines = append(lines, name+theme.Dim.Render(" │")+theme.Accent.Render(bar(b.Cases, top, room))+" "+words.Count(b.Cases))
	}
	return strings.Join(lines, "\n")
}

// bar is n of top as a part of width cells, in eighths of a cell. What is not 0
// shows.
func bar(n, top, width int) string {
	parts := n * width * 8 / top
	if n > 0 {
		parts = max(1, parts)
	}
	return strings.Repeat("█", parts/8) + eighths[parts%8]
}
