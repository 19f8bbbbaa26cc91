package send

import (
	"cmp"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// kind is what a row of the form is about.
type kind int

const (
	ofBefore kind = iota
	ofUser
	ofNetwork
	ofHosts
	ofField
	ofBody
	ofText // of the body
)

// row is a line of the form.
type row struct {
	kind kind
	at   int // which field, or line of the body
}

// rows are the form's; those of the body's text come last.
func (p *Pane) rows() []row {
	if p.form.empty() {
		return nil
	}
	var all []row
	if len(p.form.setUp()) > 0 {
		all = append(all, row{kind: ofBefore})
	}
	if len(p.form.users) > 0 {
		all = append(all, row{kind: ofUser})
	}
	if p.host.Net != screen.NetworkUnavailable {
		all = append(all, row{kind: ofNetwork})
	}
	if len(p.form.draft.Stubs) > 0 && p.around.Net {
		all = append(all, row{kind: ofHosts})
	}
	for i := range p.form.fields {
		all = append(all, row{ofField, i})
	}
	if p.form.takesBody() {
		all = append(all, row{kind: ofBody})
	}
	for i := range p.bodyLines() {
		all = append(all, row{ofText, i})
	}
	return all
}

// row is the one under the cursor.
func (p *Pane) row() row {
	if all := p.rows(); p.list.At < len(all) {
		return all[p.list.At]
	}
	return row{kind: ofText}
}

// bodyLines are the body's text and what of it comes from elsewhere.
func (p *Pane) bodyLines() []string {
	if p.form.body == nil {
		return nil
	}
	lines := strings.Split(draw.CleanLines(p.form.body.Data), "\n")
	for _, from := range p.form.given() {
		lines = append(lines, "↑ "+draw.Clean(from))
	}
	return lines
}

// columns are where a field's place and value begin.
type columns struct{ place, value int }

func (p *Pane) columns(width int) columns {
	name := 7
	for _, f := range p.form.fields {
		name = max(name, ansi.StringWidth(draw.Clean(f.param.Name)))
	}
	c := columns{place: 5 + min(name, width/3) + 1}
	c.value = c.place + 7
	if width < 44 {
		c.place, c.value = 0, c.place
	}
	return c
}

// line draws a row.
func (p *Pane) line(r row, at bool, width int) draw.Line {
	c := p.columns(width)
	line := draw.TextLine("   ", theme.Plain)
	if at {
		line = draw.TextLine(" "+theme.Cursor+" ", theme.Active)
	}
	switch r.kind {
	case ofField:
		return p.fieldLine(line, p.form.fields[r.at], at, c)
	case ofText:
		return append(line, draw.Span{Text: "  " + p.bodyLines()[r.at], Style: theme.Value})
	}
	name, value := p.choice(r.kind, width-c.value)
	return append(line, draw.Span{Text: name, Style: theme.Strong}).At(c.value, value...)
}

// choice is a row that is no field: its name and its value.
func (p *Pane) choice(k kind, width int) (name string, value draw.Line) {
	f := &p.form
	switch k {
	case ofBefore:
		return "first", p.first(width)
	case ofUser:
		return "as", draw.TextLine(cmp.Or(draw.Clean(f.user), "nobody"), theme.Plain)
	case ofNetwork:
		return "network", draw.Line{{Text: p.network(), Style: theme.Plain}, {Text: p.stubs(), Style: theme.Dim}}
	case ofHosts:
		return "hosts", f.answering()
	}
	if f.body == nil {
		return "body", draw.TextLine("left out", theme.Dim)
	}
	return "body", draw.TextLine(draw.Clean(f.body.Media), theme.Dim)
}

// first is what is sent before the request, and by whom where that is somebody else.
func (p *Pane) first(width int) draw.Line {
	f := &p.form
	if !f.before {
		return draw.TextLine("nothing else is sent", theme.Dim)
	}
	by := ""
	if who := f.sender(); who != "" && f.user == "" {
		by = "  by " + draw.Clean(who)
	}
	return append(p.names.Spans(f.setUp(), max(8, width-len(by))), draw.Span{Text: by, Style: theme.Dim})
}

// answering is what hosts answer as they did in a search's test.
func (f *form) answering() draw.Line {
	if !f.hosts {
		return draw.TextLine("answer nothing of the test's", theme.Dim)
	}
	return draw.Line{{Text: answers(f.draft.Stubs), Style: theme.Plain}, {Text: "  as in the test", Style: theme.Dim}}
}

func (p *Pane) network() string {
	if p.around.Net {
		return "virtual"
	}
	return "real"
}

// stubs says how much of what hosts answer is the person's.
func (p *Pane) stubs() string {
	switch n := len(p.around.Stubs); {
	case !p.around.Net:
		return ""
	case n == 0:
		return "  7 says what hosts answer"
	default:
		return "  with " + words.Plural(n, "stub") + " of yours"
	}
}

// answers says what the first of some stubs does, and how many there are.
func answers(stubs []model.Stub) string {
	text := draw.Clean(stubs[0].Host + " " + stubs[0].Summary())
	if more := len(stubs) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// fieldLine draws a parameter.
func (p *Pane) fieldLine(line draw.Line, f field, at bool, c columns) draw.Line {
	mark := theme.Optional
	if f.param.Required {
		mark = theme.Required
	}
	line = append(line, draw.Span{Text: mark + " ", Style: theme.Dim}, draw.Span{Text: draw.Clean(f.param.Name), Style: theme.Plain})
	if c.place > 0 {
		line = line.At(c.place, draw.Span{Text: string(f.param.In), Style: theme.Dim})
	}
	switch from := p.form.from(f); {
	case at && p.edit.field != nil:
		return line.At(c.value, draw.Span{Text: p.edit.field.View(), Style: theme.Plain})
	case from != "":
		return line.At(c.value, draw.Span{Text: "from " + draw.Clean(string(from)), Style: theme.Dim})
	case len(f.args) == 0:
		return line.At(c.value, draw.Span{Text: "left out", Style: theme.Dim})
	}
	return line.At(c.value, draw.Span{Text: draw.Clean(f.text()), Style: theme.Value})
}
