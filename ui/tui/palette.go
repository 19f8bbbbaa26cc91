package tui

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// palette lists all that every screen does and where one can go, finds it by its
// letters, and does it.
type palette struct {
	picker
	all, fit []entry
	words    []string
}

const paletteWidth, paletteRows = 84, 24

func newPalette(all []entry) *palette {
	p := &palette{picker: newPicker("What to do, where to go", paletteWidth), all: all}
	p.narrow()
	return p
}

func (p *palette) update(msg tea.Msg) (overlay, tea.Cmd) {
	switch came, cmd := p.picker.update(msg); came {
	case closed:
		return nil, nil
	case chosen:
		return p.do()
	case typed:
		p.narrow()
		return p, cmd
	default:
		return p, cmd
	}
}

// do closes the palette and does what the line under the cursor says, unless that
// can't be done now.
func (p *palette) do() (overlay, tea.Cmd) {
	run := p.fit[p.list.At].do
	if run == nil {
		return p, nil
	}
	return nil, func() tea.Msg { return run }
}

// narrow lists what fits best first, what can't be done now after what can.
func (p *palette) narrow() {
	p.words = strings.Fields(strings.ToLower(p.field.Value()))
	p.fit = nil
	for _, e := range p.all {
		e.score = e.match(p.words)
		if e.score >= 0 {
			p.fit = append(p.fit, e)
		}
	}
	if len(p.words) > 0 {
		slices.SortStableFunc(p.fit, func(a, b entry) int { return cmp.Compare(b.order(), a.order()) })
	}
	p.list.At, p.list.Top = 0, 0
	p.list.Fit(len(p.fit), p.list.Height)
}

func (p *palette) over(picture string, width, height int) string {
	inner := min(width, paletteWidth) - 2
	return p.picker.over(picture, width, height, paletteRows, "nothing is called that",
		func(i int) draw.Line { return p.row(p.fit[i], inner) })
}

// row is what an entry does, or why not now, where, and by which key.
func (p *palette) row(e entry, width int) draw.Line {
	const whereWidth, keyWidth = 10, 10
	style, keyStyle := theme.Plain, theme.Accent
	if e.do == nil {
		style, keyStyle = theme.Dim, theme.Dim
	}
	where := width - 1 - keyWidth - whereWidth
	line := draw.Line{}.At(1, p.named(e, style)...)
	if e.why != "" {
		line = append(line, draw.Span{Text: "  " + theme.Untried + " " + e.why, Style: theme.Dim})
	}
	return line.At(where, draw.Span{Text: e.where, Style: theme.Dim}).At(where+whereWidth, draw.Span{Text: e.key, Style: keyStyle})
}

// named is the entry's name, with the letters that were looked for.
func (p *palette) named(e entry, style theme.Style) draw.Line {
	line := draw.TextLine(e.name, style)
	if e.where == "operation" {
		line = draw.OperationLine(e.name, paletteWidth)
	}
	return line.Mark(func(text string) (at []int) {
		for _, w := range p.words {
			at = append(at, filter.Find(w, text)...)
		}
		slices.Sort(at)
		return at
	})
}

// goTo shows a screen, and there an operation if one is given.
func goTo(tab screen.Tab, op model.OpID) invoke {
	return func(a *app) tea.Cmd {
		return a.goTo(screen.ShowScreen{Tab: tab, Op: op})
	}
}
