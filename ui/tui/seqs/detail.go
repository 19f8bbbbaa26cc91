package seqs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// viewPage draws all of the row under the cursor, or the bench.
func (s *Screen) viewPage(r draw.Rect) string {
	if s.building() {
		return s.viewBench(r)
	}
	f := draw.Frame{Title: s.pageTitle(), Width: r.W, Height: r.H, Focused: s.reading}
	w, h := f.Inner()
	lines := s.details(w)
	from := min(s.page.At, len(lines))
	if len(lines) > h {
		f.Note = fmt.Sprintf("%d of %d lines", min(from+h, len(lines)), len(lines))
	}
	var rows []string
	for _, l := range lines[from:min(from+h, len(lines))] {
		rows = append(rows, l.String())
	}
	return f.Render(strings.Join(rows, "\n"))
}

func (s *Screen) pageTitle() string {
	if s.list.At >= len(s.shown) {
		return "Seq"
	}
	r := s.shown[s.list.At]
	switch {
	case s.drying():
		return "Dry run " + draw.Clean(r.ID)
	case s.stepping():
		return "Steps of " + draw.Clean(r.ID) + theme.Dim.Render(fmt.Sprintf(" · %d of %d", len(s.walk.done), len(s.walk.test.Calls)))
	case s.left != nil:
		return "Seq " + draw.Clean(s.left.ID) + " beside " + draw.Clean(r.ID)
	}
	return "Seq " + draw.Clean(r.ID) + theme.Dim.Render(" · "+words.Plural(len(r.Seq), "call"))
}

// details are the lines about the row under the cursor.
func (s *Screen) details(width int) []draw.Line {
	if width <= 0 || s.list.At >= len(s.shown) {
		return nil
	}
	r := s.shown[s.list.At]
	switch {
	case s.drying():
		return s.rehearsal(width)
	case s.stepping():
		lines, _, _ := s.stepLines(width)
		return lines
	case s.left != nil:
		return s.comparison(width)
	}
	p := &page{width: width}
	p.leftOut(r.leftOut())
	p.mimics(r.Test)
	p.stubs(r.Stubs, own(r.Test))
	switch {
	case r.Test != nil:
		p.again(r.recorded(), r.again)
		p.test(r.Test, r.recorded(), r.again)
	case r.Draft != nil:
		p.test(r.Draft, nil, nil)
		p.prose("It has values that you gave it, and was not played yet.", theme.Dim)
	default:
		p.seq(r.Seq, s.rows.needs(r.Seq))
		p.prose("It has no values yet. Pick it, and Export runs it once to find them."+r.hint(), theme.Dim)
	}
	p.reach(s.rows.groups(r.Seq))
	if r.earlier {
		p.prose("The search no longer keeps this test; it is here because you picked it.", theme.Dim)
	}
	return p.lines
}

// hint says what else gives values to what was built.
func (r *row) hint() string {
	if !r.built {
		return ""
	}
	return " " + widget.KeyName(keyEdit) + " types some, " + widget.KeyName(keyDry) + " shows what would be sent, " +
		widget.KeyName(keyPlay) + " plays it so."
}

// page makes lines of details.
type page struct {
	width int
	lines []draw.Line
}

// inset is where what belongs to a call begins.
const inset = 4

func (p *page) add(line draw.Line) { p.lines = append(p.lines, line.Cut(p.width)) }

func (p *page) prose(text string, style theme.Style) {
	p.add(nil)
	for _, l := range words.Wrap(text, p.width-2) {
		p.add(draw.TextLine(" "+l, style))
	}
}

// leftOut says why exports leave the test out, if they do.
func (p *page) leftOut(why string) {
	if why == "" {
		return
	}
	p.add(draw.TextLine(" "+leftOutSign+" depends on earlier state", theme.Warn))
	for _, l := range words.Wrap(draw.Clean(why)+". Exports leave it out; sonde export --all has it.", p.width-4) {
		p.add(draw.TextLine("   "+l, theme.Dim))
	}
	p.add(nil)
}

// reach explains the number of groups, which the list has as grp.
func (p *page) reach(groups []int) {
	var numbers []string
	for _, g := range groups {
		numbers = append(numbers, strconv.Itoa(g+1))
	}
	text := "Groups touched (grp): "
	switch len(groups) {
	case 0:
		text += "0, for the spec does not know its operations."
	case 1:
		text += "1, number " + numbers[0] + ". One is best: its calls can pass values to each other."
	default:
		text += fmt.Sprintf(
			"%d, numbers %s. One is best: calls of different groups pass nothing to each other.", len(groups),
			strings.Join(numbers, ", "),
		)
	}
	p.prose(text, theme.Dim)
}

func (p *page) seq(seq model.Seq, needs [][]need) {
	for i, op := range seq {
		p.head(i, op, 0)
		p.needs(needs[i])
	}
}

// head is a call's number, operation and status.
func (p *page) head(i int, op model.OpID, status int) {
	line := draw.TextLine(fmt.Sprintf("%2d", i+1), theme.Dim).
		At(inset, draw.OperationLine(string(op), p.width-inset-7)...)
	if status != 0 {
		glyph, style := theme.Class(status)
		line = line.At(p.width-6, draw.Span{Text: glyph + " " + strconv.Itoa(status), Style: style})
	}
	p.add(line)
}

func (p *page) test(t, before, again *model.Test) {
	for i, c := range t.Calls {
		if i > 0 {
			p.add(nil)
		}
		p.head(i, c.Op, c.Status)
		if c.User != "" {
			p.value("as", "", draw.Clean(c.User))
		}
		p.args(t, i)
		p.body(t, i)
		p.checks(t, i)
		p.other(before, again, i)
	}
	p.covers(t)
}

// value is a line with a name, what it is, and a value.
func (p *page) value(name, kind, value string, more ...draw.Span) {
	const kinds, values = inset + 14, inset + 22
	line := draw.Line{{Text: strings.Repeat(" ", inset), Style: theme.Plain}, {Text: name, Style: theme.Plain}}
	line = line.At(kinds, draw.Span{Text: kind, Style: theme.Dim})
	p.add(append(line.At(values, draw.Span{Text: value, Style: theme.Value}), more...))
}

// args are the values outside the body; one that a link brings says from where.
func (p *page) args(t *model.Test, call int) {
	linked := map[string]bool{}
	for _, l := range t.Links {
		if l.To == call && l.In != model.InBody {
			p.link(l)
			linked[string(l.In)+" "+l.Name] = true
		}
	}
	for _, a := range t.Calls[call].Args {
		if !linked[string(a.In)+" "+a.Name] {
			p.value(draw.Clean(a.Name), string(a.In), draw.Clean(a.Value))
		}
	}
}

func (p *page) link(l model.Link) {
	source := draw.Clean(l.Header)
	if l.Header == "" {
		source = draw.Clean(l.Pointer)
	}
	p.value(
		draw.Clean(l.Name), string(l.In), "",
		draw.Span{Text: fmt.Sprintf("← call %d  ", l.From+1), Style: theme.Accent},
		draw.Span{Text: source, Style: theme.Plain},
	)
}

// A body is shown up to these limits.
const bodyBytes, bodyLines = 8 << 10, 60

func (p *page) body(t *model.Test, call int) {
	for _, l := range t.Links {
		if l.To == call && l.In == model.InBody {
			p.link(l)
		}
	}
	body := t.Calls[call].Body
	if body == nil {
		return
	}
	p.value("body", "", draw.Clean(body.Media))
	lines := strings.Split(draw.CleanLines(pretty(body.Data)), "\n")
	for i, l := range lines {
		if i == bodyLines {
			p.add(draw.TextLine(strings.Repeat(" ", inset+2)+"…", theme.Dim))
			break
		}
		p.add(draw.TextLine(strings.Repeat(" ", inset+2)+l, theme.Plain))
	}
}

// pretty indents JSON; other text stays as it is.
func pretty(data string) string {
	var out bytes.Buffer
	if len(data) <= bodyBytes && json.Indent(&out, []byte(data), "", "  ") == nil {
		return out.String()
	}
	return data[:min(len(data), bodyBytes)]
}

// checks are what must hold of the answer's body.
func (p *page) checks(t *model.Test, call int) {
	name := "checks"
	for _, c := range t.Checks {
		if c.Call != call {
			continue
		}
		text := "is there"
		if len(c.Equals) > 0 {
			text = "= " + draw.Clean(string(c.Equals))
		}
		p.value(name, "", draw.Clean(c.Pointer), draw.Span{Text: " " + text, Style: theme.Plain})
		name = ""
	}
}

// covers lists what the test is kept for.
func (p *page) covers(t *model.Test) {
	if len(t.Covers)+t.Code == 0 {
		return
	}
	p.add(nil)
	p.add(draw.TextLine(" kept for "+words.Plural(len(t.Covers)+t.Code, "target"), theme.Dim))
	for _, id := range t.Covers {
		p.add(append(draw.TextLine(strings.Repeat(" ", inset), theme.Plain), draw.OperationLine(id, p.width-inset)...))
	}
	if t.Code > 0 {
		p.add(draw.TextLine(strings.Repeat(" ", inset)+words.InCode(t.Code), theme.Plain))
	}
}
