package send

import (
	"cmp"
	"fmt"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// rowPainter draws the rows of a form in lines of a width.
type rowPainter struct {
	*formView
	columns
	width int
}

// columns has the first cells of a field's location and value. A column with 0 is left out.
type columns struct{ location, value int }

func (v *formView) painter(width int) rowPainter {
	p := rowPainter{formView: v, width: width}
	name := 7
	for _, n := range p.names() {
		name = max(name, ansi.StringWidth(draw.Clean(n)))
	}
	p.location = 5 + min(name, width/3) + 1
	p.value = p.location + 7
	if width < 44 {
		p.location, p.value = 0, p.location
	}
	return p
}

// names returns the names of all inputs that have a row.
func (p rowPainter) names() (all []string) {
	for _, f := range p.form.fields {
		all = append(all, f.param.Name)
	}
	for _, e := range p.form.extras {
		all = append(all, e.Name)
	}
	if b := p.form.sentBody(); b != nil {
		for _, f := range b.fields {
			all = append(all, f.name)
		}
	}
	return all
}

// line draws a row.
func (p rowPainter) line(r row, at bool) draw.Line {
	line := draw.TextLine("   ", theme.Plain)
	if at {
		line = draw.TextLine(" "+theme.Cursor+" ", theme.Active)
	}
	value := p.valueLine(r, p.width-p.value)
	if at && p.edit.field != nil {
		value = draw.TextLine(p.edit.field.View(), theme.Plain)
	}
	switch r.kind {
	case fieldRow:
		of := p.form.fields[r.index].param
		return input{requiredMark(of.Required), of.Name, string(of.In)}.line(line, p.columns, value)
	case extraRow:
		e := p.form.extras[r.index]
		return input{"+", e.Name, string(e.In)}.line(line, p.columns, value)
	case formFieldRow:
		f := p.form.sentBody().fields[r.index]
		return input{requiredMark(f.required), f.name, "field"}.line(line, p.columns, value)
	case textRow:
		if at && p.edit.field != nil {
			return append(line, append(draw.TextLine("  ", theme.Plain), value...)...)
		}
		return append(line, draw.Span{Text: "  " + p.bodyLines()[r.index], Style: theme.Value})
	}
	return append(line, draw.Span{Text: rowNames[r.kind], Style: theme.Strong}).At(p.value, value...)
}

// input is the beginning of a row with an input of the request.
type input struct{ mark, name, location string }

func requiredMark(required bool) string {
	if required {
		return theme.Required
	}
	return theme.Optional
}

// line appends the input and its value to the beginning of a line.
func (i input) line(line draw.Line, c columns, value draw.Line) draw.Line {
	line = append(
		line,
		draw.Span{Text: i.mark + " ", Style: theme.Dim},
		draw.Span{Text: draw.Clean(i.name), Style: theme.Plain},
	)
	if c.location > 0 {
		line = line.At(c.location, draw.Span{Text: i.location, Style: theme.Dim})
	}
	return line.At(c.value, value...)
}

// rowNames are the names of the rows that are no inputs.
var rowNames = map[rowKind]string{
	beforeRow: "first", userRow: "as", networkRow: "network", hostsRow: "hosts", addRow: "add", bodyRow: "body",
}

// valueLine draws the value of a row.
func (p rowPainter) valueLine(r row, width int) draw.Line {
	switch r.kind {
	case beforeRow:
		return p.setUpLine(width)
	case userRow:
		return draw.TextLine(cmp.Or(draw.Clean(p.form.user), "anonymous"), theme.Plain)
	case networkRow:
		return networkLine(p.around)
	case hostsRow:
		return p.hostsLine()
	case fieldRow:
		return p.fieldValue(p.form.fields[r.index])
	case extraRow:
		e := p.form.extras[r.index]
		return inputValue(draw.Clean(e.PlainValue()), e.omitted)
	case addRow:
		return draw.Line{
			{Text: string(p.addition()), Style: theme.Plain}, {Text: "  not in the spec", Style: theme.Dim},
		}
	case bodyRow:
		return p.bodyValue()
	case formFieldRow:
		f := &p.form.sentBody().fields[r.index]
		return inputValue(f.text(), f.omitted)
	}
	return nil
}

// inputValue draws the value of an input, or that it is left out.
func inputValue(text string, omitted bool) draw.Line {
	if omitted {
		return draw.TextLine("left out", theme.Dim)
	}
	return draw.TextLine(text, theme.Value)
}

// fieldValue draws the value of a parameter, or the operation whose answer provides it.
func (p rowPainter) fieldValue(f field) draw.Line {
	if from := p.form.provider(f); from != "" {
		return draw.TextLine("from "+draw.Clean(string(from)), theme.Dim)
	}
	return inputValue(draw.Clean(f.text()), len(f.args) == 0)
}

// bodyValue draws the media type of the body, and either the number of media types or why a JSON body is not JSON.
func (p rowPainter) bodyValue() draw.Line {
	b := p.form.sentBody()
	if b == nil {
		return draw.TextLine("left out", theme.Dim)
	}
	line := draw.TextLine(draw.Clean(baseMedia(b.media)), theme.Dim)
	if problem := b.problem(); problem != "" {
		return append(line, draw.Span{Text: "  " + theme.Failed + " " + draw.Clean(problem), Style: theme.Bad})
	}
	if n := len(p.form.bodies); n > 1 {
		line = append(line, draw.Span{Text: fmt.Sprintf("  %d of %d", p.form.chosen+1, n), Style: theme.Dim})
	}
	return line
}

// bodyLines returns the lines of the body, followed by a line for each value that a link provides.
func (v *formView) bodyLines() []string {
	b := v.form.sentBody()
	if b == nil {
		return nil
	}
	lines := b.lines()
	if b.file != nil {
		return lines
	}
	for _, from := range v.form.linkedInBody() {
		lines = append(lines, "↑ "+draw.Clean(from))
	}
	return lines
}

// setUpLine draws the calls before the request. If the request is anonymous, it also draws the user of
// these calls.
func (p rowPainter) setUpLine(width int) draw.Line {
	if !p.form.before {
		return draw.TextLine("nothing else is sent", theme.Dim)
	}
	by := ""
	if user := p.form.setUpUser(); user != "" && p.form.user == "" {
		by = "  by " + draw.Clean(user)
	}
	return append(p.seqNames.Spans(p.form.setUp(), max(8, width-len(by))), draw.Span{Text: by, Style: theme.Dim})
}

// hostsLine draws whether the hosts answer as in the test.
func (p rowPainter) hostsLine() draw.Line {
	if !p.form.hosts {
		return draw.TextLine("do not answer as in the test", theme.Dim)
	}
	return draw.Line{
		{Text: stubsText(p.form.draft.Stubs), Style: theme.Plain},
		{Text: "  as in the test", Style: theme.Dim},
	}
}

// networkLine draws whether the network is virtual. For a virtual network, it also draws the number of the user's
// stubs. If there are no stubs, it draws the key that sets the answers of hosts.
func networkLine(around usecase.Surroundings) draw.Line {
	if !around.Net {
		return draw.TextLine("real", theme.Plain)
	}
	stubs := "  7 sets what hosts answer"
	if n := len(around.Stubs); n > 0 {
		stubs = "  with " + words.Plural(n, "stub") + " of yours"
	}
	return draw.Line{{Text: "virtual", Style: theme.Plain}, {Text: stubs, Style: theme.Dim}}
}

// stubsText returns a summary of the first stub, followed by the number of the other stubs.
func stubsText(stubs []model.Stub) string {
	text := draw.Clean(stubs[0].Host + " " + stubs[0].Summary())
	if more := len(stubs) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
