package seqs

import "sonde/model"

// alignedPair holds the indexes of two calls of the same operation: left is a call of the first seq, and right is a
// call of the second seq. For a call without a match in the other seq, the index in the other seq is -1.
type alignedPair struct{ left, right int }

// align pairs the calls of two seqs in order. It makes as many pairs of calls of the same operation as
// possible. A call without a match is in a pair of its own.
func align(left, right model.Seq) (all []alignedPair) {
	same := commonSuffixes(left, right)
	for i, j := 0, 0; i < len(left) || j < len(right); {
		switch {
		case i < len(left) && j < len(right) && left[i] == right[j]:
			all = append(all, alignedPair{left: i, right: j})
			i, j = i+1, j+1
		case j == len(right) || i < len(left) && same[i+1][j] >= same[i][j+1]:
			all = append(all, alignedPair{left: i, right: -1})
			i++
		default:
			all = append(all, alignedPair{left: -1, right: j})
			j++
		}
	}
	return all
}

// commonSuffixes returns, for each position i and j, the length of the longest common
// subsequence of left[i:] and right[j:].
func commonSuffixes(left, right model.Seq) [][]int {
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
