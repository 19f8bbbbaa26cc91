package groups

import (
	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/widget"
)

// rules are the two rules for seqs, in the order of the table.
var rules = [2]distil.Rule{distil.RuleDC, distil.RuleSC}

// seqList lists the seqs of a group by one rule. If value is not "", it lists the evidence for this value of the
// group instead.
type seqList struct {
	rows     widget.List
	rule     int    // index of the current rule in rules
	tally    *tally // nil until the seqs are counted
	value    string // the value whose evidence is listed, "" if seqs are listed
	evidence []evidence
}

// seqs returns the seqs of the group by the chosen rule.
func (l *seqList) seqs() []model.Seq {
	if l.tally == nil {
		return nil
	}
	return l.tally[l.rule].Seqs
}

// fit adapts the list to the size of a pane.
func (l *seqList) fit(r draw.Rect) {
	if l.value != "" {
		l.rows.Fit(len(l.evidence), max(0, r.H-2)-spare(l.evidence, r))
		return
	}
	l.rows.Fit(len(l.seqs()), max(0, r.H-2))
}

// op returns the operation of the evidence under the cursor. If seqs are listed, it returns the last operation of the
// seq under the cursor. It returns "" if the list is empty.
func (l *seqList) op() model.OpID {
	at := l.rows.At
	if l.value != "" {
		if at < len(l.evidence) {
			return l.evidence[at].op
		}
		return ""
	}
	if all := l.seqs(); at < len(all) {
		return all[at][len(all[at])-1]
	}
	return ""
}

// switchRule lists the seqs by the other rule.
func (l *seqList) switchRule() {
	l.rule = 1 - l.rule
	reset(&l.rows)
}
