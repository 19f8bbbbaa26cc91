package seqs

import (
	"slices"

	"sonde/model"
	"sonde/ui/app/userdata"
)

// SavePlace stores the filter, the grouping, the picked seqs and the seqs that the user built.
// It stores no tests.
func (s *Screen) SavePlace(p *userdata.Place) {
	p.SeqFilter, p.SeqGroups = s.list.find.Text(), s.list.groups.by.String()
	p.Picks = textsOf(s.catalog.pickedSeqs())
	for _, r := range s.catalog.files.rows {
		if r.picked {
			p.SavedPicks = append(p.SavedPicks, [2]string{r.file.key().file, r.file.key().name})
		}
	}
	for _, r := range s.catalog.made {
		if r.built {
			p.Built = append(p.Built, textsOf([]model.Seq{r.Seq})...)
		}
	}
}

// restore restores the state that SavePlace stored. It skips seqs with operations that are not in the spec.
func (s *Screen) restore(p *userdata.Place) {
	s.list.find.SetText(p.SeqFilter)
	s.list.groups.by = parseGrouping(p.SeqGroups)
	for _, seq := range parseSeqs(p.Built) {
		if !slices.ContainsFunc(seq, s.catalog.unknown) {
			s.catalog.build(seq, nil)
		}
	}
	s.catalog.pickSeqs(parseSeqs(p.Picks))
	s.catalog.files.picked = map[fileKey]bool{}
	for _, at := range p.SavedPicks {
		s.catalog.files.picked[fileKey{at[0], at[1]}] = true
	}
}

// textsOf returns seqs in the stored form, which parseSeqs reads.
func textsOf(seqs []model.Seq) (all [][]string) {
	for _, seq := range seqs {
		ops := make([]string, len(seq))
		for i, op := range seq {
			ops[i] = string(op)
		}
		all = append(all, ops)
	}
	return all
}

func parseSeqs(all [][]string) []model.Seq {
	seqs := make([]model.Seq, len(all))
	for i, ops := range all {
		for _, op := range ops {
			seqs[i] = append(seqs[i], model.OpID(op))
		}
	}
	return seqs
}
