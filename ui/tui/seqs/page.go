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
	"sonde/ui/tui/practice"
	"sonde/ui/words"
)

// page collects lines about a seq or a test. Each line is at most width cells wide.
type page struct {
	width int
	lines []draw.Line
}

// inset is the column, from 0, at which the content of a call begins.
const inset = 4

func (p *page) add(line draw.Line) { p.lines = append(p.lines, line.Cut(p.width)) }

// prose adds a blank line and a paragraph.
func (p *page) prose(text string, style theme.Style) {
	p.add(nil)
	for _, l := range words.Wrap(text, p.width-2) {
		p.add(draw.TextLine(" "+l, style))
	}
}

// savedIn adds the name and the place of a seq in a .http file, nil for none.
func (p *page) savedIn(s *savedSeq) {
	if s == nil {
		return
	}
	p.add(draw.TextLine(" "+draw.Clean(s.name), theme.Strong))
	p.add(draw.TextLine(fmt.Sprintf(" %s line %d", draw.Clean(s.place()), s.line), theme.Dim))
	p.add(nil)
}

// outcome adds an explanation of a seq's result, if the seq was called while seqs were listed.
func (p *page) outcome(r practice.Result) {
	if text := r.Explain(); text != "" {
		p.prose(text, r.Kind.Sign().Style)
	}
}

// leftOut adds the reason why the test is left out of exports. It adds nothing if the reason is "".
func (p *page) leftOut(why string) {
	if why == "" {
		return
	}
	p.add(draw.TextLine(" "+leftOutSign+" depends on earlier state", theme.Warn))
	text := draw.Clean(why) + ". Exports leave it out; sonde export --all has it."
	for _, l := range words.Wrap(text, p.width-4) {
		p.add(draw.TextLine("   "+l, theme.Dim))
	}
	p.add(nil)
}

// replayState adds a text that says whether a replay of a test got the same answers as before. again is the replay of
// t, or nil. It adds nothing if t was not replayed or had no answers.
func (p *page) replayState(t, again *model.Test) {
	switch {
	case again == nil || t == nil || t == again:
		return
	case sameAnswers(*t, *again):
		p.add(draw.TextLine(" played again: same answers", theme.Good))
	default:
		p.add(draw.TextLine(" played again: ≠ marks what differs", theme.Warn))
	}
	p.add(nil)
}

// groups explains the number in the column grp of the list.
func (p *page) groups(groups []int) {
	var numbers []string
	for _, g := range groups {
		numbers = append(numbers, strconv.Itoa(g+1))
	}
	text := "Groups touched (grp): "
	switch len(groups) {
	case 0:
		text += "0, because the spec lacks its operations."
	case 1:
		text += "1, number " + numbers[0] + ". One is best: its calls can pass values to each other."
	default:
		text += fmt.Sprintf(
			"%d, numbers %s. One is best: calls of different groups pass nothing to each other.",
			len(groups), strings.Join(numbers, ", "),
		)
	}
	p.prose(text, theme.Dim)
}

// seq adds the calls of a seq without values.
func (p *page) seq(seq model.Seq, needs [][]need) {
	for i, op := range seq {
		p.callHead(i, op, 0)
		p.needs(needs[i])
	}
}

// needs adds a line for each value: the call that provides the value, or the text "unbound".
func (p *page) needs(all []need) {
	for _, n := range all {
		from := draw.Span{Text: theme.Failed + " unbound", Style: theme.Warn}
		if n.from >= 0 {
			from = draw.Span{Text: fmt.Sprintf("← call %d", n.from+1), Style: theme.Accent}
		}
		p.value(draw.Clean(strings.TrimPrefix(n.name, "/")), string(n.in), "", from)
	}
}

// callHead adds a call's number, operation and status. It leaves out a status of 0.
func (p *page) callHead(i int, op model.OpID, status int) {
	line := draw.TextLine(fmt.Sprintf("%2d", i+1), theme.Dim).
		At(inset, draw.OperationLine(string(op), p.width-inset-7)...)
	if status != 0 {
		glyph, style := theme.Class(status)
		line = line.At(p.width-6, draw.Span{Text: glyph + " " + strconv.Itoa(status), Style: style})
	}
	p.add(line)
}

