package draw

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/theme"
)

// ditto replaces a call that the row above has at the same place.
const ditto = "″"

// Rows draws a list of seqs, one in each row, in at most width cells. A call is named by its whole path if there is
// room. A ditto sign replaces each of the first calls that a row shares with the row above. Names are shortened, and
// calls are left out, only so far that different seqs still look different. A seq without calls is an empty line, and
// the row below it has no ditto signs.
func (n SeqNames) Rows(seqs []model.Seq, width int) []Line {
	rows := make([]seqRow, len(seqs))
	last := pathSet{}
	for i, seq := range seqs {
		rows[i] = seqRow{seq: seq, calls: n.links(seq), width: max(0, width)}
		if len(seq) > 0 {
			last.add(rows[i].lastCall())
		}
	}
	lines := make([]Line, len(rows))
	for i := range rows {
		if i > 0 {
			rows[i].shareWith(&rows[i-1])
		}
		rows[i].fit(last)
	}
	tellRowsApart(rows)
	for i, r := range rows {
		lines[i] = r.line
	}
	return lines
}

// seqRow is a row of a list of seqs.
type seqRow struct {
	seq    model.Seq
	calls  []link
	shared int // number of first calls that this row and the row above have in common
	shown  int // number of first calls that the row shows, in full or as ditto signs
	width  int
	line   Line
}

func (r *seqRow) lastCall() link { return r.calls[len(r.calls)-1] }

// shareWith sets the number of first calls that the row shares with the row above. The last call is never
// shared.
func (r *seqRow) shareWith(above *seqRow) {
	for r.shared < min(above.shown, len(r.calls)-1) && above.calls[r.shared] == r.calls[r.shared] {
		r.shared++
	}
}

// nameOf is a function that returns a name of a call: its short name, for example, or its whole path.
type nameOf func(link) string

func wholeName(l link) string {
	if l.given {
		return l.name
	}
	return nameless(l.path)
}

func shortName(l link) string { return l.name }
func cutName(l link) string   { return CutMiddle(l.name, 6) }
func noName(link) string      { return "" }

// fit draws the row with the longest names that fit. The parameter last has the paths of the last calls of all rows.
func (r *seqRow) fit(last pathSet) {
	if len(r.calls) == 0 {
		return
	}
	before := len(r.calls) - r.shared - 1
	r.shown = len(r.calls)
	for _, earlier := range []nameOf{wholeName, shortName} {
		r.line = r.draw(before, earlier, wholeName)
		if r.line.Width() <= r.width {
			return
		}
	}
	for _, form := range []struct {
		before  int
		earlier nameOf
	}{{before, shortName}, {min(before, 1), shortName}, {min(before, 1), cutName}, {0, noName}} {
		room := r.width - r.draw(form.before, form.earlier, noName).Width()
		r.line = r.draw(form.before, form.earlier, func(l link) string { return last.shorten(l, max(1, room)) }).Cut(r.width)
		if form.before < before {
			r.shown = r.shared + form.before
		}
		if room >= leastRoom(r.lastCall()) {
			return
		}
	}
}

// draw draws the row: a ditto sign for each shared call, some of the following calls, and the last call. The parameter
// before is the number of calls to draw before the last one. An ellipsis replaces the calls that are left out. The
// function last returns the name of the last call, and the function earlier returns that of any other call.
func (r *seqRow) draw(before int, earlier, last nameOf) Line {
	line := r.outline()
	calls := r.calls[r.shared : len(r.calls)-1]
	for _, l := range calls[:before] {
		line = append(append(line, l.spans(earlier)...), dimSpan(arrow))
	}
	if before < len(calls) {
		line = append(line, dimSpan(more+arrow))
	}
	return append(line, r.lastCall().spans(last)...)
}

// outline draws a ditto sign for each shared call. For more than three shared calls, it draws an ellipsis and one
// sign.
func (r *seqRow) outline() Line {
	const most = 3
	switch {
	case r.shared == 0:
		return nil
	case r.shared > most:
		return Line{dimSpan(more + arrow + ditto + arrow)}
	}
	return Line{dimSpan(strings.Repeat(ditto+arrow, r.shared))}
}

func dimSpan(text string) Span { return Span{Text: text, Style: theme.Dim} }

// squeezed draws all calls that are not shared, in columns of the same width.
func (r *seqRow) squeezed() Line {
	before := len(r.calls) - r.shared - 1
	room := max(1, (r.width-r.draw(before, noName, noName).Width())/(before+1))
	cut := func(l link) string { return CutMiddle(l.name, room) }
	return r.draw(before, cut, cut).Cut(r.width)
}

// tellRowsApart looks for rows that look alike although their seqs differ. It draws these rows again in columns of
// equal width (see squeezed), if they then look different.
func tellRowsApart(rows []seqRow) {
	alike := map[string][]*seqRow{}
	for i := range rows {
		if len(rows[i].seq) > 0 {
			text := rows[i].whole()
			alike[text] = append(alike[text], &rows[i])
		}
	}
	for _, twins := range alike {
		if !differ(twins) {
			continue
		}
		squeezed := make([]Line, len(twins))
		for i, r := range twins {
			squeezed[i] = r.squeezed()
		}
		if slices.ContainsFunc(squeezed, func(l Line) bool { return l.Text() != squeezed[0].Text() }) {
			for i, r := range twins {
				r.line = squeezed[i]
			}
		}
	}
}

// whole returns the text of a row with its shared calls.
func (r *seqRow) whole() string {
	var b strings.Builder
	for _, l := range r.calls[:r.shared] {
		b.WriteString(l.method + l.name + arrow)
	}
	return b.String() + r.line.Text()
}

func differ(rows []*seqRow) bool {
	return slices.ContainsFunc(rows, func(r *seqRow) bool { return !slices.Equal(r.seq, rows[0].seq) })
}
