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

// View draws the recording: what is known of it, the list, and the pane beside it; or
// the form of the next one.
func (s *Screen) View(width, height int) string {
	v := *s
	v.width, v.height = width, height
	v.fit()
	return v.question.Over(v.picture(), width, height)
}

func (s *Screen) picture() string {
	if s.onForm() {
		return s.form.view(s.width, s.height, &s.watch)
	}
	l := s.layout()
	var panes []string
	if !l.list.Empty() {
		panes = append(panes, s.exchanges.viewList(l.list, s.focus == onList, s.noExchange()))
	}
	if !l.side.Empty() {
		panes = append(panes, s.viewSide(l))
	}
	rows := []string{s.watch.viewHead(l.head, s.exchanges.store.ways()), draw.JoinColumns(panes...)}
	if !l.foot.Empty() {
		rows = append(rows, draw.FitLine(s.footer(), l.foot.W))
	}
	return draw.JoinRows(rows...)
}

// viewSide draws the pane beside the list.
func (s *Screen) viewSide(l layout) string {
	x, focused := s.exchanges.served(), s.focus == onSide
	switch {
	case s.side == sidePreview:
		return s.tests.viewPreview(l.side, focused)
	case s.side == sideReport, s.side == sideWarnings, x == nil:
		return s.viewText(l.side)
	}
	if l.message.Empty() {
		return s.exchange.viewFigure(x, l.figure, focused)
	}
	return draw.JoinRows(s.exchange.viewFigure(x, l.figure, focused), s.exchange.viewMessage(x, l.message, focused))
}

// viewText draws lines that are only read.
func (s *Screen) viewText(r draw.Rect) string {
	f := draw.Frame{Title: s.textTitle(r.W), Width: r.W, Height: r.H, Focused: s.focus == onSide}
	w, _ := f.Inner()
	return scrolled(f, s.texts(w), s.text.At)
}

func (s *Screen) textTitle(width int) string {
	switch {
	case s.side == sideReport:
		return "Mimic report"
	case s.side == sideWarnings:
		return words.Plural(len(s.watch.traffic.Warnings), "warning")
	case s.exchanges.line() == nil:
		return "Exchange"
	}
	return draw.OperationLine(titled(s.exchanges.line().group.op), width-6).String()
}

// texts are the lines that are only read: the report, the warnings, or what was seen of an
// operation.
func (s *Screen) texts(width int) []draw.Line {
	l := &lines{width: width}
	switch {
	case width <= 0:
		return nil
	case s.side == sideReport && s.tests.playing != nil:
		l.prose("Playing the tests ten times against the service as it is …", theme.Dim)
	case s.side == sideReport && s.tests.failed != nil:
		l.prose(theme.Failed+" "+s.tests.failed.Error(), theme.Bad)
	case s.side == sideReport:
		for _, row := range strings.Split(strings.TrimRight(s.tests.report, "\n"), "\n") {
			l.add(draw.TextLine(" "+draw.CleanLines(row), theme.Plain))
		}
	case s.side == sideWarnings:
		for _, w := range s.watch.traffic.Warnings {
			l.prose(theme.Refused+" "+w, theme.Plain)
		}
	case s.exchanges.line() != nil && s.exchanges.line().entry == nil:
		return s.facts(s.exchanges.line().group, width)
	}
	return l.all
}

// titled is what a group is called.
func titled(op model.OpID) string {
	if op == "" {
		return "what is not in the document"
	}
	return string(op)
}

// viewHead draws what is known of the recording as a whole, the most important first.
func (w *watch) viewHead(r draw.Rect, ways []link) string {
	rows := w.headLines(r.W-2, ways)
	if r.H < 4 {
		return draw.FitLines(rows[0].String()+"\n"+rows[1].String(), r.W, r.H)
	}
	f := draw.Frame{Title: w.headTitle(), Width: r.W, Height: r.H}
	if len(w.command) > 0 && len(w.command) < r.W-6 {
		f.Note = theme.Dim.Render(draw.Clean(w.command))
	}
	return f.Render(rows[0].String() + "\n" + rows[1].String())
}

func (w *watch) headTitle() string {
	state := "Recording"
	if !w.live() {
		state = "Recorded"
	}
	return state + theme.Dim.Render(" · "+draw.Clean(w.folder))
}

// headLines say where everything goes, and how much of it.
func (w *watch) headLines(width int, ways []link) [2]draw.Line {
	state := draw.TextLine(" "+theme.Live+" live", theme.Good)
	if !w.live() {
		state = draw.TextLine(" ■ over", theme.Dim)
	}
	if w.busy != "" {
		state = draw.TextLine(" "+w.busy+" …", theme.Warn)
	}
	return [2]draw.Line{flow(append([]draw.Line{state}, w.where()...), width), flow(w.amounts(ways), width)}
}

// where says at which addresses Sonde listens, and between which parties.
func (w *watch) where() (parts []draw.Line) {
	for _, way := range w.traffic.In {
		parts = append(parts, draw.TextLine(draw.Clean(way.Addr)+" → "+draw.Clean(way.URL), theme.Plain))
	}
	for _, way := range w.traffic.Out {
		parts = append(
			parts,
			append(draw.TextLine("out ", theme.Dim), draw.Span{Text: draw.Clean(way.Addr) + " → " + draw.Clean(way.URL), Style: theme.Plain}),
		)
	}
	if len(parts) == 0 {
		parts = append(parts, draw.TextLine(strings.TrimSpace(draw.Clean(w.traffic.Title+"  "+w.traffic.BaseURL)), theme.Plain))
	}
	return parts
}

// amounts count what was recorded.
func (w *watch) amounts(ways []link) (parts []draw.Line) {
	t := w.traffic
	parts = append(parts, draw.TextLine(" "+words.Plural(len(t.Served), "exchange"), theme.Strong))
	add := func(on bool, text string) {
		if on {
			parts = append(parts, draw.TextLine(text, theme.Plain))
		}
	}
	add(t.Seen > len(t.Served), "of "+words.Plural(t.Seen, "request"))
	add(len(t.Warnings) > 0, theme.Refused+" "+words.Plural(len(t.Warnings), "warning"))
	add(w.live(), words.Count(t.InFlight)+" under way")
	add(w.live(), fmt.Sprintf("%.1f/s", t.Rate))
	add(true, listed(ways))
	add(len(t.Unattributed) > 0, words.Plural(len(t.Unattributed), "stray"))
	add(t.Bytes > 0, size(t.Bytes))
	add(t.Masked > 0, words.Plural(t.Masked, "value")+" masked")
	return parts
}

// size writes a number of bytes.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f kB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}

// flow puts parts side by side, as many as fit.
func flow(parts []draw.Line, width int) (line draw.Line) {
	for i, p := range parts {
		if p.Width() == 0 {
			continue
		}
		if i > 0 {
			if line.Width()+3+p.Width() > width {
				continue
			}
			line = append(line, plain("   "))
		}
		line = append(line, p...)
	}
	return line.Cut(width)
}

// footer is the line below: where the tests go, or what became of them.
func (s *Screen) footer() string {
	t := &s.tests
	switch {
	case s.tests.folder != nil:
		s.tests.folder.Width = max(1, s.width-50)
		return theme.Active.Render(" "+theme.Cursor+"folder of the tests  ") + s.tests.folder.View()
	case t.writing:
		return " writing …"
	case t.path != "":
		return theme.Good.Render(" "+theme.Ok+" ") + draw.Clean(t.path) + "   " + widget.KeyAndHelp(keyMimic)
	case s.watch.err != nil && !s.onForm():
		return theme.Bad.Render(" " + theme.Failed + " " + draw.Clean(s.watch.err.Error()))
	}
	return ""
}
