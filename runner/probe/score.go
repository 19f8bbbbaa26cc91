package probe

import (
	"math"

	"sonde/assets/probe/sondeprobe"
)

// half is how near a target is that was tried, and of which no more is known.
const half = 0.5

// nearest is the greatest number below 1.
var nearest = math.Nextafter(1, 0)

// closeness makes a slot a number: 1 is covered, 0 never evaluated; between them
// it rises as the distance falls. It is logarithmic, so that the distances of
// Unix times, too, are told from their neighbours, also behind a term.
func closeness(slot uint64) float64 {
	switch slot {
	case 0:
		return 0
	case sondeprobe.Done:
		return 1
	}
	d := math.Float64frombits(sondeprobe.Done - 1 - slot)
	return below1(1 / (1 + log(1+d)))
}

// below1 is quicker than min, which looks for what is no number.
func below1(h float64) float64 {
	if h >= 1 {
		return nearest
	}
	return h
}

// log is near to the natural logarithm of numbers from 1 on, and rises as it does:
// between powers of 2 it is a straight line. That is quick: the bits of a number
// are its logarithm, almost.
func log(x float64) float64 {
	const one = 1023 << 52
	return float64(math.Float64bits(x)-one) * (math.Ln2 / (1 << 52))
}

// through are the terms of a conjunction's way: x first, which is half of it.
func through(x, y []Term) []Term {
	var all []Term
	for _, t := range x {
		all = append(all, Term{Pred: t.Pred, Outcome: t.Outcome, Base: t.Base / 2, Scale: t.Scale / 2, Case: t.Case})
	}
	for _, t := range y {
		all = append(all, Term{Pred: t.Pred, Outcome: t.Outcome, Base: half + t.Base/2, Scale: t.Scale / 2, Case: t.Case})
	}
	return all
}
