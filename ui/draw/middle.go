package draw

import "github.com/charmbracelet/x/ansi"

// CutMiddle returns a text in at most width cells. It drops the middle, because names such as those of
// hosts differ at both ends.
func CutMiddle(text string, width int) string {
	w := widthOf(text)
	if w <= width || width < 2 {
		return ansi.Truncate(text, width, "…")
	}
	left := ansi.Truncate(text, (width-1)/2, "")
	return left + "…" + dropLeft(text, w-(width-1-widthOf(left)))
}
