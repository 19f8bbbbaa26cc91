package seqs

import "sonde/model"

// pair is a call of one seq and one of another that stand for each other; -1 is none.
type pair struct{ left, right int }

// align pairs the calls of two seqs in order: as many of the same operation as can be,
// the earliest first.
func align(left, right model.Seq) (all []pair) {
	same := common(left, right)
	for i, j := 0, 0; i < len(left) || j < len(right); {
		switch {
		case i < len(left) && j < len(right) && left[i] == right[j]:
			all = append(all, pair{i, j})
			i, j = i+1, j+1
		case j == len(right) || i < len(left) && same[i+1][j] >= same[i][j+1]:
			all = append(all, pair{i, -1})
			i++
		default:
			all = append(all, pair{-1, j})
			j++
		}
	}
	return all
}

// common is, for each place in two seqs, how many calls at most can be paired from there.
func common(left, right model.Seq) [][]int {
	same := make([][]int, len(left)+1)
	same[len(left)] = make([]int, len(right)+1)
	for i := len(left) - 1; i >= 0; i-- {
		same[i] = make([]int, len(right)+1)
		for j := len(right) - 1; j >= 0; j-- {
			if left[i] == right[j] {
				same[i][j] = same[i+1][j+1] + 1
			} else {
				same[i][j] = max(same[i+1][j], same[i][j+1])
			}
		}
	}
	return same
}
