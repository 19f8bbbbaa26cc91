package export

import (
	"fmt"
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// View draws the picks, the preview, and where it goes.
func (s *Screen) View(width, height int) string {
	v := *s
	v.width, v.height = width, height
	v.fit()
	return v.question.Over(v.picture(), width, height)
}

func (s *Screen) picture() string {
	l := s.layout()
	var panes []string
	if !l.list.Empty() {
		panes = append(panes, s.viewList(l.list))
	}
	if !l.code.Empty() {
		panes = append(panes, s.viewCode(l.code))
	}
	return draw.JoinRows(draw.JoinColumns(panes...), s.viewFoot(l.foot))
}

func (s *Screen) viewList(r draw.Rect) string {
	f := draw.Frame{Title: "Picked " + words.Count(len(s.items)), Width: r.W, Height: r.H, Focused: !s.reading}
	w, _ := f.Inner()
	if len(s.items) == 0 {
		return f.Render("\n " + strings.Join(words.Wrap("Nothing picked yet. 4 shows the seqs; space picks.", w-2), "\n "))
	}
	if s.list.Rows > s.list.Height {
		f.Note = fmt.Sprintf("%d of %d", s.list.At+1, s.list.Rows)
	}
	var rows []string
	from, to := s.list.Visible()
	for i := from; i < to; i++ {
		at := i == s.list.At
		rows = append(rows, s.viewItem(i, at, w).Render(w, at && !s.reading))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// viewItem draws the name of an item's test function, or its calls while it
// has none.
func (s *Screen) viewItem(i int, at bool, width int) draw.Line {
	item := s.items[i]
	line := draw.Line{{Text: "  ", Style: theme.Plain}}
	if at {
		line = draw.TextLine(theme.Cursor+" ", theme.Active)
	}
	switch {
	case item.Test != nil && len(item.Stubs) > 0 && s.values.ran(item) == nil:
		line = append(line, draw.Span{Text: theme.Injected + " ", Style: theme.Warn})
	case s.values.of(item) != nil:
		line = append(line, draw.Span{Text: theme.Picked + " ", Style: theme.Good})
	case s.values.failed[item.ID] != nil:
		line = append(line, draw.Span{Text: theme.Failed + " ", Style: theme.Bad})
	default:
		line = append(line, draw.Span{Text: theme.Untried + " ", Style: theme.Dim})
	}
	if f, ok := s.preview.tests[i]; ok {
		return append(line, draw.Span{Text: f.name, Style: theme.Plain})
	}
	return append(line, s.names.Spans(item.Seq, width-5)...)
}

func (s *Screen) viewCode(r draw.Rect) string {
	p := &s.preview
	f := draw.Frame{Title: "Preview", Width: r.W, Height: r.H, Focused: s.reading}
	w, h := f.Inner()
	switch {
	case p.err != nil:
		return f.Render(strings.Join(words.Wrap(theme.Failed+" "+draw.Clean(p.err.Error()), w-1), "\n"))
	case p.Empty() && p.busy:
		return f.Render(theme.Dim.Render(" writing it …"))
	case p.Empty():
		return f.Render(theme.Dim.Render(" no test yet"))
	}
	from := p.Scroll.At
	to := min(len(p.File.Lines), from+h)
	f.Note = fmt.Sprintf("%s of %s lines", words.Count(to), words.Count(len(p.File.Lines)))
	var rows []string
	chosen := p.tests[s.list.At]
	for i := from; i < to; i++ {
		gutter := " "
		if i >= chosen.from && i < chosen.to {
			gutter = theme.Accent.Render("▎")
		}
		rows = append(rows, gutter+p.Line(i))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// viewFoot draws the folder, and the news that there is room for: the most
// important first.
func (s *Screen) viewFoot(r draw.Rect) string {
	folder := " " + theme.Dim.Render("folder  ") + draw.Clean(s.folder)
	if len(s.formats) > 1 {
		change := widget.KeyAndHelp(keyFormat)
		if r.W < 80 { // the faults shall be in sight, too
			change = theme.Accent.Render(widget.KeyName(keyFormat))
		}
		folder += theme.Dim.Render("   format  ") + s.format().Name + "   " + change
	}
	if len(s.modes) > 1 {
		folder += theme.Dim.Render("   faults  ") + s.faults() + "   " + theme.Accent.Render(widget.KeyName(keyFaults))
	}
	if s.field != nil {
		s.field.Width = max(1, r.W-12)
		what := "folder  "
		if s.naming != "" {
			what = "name    "
		}
		folder = theme.Active.Render(theme.Cursor+what) + s.field.View()
	}
	rows := append([]string{folder}, s.news()...)
	if r.H <= 2 {
		return draw.FitLines(strings.Join(rows, "\n"), r.W, r.H)
	}
	f := draw.Frame{Title: "File", Width: r.W, Height: r.H}
	return f.Render(strings.Join(rows, "\n"))
}

// elsewhere says how the file finds the service when that is not where it was.
func (s *Screen) elsewhere() string {
	switch {
	case s.around.Net:
		return "it builds the service by sonde build and starts it"
	case s.host.Name == "demo":
		return "once Sonde is closed, sonde demo serves the demo on"
	}
	return "SONDE_BASE_URL=URL before it tests another service"
}

// news says what was written and how to run it, what went wrong, and what is
// still missing.
func (s *Screen) news() []string {
	var rows []string
	switch {
	case s.field != nil:
		return []string{" " + widget.KeyAndHelp(keyAccept) + "   " + widget.KeyAndHelp(keyCancel)}
	case s.file.busy:
		rows = append(rows, " writing …")
	case s.file.err != nil:
		rows = append(rows, theme.Bad.Render(" "+theme.Failed+" "+draw.Clean(s.file.err.Error())))
	case s.file.path != "":
		rows = append(rows, theme.Good.Render(" "+theme.Ok+" written: ")+theme.Strong.Render(draw.Clean(runs(s.format(), s.file.path)))+
			theme.Dim.Render("   "+s.elsewhere()))
		if s.width < 60 {
			rows[0] = theme.Good.Render(" "+theme.Ok+" ") + draw.Clean(runs(s.format(), s.file.path))
		}
	}
	if n := s.unsound(); n > 0 {
		rows = append(
			rows,
			theme.Warn.Render(
				" "+theme.Refused+" "+words.Plural(n, "test")+
					" left out: dependent on earlier state, or not played again (sonde export --all)",
			),
		)
	}
	rows = append(rows, s.need()...)
	if tests, _ := s.tests(); len(rows) == 0 && len(tests) > 0 {
		rows = append(rows, " "+widget.KeyAndHelp(keyWrite)+"s "+words.Plural(len(tests), "test")+"   "+widget.KeyAndHelp(keyFolder))
	}
	return rows
}

// need says which seqs have no values, and how they get some.
func (s *Screen) need() []string {
	v := &s.values
	if v.running() {
		then := ""
		if s.after {
			then = ", then writing"
		}
		return []string{fmt.Sprintf(" running seq %d of %d%s …   %s", v.total-len(v.queue)+1, v.total, then, widget.KeyAndHelp(keyHalt))}
	}
	n := len(s.missing())
	if n == 0 {
		return nil
	}
	text := " " + counted(n, "test", "was", "were") + " not played with your stubs yet: " +
		theme.Accent.Render(widget.KeyName(keyPlay)) + " plays them"
	switch {
	case s.unvalued() && s.host.URL == "":
		text = " " + counted(n, "seq", "has", "have") + " no values yet: start Sonde with --url to find them"
	case s.unvalued():
		text = " " + counted(n, "seq", "has", "have") + " no values yet: " +
			theme.Accent.Render(widget.KeyName(keyRun)) + " runs them on " + draw.Clean(s.host.URL) + s.surroundings()
	}
	also := ", " + theme.Accent.Render(widget.KeyName(keyWrite)) + " also writes them"
	if s.host.URL != "" && s.untried() && !s.searching() && ansi.StringWidth(text+also) <= s.width-2 {
		text += also
	}
	if why := s.why(); why != "" {
		return []string{theme.Bad.Render(" " + theme.Failed + " " + why), text}
	}
	return []string{text}
}

// counted counts things, with the verb for one or for more.
func counted(n int, thing, one, more string) string {
	if n == 1 {
		more = one
	}
	return words.Plural(n, thing) + " " + more
}

// surroundings says what is around the service while items are run.
func (s *Screen) surroundings() string {
	switch n := len(s.around.Stubs); {
	case !s.around.Net:
		return ""
	case n > 0:
		return " with " + words.Plural(n, "stub") + " of yours"
	}
	return " with a virtual network"
}

// unvalued reports whether a seq has no values at all.
func (s *Screen) unvalued() bool {
	return slices.ContainsFunc(s.missing(), func(i screen.SeqItem) bool { return i.Test == nil })
}

// why says why the item under the cursor, or else the first that failed, got
// no values.
func (s *Screen) why() string {
	items := append([]screen.SeqItem{}, s.items...)
	if s.list.At < len(items) {
		items = append([]screen.SeqItem{items[s.list.At]}, items...)
	}
	for _, i := range items {
		if err := s.values.failed[i.ID]; err != nil && s.values.of(i) == nil {
			return draw.Clean(i.ID + ": " + err.Error())
		}
	}
	return ""
}
