package model

// MutantSample says how many mutants of a service are chosen at random, and by which seed. The zero value is for none.
type MutantSample struct {
	Size int    `json:"size"` // maximum number of mutants
	Seed uint64 `json:"seed"`
}
