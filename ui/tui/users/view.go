package users

import (
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
)

// maxWidth is the maximum width of the box, in cells.
const maxWidth = 76

// Over draws the box on a picture of width × height cells.
func (b *Box) Over(picture string, width, height int) string {
	f := draw.Frame{Title: "Users and log-ins", Width: min(width, maxWidth), Focused: true}
	inner := f.Width - 2
	foot := b.foot(inner - 2)
	f.Height = min(height, b.rows()+len(foot)+2)
	lines := append(b.body(inner, max(1, f.Height-2-len(foot))), foot...)
	if b.form != nil {
		f.Title = "A new user"
	}
	return draw.Overlay(picture, f.Render(strings.Join(lines, "\n")), (width-f.Width)/2, max(0, (height-f.Height)/3))
}

// rows returns the number of rows above the foot.
func (b *Box) rows() int {
	if b.form != nil {
		return b.form.Rows()
	}
	return max(1, len(b.all))
}

func (b *Box) body(width, height int) (lines []string) {
	switch {
	case b.form != nil:
		return b.form.Lines(width, height)
	case !b.listed:
		return []string{theme.Dim.Render(" …")}
	case len(b.all) == 0:
		return []string{" No user is configured: all calls are anonymous."}
	}
	b.list.Fit(len(b.all), height)
	from, to := b.list.Visible()
	for i := from; i < to; i++ {
		l, at := b.all[i], i == b.list.At
		where := "configured"
		if l.AddedHere {
			where = "in memory"
		}
		line := widget.CursorMark(at).At(2, draw.Span{Text: draw.CutMiddle(draw.Clean(l.Name), 18), Style: theme.Value}).
			At(22, draw.Span{Text: draw.Clean(l.How), Style: theme.Plain})
		if width >= 60 {
			line = line.At(width-len("configured")-1, draw.Span{Text: where, Style: theme.Dim})
		}
		lines = append(lines, line.Render(width, at))
	}
	return lines
}

// foot draws the help of a field or the result of the last action, and the keys.
func (b *Box) foot(width int) []string {
	keys := b.shownKeys()
	switch {
	case b.err != nil:
		return widget.BoxFoot(theme.Failed+" "+draw.Clean(b.err.Error()), theme.Bad, keys, width)
	case b.busy:
		return widget.BoxFoot("…", theme.Dim, keys, width)
	case b.status != "":
		return widget.BoxFoot(theme.Ok+" "+draw.Clean(b.status), theme.Good, keys, width)
	case b.form != nil:
		return widget.BoxFoot(b.form.Field().Help, theme.Dim, keys, width)
	}
	return widget.BoxFoot("New searches, manual requests and dry runs call as these users.", theme.Dim, keys, width)
}

// shownKeys returns the keys in the foot.
func (b *Box) shownKeys() []key.Binding {
	return slices.DeleteFunc(b.Keys(), func(k key.Binding) bool {
		return k.Help() == widget.Up.Help() || k.Help() == widget.Down.Help() || k.Help() == keyPrev.Help()
	})
}
