package seqs

import (
	"fmt"
	"slices"
	"strings"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/tui/screen"
)

// listing is the distilled seqs: those that one rule lists, and of the others
// those that are picked. A seq is one row, and has one ID, whatever lists it.
type listing struct {
	rule   distil.Rule
	dc     distil.Listing
	longer []model.Seq     // by DC, too, beyond the length that is listed
	sc     *distil.Listing // nil until it was listed
	rows   []*row          // by the rule, in its order
	stray  []*row          // picked, but not among rows
	known  map[string]*row // every row that there was, by its seq
}

// begin forgets the seqs of another document.
func (l *listing) begin() { l.rows, l.stray, l.known = nil, nil, map[string]*row{} }

// list lists by the rule, or by DC while SC is not known. What is picked stays.
func (l *listing) list(newRow func(screen.SeqItem) *row) {
	from := slices.Concat(l.dc.Seqs, l.longer)
	if l.rule == distil.SC && l.sc != nil {
		from = l.sc.Seqs
	}
	before := slices.Concat(l.stray, l.rows)
	l.rows = make([]*row, 0, len(from))
	shown := make(map[*row]bool, len(from))
	for _, seq := range from {
		if r := l.row(seq, newRow); !shown[r] {
			l.rows = append(l.rows, r)
			shown[r] = true
		}
	}
	l.stray = nil
	for _, r := range before {
		if r.picked && !shown[r] {
			l.stray = append(l.stray, r)
		}
	}
}

func (l *listing) row(seq model.Seq, newRow func(screen.SeqItem) *row) *row {
	var key strings.Builder
	for _, op := range seq {
		key.WriteString(string(op) + "\n")
	}
	r := l.known[key.String()]
	if r == nil {
		r = newRow(screen.SeqItem{ID: fmt.Sprintf("d%d", len(l.known)+1), Origin: model.OriginDistilled, Seq: seq})
		l.known[key.String()] = r
	}
	return r
}

// turn changes the rule.
func (l *listing) turn() {
	if l.rule == distil.SC {
		l.rule = distil.DC
	} else {
		l.rule = distil.SC
	}
}
