package forecast

import (
	"math"
	"math/rand/v2"
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

// If each event covers one target, the number of targets has a negative binomial distribution.
func TestNegativeBinomial(t *testing.T) {
	w := newWindow([]Discovery{{Calls: 600, Targets: 1}, {Calls: 900, Targets: 1}}, 500, 1000)
	got := w.targets(0.5)
	const shape, q = 2.5, 0.5 / 1.5
	want := math.Pow(1-q, shape)
	for n := range 10 {
		if math.Abs(got[n]-want) > 1e-6 {
			t.Errorf("%d targets: got %v, want %v", n, got[n], want)
		}
		want *= q * (shape + float64(n)) / float64(n+1)
	}
}

// The distribution has the mean and the variance of a compound distribution, also if the probability of no target is
// less than the smallest float64.
func TestCompoundDistribution(t *testing.T) {
	for _, events := range []int{0, 3, 100, 5000} {
		var found []Discovery
		for i := range events {
			found = append(found, Discovery{Calls: 5001 + i, Targets: 1 + i%3*4})
		}
		w := newWindow(found, 5000, 10_000)
		const ratio = 0.7
		sum, mean, square := 0.0, 0.0, 0.0
		for n, p := range w.targets(ratio) {
			sum += p
			mean += float64(n) * p
			square += float64(n) * float64(n) * p
		}
		one, oneSquare := 0.0, 0.0
		for _, s := range w.sizes {
			one += float64(s.targets) * s.share
			oneSquare += float64(s.targets*s.targets) * s.share
		}
		wantMean := w.shape() * ratio * one
		wantVariance := w.shape() * ratio * (oneSquare + ratio*one*one)
		if math.Abs(sum-1) > 1e-9 || math.Abs(mean/wantMean-1) > 1e-3 || math.Abs((square-mean*mean)/wantVariance-1) > 1e-2 {
			t.Errorf("%d events: sum %v, mean %v, variance %v; want 1, %v, %v", events, sum, mean, square-mean*mean, wantMean, wantVariance)
		}
	}
}

// The forecasts of simulated runs contain the true number of targets at least with the promised probability, for any
// exponent of the rate. If the numbers are small, they contain it more often.
func TestIntervalsOfSimulatedRuns(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for _, a := range []float64{0, 0.5, 1, 1.5, 2} {
		for _, expected := range []float64{1, 10, 60} { // events between half of the calls and all
			const runs, now = 400, 4000
			inside := 0
			for range runs {
				found, later := simulated(chance, a, expected, now)
				f := Next(found, 0, now, math.MaxInt)
				if f.Low <= later && later <= f.High {
					inside++
				}
			}
			if share := float64(inside) / runs; share < Probability-0.06 {
				t.Errorf("exponent %v, %v events: %.2f of the intervals contain the number, want %v", a, expected, share, Probability)
			}
		}
	}
}

// If the events come in bursts of eight, the intervals become wider. Two thirds of them contain the true number of
// targets; without the dispersion, three in ten would. From only ten bursts, the dispersion cannot be estimated better.
func TestIntervalsOfBursts(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	const runs, now, perBurst = 400, 4000, 8
	inside := 0
	for range runs {
		bursts, _ := simulated(chance, 0, 20, now+Calls)
		var found []Discovery
		later := 0
		for _, b := range bursts {
			for i := range perBurst {
				if at := b.Calls + 5*i; at <= now {
					found = append(found, Discovery{Calls: at, Targets: 1})
				} else if at <= now+Calls {
					later++
				}
			}
		}
		if f := Next(found, 0, now, math.MaxInt); f.Low <= later && later <= f.High {
			inside++
		}
	}
	if share := float64(inside) / runs; share < 0.65 {
		t.Errorf("%.2f of the intervals contain the number", share)
	}
}

// simulated returns the discoveries of a run, and the number of targets that its next calls cover. now is the number of
// calls of the run so far.
func simulated(chance *rand.Rand, a, expected, now float64) (found []Discovery, later int) {
	factor := expected / integral(a, now/2, now)
	for call := now / 2; call < now+Calls; call++ {
		if chance.Float64() >= factor*math.Pow(call+0.5, -a) {
			continue
		}
		n := 1 + chance.IntN(3)
		if call < now {
			found = append(found, Discovery{Calls: int(call) + 1, Targets: n})
		} else {
			later += n
		}
	}
	return found, later
}

// Any run with enough calls has a forecast. If each discovery has twice as many targets, the forecast is not lower.
func TestAnyRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := rapid.IntRange(Calls, 50_000).Draw(t, "now")
		from := rapid.IntRange(0, now-minWindow).Draw(t, "from")
		calls := rapid.SliceOfN(rapid.IntRange(1, now), 0, 40).Draw(t, "calls")
		targets := rapid.IntRange(1, 300).Draw(t, "targets")
		some, twice := []Discovery{}, []Discovery{}
		for _, c := range calls {
			some = append(some, Discovery{Calls: c, Targets: targets})
			twice = append(twice, Discovery{Calls: c, Targets: 2 * targets})
		}
		f, g := Next(some, from, now, math.MaxInt), Next(twice, from, now, math.MaxInt)
		for _, f := range []*model.Forecast{f, g} {
			if f == nil || f.Low < 0 || f.Low > f.High || math.IsNaN(f.Mean) || f.Mean < 0 {
				t.Fatalf("got %+v", f)
			}
		}
		if g.Low < f.Low || g.High < f.High {
			t.Errorf("with twice the targets got %+v, less than %+v", g, f)
		}
	})
}

// A run that is too short, or was resumed too recently, has no forecast.
func TestTooFewCalls(t *testing.T) {
	for _, c := range []struct {
		from, now int
		want      bool
	}{{0, 999, false}, {0, 1000, true}, {1000, 1499, false}, {1000, 1500, true}, {1000, 90_000, true}} {
		if f := Next(nil, c.from, c.now, 9); (f != nil) != c.want {
			t.Errorf("known from %d to %d: got %v", c.from, c.now, f)
		}
	}
}

// If a run has found nothing for a long time, the forecast is that it finds nothing.
func TestNothingFound(t *testing.T) {
	if f := Next([]Discovery{{Calls: 100, Targets: 20}}, 0, 20_000, math.MaxInt); f.Low != 0 || f.High != 0 || f.Mean > 0.1 {
		t.Errorf("got %+v", f)
	}
}

// No number in a forecast is greater than the number of targets that are left.
func TestFewTargetsAreLeft(t *testing.T) {
	found := []Discovery{{Calls: 1200, Targets: 30}, {Calls: 1500, Targets: 20}, {Calls: 1900, Targets: 10}}
	free := Next(found, 0, 2000, math.MaxInt)
	for _, open := range []int{0, 1, 5, free.High} {
		f := Next(found, 0, 2000, open)
		if f.High != open || f.Low != min(free.Low, open) || f.Mean > float64(open) {
			t.Errorf("%d are left: got %+v, and %+v if it is not known", open, f, free)
		}
	}
}

// BenchmarkNext measures the cost of a forecast in a white-box search that finds much.
func BenchmarkNext(b *testing.B) {
	var found []Discovery
	for i := range 400 {
		found = append(found, Discovery{Calls: 500 + i, Targets: 1 + i%25})
	}
	for b.Loop() {
		Next(found, 0, 1000, math.MaxInt)
	}
}
