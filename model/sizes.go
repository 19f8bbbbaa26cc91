package model

import (
	"fmt"
	"slices"
)

// Sizes are the numbers that the EvoMaster paper gives as examples in its sections 4 and 5. Those that are in Tuning
// are not repeated here. The zero value means DefaultSizes.
type Sizes struct {
	// Calls is the maximum number of calls of a test that is sampled at random (4.2). It also bounds tests that are
	// made longer, attempts and interaction tests. It is at least 2, because such tests need two calls.
	Calls int `json:"calls"`
	// Creations is the maximum number k of elements that a template creates in a collection before it reads the
	// collection (5.2.1).
	Creations int `json:"creations"`
	// Text is the maximum length of a sampled text, unless its schema requires more (4.1). If the schema sets no
	// maximum, Text is also the maximum for mutations.
	Text int `json:"text"`
	// Items is the maximum number of elements of a sampled array or map, unless its schema requires more (4.1). If the
	// schema sets no maximum, Items is also the maximum for mutations.
	Items int `json:"items"`
	// FirstExponent is the maximum i of a mutation of a number by ±2^i at the start of the search. Until the focused
	// phase begins, it changes linearly to LastExponent (4.2).
	FirstExponent int `json:"first_exponent"`
	LastExponent  int `json:"last_exponent"`
	// UnitExponent is the percentage of the mutations of real numbers in which the change is multiplied by 2^0 and not
	// by 2^i (4.2).
	UnitExponent int `json:"unit_exponent"`
}

// DefaultCreations is the default of Sizes.Creations.
const DefaultCreations = 3

// DefaultSizes returns the sizes that the EvoMaster paper uses.
func DefaultSizes() Sizes {
	return Sizes{
		Calls: 10, Creations: DefaultCreations, Text: 16, Items: 5,
		FirstExponent: 30, LastExponent: 10, UnitExponent: 33,
	}
}

// OrDefault returns the sizes, and DefaultSizes for the zero value.
func (s Sizes) OrDefault() Sizes {
	if s == (Sizes{}) {
		return DefaultSizes()
	}
	return s
}

// Check returns an error if a size is not allowed. The zero value is allowed.
func (s Sizes) Check() error {
	s = s.OrDefault()
	for _, f := range SizeFields {
		if n := *f.Value(&s); n < f.Least || n > f.Most {
			return fmt.Errorf("%s is %d: give a number from %d to %d", f.Name, n, f.Least, f.Most)
		}
	}
	return nil
}

// Templates returns templates with up to s.Creations calls of each step that may be repeated before the target. The
// given templates have up to DefaultCreations such calls.
func (s Sizes) Templates(all []Template) []Template {
	most := s.OrDefault().Creations
	if most == DefaultCreations {
		return all
	}
	sized := slices.Clone(all)
	for i, t := range sized {
		sized[i].Steps = slices.Clone(t.Steps)
		for j := range len(t.Steps) - 1 {
			if step := &sized[i].Steps[j]; step.Max > step.Min {
				step.Max = max(step.Min, most)
			}
		}
	}
	return sized
}

// SizeField is a field of Sizes, with its name in flags and configurations.
type SizeField struct {
	Name, Use   string
	Least, Most int // the allowed values
	Value       func(*Sizes) *int
}

// SizeFields lists the fields of Sizes.
var SizeFields = []SizeField{
	{
		Name: "max-calls", Use: "maximum number of calls of a test that no template makes", Least: 2, Most: MaxCount,
		Value: func(s *Sizes) *int { return &s.Calls },
	},
	{
		Name: "max-creations", Use: "maximum number k of calls that fill a collection before a template reads it", Least: 1, Most: 100,
		Value: func(s *Sizes) *int { return &s.Creations },
	},
	{
		Name: "max-text", Use: "maximum length of a new text, unless its schema requires more", Least: 1, Most: 8192,
		Value: func(s *Sizes) *int { return &s.Text },
	},
	{
		Name: "max-items", Use: "maximum number of elements of a new array, unless its schema requires more", Least: 1, Most: 64,
		Value: func(s *Sizes) *int { return &s.Items },
	},
	{
		Name: "first-exponent", Use: "maximum i of a mutation of a number by 2^i, at the start", Least: 1, Most: 62,
		Value: func(s *Sizes) *int { return &s.FirstExponent },
	},
	{
		Name: "last-exponent", Use: "maximum i of a mutation of a number by 2^i, in the focused phase", Least: 1, Most: 62,
		Value: func(s *Sizes) *int { return &s.LastExponent },
	},
	{
		Name: "unit-exponent", Use: "percentage of mutations of a real number in which i is 0", Least: 0, Most: 100,
		Value: func(s *Sizes) *int { return &s.UnitExponent },
	},
}
