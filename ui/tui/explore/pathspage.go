package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// fewOptional is the number of optional values that the page always shows. Further values are folded.
const fewOptional = 6

// pathsWriter writes the paths to an operation to its page, one after the other.
type pathsWriter struct {
	page   *pageWriter
	chosen map[model.OpID][]chosenValue // key: ID of an operation in the paths
	way    int                          // the number of the current path, from 1; 0 outside of the paths
}

// pathsPage writes the page with the paths to an operation.
func pathsPage(op model.OpID, q *question, analyzed *screen.AnalyzedSpec, b *pageWriter) {
	if q.answer == nil {
		b.write(draw.Span{Text: " Finding the ways to this operation …", Style: theme.Dim})
		return
	}
	w := pathsWriter{page: b, chosen: q.answer.chosen}
	w.paths(q.answer.paths)
	if len(q.answer.paths) > 0 {
		for _, g := range q.answer.paths[0].LogIns(analyzed.Grants) {
			b.head("As a user of " + draw.Clean(g.Scheme))
			b.rows = append(b.rows, row{line: draw.Line{}.At(4, b.names.Operation(g.From, b.width-5)...), to: g.From})
		}
	}
	if all := w.chosen[op]; len(all) > 0 && len(q.answer.paths) == 0 {
		b.head("You choose")
		for _, v := range all {
			w.value(v.Name, madeUp(v), 4, min(b.width/3, 30))
		}
	}
	b.optional(q.answer.optional)
}

// paths writes all paths.
func (w *pathsWriter) paths(all []depend.Path) {
	b := w.page
	b.write(draw.Span{Text: " Paths to here", Style: theme.Strong},
		draw.Span{Text: "   " + words.Plural(len(all), "way") + ", the best first", Style: theme.Dim})
	b.write(draw.Span{Text: hintOfPaths, Style: theme.Dim})
	if len(all) == 1 && len(all[0].Seq) == 1 && len(all[0].Outside) == 0 {
		b.write(draw.Span{Text: " Nothing must exist first.", Style: theme.Good})
	}
	b.shortener = pathsShortener(all)
	for i := range all {
		w.way = i + 1
		w.path(all[:i], all[i])
	}
	w.way = 0
}

// pathsShortener returns a shortener that keeps the operations of paths distinct.
func pathsShortener(all []depend.Path) *draw.PathShortener {
	var ids []string
	for _, p := range all {
		for _, op := range p.Seq {
			if !slices.Contains(ids, string(op)) {
				ids = append(ids, string(op))
			}
		}
	}
	return draw.NewPathShortener(ids)
}

// say writes a row. about is the whole text of the row. The foot of the page shows it, because the row may be cut.
func (w *pathsWriter) say(line draw.Line, about string) {
	w.page.rows = append(w.page.rows, row{line: line, about: draw.TextLine(about, theme.Dim), way: w.way})
}

// path writes a path: how it differs from the previous path, its steps, and the values that each step takes. before has
// all paths that come before it on the page.
func (w *pathsWriter) path(before []depend.Path, p depend.Path) {
	w.page.write()
	head := draw.Line{}.At(1, draw.Span{Text: fmt.Sprintf("%d. ", w.way), Style: theme.Strong})
	if len(before) > 0 {
		head = append(head, w.difference(before[len(before)-1], p)...)
	}
	summary := draw.Clean(p.Summary())
	w.say(append(head, draw.Span{Text: summary, Style: theme.Dim}), summary)
	column := w.takesColumn(p)
	for k := range p.Seq {
		w.step(p, k, column)
	}
	seen := map[string]bool{}
	for _, o := range p.Outside {
		if seen[o.Taken.ID] {
			continue
		}
		seen[o.Taken.ID] = true
		text := fmt.Sprintf("%s %s must exist: %s", theme.Refused, draw.Clean(o.Taken.Name), draw.Clean(o.Why()))
		for _, l := range words.Wrap(text, max(8, w.page.width-7)) {
			w.say(draw.Line{}.At(6, draw.Span{Text: l, Style: theme.Warn}), text)
		}
	}
}

