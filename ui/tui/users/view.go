package users

import (
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"
)

const (
	maxWidth   = 76 // the largest width of the box
	labelWidth = 13 // the width of the names of fields
)

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
		return len(fields(b.form.typed.Method))
	}
	return max(1, len(b.all))
}

func (b *Box) body(width, height int) (lines []string) {
	switch {
	case b.form != nil:
		return b.form.body(width, height)
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
		line := marked(at).At(2, draw.Span{Text: draw.CutMiddle(draw.Clean(l.Name), 18), Style: theme.Value}).
			At(22, draw.Span{Text: draw.Clean(l.How), Style: theme.Plain})
		if width >= 60 {
			line = line.At(width-len("configured")-1, draw.Span{Text: where, Style: theme.Dim})
		}
		lines = append(lines, line.Render(width, at))
	}
	return lines
}

func marked(at bool) draw.Line {
	if at {
		return draw.TextLine(theme.Cursor, theme.Active)
	}
	return draw.TextLine(" ", theme.Active)
}

func (f *form) body(width, height int) (lines []string) {
	all := fields(f.typed.Method)
	f.list.Fit(len(all), height)
	from, to := f.list.Visible()
	for i := from; i < to; i++ {
		at := i == f.list.At
		head := marked(at).At(2, draw.Span{Text: all[i].name, Style: theme.Dim}).At(2 + labelWidth)
		if at && all[i].choices == nil {
			input := f.input
			input.Width = max(1, width-labelWidth-4)
			lines = append(lines, draw.FitLine(head.Render(2+labelWidth, false)+input.View(), width))
			continue
		}
		lines = append(lines, append(head, f.value(all[i], at)...).Render(width, false))
	}
	return lines
}

// value draws the value of a field. A choice under the cursor is between arrows.
func (f *form) value(of field, at bool) draw.Line {
	switch {
	case of.choices != nil && at:
		return draw.TextLine("◂ "+of.chosen(&f.typed)+" ▸", theme.Active)
	case of.choices != nil:
		return draw.TextLine(of.chosen(&f.typed), theme.Value)
	case of.secret:
		return draw.TextLine(draw.Clean(masked(*of.text(&f.typed))), theme.Value)
	}
	return draw.TextLine(draw.Clean(*of.text(&f.typed)), theme.Value)
}

// foot draws the help of a field or the result of the last action, and the keys.
func (b *Box) foot(width int) (lines []string) {
	say := func(text string, style theme.Style) {
		for _, line := range words.Wrap(text, width) {
			lines = append(lines, " "+style.Render(line))
		}
	}
	lines = append(lines, "")
	switch {
	case b.err != nil:
		say(theme.Failed+" "+draw.Clean(b.err.Error()), theme.Bad)
	case b.busy:
		say("…", theme.Dim)
	case b.status != "":
		say(theme.Ok+" "+draw.Clean(b.status), theme.Good)
	case b.form != nil:
		say(b.form.field().help, theme.Dim)
	default:
		say("New searches, manual requests and dry runs call as these users.", theme.Dim)
	}
	lines = append(lines, "")
	row := ""
	for _, k := range b.shownKeys() {
		next := widget.KeyAndHelp(k)
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

// shownKeys returns the keys in the foot.
func (b *Box) shownKeys() []key.Binding {
	return slices.DeleteFunc(b.Keys(), func(k key.Binding) bool {
		return k.Help() == widget.Up.Help() || k.Help() == widget.Down.Help() || k.Help() == keyPrev.Help()
	})
}
