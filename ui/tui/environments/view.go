package environments

import (
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
)

// maxWidth is the maximum width of the box, in cells.
const maxWidth = 84

// Over draws the box on a picture of width × height cells.
func (b *Box) Over(picture string, width, height int) string {
	f := draw.Frame{Title: "Environments", Width: min(width, maxWidth), Focused: true}
	inner := f.Width - 2
	foot := b.foot(inner - 2)
	f.Height = min(height, max(1, len(b.all))+len(foot)+2)
	lines := append(b.body(inner, max(1, f.Height-2-len(foot))), foot...)
	return draw.Overlay(picture, f.Render(strings.Join(lines, "\n")), (width-f.Width)/2, max(0, (height-f.Height)/3))
}

func (b *Box) body(width, height int) (lines []string) {
	switch {
	case !b.listed:
		return []string{theme.Dim.Render(" …")}
	case len(b.all) == 0:
		return []string{" No environment is configured."}
	}
	b.list.Fit(len(b.all), height)
	from, to := b.list.Visible()
	for i := from; i < to; i++ {
		lines = append(lines, b.row(i, width))
	}
	return lines
}

// The columns of the list, in cells. A box that is narrower than minUsers has no users.
const (
	nameColumn    = 4
	addressColumn = 22
	minUsers      = 66
)

// row draws an environment: a mark if it is the current one, its name, its address and its users. Production is named in
// words, because a terminal may have no colours.
func (b *Box) row(i, width int) string {
	e, at := b.all[i], i == b.list.At
	line := widget.CursorMark(at)
	if e.Current {
		line = line.At(2, draw.Span{Text: theme.Live, Style: theme.Good})
	}
	style := theme.Value
	if e.Production {
		style = theme.Bad
	}
	line = line.At(nameColumn, draw.Span{Text: draw.CutMiddle(draw.Clean(e.Name), addressColumn-nameColumn-1), Style: style})
	right := usersText(e)
	if width < minUsers {
		right = ""
	}
	if e.Production {
		right = strings.TrimSuffix("PRODUCTION  "+right, "  ")
	}
	address := draw.CutMiddle(draw.Clean(e.Address), max(8, width-addressColumn-len(right)-2))
	line = line.At(addressColumn, draw.Span{Text: address, Style: theme.Plain})
	if e.Production {
		return line.At(width-len(right)-1, draw.Span{Text: right, Style: theme.Bad}).Render(width, at)
	}
	return line.At(width-len(right)-1, draw.Span{Text: right, Style: theme.Dim}).Render(width, at)
}

func usersText(e screen.Environment) string {
	if len(e.Users) == 0 {
		return "no users"
	}
	return words.Plural(len(e.Users), "user")
}

// foot draws the result of the last action, or what a switch does, and the keys.
func (b *Box) foot(width int) []string {
	keys := slices.DeleteFunc(b.Keys(), func(k key.Binding) bool {
		return k.Help() == widget.Up.Help() || k.Help() == widget.Down.Help()
	})
	switch {
	case b.err != nil:
		return widget.BoxFoot(theme.Failed+" "+draw.Clean(b.err.Error()), theme.Bad, keys, width)
	case b.busy:
		return widget.BoxFoot("…", theme.Dim, keys, width)
	}
	const about = "New searches, manual requests and recordings use it. Production asks before it is written to."
	return widget.BoxFoot(about, theme.Dim, keys, width)
}
