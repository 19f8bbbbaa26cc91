package export

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// View draws the picks, the preview, and the facts about the file.
func (s *Screen) View(width, height int) string {
	fitted := *s
	fitted.width, fitted.height = width, height
	fitted.fit()
	return fitted.question.Over(fitted.view().picture(), width, height)
}

// view draws the screen without a question. It does not change the state.
type view struct {
	layout         layout
	seqNames       draw.SeqNames
	picks          picks
	preview        preview
	previewFocused bool
	formats        formatsView
	foot           footView
}

func (s *Screen) view() view {
	return view{
		layout:         s.layout(),
		seqNames:       s.seqNames,
		picks:          s.picks,
		preview:        s.preview,
		previewFocused: s.previewFocused,
		formats:        formatsView{s.formats, s.destination.formats},
		foot: footView{
			width:         s.width,
			service:       s.service,
			surroundings:  s.surroundings,
			destination:   s.destination,
			entry:         s.entry,
			picks:         s.picks,
			writeAfterRun: s.writeAfterRun,
			canWriteToo:   s.service.URL != "" && s.picks.untried() && !s.searching(),
		},
	}
}

func (v view) picture() string {
	var panes []string
	if r := v.layout.list; !r.Empty() && v.formats.open {
		panes = append(panes, v.formats.pane(r, !v.previewFocused))
	} else if !r.Empty() {
		panes = append(panes, v.listPane(r))
	}
	if !v.layout.code.Empty() {
		panes = append(panes, v.previewPane(v.layout.code))
	}
	foot := v.foot.pane
	if v.formats.open {
		foot = v.formats.details
	}
	return draw.JoinRows(draw.JoinColumns(panes...), foot(v.layout.foot))
}

func (v *view) listPane(r draw.Rect) string {
	list := v.picks.list
	f := draw.Frame{
		Title:   "Picked " + words.Count(len(v.picks.items)),
		Width:   r.W,
		Height:  r.H,
		Focused: !v.previewFocused,
	}
	width, _ := f.Inner()
	if len(v.picks.items) == 0 {
		text := words.Wrap("Nothing picked yet. 4 shows the seqs; space picks.", width-2)
		return f.Render("\n " + strings.Join(text, "\n "))
	}
	if list.Rows > list.Height {
		f.Note = fmt.Sprintf("%d of %d", list.At+1, list.Rows)
	}
	var rows []string
	from, to := list.Visible()
	for i := from; i < to; i++ {
		selected := i == list.At
		rows = append(rows, v.itemLine(i, selected, width).Render(width, selected && !v.previewFocused))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// itemLine draws the name of an item's test function, or its calls if it has no function.
func (v *view) itemLine(i int, selected bool, width int) draw.Line {
	item := v.picks.items[i]
	line := draw.Line{{Text: "  ", Style: theme.Plain}}
	if selected {
		line = draw.TextLine(theme.Cursor+" ", theme.Active)
	}
	line = append(line, v.picks.sign(item))
	if f, ok := v.preview.tests[i]; ok {
		return append(line, draw.Span{Text: f.name, Style: theme.Plain})
	}
	return append(line, v.seqNames.Spans(item.Seq, width-5)...)
}

// sign draws the sign for the state of an item. The states are: has stubs with which it was not played yet, has
// values, failed, not run.
func (p *picks) sign(item screen.SeqItem) draw.Span {
	switch {
	case item.Test != nil && len(item.Stubs) > 0 && p.values.found(item) == nil:
		return draw.Span{Text: theme.Injected + " ", Style: theme.Warn}
	case p.values.test(item) != nil:
		return draw.Span{Text: theme.Picked + " ", Style: theme.Good}
	case p.values.failed[item.ID] != nil:
		return draw.Span{Text: theme.Failed + " ", Style: theme.Bad}
	}
	return draw.Span{Text: theme.Untried + " ", Style: theme.Dim}
}

func (v *view) previewPane(r draw.Rect) string {
	p := &v.preview
	f := draw.Frame{Title: "Preview", Width: r.W, Height: r.H, Focused: v.previewFocused}
	width, height := f.Inner()
	switch {
	case p.err != nil:
		return f.Render(strings.Join(words.Wrap(theme.Failed+" "+draw.Clean(p.err.Error()), width-1), "\n"))
	case p.Empty() && p.busy:
		return f.Render(theme.Dim.Render(" writing it …"))
	case p.Empty():
		return f.Render(theme.Dim.Render(" no test yet"))
	}
	from := p.Scroll.At
	to := min(len(p.File.Lines), from+height)
	f.Note = fmt.Sprintf("%s of %s lines", words.Count(to), words.Count(len(p.File.Lines)))
	var rows []string
	selected := p.tests[v.picks.list.At]
	for i := from; i < to; i++ {
		gutter := " "
		if i >= selected.from && i < selected.to {
			gutter = theme.Accent.Render("▎")
		}
		rows = append(rows, gutter+p.Line(i))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// keyText draws the name of a key.
func keyText(name string) string { return theme.Accent.Render(name) }

// countText returns a number of things with a verb in the singular or the plural, such as "1 seq has" or "2 seqs
// have".
func countText(n int, thing, singular, plural string) string {
	verb := plural
	if n == 1 {
		verb = singular
	}
	return words.Plural(n, thing) + " " + verb
}
