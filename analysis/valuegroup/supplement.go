package valuegroup

import "sonde/model"

// SupplementarySeqs are seqs with operations that the picked seqs lack.
type SupplementarySeqs struct {
	SeqCover
	Seqs []model.Seq // the chosen candidates
	// GaveUp reports whether there were too many candidates to list all of them.
	GaveUp bool
}

// Limits of the length of candidates. An operation may need many other operations before it.
const (
	firstLength = 3
	maxLength   = 8
)

// Supplement chooses seqs with the operations that the picked seqs lack. list returns the candidates with at most the
// given number of operations; gaveUp reports whether there are more. Supplement calls list with greater lengths until
// no operation is lacking or the length is maxLength. It uses an incomplete list only for the first length. It returns
// an error only if list returns one.
func (m *Meter) Supplement(
	picked []model.Seq,
	list func(length int) (seqs []model.Seq, gaveUp bool, err error),
) (SupplementarySeqs, error) {
	var rest SupplementarySeqs
	for length := firstLength; length <= maxLength; length++ {
		candidates, gaveUp, err := list(length)
		if err != nil || gaveUp && length > firstLength {
			return rest, err // the listed candidates are an arbitrary selection, so they are not used
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