// step writes a step of a path. If the step is unfolded, each value that the step takes has a row. The last step is
// initially unfolded. If the step is folded, its own row lists the values, starting at column. On a narrow page, a
// row below the step lists them.
func (w *pathsWriter) step(p depend.Path, k, column int) {
	b := w.page
	id, last := p.Seq[k], k == len(p.Seq)-1
	fold := fmt.Sprintf("way %d step %d", w.way, k+1)
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
	b.rows = append(b.rows, row{line: line, to: id, fold: fold, way: w.way, about: passesAbout(p, k)})
	if !wide && takes != "" {
		w.say(draw.Line{}.At(8, draw.Span{Text: takes, Style: theme.Value}), takes)
	}
	if !unfolded {
		return
	}
	first := len(b.rows)
	w.sources(p, k)
	if !last || w.way == 1 { // the last step is the same in all paths
		for _, v := range w.chosen[id] {
			w.value(v.Name, "you choose: "+madeUp(v), 8, w.sourceColumn())
		}
	}
	if len(b.rows) == first && !last {
		w.value("needs nothing", "", 8, w.sourceColumn())
	}
}

// difference describes the steps that a path has in addition to the previous path or, if there are none, the steps that
// it lacks.
func (w *pathsWriter) difference(before, p depend.Path) draw.Line {
	word, steps := p.Difference(before)
	if len(steps) == 0 {
		return nil
	}
	line := draw.TextLine(word+" ", theme.Plain)
	line = append(line, w.page.operation(steps[0], max(20, w.page.width/2))...)
	if more := len(steps) - 1; more > 0 {
		line = append(line, draw.Span{Text: fmt.Sprintf(" and %d more", more), Style: theme.Plain})
	}
	return append(line, draw.Span{Text: "   "})
}

// sourceColumn is the column in which the source of a value begins, unless the value's name reaches beyond this
// column.
func (w *pathsWriter) sourceColumn() int { return min(w.page.width/3, 26) }

// sources writes a row for each value that a step takes, with the name and the source of the value.
func (w *pathsWriter) sources(p depend.Path, step int) {
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
		w.value(s.Taken.Name, "← "+from, 8, w.sourceColumn())
	}
	for _, o := range p.Outside {
		if o.To == step {
			w.value(o.Taken.Name, theme.Refused+" from outside", 8, w.sourceColumn())
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

// value writes a row with the name of a value and a text about the value. The parameters at and column are the columns
// in which the name and the text begin. If the name is long, the text begins further right.
func (w *pathsWriter) value(name, text string, at, column int) {
	line := draw.Line{}.At(at, draw.Span{Text: draw.Clean(name), Style: theme.Value})
	w.say(line.At(max(column, line.Width()+1), draw.Span{Text: text, Style: theme.Dim}), draw.Clean(name)+"  "+text)
}

// maxDescription is the maximum number of letters of the description of a value that the client chooses.
const maxDescription = 160

// madeUp describes the type of a value that the client chooses, with an example and the description from the
// document.
func madeUp(v chosenValue) string {
	text := cmp.Or(v.Type, "any value")
	if example := v.Example(); example != nil {
		text += ", such as " + draw.ValueList([]any{example}, 1)
	}
	if about := bare(v.description); about != "" {
		text += ": " + ansi.Truncate(about, maxDescription, "…")
	}
	return text
}

// takesColumn returns the column of the values that steps take. It is to the right of the longest step. If there is
// less room, it is the last column in which the longest list of values still fits.
func (w *pathsWriter) takesColumn(p depend.Path) int {
	step, takes := 0, 0
	for k, id := range p.Seq[:max(0, len(p.Seq)-1)] {
		step, takes = max(step, w.page.operation(id, w.page.width).Width()), max(takes, ansi.StringWidth(stepTakes(p, k)))
	}
	return min(step+9, max(w.page.width/3, w.page.width-takes-1))
}

// stepTakes lists what a step takes from earlier steps: "repo, owner ← 1".
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

// optional writes the optional inputs of the operation that refer to resources.
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

// sendWay opens a request of the operation. The calls of the path under the cursor are sent before the request.
func (s *Screen) sendWay() tea.Cmd {
	p, _ := s.page.way()
	draft := s.draftTemplate
	op := s.page.op
	return func() tea.Msg {
		t, err := draft(p.Template())
		if err != nil {
			return screen.StatusMessage{Err: err}
		}
		return screen.ComposeRequest{Op: op, Test: &t}
	}
}
