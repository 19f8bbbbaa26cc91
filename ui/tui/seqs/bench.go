package seqs

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
)

// part is a line of the bench.
type part struct {
	line  draw.Line
	call  int        // of which it is, or where what is added goes
	adds  model.OpID // "" for what is of a call
	value *value     // nil where there is none to type
	user  bool       // it is who calls
}

// parts are the calls with what they need and what they are sent with, and what can be
// added.
func (s *Screen) parts(width int) (all []part) {
	r := s.bench.on
	draft := r.draft()
	for i, needs := range s.rows.lacks(r) {
		p := &page{width: width}
		p.head(i, r.Seq[i], 0)
		all = append(all, part{line: p.lines[0], call: i})
		all = append(all, needing(needs, i, width)...)
		if draft != nil {
			all = append(all, s.calling(draft.Calls[i], i, width)...)
			all = append(all, s.sending(draft.Calls[i], needs, i, width)...)
		}
		for _, n := range needs {
			all = append(all, offers(n.by, i, width, "before it ")...)
		}
	}
	return append(all, offers(s.rows.next(r.Seq), len(r.Seq), width, "then ")...)
}

// needing are lines of what a call needs of others.
func needing(needs []need, call, width int) (all []part) {
	for _, n := range needs {
		p := &page{width: width}
		p.needs([]need{n})
		at := part{line: p.lines[0], call: call}
		if n.in != model.InBody {
			at.value = &value{in: n.in, name: n.name, arg: -1, text: ""}
		}
		all = append(all, at)
	}
	return all
}

// calling is the line of who calls, where there are some to choose from.
func (s *Screen) calling(c model.Call, call, width int) []part {
	if len(s.users) == 0 {
		return nil
	}
	p := &page{width: width}
	who := draw.Span{Text: draw.Clean(c.User), Style: theme.Value}
	if c.User == "" {
		who = draw.Span{Text: "nobody", Style: theme.Dim}
	}
	p.value("as", "", "", who)
	return []part{{line: p.lines[0], call: call, user: true}}
}

// sending are lines of what a call is sent with besides.
func (s *Screen) sending(c model.Call, needs []need, call, width int) (all []part) {
	p := &page{width: width}
	values := s.rows.valuesOf(c, needs)
	for _, v := range values {
		text := draw.Span{Text: draw.Clean(v.text), Style: theme.Value}
		if v.arg < 0 {
			text = draw.Span{Text: "left out", Style: theme.Dim}
		}
		p.value(draw.Clean(v.name), string(v.in), "", text)
	}
	if c.Body != nil {
		text := strings.Join(strings.Fields(c.Body.Data), " ")
		p.value("body", "", "", draw.Span{Text: draw.Clean(text), Style: theme.Value})
		values = append(values, value{in: model.InBody, text: c.Body.Data})
	}
	for i := range values {
		all = append(all, part{line: p.lines[i], call: call, value: &values[i]})
	}
	return all
}

// offers are operations that can be added.
func offers(ops []model.OpID, at, width int, where string) (all []part) {
	for _, op := range ops {
		line := draw.Line{}.At(inset, draw.Span{Text: "+ " + where, Style: theme.Dim})
		all = append(all, part{line: append(line, draw.OperationLine(string(op), width-line.Width())...), call: at, adds: op})
	}
	return all
}

// needs says where each value comes from, or that it is unbound.
func (p *page) needs(all []need) {
	for _, n := range all {
		from := draw.Span{Text: theme.Failed + " unbound", Style: theme.Warn}
		if n.from >= 0 {
			from = draw.Span{Text: fmt.Sprintf("← call %d", n.from+1), Style: theme.Accent}
		}
		p.value(draw.Clean(strings.TrimPrefix(n.name, "/")), string(n.in), "", from)
	}
}

// viewBench draws the bench.
func (s *Screen) viewBench(r draw.Rect) string {
	f := draw.Frame{Title: "Build " + s.bench.on.ID, Width: r.W, Height: r.H, Focused: true}
	w, h := f.Inner()
	if area := s.bench.edit.area; area != nil {
		return f.Render(draw.JoinRows(draw.FitLines(area.View(), w, max(0, h-1)), " "+widget.KeyAndHelp(keyTake)+"   "+widget.KeyAndHelp(keyCancel)))
	}
	all := s.parts(w)
	s.bench.list.Fit(len(all), h)
	from, to := s.bench.list.Visible()
	if to-from < len(all) {
		f.Note = fmt.Sprintf("%d-%d of %d", from+1, to, len(all))
	}
	var rows []string
	for i := from; i < to; i++ {
		at := i == s.bench.list.At
		if field := s.bench.edit.field; at && field != nil {
			rows = append(rows, typing(s.bench.edit.value, field.View()).Render(w, false))
			continue
		}
		rows = append(rows, pointed(all[i].line, at).Render(w, at))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// pointed is a line with the cursor before it where that is there.
func pointed(line draw.Line, at bool) draw.Line {
	if !at || len(line) == 0 || !strings.HasPrefix(line[0].Text, " ") {
		return line
	}
	rest := line[0]
	rest.Text = rest.Text[1:]
	return append(draw.Line{{Text: theme.Cursor, Style: theme.Active}, rest}, line[1:]...)
}

// typing is a line while its value is typed.
func typing(v value, field string) draw.Line {
	line := draw.TextLine(theme.Cursor+" ", theme.Active).At(inset, draw.Span{Text: draw.Clean(v.name) + "  ", Style: theme.Plain})
	return append(line, draw.Span{Text: field, Style: theme.Plain})
}
