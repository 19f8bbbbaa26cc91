package gene

import "math/rand/v2"

// Disruptive is a gene whose mutation most likely breaks a test. The gene inside is mutated only with
// a probability of its own, which may be 0.
type Disruptive struct {
	inner       [1]Gene
	probability float64
}

// NewDisruptive returns a gene that mutates with probability p when it is chosen for mutation.
func NewDisruptive(inner Gene, p float64) *Disruptive {
	return &Disruptive{[1]Gene{inner}, p}
}

// LockValue returns the gene with a locked value: no mutation changes it, as for the path parameters of a
// smartly sampled test. Sampling still does.
func LockValue(g Gene) *Disruptive { return NewDisruptive(g, 0) }

// UnlockValue undoes LockValue. Other genes are returned as they are.
func UnlockValue(g Gene) Gene {
	if d, ok := g.(*Disruptive); ok && d.probability <= 0 {
		return d.inner[0]
	}
	return g
}

// Sample samples the gene inside.
func (g *Disruptive) Sample(r *rand.Rand) { g.inner[0].Sample(r) }

// MutateValue mutates the genes inside with the given probability.
func (g *Disruptive) MutateValue(r *rand.Rand, p Pace) bool {
	return chance(r, g.probability) && Mutate(r, g.inner[:], p)
}

// Clone returns a deep copy.
func (g *Disruptive) Clone() Gene {
	return NewDisruptive(g.inner[0].Clone(), g.probability)
}

// SetValue takes what the gene inside takes, locked or not.
func (g *Disruptive) SetValue(v any) bool { return g.inner[0].SetValue(v) }

// AppendJSON appends the gene inside.
func (g *Disruptive) AppendJSON(dst []byte) []byte { return g.inner[0].AppendJSON(dst) }

func (g *Disruptive) unwrap() Gene { return g.inner[0] }

// seeded is a gene that is sometimes sampled from the schema's examples. It is not one of the paper's
// kinds and does not count as a gene.
type seeded struct {
	inner [1]Gene
	*seeds
}

// seeds are the default and the examples of a schema.
type seeds struct {
	values []any
	known  map[string]bool // as JSON
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

// seedChance is the probability that a sample is an example.
const seedChance = 0.2

// Sample samples the gene inside, and sometimes sets it to an example, as far as that fits.
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

// SetValue takes what the gene inside takes.
func (g *seeded) SetValue(v any) bool { return g.inner[0].SetValue(v) }

// AppendJSON appends the gene inside.
func (g *seeded) AppendJSON(dst []byte) []byte { return g.inner[0].AppendJSON(dst) }

func (g *seeded) inside() []Gene         { return g.inner[:] }
func (g *seeded) pick(_ *rand.Rand) Gene { return g.inner[0] }
func (g *seeded) unwrap() Gene           { return g.inner[0] }
