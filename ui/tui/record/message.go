package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// lines is a text whose lines are truncated or wrapped to its width.
type lines struct {
	width int
	all   []draw.Line
}

func (l *lines) add(line draw.Line) { l.all = append(l.all, line.Cut(l.width)) }

// prose adds a text, wrapped into lines.
func (l *lines) prose(text string, style theme.Style) {
	for _, row := range words.Wrap(draw.Clean(text), l.width-2) {
		l.add(draw.TextLine(" "+row, style))
	}
}

// fact adds a label followed by text.
func (l *lines) fact(label string, parts ...draw.Span) {
	l.add(draw.TextLine(" "+label, theme.Dim).At(labelWidth, parts...))
}

// labelWidth is the width of the labels at the left.
const labelWidth = 11

// viewMessage draws the marked message in full.
func (v *exchangeView) viewMessage(x *model.ServedRequest, r draw.Rect, focused bool) string {
	f := draw.Frame{Title: v.messageTitle(x), Width: r.W, Height: r.H, Focused: focused}
	w, _ := f.Inner()
	return scrolled(f, v.messageLines(x, w), v.message.At)
}

// scrolled draws lines in a frame, beginning with the line with index from. If the frame would then not be full, it
// begins with an earlier line. If not all lines are visible, the frame's note has the number of the last visible line
// and the number of all lines.
func scrolled(f draw.Frame, all []draw.Line, from int) string {
	_, h := f.Inner()
	from = max(0, min(from, len(all)-h))
	if len(all) > h {
		f.Note = fmt.Sprintf("%d of %d lines", min(from+h, len(all)), len(all))
	}
	var rows []string
	for _, l := range all[from:min(len(all), from+max(0, h))] {
		rows = append(rows, l.String())
	}
	return f.Render(strings.Join(rows, "\n"))
}

func (v *exchangeView) messageTitle(x *model.ServedRequest) string {
	if v.at == 0 || v.at > len(x.OutwardCalls) {
		return "Request and answer"
	}
	sent := &x.OutwardCalls[v.at-1]
	return fmt.Sprintf("Outward call %d of %d", v.at, len(x.OutwardCalls)) + theme.Dim.Render(" · "+hostName(sent))
}

// messageLines returns the marked message in full.
func (v *exchangeView) messageLines(x *model.ServedRequest, width int) []draw.Line {
	if x == nil || width <= 0 {
		return nil
	}
	l := &lines{width: width}
	if v.at == 0 || v.at > len(x.OutwardCalls) {
		l.exchange(x.Exchange)
	} else {
		l.outwardCall(&x.OutwardCalls[v.at-1])
	}
	return l.all
}

// outwardCall adds an outward call: what the service sent and received, or the error. If the service called an
// address that differs from the name of the host, a line with the address comes first. If it is not certain which
// request caused the call, a line with a warning comes next.
func (l *lines) outwardCall(x *model.OutwardCall) {
	if x.Host != x.Name && x.Name != "" {
		l.prose("called as "+x.Host, theme.Dim)
	}
	if why := doubts[x.Attribution]; why != "" {
		l.prose(why, theme.Warn)
	}
	if x.Protocol == model.HTTP {
		l.exchange(x.Exchange)
		return
	}
	for i, t := range x.Messages {
		if i > 0 {
			l.add(nil)
		}
		l.add(draw.TextLine(" sent "+words.Plural(len(t.Request), "byte"), theme.Dim))
		l.body(t.Request, false)
		l.add(draw.TextLine(" received "+words.Plural(len(t.Answer), "byte"), theme.Dim))
		l.body(t.Answer, false)
	}
	if x.Err != nil {
		l.prose(failed(x.Err), theme.Bad)
	}
}

// doubts has texts for attributions that are not certain.
var doubts = map[model.Attribution]string{
	model.AttributedByTime: "? It is not certain that this request is the cause: " +
		"it was in progress at the time. Its test has no call oracle.",
	"": "? The request that is the cause is unknown.",
}

// exchange adds a request and its response.
func (l *lines) exchange(x model.Exchange) {
	method := draw.Clean(x.Request.Method)
	l.add(draw.Line{
		{Text: " " + method, Style: theme.Method(method)},
		{Text: " " + draw.Clean(x.Request.URL), Style: theme.Plain},
	})
	l.message(x.Request.Header, x.Request.Body, x.Request.Truncated)
	l.add(nil)
	if x.Reply.Status != 0 {
		glyph, style := theme.Class(x.Reply.Status)
		l.add(draw.Line{
			{Text: fmt.Sprintf(" %s %d", glyph, x.Reply.Status), Style: style},
			{Text: "  in " + durationText(x), Style: theme.Dim},
		})
		l.message(x.Reply.Header, x.Reply.Body, x.Reply.Truncated)
	}
	if x.Err != nil {
		l.prose(failed(x.Err), theme.Bad)
	}
}

// message adds headers and a body.
func (l *lines) message(header map[string][]string, body []byte, cut bool) {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		l.add(draw.Line{
			{Text: "  " + draw.Clean(name) + ": ", Style: theme.Dim},
			{Text: draw.Clean(strings.Join(header[name], ", ")), Style: theme.Plain},
		})
	}
	l.body(body, cut)
}

func (l *lines) body(body []byte, cut bool) {
	if len(body) > 0 {
		for _, row := range widget.PayloadLines(body) {
			l.add(draw.TextLine("  "+draw.CleanLines(row), theme.Value))
		}
	}
	if cut {
		l.add(draw.TextLine("  … the rest was not recorded", theme.Dim))
	}
}
