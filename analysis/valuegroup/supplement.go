package valuegroup

import "sonde/model"

// SupplementarySeqs are the seqs that cover the operations that other seqs lack.
type SupplementarySeqs struct {
	SeqCover
	Seqs []model.Seq // the chosen candidates
	// GaveUp reports whether there were more candidates than were listed.
	GaveUp bool
}

// The lengths of the candidates for Supplement: at first, and at most. An operation may
// need many others before it.
const (
	firstLength = 3
	maxLength   = 8
)

// Supplement covers the operations that the picked seqs lack. The candidates come from
// list, which returns the seqs of up to a length and whether there were too many to list.
// It is called with greater lengths as long as operations are missing.
func (m *Meter) Supplement(
	picked []model.Seq,
	list func(length int) (seqs []model.Seq, gaveUp bool, err error),
) (SupplementarySeqs, error) {
	var rest SupplementarySeqs
	for length := firstLength; length <= maxLength; length++ {
		candidates, gaveUp, err := list(length)
		if err != nil || gaveUp && length > firstLength {
			return rest, err // the listed seqs would be a random part of all
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
