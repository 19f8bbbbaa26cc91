package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/analysis/depend"
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

// pathsPage returns the page with the ways to an operation.
func pathsPage(q *question, analyzed *screen.AnalyzedSpec, b *pageWriter) []row {
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
		b.path(paths[:i], paths[i])
	}
	if len(paths) > 0 {
		for _, g := range paths[0].LogIns(analyzed.Grants) {
			b.head("As a user of " + draw.Clean(g.Scheme))
			b.rows = append(b.rows, row{line: draw.Line{}.At(4, b.names.Operation(g.From, b.width-5)...), to: g.From})
		}
	}
	b.chosen(q.answer.chosen)
	b.optional(q.answer.optional)
	return b.rows
}

// path writes a way, given those before it: what it has and the one before has not, its steps, and what each takes
// from which.
func (b *pageWriter) path(before []depend.Path, p depend.Path) {
	b.write()
	i := len(before)
	head := draw.Line{}.At(1, draw.Span{Text: fmt.Sprintf("%d. ", i+1), Style: theme.Strong})
	if i > 0 {
		head = append(head, b.difference(before[i-1], p)...)
	}
	b.rows = append(b.rows, row{line: append(head, draw.Span{Text: draw.Clean(p.Summary()), Style: theme.Dim}), way: i + 1})
	column := b.takesColumn(p)
	for k, id := range p.Seq {
		last := k == len(p.Seq)-1
		takes := stepTakes(p, k)
		if last {
			takes = ""
		}
		line := draw.Line{}.At(4, draw.Span{Text: fmt.Sprintf("%d ", k+1), Style: theme.Dim})
		wide := b.width >= narrowPage
		room := b.width - 7
		if wide && takes != "" {
			room = column - 8
		}
		line = append(line, b.operation(id, room)...)
		if wide && takes != "" {
			line = line.At(column, draw.Span{Text: takes, Style: theme.Value})
		}
		b.rows = append(b.rows, row{line: line, to: id, way: i + 1, about: passesAbout(p, k)})
		if !wide && takes != "" {
			b.rows = append(b.rows, row{line: draw.Line{}.At(8, draw.Span{Text: takes, Style: theme.Value}), way: i + 1})
		}
		if last {
			b.sources(p, i+1)
		}
	}
	seen := map[string]bool{}
	for _, o := range p.Outside {
		if seen[o.Taken.ID] {
			continue
		}
		seen[o.Taken.ID] = true
		text := fmt.Sprintf("%s %s must exist: %s", theme.Refused, draw.Clean(o.Taken.Name), draw.Clean(o.Why()))
		for _, l := range words.Wrap(text, max(8, b.width-7)) {
			b.rows = append(b.rows, row{line: draw.Line{}.At(6, draw.Span{Text: l, Style: theme.Warn}), way: i + 1})
		}
	}
}

// difference says which steps the way before has not, or which of its steps are left out.
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

// sources writes a line for each value that the last step of a way takes: its name, and where it comes from.
func (b *pageWriter) sources(p depend.Path, way int) {
	last := len(p.Seq) - 1
	write := func(name, arrow, from string) {
		line := draw.Line{}.At(8, draw.Span{Text: draw.Clean(name), Style: theme.Value})
		column := max(line.Width()+1, min(b.width/3, 26))
		b.rows = append(b.rows, row{line: line.At(column, draw.Span{Text: arrow + from, Style: theme.Dim}), way: way})
	}
	for _, s := range p.Passes {
		if s.To != last {
			continue
		}
		from := fmt.Sprintf("step %d, %s", s.From+1, emittedName(s))
		switch {
		case !s.Emitted.Out:
			from += ", which you choose there"
		case s.Existing:
			from += ", of one that must exist"
		}
		write(s.Taken.Name, "← ", from)
	}
	for _, o := range p.Outside {
		if o.To == last {
			write(o.Taken.Name, theme.Refused+" ", "from outside")
		}
	}
}

// emittedName returns the name of a value in the step from which it comes.
func emittedName(p depend.Pass) string {
	if !p.Declared() {
		return undeclaredName
	}
	return draw.Clean(p.Emitted.Name)
}

// tellApart lets the operations of ways differ where they are shortened.
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

// chosen writes the values of the operation that its client makes up, with an example of the document.
func (b *pageWriter) chosen(all []match.ValueUse) {
	if len(all) == 0 {
		return
	}
	b.head("You choose")
	column := min(b.width/3, 30)
	for _, u := range all {
		text := cmp.Or(u.Type, "any value")
		if example := u.Example(); example != nil {
			text += ", such as " + choice([]any{example}, 1)
		}
		line := draw.Line{}.At(4, draw.Span{Text: draw.Clean(u.Name), Style: theme.Value})
		b.write(line.At(max(column, line.Width()+1), draw.Span{Text: text, Style: theme.Dim})...)
	}
}

// takesColumn returns the column of what the steps take: after the longest step or, if there is less room,
// where the longest of the texts fits.
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

// passesAbout says which field each value of a step comes from.
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

// optional writes the references that the operation can take without requiring them.
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
		if o.From == "" {
			b.write(line.At(column, draw.Span{Text: "no operation creates or lists it", Style: theme.Dim})...)
			continue
		}
		line = line.At(column, b.operation(o.From, b.width-column-1)...)
		b.rows = append(b.rows, row{line: line, to: o.From})
	}
	if len(all) > fewOptional+1 {
		b.more(4, len(all)-fewOptional, "value", "optional")
	}
}

// way returns the path under the cursor, or the first one. It is false if no path is shown.
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
