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

// palette is an overlay that lists all actions of all screens, and all places. The user finds an entry by
// typing some of its letters.
type palette struct {
	picker
	all     []*paletteEntry
	matches []scoredEntry // the entries that match the typed words
	words   []string
	index   *filter.Index // index of the spec's operations, nil if no spec is open
}

// scoredEntry is an entry that matches the typed words, with its score. See paletteEntry.match.
type scoredEntry struct {
	*paletteEntry
	score int
}

const paletteWidth, paletteRows = 84, 24

func newPalette(all []*paletteEntry, index *filter.Index) *palette {
	p := &palette{picker: newPicker("What to do, where to go", paletteWidth), all: all, index: index}
	p.filter()
	return p
}

func (p *palette) update(msg tea.Msg) (overlay, tea.Cmd) {
	switch result, cmd := p.picker.update(msg); result {
	case closed:
		return nil, nil
	case chosen:
		return p.do()
	case typed:
		p.filter()
		return p, cmd
	default:
		return p, cmd
	}
}

// do closes the palette and runs the action under the cursor. If the action is not available, the palette
// stays open.
func (p *palette) do() (overlay, tea.Cmd) {
	run := p.matches[p.list.At].do
	if run == nil {
		return p, nil
	}
	return nil, func() tea.Msg { return run }
}

// filter lists the entries that match, the best first.
func (p *palette) filter() {
	p.words = strings.Fields(strings.ToLower(p.field.Value()))
	p.matches = slices.Grow(p.matches[:0], len(p.all))
	for _, e := range p.all {
		if score := e.match(p.words); score >= 0 {
			p.matches = append(p.matches, scoredEntry{e, score})
		}
	}
	if len(p.words) > 0 {
		slices.SortStableFunc(p.matches, func(a, b scoredEntry) int { return cmp.Compare(b.order(), a.order()) })
		p.sortOperations()
	}
	p.list.At, p.list.Top = 0, 0
	p.list.Fit(len(p.matches), p.list.Height)
}

// sortOperations sorts the operations in the list by relevance, as the filter of Explore does. All other
// entries keep their rows.
func (p *palette) sortOperations() {
	if p.index == nil {
		return
	}
	by := filter.Parse(strings.Join(p.words, " "), p.index)
	type ranked struct {
		scoredEntry
		relevance filter.Relevance
	}
	var operations []ranked
	for _, e := range p.matches {
		if e.op != "" {
			operations = append(operations, ranked{e, by.Relevance(e.op)})
		}
	}
	slices.SortStableFunc(operations, func(a, b ranked) int { return cmp.Compare(b.relevance, a.relevance) })
	next := 0
	for i, e := range p.matches {
		if e.op != "" {
			p.matches[i] = operations[next].scoredEntry
			next++
		}
	}
}

func (p *palette) over(picture string, width, height int) string {
	inner := min(width, paletteWidth) - 2
	return p.picker.over(picture, width, height, paletteRows, "nothing is called that",
		func(i int) draw.Line { return p.row(p.matches[i].paletteEntry, inner) })
}

// row draws the name of an entry, the reason if it is unavailable, its screen and its key.
func (p *palette) row(e *paletteEntry, width int) draw.Line {
	const whereWidth, keyWidth = 10, 10
	style, keyStyle := theme.Plain, theme.Accent
	if e.do == nil {
		style, keyStyle = theme.Dim, theme.Dim
	}
	where := width - 1 - keyWidth - whereWidth
	line := draw.Line{}.At(1, p.markedName(e, style)...)
	if e.unavailable != "" {
		line = append(line, draw.Span{Text: "  " + theme.Untried + " " + e.unavailable, Style: theme.Dim})
	}
	return line.
		At(where, draw.Span{Text: e.where, Style: theme.Dim}).
		At(where+whereWidth, draw.Span{Text: e.key, Style: keyStyle})
}

// markedName draws the name of an entry and marks the letters that match.
func (p *palette) markedName(e *paletteEntry, style theme.Style) draw.Line {
	line := draw.TextLine(e.name, style)
	if e.where == "operation" {
		line = draw.OperationLine(e.name, paletteWidth)
	}
	return line.Mark(func(text string) (at []int) {
		for _, w := range p.words {
			at = append(at, filter.FindWord(w, text)...)
		}
		slices.Sort(at)
		return at
	})
}

// goTo returns the action that goes to a screen and selects an operation there; ""
// selects none.
func goTo(tab screen.Tab, op model.OpID) invoke {
	return func(a *app) tea.Cmd {
		return a.nav.goTo(screen.ShowScreen{Tab: tab, Op: op})
	}
}
