// Package stat compares two samples of runs as is usual in search-based software engineering: how
// likely it is that they differ by chance, and by how much they differ.
package stat

import (
	"cmp"
	"math"
	"slices"
)

// Mean returns the average, 0 for an empty sample.
func Mean(sample []float64) float64 {
	sum := 0.0
	for _, v := range sample {
		sum += v
	}
	return sum / float64(max(1, len(sample)))
}

// A12 returns the effect size of Vargha and Delaney: the probability that a value of a is greater
// than a value of b, where equal values count half. 0.5 means that there is no difference. It is
// 0.5 if a sample is empty.
func A12(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0.5
	}
	u, _ := uStatistic(a, b)
	return u / float64(len(a)*len(b))
}

// MannWhitney returns the result of the two-sided Mann-Whitney-Wilcoxon U test. U is the number of
// pairs in which the value of a is greater; pairs of equal values count half. p is the probability that
// U is at least as far from its mean if both samples have the same distribution. Like wilcox.test of R,
// p is exact for samples of fewer than 50 values without ties, and otherwise an approximation by the
// normal distribution with corrections for ties and continuity. p is 1 if a sample is empty or all
// values are equal.
func MannWhitney(a, b []float64) (u, p float64) {
	if len(a) == 0 || len(b) == 0 {
		return 0, 1
	}
	u, ties := uStatistic(a, b)
	if ties == 0 && len(a) < 50 && len(b) < 50 {
		return u, exactP(int(u), len(a), len(b))
	}
	return u, normalP(u, ties, float64(len(a)), float64(len(b)))
}

// sampleValue is a value of sample a or b.
type sampleValue struct {
	v   float64
	ofA bool
}

// sortedValues returns the values of both samples in ascending order.
func sortedValues(a, b []float64) []sampleValue {
	var all []sampleValue
	for _, v := range a {
		all = append(all, sampleValue{v, true})
	}
	for _, v := range b {
		all = append(all, sampleValue{v, false})
	}
	slices.SortFunc(all, func(x, y sampleValue) int { return cmp.Compare(x.v, y.v) })
	return all
}

// uStatistic returns U for a, and the sum of t³-t over all groups of t equal values in both
// samples together.
func uStatistic(a, b []float64) (u, ties float64) {
	all := sortedValues(a, b)
	ranks := 0.0 // sum of the ranks of a
	for from, to := 0, 0; from < len(all); from = to {
		for to < len(all) && cmp.Compare(all[to].v, all[from].v) == 0 {
			to++
		}
		for _, v := range all[from:to] {
			if v.ofA {
				ranks += float64(from+1+to) / 2
			}
		}
		t := float64(to - from)
		ties += t*t*t - t
	}
	n := float64(len(a))
	return ranks - n*(n+1)/2, ties
}

// normalP returns the two-sided p by the normal approximation. m and n are the sizes of the
// samples.
func normalP(u, ties, m, n float64) float64 {
	all := m + n
	variance := m * n / 12 * (all + 1 - ties/(all*(all-1)))
	if variance <= 0 {
		return 1
	}
	z := max(0, math.Abs(u-m*n/2)-0.5) / math.Sqrt(variance)
	return math.Erfc(z / math.Sqrt2)
}

// exactP returns the two-sided p of samples without ties: twice the share of the arrangements whose
// U is in the smaller tail. m and n are the sizes of the samples.
func exactP(u, m, n int) float64 {
	tail, all := 0.0, 0.0
	for v, count := range arrangements(m, n) {
		all += count
		if v <= min(u, m*n-u) {
			tail += count
		}
	}
	return min(1, 2*tail/all)
}

// arrangements returns, for each U, the number of ways to order m values among n others that give this
// U. They are the coefficients of the Gaussian binomial, Π (1-x^(n+i))/(1-x^i) for i from 1 to m.
// Rounding makes the small counts at the end of the upper half wrong, but hardly changes the sum.
// exactP uses the upper half only for the sum.
func arrangements(m, n int) []float64 {
	ways := make([]float64, m*n+1)
	ways[0] = 1
	for i := 1; i <= m; i++ {
		for u := m * n; u >= n+i; u-- {
			ways[u] -= ways[u-n-i]
		}
		for u := i; u <= m*n; u++ {
			ways[u] += ways[u-i]
		}
	}
	return ways
}
