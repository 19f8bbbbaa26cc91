// Package forecast estimates how many targets the next calls of a search will cover. It uses the numbers of calls
// after which the search covered targets before.
//
// The tests that are the first to cover a target are taken for the events of a Poisson process whose rate falls with
// a power of the number of calls, rate(t) = c·t^-a. This is the power-law process of software reliability growth (L.
// H. Crow, 1974); a = 1 is the logarithmic growth of J. D. Musa and K. Okumoto (1984). Only the newest part of the
// run counts, because a search changes with time: its first tests are made from templates, later ones are mutated,
// and at last it is focused. The exponent a is not known. The forecast is a mixture over several exponents, each
// weighted by its likelihood given the events of that part. The factor c has the prior of Jeffreys. Then the number
// of events during the next calls has a negative binomial distribution. An event covers as many targets as an earlier
// event did, chosen at random, so that the number of targets has a compound distribution, which Panjer's recursion
// (1981) computes exactly.
//
// The events of a search come in bursts, because a test that reaches a new part of the source is mutated into others.
// Therefore their number varies more than that of a Poisson process. The interval is wider by the square root of the
// dispersion, as in a quasi-Poisson model (P. McCullagh and J. A. Nelder, 1989).
//
// The estimators of Good and Turing and of Chao need to know how often each target was covered, and independent
// samples. A search does not count how often it covers the targets in the source, and its tests depend on each other.
package forecast

import (
	"maps"
	"math"
	"slices"

	"sonde/model"
)

// Calls is the number of further calls of a forecast. A run of fewer calls has no forecast.
const Calls = 1000

// Probability is the probability with which the number of targets should be in the interval of a forecast.
const Probability = 0.8

// Discovery is a test that was the first to cover some targets.
type Discovery struct {
	Calls   int // number of calls of the run, including the test
	Targets int // number of targets, at least 1
}

// minWindow is the number of calls that the newest part of a run must have.
const minWindow = Calls / 2

// exponents are the possible values of the exponent a: 0 is a constant rate, 2 a rate that falls with the square of
// the number of calls.
var exponents = []float64{0, 0.5, 1, 1.5, 2}

// Next returns the forecast for the next Calls calls of a run. now is the number of calls that the run has made. found
// has the discoveries of the run in ascending order; discoveries before call number from are missing. open is the number
// of targets that are left, or math.MaxInt if it is unknown. Next returns nil if too few calls are known.
func Next(found []Discovery, from, now, open int) *model.Forecast {
	from = max(from, now/2)
	if now < Calls || now-from < minWindow {
		return nil
	}
	w := newWindow(found, float64(from), float64(now))
	return w.forecast(open)
}

// window is the newest part of a run.
type window struct {
	from, to float64     // the numbers of calls after which the window begins and ends
	events   []Discovery // events in the window, in ascending order
	logs     float64     // sum of the logarithms of the events' numbers of calls
	sizes    []size      // distribution of the number of targets of an event, in ascending order
}

// size is the share of the events that cover a number of targets.
type size struct {
	targets int
	share   float64
}

// newWindow returns the window between two numbers of calls. The distribution of its sizes also counts an event with one
// target that did not occur, so that the distribution is neither empty nor certain.
func newWindow(found []Discovery, from, to float64) window {
	w := window{from: from, to: to}
	counts := map[int]int{1: 1}
	for _, d := range found {
		if at := float64(d.Calls); at > from && at <= to {
			w.events = append(w.events, d)
			w.logs += math.Log(at)
			counts[d.Targets]++
		}
	}
	for _, n := range slices.Sorted(maps.Keys(counts)) {
		w.sizes = append(w.sizes, size{targets: n, share: float64(counts[n]) / float64(len(w.events)+1)})
	}
	return w
}

// forecast returns the mean and the interval of the number of targets. The interval is between two quantiles, each
// moved away from the mean by the square root of the dispersion. A number above open counts as open.
func (w window) forecast(open int) *model.Forecast {
	weights := w.weights()
	distribution := w.mixture(weights)
	f := model.Forecast{Calls: Calls}
	mean, below, low, high := 0.0, 0.0, -1, -1
	for n, p := range distribution {
		mean += float64(n) * p
		f.Mean += float64(min(n, open)) * p
		below += p
		if low < 0 && below >= (1-Probability)/2 {
			low = n
		}
		if high < 0 && below >= (1+Probability)/2 {
			high = n
		}
	}
	wider := math.Sqrt(w.dispersion(weights))
	f.Low = min(open, int(math.Round(max(0, mean+wider*(float64(low)-mean)))))
	f.High = min(open, int(math.Round(max(0, mean+wider*(float64(high)-mean)))))
	return &f
}