// test adds the calls of a test. The parameter again is the last replay of the test, or nil. If before is not nil,
// either, test also adds how the answers in the replay differ from the answers in before.
func (p *page) test(t, before, again *model.Test) {
	for i, c := range t.Calls {
		if i > 0 {
			p.add(nil)
		}
		p.callHead(i, c.Op, c.Status)
		if c.User != "" {
			p.value("as", "", draw.Clean(c.User))
		}
		p.args(t, i)
		p.body(t, i)
		p.checks(t, i)
		p.differences(before, again, i)
	}
	p.covers(t)
}

// value adds a line with a name, a kind and a value, followed by more spans.
func (p *page) value(name, kind, value string, more ...draw.Span) {
	const kinds, values = inset + 14, inset + 22
	line := draw.Line{{Text: strings.Repeat(" ", inset), Style: theme.Plain}, {Text: name, Style: theme.Plain}}
	line = line.At(kinds, draw.Span{Text: kind, Style: theme.Dim})
	p.add(append(line.At(values, draw.Span{Text: value, Style: theme.Value}), more...))
}

// args adds the values of a call outside the body. Values that links provide come first.
func (p *page) args(t *model.Test, call int) {
	linked := map[string]bool{}
	for _, l := range t.Links {
		if l.To == call && l.In != model.InBody {
			p.link(l)
			linked[valuePlace(l.In, l.Name)] = true
		}
	}
	for _, a := range t.Calls[call].Args {
		if !linked[valuePlace(a.In, a.Name)] {
			p.value(draw.Clean(a.Name), string(a.In), draw.Clean(a.Value))
		}
	}
}

// link adds a value, the call that provides it, and the place of the value in that call's answer.
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

// maxBodyBytes and maxBodyLines limit the part of a body that is shown. JSON longer than maxBodyBytes is
// not indented.
const maxBodyBytes, maxBodyLines = 8 << 10, 60

// body adds the body of a call, after the links into it.
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
	lines := strings.Split(draw.CleanLines(indentJSON(body.Describe())), "\n")
	for i, l := range lines {
		if i == maxBodyLines {
			p.add(draw.TextLine(strings.Repeat(" ", inset+2)+"…", theme.Dim))
			break
		}
		p.add(draw.TextLine(strings.Repeat(" ", inset+2)+l, theme.Plain))
	}
}

// indentJSON indents JSON of at most maxBodyBytes. It cuts any other text to that size.
func indentJSON(data string) string {
	var out bytes.Buffer
	if len(data) <= maxBodyBytes && json.Indent(&out, []byte(data), "", "  ") == nil {
		return out.String()
	}
	return data[:min(len(data), maxBodyBytes)]
}

// checks adds the assertions on the answer's body.
func (p *page) checks(t *model.Test, call int) {
	name := "checks"
	for _, c := range t.Checks {
		if c.Call != call {
			continue
		}
		text := "exists"
		if len(c.Equals) > 0 {
			text = "= " + draw.Clean(string(c.Equals))
		}
		p.value(name, "", draw.Clean(c.Pointer), draw.Span{Text: " " + text, Style: theme.Plain})
		name = ""
	}
}

// differences adds how the answers to a call differ between two plays of a test: before and again.
func (p *page) differences(before, again *model.Test, call int) {
	if again == nil || before == nil {
		return
	}
	for _, d := range differences(*before, *again, call) {
		was := draw.Span{Text: "  was " + draw.Clean(d.before), Style: theme.Dim}
		p.value("≠ "+draw.Clean(d.what), "", draw.Clean(d.after), was)
	}
}

// covers adds the targets for which the search keeps the test.
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

