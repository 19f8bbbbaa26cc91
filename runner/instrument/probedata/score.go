package probedata

import (
	"math"

	"sonde/assets/probe/sondeprobe"
)

// half is the score of a target that was reached and not completed, and that has no distance (the
// EvoMaster paper, section 4.3).
const half = 0.5

// belowOne is the greatest number below 1.
var belowOne = math.Nextafter(1, 0)

// closeness returns the score of a slot: 1 if the outcome occurred, and 0 if the predicate was never
// evaluated. In between, the score rises as the branch distance falls. It depends on the logarithm of
// the distance. Large distances that are close to each other, such as those of Unix times, therefore
// have different scores, even after a ScoreTerm has scaled the scores.
func closeness(slot uint64) float64 {
	switch slot {
	case 0:
		return 0
	case sondeprobe.Done:
		return 1
	}
	d := math.Float64frombits(sondeprobe.Done - 1 - slot)
	return capped(1 / (1 + log(1+d)))
}

// capped returns the smaller of h and belowOne. It is faster than min, which checks for NaN.
func capped(h float64) float64 {
	if h >= 1 {
		return belowOne
	}
	return h
}

// log approximates the natural logarithm of numbers from 1 on, and is strictly increasing. It is
// linear between powers of 2. It is fast, because the bits of a floating-point number are nearly
// its logarithm.
func log(x float64) float64 {
	const one = 1023 << 52
	return float64(math.Float64bits(x)-one) * (math.Ln2 / (1 << 52))
}

// Conjunction returns the terms of a && b from the terms of a and b. The score of a is mapped to the range from 0 to ½.
// The score of b, which is evaluated after a, is mapped to the range from ½ to 1.
func Conjunction(a, b []ScoreTerm) []ScoreTerm {
	all := make([]ScoreTerm, 0, len(a)+len(b))
	for _, t := range a {
		t.Base, t.Scale = t.Base/2, t.Scale/2
		all = append(all, t)
	}
	for _, t := range b {
		t.Base, t.Scale = half+t.Base/2, t.Scale/2
		all = append(all, t)
	}
	return all
}
