package model

// MutantSample selects mutants of a service at random. The zero value selects none.
type MutantSample struct {
	Size int    `json:"size"` // maximum number of mutants
	Seed uint64 `json:"seed"`
}
