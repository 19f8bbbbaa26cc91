package seqs

import (
	"slices"

	"sonde/model"
	"sonde/ui/app/userdata"
)

// SavePlace notes the filter, the grouping, which of the seqs are picked, and those that the person built:
// tests are kept with their run.
func (s *Screen) SavePlace(p *userdata.Place) {
	p.SeqFilter, p.SeqGroups, p.Picks = s.find.Text(), s.grouping.String(), texts(s.rows.pickedSeqs())
	for _, r := range s.rows.made {
		if r.built {
			p.Built = append(p.Built, texts([]model.Seq{r.Seq})...)
		}
	}
}

// putBack filters, groups, builds and picks as it was left.
func (s *Screen) putBack(p *userdata.Place) {
	s.find.Set(p.SeqFilter)
	s.grouping = groupingNamed(p.SeqGroups)
	for _, seq := range seqsIn(p.Built) {
		if !slices.ContainsFunc(seq, s.rows.unknown) {
			s.rows.make(seq, nil)
		}
	}
	s.rows.pick(seqsIn(p.Picks))
}

// texts and seqsIn turn seqs into texts and back.
func texts(seqs []model.Seq) (all [][]string) {
	for _, seq := range seqs {
		ops := make([]string, len(seq))
		for i, op := range seq {
			ops[i] = string(op)
		}
		all = append(all, ops)
	}
	return all
}

func seqsIn(all [][]string) []model.Seq {
	seqs := make([]model.Seq, len(all))
	for i, ops := range all {
		for _, op := range ops {
			seqs[i] = append(seqs[i], model.OpID(op))
		}
	}
	return seqs
}

// pickedSeqs are the seqs without values that are picked.
func (s *store) pickedSeqs() (seqs []model.Seq) {
	for _, r := range s.picks() {
		if r.Test == nil || r.built {
			seqs = append(seqs, r.Seq)
		}
	}
	return seqs
}

// pick picks seqs that were built, and distilled ones, whatever rule lists them, whose
// operations are in the spec.
func (s *store) pick(seqs []model.Seq) {
	for _, seq := range seqs {
		if len(seq) == 0 || slices.ContainsFunc(seq, s.unknown) {
			continue
		}
		if i := slices.IndexFunc(s.made, func(r *row) bool { return r.built && slices.Equal(r.Seq, seq) }); i >= 0 {
			s.made[i].picked = true
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
