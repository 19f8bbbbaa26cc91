package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// fewOptional is the number of optional values that are never folded.
const fewOptional = 6

// pathsPage returns the page with the paths to an operation.
func pathsPage(op model.OpID, q *question, analyzed *screen.AnalyzedSpec, b *pageWriter) []row {
	if q.answer == nil {
		b.write(draw.Span{Text: " Finding the ways to this operation …", Style: theme.Dim})
		return b.rows
	}
	paths := q.answer.paths
	b.write(draw.Span{Text: " Paths to here", Style: theme.Strong},
		draw.Span{Text: "   " + words.Plural(len(paths), "way") + ", the best first", Style: theme.Dim})
	if len(paths) == 1 && len(paths[0].Seq) == 1 && len(paths[0].Outside) == 0 {
		b.write(draw.Span{Text: " Nothing must exist first.", Style: theme.Good})
	}
	b.tellApart(paths)
	for i := range paths {
		b.path(paths[:i], paths[i], q.answer.chosen)
	}
	if len(paths) > 0 {
		for _, g := range paths[0].LogIns(analyzed.Grants) {
			b.head("As a user of " + draw.Clean(g.Scheme))
			b.rows = append(b.rows, row{line: draw.Line{}.At(4, b.names.Operation(g.From, b.width-5)...), to: g.From})
		}
	}
	if all := q.answer.chosen[op]; len(all) > 0 {
		b.head("You choose")
		for _, u := range all {
			b.value(u.Name, madeUp(u), 4, min(b.width/3, 30), 0)
		}
	}
	b.optional(q.answer.optional)
	return b.rows
}

// say writes a row with a remark. The remark repeats the text of the row, which may be too long for the
// line.
func (b *pageWriter) say(line draw.Line, about string, way int) {
	b.rows = append(b.rows, row{line: line, about: draw.TextLine(about, theme.Dim), way: way})
}

// path writes a path: its difference from the path before, its steps, and the values that each step takes.
// before has the paths above it.
func (b *pageWriter) path(before []depend.Path, p depend.Path, chosen map[model.OpID][]match.ValueUse) {
	b.write()
	way := len(before) + 1
	head := draw.Line{}.At(1, draw.Span{Text: fmt.Sprintf("%d. ", way), Style: theme.Strong})
	if way > 1 {
		head = append(head, b.difference(before[way-2], p)...)
	}
	summary := draw.Clean(p.Summary())
	b.say(append(head, draw.Span{Text: summary, Style: theme.Dim}), summary, way)
	column := b.takesColumn(p)
	for k := range p.Seq {
		b.step(p, k, way, column, chosen)
	}
	seen := map[string]bool{}
	for _, o := range p.Outside {
		if seen[o.Taken.ID] {
			continue
		}
		seen[o.Taken.ID] = true
		text := fmt.Sprintf("%s %s must exist: %s", theme.Refused, draw.Clean(o.Taken.Name), draw.Clean(o.Why()))
		for _, l := range words.Wrap(text, max(8, b.width-7)) {
			b.say(draw.Line{}.At(6, draw.Span{Text: l, Style: theme.Warn}), text, way)
		}
	}
}

// step writes a step of a path. If the step is unfolded, as the last one is initially, each value that it
// takes has a row. Otherwise the step's row lists the values, starting at column.
func (b *pageWriter) step(p depend.Path, k, way, column int, chosen map[model.OpID][]match.ValueUse) {
	id, last := p.Seq[k], k == len(p.Seq)-1
	fold := fmt.Sprintf("way %d step %d", way, k+1)
	unfolded := b.unfolded(fold, last)
	takes := stepTakes(p, k)
	if unfolded {
		takes = ""
	}
	wide := b.width >= narrowPage
	room := b.width - 7
	if wide && takes != "" {
		room = column - 8
	}
	line := draw.Line{}.At(4, draw.Span{Text: fmt.Sprintf("%d ", k+1), Style: theme.Dim})
	line = b.marked(append(line, b.operation(id, room)...), 2, fold, last)
	if wide && takes != "" {
		line = line.At(column, draw.Span{Text: takes, Style: theme.Value})
	}
	b.rows = append(b.rows, row{line: line, to: id, fold: fold, way: way, about: passesAbout(p, k)})
	if !wide && takes != "" {
		b.say(draw.Line{}.At(8, draw.Span{Text: takes, Style: theme.Value}), takes, way)
	}
	if !unfolded {
		return
	}
	first := len(b.rows)
	b.sources(p, k, way)
	if !last { // the values of the last step are listed below all paths
		for _, u := range chosen[id] {
			b.value(u.Name, "you choose: "+madeUp(u), 8, b.sourceColumn(), way)
		}
	}
	if len(b.rows) == first && !last {
		b.value("needs nothing", "", 8, b.sourceColumn(), way)
	}
}

// difference describes the steps that p has in addition to the path before, or the steps that it lacks.
func (b *pageWriter) difference(before, p depend.Path) draw.Line {
	word, steps := p.Difference(before)
	if len(steps) == 0 {
		return nil
	}
	line := draw.TextLine(word+" ", theme.Plain)
	line = append(line, b.operation(steps[0], max(20, b.width/2))...)
	if more := len(steps) - 1; more > 0 {
		line = append(line, draw.Span{Text: fmt.Sprintf(" and %d more", more), Style: theme.Plain})
	}
	return append(line, draw.Span{Text: "   "})
}

// sourceColumn is the column for the source of a value, if the value's name is not longer.
func (b *pageWriter) sourceColumn() int { return min(b.width/3, 26) }

