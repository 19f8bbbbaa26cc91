package search

import "math"

// findingHalfLife is the number of requests after which a finding counts half in a findingRate.
const findingHalfLife = 300

// findingRate estimates how many findings, such as newly covered targets, some tests have per request. Newer tests
// count more.
type findingRate struct{ found, requests float64 }

// add adds a test: how many findings it has, and how many requests it sent.
func (f *findingRate) add(found, requests int) {
	kept := math.Exp2(-float64(requests) / findingHalfLife)
	f.found = f.found*kept + float64(found)
	f.requests = f.requests*kept + float64(requests)
}

// minRateRequests is the number of requests below which a findingRate is not known.
const minRateRequests = 50

// over returns this rate divided by the other rate, but at least 1 and at most limit. It returns 1 if one of the two rates
// is not known yet.
func (f findingRate) over(other findingRate, limit float64) float64 {
	if f.requests < minRateRequests || other.requests < minRateRequests {
		return 1
	}
	// The other rate gets one more finding, so that the ratio to a rate of 0 is finite.
	return min(max(1, f.found/f.requests/((other.found+1)/other.requests)), limit)
}
