package stat_test

import (
	"math"
	"testing"

	"sonde/runner/lab/stat"

	"pgregory.net/rapid"
)

// New York's ozone in May and August of 1973, from R's manual of wilcox.test.
var (
	may = []float64{41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32, 23, 45, 115, 37}
	aug = []float64{39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9, 45, 168, 73, 76, 118, 84, 85}
)

// numbers returns count consecutive numbers.
func numbers(from, count int) []float64 {
	var out []float64
	for i := range count {
		out = append(out, float64(from+i))
	}
	return out
}

func TestMannWhitney(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []float64
		u, p float64
	}{
		{"exact, from R's manual", // the manual has the one-sided value, 0.1272
			[]float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}, []float64{1.15, 0.88, 0.90, 0.74, 1.21}, 35, 0.254412},
		{"with ties, from R's manual", may, aug, 127.5, 0.0001208},
		{"all of one before all of the other", numbers(1, 3), numbers(4, 3), 0, 2.0 / 20},
		{"the other way round", numbers(4, 3), numbers(1, 3), 9, 2.0 / 20},
		{"too many for the exact way", numbers(1, 60), numbers(61, 60), 0, 3.56e-21},
		{"the same", numbers(1, 3), numbers(1, 3), 4.5, 1},
		{"one value only", []float64{2, 2}, []float64{2, 2, 2}, 3, 1},
		{"nothing", nil, numbers(1, 3), 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, p := stat.MannWhitney(c.a, c.b)
			if u != c.u || math.Abs(p-c.p) > 0.001*c.p {
				t.Errorf("U = %v, p = %.6g; want %v, %.6g", u, p, c.u, c.p)
			}
		})
	}
}

func TestA12(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []float64
		want float64
	}{
		{"all greater", numbers(4, 3), numbers(1, 3), 1},
		{"all smaller", numbers(1, 3), numbers(4, 3), 0},
		{"equal ones count half", []float64{1, 2}, []float64{2, 3}, 0.125},
		{"the same", numbers(1, 5), numbers(1, 5), 0.5},
		{"nothing", nil, nil, 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := stat.A12(c.a, c.b); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestMean(t *testing.T) {
	if got := stat.Mean([]float64{1, 2, 6}); got != 3 {
		t.Errorf("mean of 1, 2, 6 is %v, want 3", got)
	}
	if got := stat.Mean(nil); got != 0 {
		t.Errorf("mean of nothing is %v, want 0", got)
	}
}

// If the samples are exchanged, U and the effect size are mirrored, and p is the same. U is the number
// of pairs in which the value of a is greater.
func TestExchangedSamples(t *testing.T) {
	sample := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 40), func(n int) float64 { return float64(n) }), 1, 60)
	rapid.Check(t, func(t *rapid.T) {
		a, b := sample.Draw(t, "a"), sample.Draw(t, "b")
		u, p := stat.MannWhitney(a, b)
		v, q := stat.MannWhitney(b, a)
		if pairs := float64(len(a) * len(b)); u+v != pairs || u != wins(a, b) || math.Abs(stat.A12(a, b)+stat.A12(b, a)-1) > 1e-9 {
			t.Errorf("U is %v and %v, of %v pairs, with %v won", u, v, pairs, wins(a, b))
		}
		if math.Abs(p-q) > 1e-9 || p < 0 || p > 1 {
			t.Errorf("p is %v and %v", p, q)
		}
	})
}

func wins(a, b []float64) float64 {
	n := 0.0
	for _, x := range a {
		for _, y := range b {
			switch {
			case x > y:
				n++
			case x == y:
				n += 0.5
			}
		}
	}
	return n
}
