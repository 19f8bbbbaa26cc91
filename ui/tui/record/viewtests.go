package record

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// viewPreview draws the oracles and the test file.
func (t *tests) viewPreview(r draw.Rect, focused bool) string {
	f := draw.Frame{
		Title:   "Preview" + theme.Dim.Render(" · "+words.Plural(len(t.of), "exchange")),
		Width:   r.W,
		Height:  r.H,
		Focused: focused,
	}
	w, h := f.Inner()
	rows := []string{t.viewOracles(w)}
	switch {
	case t.busy && t.view.Empty():
		rows = append(rows, theme.Dim.Render(" making it …"))
	case t.err != nil:
		rows = append(rows, wrapped(theme.Failed+" "+t.err.Error(), w)...)
	case len(t.made) == 0:
		rows = append(rows, wrapped(theme.Refused+" "+noTestText(t.without), w)...)
	default:
		from, to := t.view.Scroll.At, min(len(t.view.File.Lines), t.view.Scroll.At+h-1)
		f.Note = fmt.Sprintf("%s of %s lines", words.Count(to), words.Count(len(t.view.File.Lines)))
		for i := from; i < to; i++ {
			rows = append(rows, " "+t.view.Line(i))
		}
	}
	return f.Render(strings.Join(rows, "\n"))
}

func wrapped(text string, width int) (rows []string) {
	for _, l := range words.Wrap(draw.Clean(text), width-2) {
		rows = append(rows, " "+l)
	}
	return rows
}

// oracleNames are the names of the oracles on the screen.
var oracleNames = map[model.MockOracle]string{
	model.OutputOracle:    "output",
	model.ParameterOracle: "parameters",
	model.CallOracle:      "calls",
}

// viewOracles draws the oracles of the tests, with their keys.
func (t *tests) viewOracles(width int) string {
	line := draw.TextLine(" ", theme.Plain)
	for _, o := range model.MockOracles {
		mark, style := theme.Picked, theme.Good
		if t.off[o] {
			mark, style = theme.Untried, theme.Dim
		}
		line = append(
			line, draw.Span{Text: widget.KeyName(oracles[o]), Style: theme.Accent},
			draw.Span{Text: " " + mark + " " + oracleNames[o] + "  ", Style: style},
		)
	}
	how := "a function each"
	if t.together {
		how = "together"
	}
	return append(line, draw.Span{Text: widget.KeyName(keyTogether), Style: theme.Accent}, plain(" "+how)).Cut(width).String()
}
