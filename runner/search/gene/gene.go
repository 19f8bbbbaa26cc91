// Package gene represents the values of a test as the genes of the EvoMaster paper (section 4.1). A
// gene can be sampled at random within the constraints of its schema, mutated a little (section 4.2),
// made plainer, cloned and printed as JSON or text. What a value is used for, such as a parameter or a
// body, is not its concern: see package individual.
//
// New turns a schema into an unsampled tree. Such a tree is a prototype that is never changed, so that
// many goroutines may clone it at the same time. A clone belongs to one goroutine.
package gene

import "math/rand/v2"

// Gene is a mutable part of a call: a scalar, or a composite of other genes.
type Gene interface {
	// Sample gives the gene and all genes inside it random values, most of them valid for the schema.
	Sample(r *rand.Rand)
	// MutateValue changes the gene's own value a little and reports whether it did. It does not change the
	// genes inside, which mutate on their own: see the function Mutate, which is the operator on whole
	// tests.
	MutateValue(r *rand.Rand, p Pace) bool
	// Clone returns a deep copy.
	Clone() Gene
	// SetValue takes a value as encoding/json decodes it, and reports whether all of it fits the gene. A
	// composite may take the parts that fit.
	SetValue(v any) bool
	// AppendJSON appends the phenotype as compact JSON: the same bytes for the same value, and nothing
	// for an absent Optional.
	AppendJSON(dst []byte) []byte
}

// composite is a gene that contains others.
type composite interface {
	Gene
	// inside returns the genes that are in the phenotype and may mutate. The slice must not be changed.
	inside() []Gene
	// pick returns what changes when the gene is chosen for mutation: itself, one of the genes inside,
	// or nil for nothing.
	pick(r *rand.Rand) Gene
}

// wrapper is a gene whose value is that of the gene inside it.
type wrapper interface {
	// unwrap returns the gene inside; the wrapper itself if it has a value of its own, such as null; nil
	// if it is not in the phenotype.
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

// Pace is how far the search has moved from exploring (0) to exploiting (1): the used share of the
// budget before the focused phase, and 1 during it.
type Pace float64

// exponent returns the greatest i of a number's step ±2^i. It decreases during the search from 30 to
// 10 (section 4.2).
func (p Pace) exponent() int {
	return 30 - int(20*min(max(p, 0), 1))
}

// chance is true with probability p.
func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }
