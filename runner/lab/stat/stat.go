// Package stat compares two samples of runs as search-based software engineering does: how likely
// it is that they differ by chance, and by how much they differ.
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

// A12 is the effect size of Vargha and Delaney: the probability that a value of a is greater than
// one of b, where equal values count half. 0.5 means no difference, and is returned if a sample is
// empty.
func A12(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0.5
	}
	u, _ := ranked(a, b)
	return u / float64(len(a)*len(b))
}

// MannWhitney is the two-sided Mann-Whitney-Wilcoxon U test. U counts the pairs in which the value
// of a is greater, equal ones half; p is the probability of a U at least as far from the middle if
// both samples have the same distribution. Like R's wilcox.test, it is exact for samples of fewer
// than 50 values without ties, and otherwise uses the normal approximation with corrections for
// ties and continuity. p is 1 if a sample is empty or all values are equal.
func MannWhitney(a, b []float64) (u, p float64) {
	if len(a) == 0 || len(b) == 0 {
		return 0, 1
	}
	u, ties := ranked(a, b)
	if ties == 0 && len(a) < 50 && len(b) < 50 {
		return u, exact(int(u), len(a), len(b))
	}
	return u, normal(u, ties, float64(len(a)), float64(len(b)))
}

// value is a value of one of two samples.
type value struct {
	v   float64
	ofA bool
}

func sorted(a, b []float64) []value {
	var all []value
	for _, v := range a {
		all = append(all, value{v, true})
	}
	for _, v := range b {
		all = append(all, value{v, false})
	}
	slices.SortFunc(all, func(x, y value) int { return cmp.Compare(x.v, y.v) })
	return all
}

// ranked returns U of a, and the sum of t³-t over all groups of t equal values in both samples
// together.
func ranked(a, b []float64) (u, ties float64) {
	all := sorted(a, b)
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

// normal returns the two-sided p by the normal approximation.
func normal(u, ties, m, n float64) float64 {
	all := m + n
	variance := m * n / 12 * (all + 1 - ties/(all*(all-1)))
	if variance <= 0 {
		return 1
	}
	z := max(0, math.Abs(u-m*n/2)-0.5) / math.Sqrt(variance)
	return math.Erfc(z / math.Sqrt2)
}

// exact returns the two-sided p without ties: twice the share of the arrangements whose U is at
// most that of the smaller tail.
func exact(u, m, n int) float64 {
	tail, all := 0.0, 0.0
	for v, count := range arrangements(m, n) {
		all += count
		if v <= min(u, m*n-u) {
			tail += count
		}
	}
	return min(1, 2*tail/all)
}

// arrangements returns, for each U, the number of ways to order m values among n others that give
// this U: the coefficients of the Gaussian binomial, Π (1-x^(n+i))/(1-x^i) for i from 1 to m. Only
// the lower half, which is all that a tail needs, is exact to the last digits.
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
