package seqs

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"
)

// part is a line of the bench.
type part struct {
	line pane.Line
	call int        // of which it is, or where what is added goes
	adds model.OpID // "" for a call
}

// parts are the calls with what they need, and what can be added.
func (s *Screen) parts(width int) (all []part) {
	seq := s.bench.on.Seq
	for i, needs := range s.rows.needs(seq) {
		p := &page{width: width}
		p.head(i, seq[i], 0)
		p.needs(needs)
		for _, l := range p.lines {
			all = append(all, part{line: l, call: i})
		}
		for _, n := range needs {
			all = append(all, offers(n.by, i, width, "before it ")...)
		}
	}
	return append(all, offers(s.rows.next(seq), len(seq), width, "then ")...)
}

// offers are operations that can be added.
func offers(ops []model.OpID, at, width int, where string) (all []part) {
	for _, op := range ops {
		line := pane.Line{}.At(inset, pane.Span{Text: "+ " + where, Style: theme.Dim})
		all = append(all, part{line: append(line, pane.Operation(string(op), width-line.Width())...), call: at, adds: op})
	}
	return all
}

// needs says where each value comes from, or that it is unbound.
func (p *page) needs(all []need) {
	for _, n := range all {
		from := pane.Span{Text: theme.Failed + " unbound", Style: theme.Warn}
		if n.from >= 0 {
			from = pane.Span{Text: fmt.Sprintf("← call %d", n.from+1), Style: theme.Accent}
		}
		p.value(pane.Clean(strings.TrimPrefix(n.name, "/")), string(n.in), "", from)
	}
}

// viewBench draws the bench.
func (s *Screen) viewBench(r pane.Rect) string {
	f := pane.Frame{Title: "Build " + s.bench.on.ID, Width: r.W, Height: r.H, Focused: true}
	w, h := f.Inner()
	all := s.parts(w)
	s.bench.list.Fit(len(all), h)
	from, to := s.bench.list.Visible()
	if to-from < len(all) {
		f.Note = fmt.Sprintf("%d-%d of %d", from+1, to, len(all))
	}
	var rows []string
	for i := from; i < to; i++ {
		rows = append(rows, all[i].line.Render(w, i == s.bench.list.At))
	}
	return f.Render(strings.Join(rows, "\n"))
}
