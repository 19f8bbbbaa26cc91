package gene

import "math/rand/v2"

// Disruptive is a gene whose mutation would probably break a test. If it is chosen for mutation, the gene inside
// mutates only with a given probability, which may be 0.
type Disruptive struct {
	inner       [1]Gene
	probability float64
}

// NewDisruptive returns a gene that mutates with probability p when it is chosen for mutation.
func NewDisruptive(inner Gene, p float64) *Disruptive {
	return &Disruptive{[1]Gene{inner}, p}
}

// LockValue returns a gene whose value no mutation changes, such as a parameter that a link sets. Sampling
// still changes the value.
func LockValue(g Gene) *Disruptive { return NewDisruptive(g, 0) }

// UnlockValue undoes LockValue. It returns other genes unchanged.
func UnlockValue(g Gene) Gene {
	if d, ok := g.(*Disruptive); ok && d.probability <= 0 {
		return d.inner[0]
	}
	return g
}

// Sample samples the gene inside.
func (g *Disruptive) Sample(r *rand.Rand) { g.inner[0].Sample(r) }

// MutateValue mutates the gene inside with the gene's probability.
func (g *Disruptive) MutateValue(r *rand.Rand, p Pace) bool {
	return chance(r, g.probability) && Mutate(r, g.inner[:], p)
}

// Clone returns a deep copy.
func (g *Disruptive) Clone() Gene {
	return NewDisruptive(g.inner[0].Clone(), g.probability)
}

// SetValue accepts what the gene inside accepts, even if the gene is locked.
func (g *Disruptive) SetValue(v any) bool { return g.inner[0].SetValue(v) }

// AppendJSON appends the gene inside.
func (g *Disruptive) AppendJSON(dst []byte) []byte { return g.inner[0].AppendJSON(dst) }

func (g *Disruptive) unwrap() Gene { return g.inner[0] }

// seeded wraps a gene. A sample is sometimes the default or an example of the schema. Mutations change the gene
// inside. The EvoMaster paper has no such gene.
type seeded struct {
	inner [1]Gene
	*seeds
}

// seeds are the default and the examples of a schema.
type seeds struct {
	values []any
	known  map[string]bool // the values as JSON
}

func newSeeds(values []any) *seeds {
	s := &seeds{values: values, known: make(map[string]bool, len(values))}
	for _, v := range values {
		if json, err := compact(v); err == nil {
			s.known[json] = true
		}
	}
	return s
}

// seedChance is the probability that a sample is the default or an example.
const seedChance = 0.2

// Sample samples the gene inside, and then sometimes sets it to the default or an example.
func (g *seeded) Sample(r *rand.Rand) {
	g.inner[0].Sample(r)
	if chance(r, seedChance) {
		g.inner[0].SetValue(g.values[r.IntN(len(g.values))])
	}
}

// MutateValue changes nothing; the gene inside mutates itself.
func (g *seeded) MutateValue(*rand.Rand, Pace) bool { return false }

// Clone returns a deep copy.
func (g *seeded) Clone() Gene {
	return &seeded{[1]Gene{g.inner[0].Clone()}, g.seeds}
}

// SetValue accepts what the gene inside accepts.
func (g *seeded) SetValue(v any) bool { return g.inner[0].SetValue(v) }

// AppendJSON appends the gene inside.
func (g *seeded) AppendJSON(dst []byte) []byte { return g.inner[0].AppendJSON(dst) }

func (g *seeded) inside() []Gene         { return g.inner[:] }
func (g *seeded) pick(_ *rand.Rand) Gene { return g.inner[0] }
func (g *seeded) unwrap() Gene           { return g.inner[0] }