// stubs adds the stubs of a test: first those that the user added, then the test's own.
func (p *page) stubs(added, own []model.Stub) {
	if len(added)+len(own) == 0 {
		return
	}
	p.add(draw.TextLine(" answers of other hosts", theme.Dim))
	for _, stub := range added {
		p.stub(stub, theme.Injected+" ")
	}
	for _, stub := range own {
		p.stub(stub, "")
	}
	if len(added) > 0 {
		text := theme.Injected + " was added by you: 6, then r, plays the test with it; until then its checks may not match."
		p.prose(text, theme.Dim)
	}
	p.add(nil)
}

// rows adds the database rows that a test inserts. t may be nil.
func (p *page) rows(t *model.Test) {
	if t == nil || len(t.Rows) == 0 {
		return
	}
	p.add(draw.TextLine(" rows to insert first; only Go tests can", theme.Dim))
	for _, r := range t.Rows {
		for i, l := range words.Wrap(draw.Clean(r.String()), p.width-inset-2) {
			indent := inset
			if i > 0 {
				indent += 2
			}
			p.add(draw.TextLine(strings.Repeat(" ", indent)+l, theme.Value))
		}
	}
	p.add(nil)
}

// stub adds a stub: its host, its answer, and the messages that it applies to.
func (p *page) stub(s model.Stub, mark string) {
	host := draw.Clean(string(s.Protocol) + " " + s.Host)
	line := draw.TextLine(strings.Repeat(" ", inset), theme.Plain)
	line = append(
		line,
		draw.Span{Text: mark + host + "  ", Style: theme.Plain},
		draw.Span{Text: draw.Clean(s.Summary()), Style: theme.Value},
	)
	if to := draw.Clean(s.Match.String()); to != "" {
		line = append(line, draw.Span{Text: "  to " + to, Style: theme.Dim})
	}
	p.add(line)
}

// mock adds the recorded exchange from which a test was made, and the outward calls that the test expects.
// It adds nothing for other tests.
func (p *page) mock(t *model.Test) {
	if t == nil || t.Mock == nil {
		return
	}
	m := t.Mock
	for _, l := range words.Wrap(draw.Clean(m.About), p.width-2) {
		p.add(draw.TextLine(" "+l, theme.Strong))
	}
	if len(m.ExpectedCalls) > 0 {
		p.add(draw.TextLine(" expects "+words.Plural(len(m.ExpectedCalls), "outgoing call"), theme.Dim))
	}
	for _, c := range m.ExpectedCalls {
		p.expectedCall(t, c)
	}
	if m.Uncertain {
		p.prose("? Some of them may belong to another request: the test has no call oracle.", theme.Warn)
	}
	p.looseComparisons(m)
	p.add(nil)
}

// expectedCall adds an expected outward call with the number of its phase. Calls of the same
// phase may come in any order.
func (p *page) expectedCall(t *model.Test, c model.ExpectedCall) {
	if c.Stub < 0 || c.Stub >= len(t.Stubs) {
		return
	}
	s := t.Stubs[c.Stub]
	line := draw.TextLine(fmt.Sprintf("%*d  ", inset-2, c.Phase+1), theme.Dim)
	p.add(append(
		line,
		draw.Span{Text: draw.Clean(s.Host), Style: theme.Plain},
		draw.Span{Text: "  " + draw.Clean(s.Match.String()), Style: theme.Value},
	))
}

// looseComparisons adds the values of m that a test does not compare exactly, with the reasons.
func (p *page) looseComparisons(m *model.MockTest) {
	all := m.Output
	for _, c := range m.ExpectedCalls {
		all = append(all[:len(all):len(all)], c.Params...)
	}
	head := " not compared exactly"
	for _, e := range all {
		if e.Why == "" {
			continue
		}
		if head != "" {
			p.add(draw.TextLine(head, theme.Dim))
			head = ""
		}
		place := strings.TrimSpace(draw.Clean(string(e.In) + " " + e.Name))
		p.add(draw.Line{
			{Text: strings.Repeat(" ", inset) + place, Style: theme.Plain},
			{Text: "  " + string(e.Comparison) + ": " + draw.Clean(e.Why), Style: theme.Dim},
		})
	}
}
