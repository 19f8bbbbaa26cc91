package valuegroup

import "sonde/model"

// SupplementarySeqs is the seqs that make up for what others leave out.
type SupplementarySeqs struct {
	SeqCover
	Seqs []model.Seq // what Chosen means
	// GaveUp tells that there were more candidates than were listed.
	GaveUp bool
}

// What must be set up first can be a long way: so long are the seqs that Rest
// asks for first, and at most.
const (
	short = 3
	long  = 8
)

// Supplement covers what is not covered by the seqs that are picked. The candidates
// come from list, which returns the seqs of up to so many operations and whether
// there were too many to list. It is asked for longer ones as long as something
// is missing.
func (m *Meter) Supplement(picked []model.Seq, list func(length int) (seqs []model.Seq, gaveUp bool, err error)) (SupplementarySeqs, error) {
	var rest SupplementarySeqs
	for length := short; length <= long; length++ {
		candidates, gaveUp, err := list(length)
		if err != nil || gaveUp && length > short {
			return rest, err // the longer ones would be a few of many
		}
		rest = SupplementarySeqs{SeqCover: m.ChooseCover(picked, candidates), GaveUp: gaveUp}
		for _, i := range rest.Chosen {
			rest.Seqs = append(rest.Seqs, candidates[i])
		}
		if len(rest.Operations) == 0 {
			break
		}
	}
	return rest, nil
}
