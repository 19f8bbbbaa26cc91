// Package gene holds the values of a test as the EvoMaster paper's genes
// (section 4.1): each kind can be sampled at random within the constraints of
// its schema, mutated a little (section 4.2), cloned and printed.
//
// New turns a schema into an unsampled tree. Such a tree is a prototype: it is
// never changed, so many goroutines may Clone it at the same time. A clone
// belongs to one goroutine.
package gene

import "math/rand/v2"

// Gene is a mutable part of a call: a scalar, or a composite of other genes.
type Gene interface {
	// Sample gives the gene and all genes inside it random values, most of
	// them valid for the schema.
	Sample(r *rand.Rand)
	// Mutate changes the gene's own value a little and reports whether it did.
	// It leaves the genes inside alone, which have their own turn: see the
	// function Mutate, which is the operator on whole tests.
	Mutate(r *rand.Rand, p Pace) bool
	// Clone returns a deep copy.
	Clone() Gene
	// Set takes over a value as encoding/json decodes it, and reports whether
	// all of it fits the gene. An object that does not may be taken in parts.
	Set(v any) bool
	// AppendJSON appends the phenotype as compact JSON: the same bytes for the
	// same value, and nothing for an absent Optional.
	AppendJSON(dst []byte) []byte
}

// composite is a gene that has others inside.
type composite interface {
	Gene
	// inside returns the genes that are in the phenotype and may mutate. The
	// slice is the gene's own.
	inside() []Gene
	// pick returns what changes when the gene is chosen for mutation: itself,
	// one of the genes inside, or nil for nothing.
	pick(r *rand.Rand) Gene
}

// wrapper is a gene that stands for the gene inside it.
type wrapper interface {
	// unwrap returns the gene inside, the wrapper itself where it has a value
	// of its own, such as null, and nil where it is not in the phenotype.
	unwrap() Gene
}

// core returns the gene that gives g its value, nil where g is absent.
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

// Pace is how far the search has moved from exploring (0) to exploiting (1):
// the share of the budget used before the focused phase, and 1 in it.
type Pace float64

// exponent returns the highest i of a number's step ±2^i, which decreases
// during the search from 30 to 10 (section 4.2).
func (p Pace) exponent() int {
	return 30 - int(20*min(max(p, 0), 1))
}

// chance is true with probability p.
func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }
