package record

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// View draws the form for the next recording, or the facts about the current recording with the list and
// the pane next to it.
func (s *Screen) View(width, height int) string {
	fitted := *s
	fitted.width, fitted.height = width, height
	fitted.fit()
	return fitted.question.Over(fitted.view().picture(), width, height)
}

// view draws the screen, except an open question. It changes nothing but the width of a text field.
type view struct {
	width, height int
	form          form
	onForm        bool // the form is shown
	watch         watch
	exchanges     exchangeList
	exchange      exchangeView
	tests         tests
	functions     functions
	focus         part
	splits        screen.Splits
	side          side
	text          widget.List
}

func (s *Screen) view() *view {
	return &view{
		width:     s.width,
		height:    s.height,
		form:      s.form,
		onForm:    s.onForm(),
		watch:     s.watch,
		exchanges: s.exchanges,
		exchange:  s.exchange,
		tests:     s.tests,
		functions: s.functions,
		focus:     s.focus,
		splits:    s.splits,
		side:      s.side,
		text:      s.text,
	}
}

func (v *view) picture() string {
	if v.onForm {
		return v.form.view(v.width, v.height, &v.watch)
	}
	l := v.layout()
	var panes []string
	if !l.list.Empty() {
		panes = append(panes, v.exchanges.viewList(l.list, v.focus == onList, v.noExchange()))
	}
	if !l.side.Empty() {
		panes = append(panes, v.viewSide(l))
	}
	rows := []string{v.watch.viewHead(l.head, v.exchanges.store.links()), draw.JoinColumns(panes...)}
	if !l.foot.Empty() {
		rows = append(rows, draw.FitLine(v.footer(), l.foot.W))
	}
	return draw.JoinRows(rows...)
}

// viewSide draws the pane next to the list.
func (v *view) viewSide(l layout) string {
	x, focused := v.exchanges.served(), v.focus == onSide
	switch {
	case v.side == sidePreview:
		return v.tests.viewPreview(l.side, focused)
	case v.side == sideReport, v.side == sideWarnings, v.side == sideFunctions, x == nil:
		return v.viewText(l.side)
	}
	if l.message.Empty() {
		return v.exchange.viewFigure(x, l.figure, focused)
	}
	return draw.JoinRows(v.exchange.viewFigure(x, l.figure, focused), v.exchange.viewMessage(x, l.message, focused))
}

// viewText draws a text without a cursor.
func (v *view) viewText(r draw.Rect) string {
	f := draw.Frame{Title: v.textTitle(r.W), Width: r.W, Height: r.H, Focused: v.focus == onSide}
	w, _ := f.Inner()
	return scrolled(f, v.texts(w), v.text.At)
}

func (v *view) textTitle(width int) string {
	switch {
	case v.side == sideReport:
		return "Mimic report"
	case v.side == sideWarnings:
		return words.Plural(len(v.watch.traffic.Warnings), "warning")
	case v.side == sideFunctions:
		return "Functions under test"
	case v.exchanges.line() == nil:
		return "Exchange"
	}
	return draw.OperationLine(groupTitle(v.exchanges.line().group.op), width-6).String()
}

// texts returns the lines of a text without a cursor: the report, the warnings, or the
// facts about an operation.
func (v *view) texts(width int) []draw.Line {
	l := &lines{width: width}
	switch {
	case width <= 0:
		return nil
	case v.side == sideReport && v.tests.playing != nil:
		l.prose("Playing the tests ten times against the unchanged service …", theme.Dim)
	case v.side == sideReport && v.tests.failed != nil:
		l.prose(theme.Failed+" "+v.tests.failed.Error(), theme.Bad)
	case v.side == sideReport:
		for _, row := range strings.Split(strings.TrimRight(v.tests.report, "\n"), "\n") {
			l.add(draw.TextLine(" "+draw.CleanLines(row), theme.Plain))
		}
	case v.side == sideWarnings:
		for _, w := range v.watch.traffic.Warnings {
			l.prose(theme.Refused+" "+w, theme.Plain)
		}
	case v.side == sideFunctions:
		return v.functions.lines(v.watch.folder, width)
	case v.exchanges.line() != nil && v.exchanges.line().entry == nil:
		return groupFacts(v.exchanges.line().group, width)
	}
	return l.all
}

// groupTitle returns the name of a group of exchanges.
func groupTitle(op model.OpID) string {
	if op == "" {
		return "not in the document"
	}
	return string(op)
}

// viewHead draws the facts about the whole recording, the most important first.
func (w *watch) viewHead(r draw.Rect, attributions []link) string {
	rows := w.headLines(r.W-2, attributions)
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

// headLines draws the state, the routes and the numbers of a recording.
func (w *watch) headLines(width int, attributions []link) [2]draw.Line {
	state := draw.TextLine(" "+theme.Live+" live", theme.Good)
	if !w.live() {
		state = draw.TextLine(" ■ ended", theme.Dim)
	}
	if w.busy != "" {
		state = draw.TextLine(" "+w.busy+" …", theme.Warn)
	}
	return [2]draw.Line{flow(append([]draw.Line{state}, w.routes()...), width), flow(w.amounts(attributions), width)}
}

// routes draws the routes of the recording. If there are no routes, it draws the service.
func (w *watch) routes() (parts []draw.Line) {
	for _, way := range w.traffic.In {
		parts = append(parts, draw.TextLine(draw.Clean(way.Addr)+" → "+draw.Clean(way.URL), theme.Plain))
	}
	for _, way := range w.traffic.Out {
		route := draw.Span{Text: draw.Clean(way.Addr) + " → " + draw.Clean(way.URL), Style: theme.Plain}
		parts = append(parts, append(draw.TextLine("out ", theme.Dim), route))
	}
	if len(parts) == 0 {
		parts = append(parts, draw.TextLine(strings.TrimSpace(draw.Clean(w.traffic.Title+"  "+w.traffic.BaseURL)), theme.Plain))
	}
	return parts
}

// amounts draws the numbers of a recording.
func (w *watch) amounts(attributions []link) (parts []draw.Line) {
	t := w.traffic
	parts = append(parts, draw.TextLine(" "+words.Plural(len(t.Served), "exchange"), theme.Strong))
	add := func(on bool, text string) {
		if on {
			parts = append(parts, draw.TextLine(text, theme.Plain))
		}
	}
	add(t.Seen > len(t.Served), "of "+words.Plural(t.Seen, "request"))
	add(len(t.Warnings) > 0, theme.Refused+" "+words.Plural(len(t.Warnings), "warning"))
	add(w.live(), words.Count(t.InFlight)+" in progress")
	add(w.live(), fmt.Sprintf("%.1f/s", t.Rate))
	add(true, linksText(attributions))
	add(len(t.Unattributed) > 0, words.Plural(len(t.Unattributed), "stray"))
	add(t.Bytes > 0, size(t.Bytes))
	add(t.Masked > 0, words.Plural(t.Masked, "value")+" masked")
	add(t.Invocations > 0, words.Plural(t.Invocations, "invocation")+" of functions")
	return parts
}

// size returns a number of bytes with its unit.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f kB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}

// flow joins parts side by side, as many as fit.
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

// footer returns the last line: the folder of the tests, the state of the written file, or the error of the
// recording. It returns "" if there is nothing to show.
func (v *view) footer() string {
	t := &v.tests
	switch {
	case v.tests.folder != nil:
		v.tests.folder.Width = max(1, v.width-50)
		return theme.Active.Render(" "+theme.Cursor+"folder of the tests  ") + v.tests.folder.View()
	case t.writing:
		return " writing …"
	case t.path != "":
		return theme.Good.Render(" "+theme.Ok+" ") + draw.Clean(t.path) + "   " + widget.KeyAndHelp(keyMimic)
	case v.watch.err != nil && !v.onForm:
		return theme.Bad.Render(" " + theme.Failed + " " + draw.Clean(v.watch.err.Error()))
	}
	return ""
}
