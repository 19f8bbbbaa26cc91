package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// firstKept is the row of the first kept test. The row above shows the test that was judged last.
const firstKept = 1

// testsPane lists the test that was judged last, and the tests that are kept.
type testsPane struct{ list widget.List }

// fit sets the number of rows, and how many of them fit into a pane of height lines.
func (p *testsPane) fit(v runView, height int) { p.list.Fit(len(v.run.facts.tests), max(1, height-2)) }

// chosen returns the test under the cursor, nil if no test was judged yet.
func (p *testsPane) chosen(v runView) *model.Test {
	if tests := v.run.facts.tests; p.list.At < len(tests) {
		return tests[p.list.At]
	}
	return nil
}

// restore keeps the cursor on its test when other tests are added or removed. A cursor in the first row
// stays there.
func (p *testsPane) restore(v runView, before *model.Test) {
	l := &p.list
	if l.At < firstKept || before == nil {
		return
	}
	for i, t := range v.run.facts.tests {
		if i >= firstKept && t.ID == before.ID {
			l.Top += i - l.At
			l.At = i
			return
		}
	}
}

func (p *testsPane) view(v runView, width int, focused bool) string {
	var rows []string
	from, to := p.list.Visible()
	for i := from; i < to; i++ {
		t, id, marked := v.run.facts.tests[i], "last", focused && i == p.list.At
		if i >= firstKept {
			id = draw.Clean(t.ID)
		}
		line := append(draw.Line{rowCursor(marked)}, v.testRow(t, id, width-2)...)
		rows = append(rows, line.Render(width, marked))
	}
	return strings.Join(rows, "\n")
}

// testRow draws a test: its ID, the rule that made it, its calls and the last answer. If t is nil, it draws
// only the ID. In a narrow pane it leaves out the rule.
func (v runView) testRow(t *model.Test, id string, width int) draw.Line {
	line := draw.TextLine(id, theme.Dim)
	if t == nil || len(t.Calls) == 0 {
		return line
	}
	at, end := 7, width-len("✓ 201 ")
	if width >= 54 {
		line = line.At(at, draw.Span{Text: ruleWord(t), Style: theme.Dim})
		at += 10
	}
	line = line.At(at, v.names.Spans(t.Seq(), end-at-1)...)
	return line.At(end, answered(t.Calls[len(t.Calls)-1].Status))
}

// answered draws the glyph and the number of a status.
func answered(status int) draw.Span {
	glyph, style := theme.Class(status)
	text := strconv.Itoa(status)
	if status == 0 {
		text = "—  "
	}
	return draw.Span{Text: glyph + " " + text, Style: style}
}

func ruleWord(t *model.Test) string {
	if t.Lineage == nil {
		return ""
	}
	return draw.Clean(string(t.Lineage.Rule))
}

// whyLines describes a test: the answers to its calls, its creation, and what it covers. The test may be
// nil.
func (v runView) whyLines(t *model.Test, width int) []string {
	if t == nil {
		return words.Wrap("No test was judged yet.", width)
	}
	var rows []string
	for i, c := range t.Calls {
		line := draw.Line{
			{Text: fmt.Sprintf("%*d ", len(strconv.Itoa(len(t.Calls))), i+1), Style: theme.Dim},
			answered(c.Status),
			{Text: " "},
		}
		rows = append(rows, append(line, v.operation(c.Op, width-line.Width())...).String())
	}
	for _, f := range v.birthFacts(t) {
		rows = append(rows, labelled(f[0], draw.Clean(f[1]), width)...)
	}
	return rows
}

// birthFacts returns facts about the creation of a test and about its coverage. Each fact is a label and a text.
func (v runView) birthFacts(t *model.Test) [][2]string {
	var facts [][2]string
	if b := t.Lineage; b != nil {
		facts = append(facts, [2]string{"new", list(b.First, b.Code, "nothing that was not covered")}, [2]string{"how", ruleText(b)})
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
	return append(facts, [2]string{"kept for", v.keptFor(t)})
}

// keptFor returns the targets for which a test is kept. The test that was judged last may be kept, too.
func (v runView) keptFor(t *model.Test) string {
	for i := range v.run.snap.Tests {
		if kept := &v.run.snap.Tests[i]; kept.ID == t.ID {
			t = kept
		}
	}
	return list(t.Covers, t.Code, "nothing so far")
}

// list joins the names of targets and a text about the code targets, whose number is code. If there are no targets, it
// returns the text none.
func list(all []string, code int, none string) string {
	if code > 0 {
		all = append(slices.Clip(all), words.InCode(code))
	}
	if len(all) == 0 {
		return none
	}
	return strings.Join(all, ", ")
}

// ruleText describes the rule by which a test was made.
func ruleText(b *model.TestLineage) string {
	switch b.Rule {
	case model.FromPerson:
		return "made from a seq of yours"
	case model.FromInitialTemplate:
		return "from a template, as each search begins"
	case model.FromRecording:
		return "taken from your recording"
	case model.FromTemplate:
		return "smart sampling, from a template"
	case model.FromSweep:
		return sweepText(b.Parent)
	case model.FromNegative:
		return "a negative test: inputs of one operation that it should refuse, or survive"
	case model.FromInteraction:
		return "an interaction test: one operation after another has changed what it depends on"
	case model.FromAttempt:
		return "an attempt: an operation without a 2xx, with values from other answers"
	case model.FromRandomCalls:
		return "sampled at random"
	case model.FromMigration:
		return "from another island of the search"
	case model.FromMutation:
		return "mutated from " + b.Parent + ", by changing " + changeText(b.Change)
	case model.FromMinimisation:
		return "minimised from " + b.Parent
	}
	return string(b.Rule)
}

// sweepText describes a sweep. If parent is the ID of a sweep, it describes a test that was made for a finding of
// that sweep.
func sweepText(parent string) string {
	if parent != "" {
		return "a finding of the sweep " + parent + ", tried alone"
	}
	return "a sweep: one operation many times, with another value changed each time"
}

// changeText describes what a mutation has changed.
func changeText(kind string) string {
	switch kind {
	case "values":
		return "values"
	case "structure":
		return "how many calls there are"
	case "user":
		return "who calls"
	case "rows":
		return "the rows in the database"
	case "outside":
		return "what other hosts answer"
	}
	return kind
}
