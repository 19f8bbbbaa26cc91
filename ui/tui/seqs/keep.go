package seqs

import (
	"slices"

	"sonde/model"
	"sonde/ui/home"
)

// Leave notes the filter, and which of the distilled seqs are picked: tests are kept
// with their run.
func (s *Screen) Leave(p *home.Place) {
	p.SeqFilter = s.find.Text()
	for _, seq := range s.rows.pickedSeqs() {
		ops := make([]string, len(seq))
		for i, op := range seq {
			ops[i] = string(op)
		}
		p.Picks = append(p.Picks, ops)
	}
}

// putBack filters and picks as it was left.
func (s *Screen) putBack(p *home.Place) {
	s.find.Set(p.SeqFilter)
	seqs := make([]model.Seq, len(p.Picks))
	for i, ops := range p.Picks {
		for _, op := range ops {
			seqs[i] = append(seqs[i], model.OpID(op))
		}
	}
	s.rows.pick(seqs)
}

// pickedSeqs are the distilled seqs that are picked.
func (s *store) pickedSeqs() (seqs []model.Seq) {
	for _, r := range s.picks() {
		if r.Origin == model.Distilled && r.Test == nil {
			seqs = append(seqs, r.Seq)
		}
	}
	return seqs
}

// pick picks distilled seqs, whatever rule lists them, whose operations are in the spec.
func (s *store) pick(seqs []model.Seq) {
	for _, seq := range seqs {
		if len(seq) == 0 || slices.ContainsFunc(seq, s.unknown) {
			continue
		}
		r := s.distilled.row(seq, s.row)
		r.picked = true
		if l := &s.distilled; !slices.Contains(l.rows, r) && !slices.Contains(l.stray, r) {
			l.stray = append(l.stray, r)
		}
	}
}

func (s *store) unknown(op model.OpID) bool {
	_, known := s.study.GroupOf[op]
	return !known
}
