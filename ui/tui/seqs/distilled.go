package seqs

import (
	"fmt"
	"slices"
	"strings"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/tui/screen"
)

// distilledSeqs holds the rows of the distilled seqs: the seqs by the current rule, and picked seqs that
// only the other rule lists. A seq has the same row and the same ID under both rules.
type distilledSeqs struct {
	listings
	rule  distil.Rule
	rows  []*row          // the seqs by the current rule, in the order of its listing
	stray []*row          // picked rows that are not in rows
	known map[string]*row // key: seqKey; value: the row of the seq; has all rows made so far
}

// reset removes the rows after the document has changed.
func (d *distilledSeqs) reset() { d.rows, d.stray, d.known = nil, nil, map[string]*row{} }

// list lists the seqs by the current rule, or by DC until SC is computed. Picked rows stay.
func (d *distilledSeqs) list(newRow func(screen.SeqItem) *row) {
	from := d.listing().Seqs
	if d.rule != distil.RuleSC || d.sc == nil {
		from = slices.Concat(from, d.longer)
	}
	before := slices.Concat(d.stray, d.rows)
	d.rows = make([]*row, 0, len(from))
	shown := make(map[*row]bool, len(from))
	for _, seq := range from {
		if r := d.row(seq, newRow); !shown[r] {
			d.rows = append(d.rows, r)
			shown[r] = true
		}
	}
	d.stray = nil
	for _, r := range before {
		if r.picked && !shown[r] {
			d.stray = append(d.stray, r)
		}
	}
}

// listing returns the seqs by the current rule, or by DC until SC is computed. It leaves out the seqs in longer.
func (d *distilledSeqs) listing() distil.Listing {
	if d.rule == distil.RuleSC && d.sc != nil {
		return *d.sc
	}
	return d.dc
}

// row returns the row of a seq. It makes the row if there is none.
func (d *distilledSeqs) row(seq model.Seq, newRow func(screen.SeqItem) *row) *row {
	key := seqKey(seq)
	r := d.known[key]
	if r == nil {
		r = newRow(screen.SeqItem{ID: fmt.Sprintf("d%d", len(d.known)+1), Origin: model.OriginDistilled, Seq: seq})
		d.known[key] = r
	}
	return r
}

// seqKey returns the key of a seq in distilledSeqs.known.
func seqKey(seq model.Seq) string {
	var key strings.Builder
	for _, op := range seq {
		key.WriteString(string(op) + "\n")
	}
	return key.String()
}

// switchRule changes to the other rule. The caller must call list next.
func (d *distilledSeqs) switchRule() {
	if d.rule == distil.RuleSC {
		d.rule = distil.RuleDC
	} else {
		d.rule = distil.RuleSC
	}
}
