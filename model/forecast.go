package model

// Forecast says how many more targets a run would likely cover if it continued: between Low and High. The number
// includes the targets in the service's source.
type Forecast struct {
	Calls int `json:"calls"` // number of further calls, without those that check faults or minimise tests
	Low   int `json:"low"`
	High  int `json:"high"`
	// Mean is the expected number of targets.
	Mean float64 `json:"mean"`
}
