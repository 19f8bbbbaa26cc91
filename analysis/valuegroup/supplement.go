package valuegroup

import "sonde/model"

// SupplementarySeqs are seqs with the operations that other seqs lack.
type SupplementarySeqs struct {
	SeqCover
	Seqs []model.Seq // the chosen candidates
	// GaveUp reports whether there were more candidates than were listed.
	GaveUp bool
}

// The first and the maximum length of the candidates of Supplement. An operation may need many others before it.
const (
	firstLength = 3
	maxLength   = 8
)

// Supplement returns seqs with the operations that the picked seqs lack. list returns the candidates of up
// to a length, and whether there were too many. Supplement calls list with greater lengths until no
// operation is missing, a longer length has too many candidates, or the maximum length is reached. The
// error is from list.
func (m *Meter) Supplement(
	picked []model.Seq,
	list func(length int) (seqs []model.Seq, gaveUp bool, err error),
) (SupplementarySeqs, error) {
	var rest SupplementarySeqs
	for length := firstLength; length <= maxLength; length++ {
		candidates, gaveUp, err := list(length)
		if err != nil || gaveUp && length > firstLength {
			return rest, err // the listed seqs would be an arbitrary part of all
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
