package seqs

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
)

// builderLine is a line of the builder.
type builderLine struct {
	line  draw.Line
	call  int        // the index of the call on the line; on a line with adds, the index that the added call would have
	adds  model.OpID // the operation to add, "" for a line of a call
	value *callValue // nil if the user can type no value on the line
	user  bool       // the line shows the user who makes the call
}

// current returns the line under the cursor, nil if there is none.
func (b *builder) current() *builderLine {
	all := b.lines(0)
	if b.cursor.At >= len(all) {
		return nil
	}
	return &all[b.cursor.At]
}

// goToCall moves the cursor to the first line of a call.
func (b *builder) goToCall(call int) {
	all := b.lines(0)
	b.cursor.Fit(len(all), b.cursor.Height)
	for i, l := range all {
		if l.adds == "" && l.call == call {
			b.cursor.Go(i)
			return
		}
	}
}

// lines draws the calls with their needs and values, and the operations that the user can add.
func (b *builder) lines(width int) (all []builderLine) {
	r := b.row
	draft := r.draft()
	for i, needs := range b.catalog.links.openNeeds(r) {
		p := &page{width: width}
		p.callHead(i, r.Seq[i], 0)
		all = append(all, builderLine{line: p.lines[0], call: i})
		all = append(all, needLines(needs, i, width)...)
		if draft != nil {
			all = append(all, b.userLine(draft.Calls[i], i, width)...)
			all = append(all, b.valueLines(draft.Calls[i], needs, i, width)...)
		}
		for _, n := range needs {
			all = append(all, b.addLines(n.providers, i, width, "before it ")...)
		}
	}
	return append(all, b.addLines(b.catalog.links.followers(r.Seq), len(r.Seq), width, "then ")...)
}

// needLines draws the values that a call takes, or should take, from other calls.
func needLines(needs []need, call, width int) (all []builderLine) {
	for _, n := range needs {
		p := &page{width: width}
		p.needs([]need{n})
		l := builderLine{line: p.lines[0], call: call}
		if n.in != model.InBody {
			l.value = &callValue{in: n.in, name: n.name, arg: -1}
		}
		all = append(all, l)
	}
	return all
}

// userLine draws the user who makes a call. It draws nothing if no users are configured.
func (b *builder) userLine(c model.Call, call, width int) []builderLine {
	if len(b.users) == 0 {
		return nil
	}
	p := &page{width: width}
	user := draw.Span{Text: draw.Clean(c.User), Style: theme.Value}
	if c.User == "" {
		user = draw.Span{Text: "anonymous", Style: theme.Dim}
	}
	p.value("as", "", "", user)
	return []builderLine{{line: p.lines[0], call: call, user: true}}
}

// valueLines draws the values of a call that do not come from other calls: first the values outside the body, then
// the body.
func (b *builder) valueLines(c model.Call, needs []need, call, width int) (all []builderLine) {
	p := &page{width: width}
	values := valuesOf(b.catalog.analyzed.Spec, c, needs)
	for _, v := range values {
		text := draw.Span{Text: draw.Clean(v.text), Style: theme.Value}
		if v.arg < 0 {
			text = draw.Span{Text: "left out", Style: theme.Dim}
		}
		p.value(draw.Clean(v.name), string(v.in), "", text)
	}
	if c.Body != nil {
		text := strings.Join(strings.Fields(c.Body.Describe()), " ")
		p.value("body", "", "", draw.Span{Text: draw.Clean(text), Style: theme.Value})
		values = append(values, callValue{in: model.InBody, text: c.Body.Describe()})
	}
	for i := range values {
		all = append(all, builderLine{line: p.lines[i], call: call, value: &values[i]})
	}
	return all
}

// addLines draws operations that the user can add as the call with index at.
func (b *builder) addLines(ops []model.OpID, at, width int, where string) (all []builderLine) {
	for _, op := range ops {
		line := draw.Line{}.At(inset, draw.Span{Text: "+ " + where, Style: theme.Dim})
		line = append(line, b.catalog.names.Operation(op, width-line.Width())...)
		all = append(all, builderLine{line: line, call: at, adds: op})
	}
	return all
}

// fit sets the number of lines, and the number of lines that are visible in a pane at r.
func (b *builder) fit(r draw.Rect) {
	b.cursor.Fit(len(b.lines(0)), max(1, r.H-2))
	b.edit.fit(r.W-2, r.H-3)
}

// view draws the builder at r.
func (b *builder) view(r draw.Rect) string {
	f := draw.Frame{Title: "Build " + b.row.ID, Width: r.W, Height: r.H, Focused: true}
	w, h := f.Inner()
	if area := b.edit.area; area != nil {
		keys := " " + widget.KeyAndHelp(keyAcceptText) + "   " + widget.KeyAndHelp(keyCancel)
		return f.Render(draw.JoinRows(draw.FitLines(area.View(), w, max(0, h-1)), keys))
	}
	all := b.lines(w)
	b.cursor.Fit(len(all), h)
	from, to := b.cursor.Visible()
	if to-from < len(all) {
		f.Note = fmt.Sprintf("%d-%d of %d", from+1, to, len(all))
	}
	var rows []string
	for i := from; i < to; i++ {
		at := i == b.cursor.At
		if field := b.edit.field; at && field != nil {
			rows = append(rows, editLine(b.edit.value, field.View()).Render(w, false))
			continue
		}
		rows = append(rows, withCursor(all[i].line, at).Render(w, at))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// withCursor replaces the blank at the beginning of a line by the cursor's sign if at is true.
func withCursor(line draw.Line, at bool) draw.Line {
	if !at || len(line) == 0 || !strings.HasPrefix(line[0].Text, " ") {
		return line
	}
	first := line[0]
	first.Text = first.Text[1:]
	return append(draw.Line{{Text: theme.Cursor, Style: theme.Active}, first}, line[1:]...)
}

// editLine draws the name of a value, and the text field in which the user types the value.
func editLine(v callValue, field string) draw.Line {
	name := draw.Span{Text: draw.Clean(v.name) + "  ", Style: theme.Plain}
	line := draw.TextLine(theme.Cursor+" ", theme.Active).At(inset, name)
	return append(line, draw.Span{Text: field, Style: theme.Plain})
}
