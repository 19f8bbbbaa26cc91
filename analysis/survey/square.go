package survey

import "math"

// ContingencyTable is a table of 2 × 2 numbers of cases, like Tables 2 and 3 of the paper. The second row has the
// cases in which DC lists fewer seqs than SC. The first row has all other cases. The first column has the cases with
// a property, which depends on the table. The second column has the cases without it.
type ContingencyTable [2][2]int

func (s *ContingencyTable) count(fewer, holds bool) {
	row, column := 0, 1
	if fewer {
		row = 1
	}
	if holds {
		column = 0
	}
	s[row][column]++
}

// ChiSquareTest performs Pearson's chi-square test of the independence of rows and columns, with one degree of
// freedom and without a correction. It returns the statistic and its p-value. ok is false if a row or a column has
// only zeros, because the test is not defined then.
func (s ContingencyTable) ChiSquareTest() (x2, p float64, ok bool) {
	a, b, c, d := float64(s[0][0]), float64(s[0][1]), float64(s[1][0]), float64(s[1][1])
	product := (a + b) * (c + d) * (a + c) * (b + d)
	if product == 0 {
		return 0, 0, false
	}
	x2 = (a + b + c + d) * (a*d - b*c) * (a*d - b*c) / product
	return x2, math.Erfc(math.Sqrt(x2 / 2)), true
}
