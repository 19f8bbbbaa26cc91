package probedata

import (
	"math"

	"sonde/assets/probe/sondeprobe"
)

// half is the score of a target that was reached and not completed, and of which
// no distance is known (EvoMaster paper, section 4.3).
const half = 0.5

// belowOne is the greatest number below 1.
var belowOne = math.Nextafter(1, 0)

// closeness returns the score of a slot: 1 is covered, 0 never evaluated. Between
// them it rises as the branch distance falls. It is logarithmic, so that the
// distances of Unix times, too, differ from their neighbours, also after a term.
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

// capped returns h, or belowOne where h is 1 or more. It is faster than min, which
// looks for NaN.
func capped(h float64) float64 {
	if h >= 1 {
		return belowOne
	}
	return h
}

// log approximates the natural logarithm of numbers from 1 on, and rises as it does:
// between powers of 2 it is a straight line. It is fast, because the bits of a
// floating-point number almost are its logarithm.
func log(x float64) float64 {
	const one = 1023 << 52
	return float64(math.Float64bits(x)-one) * (math.Ln2 / (1 << 52))
}

// Conjunction returns the terms of a && b from those of a and b: a is the first half
// of the way, and b, which is evaluated after it, the second.
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
