package report

import (
	"fmt"
	"strings"

	"sonde/analysis/survey"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// maxBars is the maximum number of bars. If there are more bins, the last bar includes all remaining bins.
const maxBars = 20

// eighths are the characters for the last cell of a bar, by the number of filled eighths.
var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// textBars draws Figure 2 of the distiller paper.
func textBars(all []survey.GroupBin, width int) string {
	lines := []string{theme.Strong.Render("Figure 2. Cases by number of groups")}
	shown, more := bins(all, maxBars)
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

// bar returns a bar for n, on a scale on which top has a bar of width cells. The length is rounded down to eighths of
// a cell, but is at least one eighth if n is not 0.
func bar(n, top, width int) string {
	parts := n * width * 8 / top
	if n > 0 {
		parts = max(1, parts)
	}
	return strings.Repeat("█", parts/8) + eighths[parts%8]
}