// mixture returns the probabilities of 0, 1, 2 and more targets. They are the mixture of the distributions for all
// exponents, which have the given weights.
func (w window) mixture(weights []float64) (all []float64) {
	for i, a := range exponents {
		if weights[i] < 1e-4 {
			continue
		}
		for n, p := range w.targets(integral(a, w.to, w.to+Calls) / integral(a, w.from, w.to)) {
			for len(all) <= n {
				all = append(all, 0)
			}
			all[n] += weights[i] * p
		}
	}
	sum := 0.0
	for _, p := range all {
		sum += p
	}
	scale(all, 1/sum)
	return all
}

// Constants of the estimate of the dispersion.
const (
	blocks = 10
	// priorBlocks is the number of additional blocks that vary as those of a Poisson process.
	priorBlocks = 1
)

// dispersion returns Pearson's estimate of the dispersion, at least 1. For one exponent, it divides the window into
// blocks in which the rate predicts the same number of events. The dispersion is the variance of the number of targets
// in a block, divided by the variance that a Poisson process would have. The result is the weighted mean over all
// exponents.
func (w window) dispersion(weights []float64) float64 {
	targets, squares := 0.0, 0.0
	for _, d := range w.events {
		targets += float64(d.Targets)
		squares += float64(d.Targets * d.Targets)
	}
	if squares == 0 {
		return 1
	}
	sum := float64(priorBlocks)
	for i, a := range exponents {
		var counts [blocks]float64
		for _, d := range w.events {
			at := integral(a, w.from, float64(d.Calls)) / integral(a, w.from, w.to)
			counts[min(blocks-1, int(at*blocks))] += float64(d.Targets)
		}
		for _, n := range counts {
			sum += weights[i] * (n - targets/blocks) * (n - targets/blocks) / (squares / blocks)
		}
	}
	return max(1, sum/(blocks-1+priorBlocks))
}

// weights returns the probability of each exponent, given the events. Before the events are known, all exponents are
// equally likely. The prior of the expected number of events in the window is the same for all exponents.
func (w window) weights() []float64 {
	logs, highest := make([]float64, len(exponents)), math.Inf(-1)
	for i, a := range exponents {
		logs[i] = -a*w.logs - float64(len(w.events))*math.Log(integral(a, w.from, w.to))
		highest = max(highest, logs[i])
	}
	sum := 0.0
	for i := range logs {
		logs[i] = math.Exp(logs[i] - highest)
		sum += logs[i]
	}
	for i := range logs {
		logs[i] /= sum
	}
	return logs
}

// shape returns the shape of the gamma distribution of the expected number of events in the window, given the events.
func (w window) shape() float64 { return float64(len(w.events)) + 0.5 }

// integral returns the integral of t^-a between two numbers of calls.
func integral(a, from, to float64) float64 {
	if a == 1 {
		return math.Log(to / from)
	}
	return (math.Pow(to, 1-a) - math.Pow(from, 1-a)) / (1 - a)
}

// targets returns the distribution of the number of targets in the calls after the window: the probabilities of 0, 1,
// 2 and so on. ratio is the expected number of events in these calls divided by that in the window. The result ends
// where the probabilities are close to 0.
func (w window) targets(ratio float64) []float64 {
	q := ratio / (1 + ratio)
	mean, square := 0.0, 0.0 // means of the number of targets of an event, and of its square
	for _, s := range w.sizes {
		n := float64(s.targets)
		mean += n * s.share
		square += n * n * s.share
	}
	// The variance of the sum of N independent numbers is E(N)·E(X²) + (Var(N) - E(N))·E(X)².
	events := w.shape() * ratio
	deviation := math.Sqrt(events*square + events*ratio*mean*mean)
	p := make([]float64, 1+int(math.Ceil(events*mean+10*deviation))+w.sizes[len(w.sizes)-1].targets)
	p[0] = 1 // the sum is normalised at the end, because the true value may be too small for a float64
	sum := 1.0
	for n := 1; n < len(p); n++ {
		for _, s := range w.sizes {
			if s.targets > n {
				break
			}
			p[n] += q * (1 + (w.shape()-1)*float64(s.targets)/float64(n)) * s.share * p[n-s.targets]
		}
		sum += p[n]
		if sum > 1e250 {
			scale(p[:n+1], 1/sum)
			sum = 1
		}
	}
	scale(p, 1/sum)
	return p
}

func scale(all []float64, by float64) {
	for i := range all {
		all[i] *= by
	}
}
