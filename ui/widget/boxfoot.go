package widget

import (
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"
)

// BoxFoot returns the last lines of a box: a text, and the keys of the box. Each line begins with a blank, which is
// followed by at most width cells.
func BoxFoot(text string, style theme.Style, keys []key.Binding, width int) []string {
	lines := []string{""}
	for _, line := range words.Wrap(text, width) {
		lines = append(lines, " "+style.Render(line))
	}
	lines = append(lines, "")
	row := ""
	for _, k := range keys {
		next := KeyAndHelp(k)
		if row != "" && ansi.StringWidth(row+next)+3 > width {
			lines, row = append(lines, " "+row), ""
		}
		if row != "" {
			row += "   "
		}
		row += next
	}
	return append(lines, " "+row)
}