// sources writes a row for each value that a step takes, with the name and the source of the value.
func (b *pageWriter) sources(p depend.Path, step, way int) {
	for _, s := range p.Passes {
		if s.To != step {
			continue
		}
		from := fmt.Sprintf("step %d, %s", s.From+1, emittedName(s))
		switch {
		case !s.Emitted.Out:
			from += ", which you choose there"
		case s.Existing:
			from += ", of one that must exist"
		}
		b.value(s.Taken.Name, "← "+from, 8, b.sourceColumn(), way)
	}
	for _, o := range p.Outside {
		if o.To == step {
			b.value(o.Taken.Name, theme.Refused+" from outside", 8, b.sourceColumn(), way)
		}
	}
}

// emittedName returns the name of a value in the step that emits it.
func emittedName(p depend.Pass) string {
	if !p.Declared() {
		return undeclaredName
	}
	return draw.Clean(p.Emitted.Name)
}

// tellApart sets a shortener that keeps the operations of paths distinct.
func (b *pageWriter) tellApart(all []depend.Path) {
	var ids []string
	for _, p := range all {
		for _, op := range p.Seq {
			if !slices.Contains(ids, string(op)) {
				ids = append(ids, string(op))
			}
		}
	}
	b.shortener = draw.NewPathShortener(ids)
}

// value writes a row with the name of a value at one column and a text about it at another.
func (b *pageWriter) value(name, text string, at, column, way int) {
	line := draw.Line{}.At(at, draw.Span{Text: draw.Clean(name), Style: theme.Value})
	b.say(line.At(max(column, line.Width()+1), draw.Span{Text: text, Style: theme.Dim}), draw.Clean(name)+"  "+text, way)
}

// madeUp describes the type of a value that the client chooses, with an example from the document.
func madeUp(u match.ValueUse) string {
	text := cmp.Or(u.Type, "any value")
	if example := u.Example(); example != nil {
		text += ", such as " + choice([]any{example}, 1)
	}
	return text
}

// takesColumn returns the column for the values that the steps take. It is after the longest step or, if
// there is less room, at the column where the longest text fits.
func (b *pageWriter) takesColumn(p depend.Path) int {
	step, takes := 0, 0
	for k, id := range p.Seq[:max(0, len(p.Seq)-1)] {
		step, takes = max(step, b.operation(id, b.width).Width()), max(takes, ansi.StringWidth(stepTakes(p, k)))
	}
	return min(step+9, max(b.width/3, b.width-takes-1))
}

// stepTakes lists what a step takes from earlier ones: "repo, owner ← 1".
func stepTakes(p depend.Path, step int) string {
	var list []string
	for from := range step {
		var names []string
		for _, s := range p.Passes {
			if s.To == step && s.From == from {
				names = append(names, draw.Clean(s.Taken.Name))
			}
		}
		if names != nil {
			list = append(list, fmt.Sprintf("%s ← %d", strings.Join(names, ", "), from+1))
		}
	}
	for _, o := range p.Outside {
		if o.To == step {
			list = append(list, draw.Clean(o.Taken.Name)+" ← outside")
		}
	}
	return strings.Join(list, "; ")
}

// passesAbout describes which field each value of a step comes from.
func passesAbout(p depend.Path, step int) draw.Line {
	var list []string
	for _, s := range p.Passes {
		if s.To == step {
			list = append(list, fmt.Sprintf("%s is %s of step %d", draw.Clean(s.Taken.Name), emittedName(s), s.From+1))
		}
	}
	if list == nil {
		return nil
	}
	return draw.TextLine(strings.Join(list, ", "), theme.Dim)
}

// optional writes the optional references of the operation.
func (b *pageWriter) optional(all []depend.OptionalValue) {
	if len(all) == 0 {
		return
	}
	b.head("It can also refer to")
	shown := all
	if len(all) > fewOptional+1 && !b.unfolded("optional", false) {
		shown = all[:fewOptional]
	}
	column := min(b.width/3, 30)
	for _, o := range shown {
		line := draw.Line{}.At(4, draw.Span{Text: draw.Clean(o.Taken.Name), Style: theme.Value})
		line = line.At(column, b.operation(o.From, b.width-column-1)...)
		b.rows = append(b.rows, row{line: line, to: o.From})
	}
	if len(all) > fewOptional+1 {
		b.more(4, len(all)-fewOptional, "value", "optional")
	}
}

// way returns the path under the cursor, or the first one. It returns false if no path is shown.
func (s *Screen) way() (depend.Path, bool) {
	if s.question.view != viewPaths || s.question.answer == nil || len(s.question.answer.paths) == 0 {
		return depend.Path{}, false
	}
	i := 0
	if r := s.page.current(); r != nil && r.way > 0 && s.reading {
		i = r.way - 1
	}
	return s.question.answer.paths[i], true
}

// sendWay opens a request of the operation, with the calls of the path under the cursor before it.
func (s *Screen) sendWay() tea.Cmd {
	p, _ := s.way()
	draft := s.draftTemplate
	op := s.shown
	return func() tea.Msg {
		t, err := draft(p.Template())
		if err != nil {
			return screen.StatusMessage{Err: err}
		}
		return screen.ComposeRequest{Op: op, Test: &t}
	}
}

// keepWay keeps the path under the cursor as a seq, on the Seqs screen.
func (s *Screen) keepWay() tea.Cmd {
	p, _ := s.way()
	return s.post.Send(screen.KeepSeq{Seq: p.Seq})
}
