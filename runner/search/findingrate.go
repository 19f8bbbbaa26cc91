package search

import "math"

// findingHalfLife is the number of requests after which the weight of a finding in a findingRate has halved.
const findingHalfLife = 300

// findingRate estimates how many findings per request a kind of tests has. A finding is, for example, a newly covered
// target. Newer tests have more weight.
type findingRate struct{ found, requests float64 }

// add adds a test: how many findings it has, and how many requests it sent.
func (f *findingRate) add(found, requests int) {
	kept := math.Exp2(-float64(requests) / findingHalfLife)
	f.found = f.found*kept + float64(found)
	f.requests = f.requests*kept + float64(requests)
}

// minRateRequests is the minimum number of requests for an estimate: with fewer requests, the rate counts as unknown.
const minRateRequests = 50

// over returns this rate divided by the other rate, but at least 1 and at most limit. It returns 1 if one of the two
// rates is unknown.
func (f findingRate) over(other findingRate, limit float64) float64 {
	if f.requests < minRateRequests || other.requests < minRateRequests {
		return 1
	}
	// The other rate gets one more finding, so that the ratio to a rate of 0 is finite.
	return min(max(1, f.found/f.requests/((other.found+1)/other.requests)), limit)
}
