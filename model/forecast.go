package model

// Forecast says how many more targets a run would likely cover if it continued. It is an interval for the number of
// targets outside the service's source together with those in the source.
type Forecast struct {
	Calls int `json:"calls"` // number of further calls, without those that check faults or minimise tests
	Low   int `json:"low"`
	High  int `json:"high"`
	// Mean is the expected number of targets.
	Mean float64 `json:"mean"`
}
