package valuegroup

import "sonde/model"

// SupplementarySeqs are seqs with operations that other seqs lack.
type SupplementarySeqs struct {
	SeqCover
	Seqs []model.Seq // the chosen candidates
	// GaveUp reports whether there were more candidates than were listed.
	GaveUp bool
}

// Limits of the length of candidates in Supplement. An operation may need many others before it.
const (
	firstLength = 3
	maxLength   = 8
)

// Supplement returns seqs with the operations that the picked seqs lack. list returns the candidates up to
// a length, and whether it gave up because there were too many. Supplement increases the length until no
// operation is missing, list gives up, or the maximum length is reached. The error is from list.
func (m *Meter) Supplement(
	picked []model.Seq,
	list func(length int) (seqs []model.Seq, gaveUp bool, err error),
) (SupplementarySeqs, error) {
	var rest SupplementarySeqs
	for length := firstLength; length <= maxLength; length++ {
		candidates, gaveUp, err := list(length)
		if err != nil || gaveUp && length > firstLength {
			return rest, err // the listed seqs are an arbitrary part of all
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
