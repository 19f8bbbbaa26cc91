// Package gene represents the values of a test as the genes of the EvoMaster paper (section 4.1). A gene can be
// sampled within the constraints of its schema, mutated (section 4.2), simplified, cloned, and printed as JSON or
// text. The printed value is called the phenotype. The package does not depend on what a value is used for, such as a
// parameter or a body; package individual does.
//
// New turns a schema into an unsampled tree of genes. The tree is a prototype and never changes, so that several
// goroutines may clone it at the same time. A clone must be used by one goroutine at a time.
package gene

import (
	"math/rand/v2"

	"sonde/model"
)

// Gene is a mutable part of a call: a scalar, or a composite of other genes.
type Gene interface {
	// Sample gives the gene and all genes inside it random values. Most values are valid for the schema.
	Sample(r *rand.Rand)
	// MutateValue changes the gene's own value a little and reports whether it did. It does not change the genes
	// inside it. The function Mutate mutates all genes of a test.
	MutateValue(r *rand.Rand, p Pace) bool
	// Clone returns a deep copy.
	Clone() Gene
	// SetValue sets the gene to a value as encoding/json decodes it, and reports whether the gene accepts
	// all of the value. A composite may accept only some parts and still be changed.
	SetValue(v any) bool
	// AppendJSON appends the phenotype as compact JSON. Equal values have equal bytes, except that the entries of a Map
	// keep the order in which they were added. AppendJSON appends nothing for an absent Optional.
	AppendJSON(dst []byte) []byte
}

// composite is a gene that contains other genes.
type composite interface {
	Gene
	// inside returns the inner genes that are part of the present value and may mutate. The slice must not be
	// changed.
	inside() []Gene
	// pick returns the gene that mutates when the composite is chosen for mutation: the composite itself or
	// a gene inside, or nil.
	pick(r *rand.Rand) Gene
}

// wrapper is a gene that has the value of the gene inside it.
type wrapper interface {
	// unwrap returns the gene inside. It returns the wrapper itself if the wrapper has a value of its own, such as
	// null, and nil if the wrapper is absent.
	unwrap() Gene
}

// core removes the wrappers around g, and returns the gene that has the value of g. It returns nil if g is absent.
func core(g Gene) Gene {
	for {
		w, ok := g.(wrapper)
		if !ok {
			return g
		}
		inner := w.unwrap()
		if inner == nil || inner == g {
			return inner
		}
		g = inner
	}
}

// Pace decides how much numbers change in mutations (the EvoMaster paper, section 4.2). The zero value is the pace at the
// start of a search with the default sizes.
type Pace struct {
	greatest int     // the greatest i of a mutation of a number by ±2^i
	unit     float64 // the probability that i is 0 for a real number
}

// NewPace returns the pace at a point of a search. used is 0 at the start, rises to 1 while the budget before the
// focused phase is used up, and is 1 in that phase. The greatest exponent changes in step with used, from
// s.FirstExponent to s.LastExponent.
func NewPace(used float64, s model.Sizes) Pace {
	s = s.OrDefault()
	fall := float64(s.FirstExponent-s.LastExponent) * min(max(used, 0), 1)
	return Pace{greatest: s.FirstExponent - int(fall), unit: float64(s.UnitExponent) / 100}
}

// orStart returns p, or the pace at the start of a search if p is the zero value.
func (p Pace) orStart() Pace {
	if p == (Pace{}) {
		return NewPace(0, model.Sizes{})
	}
	return p
}

// chance is true with probability p.
func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }
