package model

// MutantSample selects up to Size mutants of a service at random. The zero value selects none.
type MutantSample struct {
	Size int    `json:"size"`
	Seed uint64 `json:"seed"`
}
