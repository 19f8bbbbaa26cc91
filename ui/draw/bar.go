package draw

import (
	"math"
	"strings"

	"sonde/ui/theme"
)

// Bar draws a bar of width cells. It fills the bar from the left: share is the filled part, from 0 to 1, which is
// rounded to half a cell.
func Bar(share float64, width int) string { return BarSpans(share, width).String() }

// BarSpans returns the bar of Bar as spans.
func BarSpans(share float64, width int) Line {
	width = max(0, width)
	half := int(math.Round(clamp(share) * float64(2*width)))
	full := strings.Repeat("━", half/2)
	rest := strings.Repeat("─", width-(half+1)/2)
	if half%2 == 1 {
		full += "╸"
	}
	return Line{{Text: full, Style: theme.Accent}, {Text: rest, Style: theme.Dim}}
}

// Slider draws a slider with its knob at share of the width, between two arrows. It draws nothing in fewer
// than three cells.
func Slider(share float64, width int, chosen bool) string {
	track := width - 2
	if track < 1 {
		return ""
	}
	at := int(math.Round(clamp(share) * float64(track-1)))
	left, right := strings.Repeat("━", at), strings.Repeat("─", track-1-at)
	knob, edge := theme.Accent, theme.Dim
	if chosen {
		knob, edge = theme.Active, theme.Accent
	}
	return edge.Render("◂") + knob.Render(left+"╋") + theme.Dim.Render(right) + edge.Render("▸")
}

// SliderShare returns the share at cell x of a slider of width cells. The arrows count as the ends of the track.
func SliderShare(x, width int) float64 { return clamp(float64(x-1) / float64(max(1, width-3))) }

func clamp(share float64) float64 {
	if math.IsNaN(share) {
		return 0
	}
	return max(0, min(share, 1))
}
