package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// justJudged is the row of the test that was judged last; the kept ones follow.
const justJudged = 0

// test is the one under the cursor, nil where none was judged yet.
func (m Model) test() *model.Test {
	tests := m.watch.facts.tests
	if at := m.lists[partTests].At; at < len(tests) {
		return tests[at]
	}
	return nil
}

func (m Model) viewTests(width int) string {
	var rows []string
	from, to := m.lists[partTests].Visible()
	for i := from; i < to; i++ {
		rows = append(rows, m.viewTest(i, width).Render(width, m.marked(partTests, i)))
	}
	return strings.Join(rows, "\n")
}

// viewTest draws a test: its ID, how it came about, its calls and what the last
// of them was answered.
func (m Model) viewTest(i, width int) pane.Line {
	t := m.watch.facts.tests[i]
	id, end := "last", width-len("✓ 201 ")
	if i > justJudged {
		id = pane.Clean(t.ID)
	}
	line := append(pane.Line{m.cursor(partTests, i)}, pane.Span{Text: id, Style: theme.Dim})
	if t == nil || len(t.Calls) == 0 {
		return line
	}
	at := 9
	if width >= 56 {
		line = line.At(at, pane.Span{Text: ruleWord(t), Style: theme.Dim})
		at += 10
	}
	line = line.At(at, m.names.Spans(t.Seq(), end-at-1)...)
	return line.At(end, answered(t.Calls[len(t.Calls)-1].Status))
}

// answered is the glyph and the number of a status.
func answered(status int) pane.Span {
	glyph, style := theme.Class(status)
	text := strconv.Itoa(status)
	if status == 0 {
		text = "—  "
	}
	return pane.Span{Text: glyph + " " + text, Style: style}
}

func ruleWord(t *model.Test) string {
	if t.Birth == nil {
		return ""
	}
	return pane.Clean(string(t.Birth.Rule))
}

// why says all of a test: what its calls were answered, how the search came by
// it, and what it covers.
func (m Model) why(width int) []string {
	t := m.test()
	if t == nil {
		return words.Wrap("No test was judged yet.", width)
	}
	var rows []string
	for i, c := range t.Calls {
		line := pane.Line{{Text: fmt.Sprintf("%*d ", len(strconv.Itoa(len(t.Calls))), i+1), Style: theme.Dim}, answered(c.Status), {Text: " "}}
		rows = append(rows, append(line, operation(c.Op, width-line.Width())...).String())
	}
	for _, f := range m.birthFacts(t) {
		rows = append(rows, labelled(f[0], pane.Clean(f[1]), width)...)
	}
	return rows
}

// birthFacts are labels and what is to be said of a test after its calls.
func (m Model) birthFacts(t *model.Test) [][2]string {
	var facts [][2]string
	if b := t.Birth; b != nil {
		facts = append(facts, [2]string{"new", list(b.First, b.Code, "nothing that was not covered")}, [2]string{"how", how(b)})
		if b.Target != "" {
			facts = append(facts, [2]string{"sought", b.Target})
		}
		if b.Template != "" {
			facts = append(facts, [2]string{"template", "for " + string(b.Template)})
		}
		facts = append(facts, [2]string{"when", "asked for at call " + words.Count(b.Call)})
	}
	if t.EarlierState != "" {
		facts = append(facts, [2]string{"depends", "on earlier state: " + t.EarlierState})
	}
	return append(facts, [2]string{"kept for", m.keptFor(t)})
}

// keptFor are the targets that a test is kept for; the one that was judged last
// may be in the archive, too.
func (m Model) keptFor(t *model.Test) string {
	for i := range m.watch.snap.Tests {
		if kept := &m.watch.snap.Tests[i]; kept.ID == t.ID {
			t = kept
		}
	}
	return list(t.Covers, t.Code, "nothing so far")
}

// list lists targets, those in the service's source by their number.
func list(all []string, code int, none string) string {
	if code > 0 {
		all = append(slices.Clip(all), words.InCode(code))
	}
	if len(all) == 0 {
		return none
	}
	return strings.Join(all, ", ")
}

// how says by which rule a test was made.
func how(b *model.Birth) string {
	switch b.Rule {
	case model.ByPerson:
		return "made of a seq that you gave"
	case model.ByBegin:
		return "after a template, as each search begins"
	case model.ByRecord:
		return "of the recording that you gave"
	case model.ByTemplate:
		return "sampled smartly, after a template"
	case model.BySweep:
		return swept(b.Parent)
	case model.ByChance:
		return "sampled at random"
	case model.ByMutation:
		return "mutated from " + b.Parent + ", by changing " + changed(b.Change)
	case model.ByMinimise:
		return "made smaller from " + b.Parent
	}
	return string(b.Rule)
}

// swept says how a test has to do with a sweep.
func swept(of string) string {
	if of != "" {
		return "what the sweep " + of + " found, tried alone"
	}
	return "a sweep: one operation again and again, each time with another value changed"
}

// changed says what a mutation changes.
func changed(what string) string {
	switch what {
	case "values":
		return "values"
	case "structure":
		return "how many calls there are"
	case "user":
		return "who calls"
	case "outside":
		return "what other hosts answer"
	}
	return what
}

// stay keeps the cursor on its test when others come and go; on the one that
// was judged last it stays there.
func (m *Model) stay(before *model.Test) {
	l := &m.lists[partTests]
	if l.At == justJudged || before == nil {
		return
	}
	for i, t := range m.watch.facts.tests {
		if i > justJudged && t.ID == before.ID {
			l.Top += i - l.At
			l.At = i
			return
		}
	}
}
