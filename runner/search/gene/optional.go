package gene

import "math/rand/v2"

// Optional is a gene that may be absent from the phenotype. A mutation can make it present or absent. An
// absent gene keeps its last value.
type Optional struct {
	proto   Gene
	inner   [1]Gene // nil until the gene is present for the first time
	present bool
}

// NewOptional returns an unsampled, absent gene.
func NewOptional(inner Gene) *Optional { return &Optional{proto: inner} }

// turnOff is the probability that a mutation makes a present gene absent instead of changing the gene inside.
const turnOff = 0.1

// Sample makes the gene present with probability 1/2, and then samples the gene inside.
func (g *Optional) Sample(r *rand.Rand) {
	g.present, g.inner[0] = false, nil
	if r.IntN(2) == 0 {
		g.turn(r)
	}
}

// turn flips the presence.
func (g *Optional) turn(r *rand.Rand) {
	g.present = !g.present
	if g.present && g.inner[0] == nil {
		g.inner[0] = g.proto.Clone()
		g.inner[0].Sample(r)
	}
}

// MutateValue flips the presence.
func (g *Optional) MutateValue(r *rand.Rand, _ Pace) bool {
	g.turn(r)
	return true
}

// Clone returns a deep copy, including the value of an absent gene.
func (g *Optional) Clone() Gene {
	c := *g
	c.inner[0] = cloneIf(g.inner[0])
	return &c
}

func cloneIf(g Gene) Gene {
	if g == nil {
		return nil
	}
	return g.Clone()
}

// SetValue accepts what the gene inside accepts, and makes the gene present.
func (g *Optional) SetValue(v any) bool {
	inner := cloneIf(g.inner[0])
	if inner == nil {
		inner = g.proto.Clone()
	}
	if !inner.SetValue(v) {
		return false
	}
	g.inner[0], g.present = inner, true
	return true
}

// AppendJSON appends the gene inside, or nothing.
func (g *Optional) AppendJSON(dst []byte) []byte {
	if !g.present {
		return dst
	}
	return g.inner[0].AppendJSON(dst)
}

func (g *Optional) inside() []Gene {
	if !g.present {
		return nil
	}
	return g.inner[:]
}

func (g *Optional) pick(r *rand.Rand) Gene {
	if !g.present || chance(r, turnOff) {
		return g
	}
	return g.inner[0]
}

func (g *Optional) unwrap() Gene {
	if !g.present {
		return nil
	}
	return g.inner[0]
}

// Nullable is a gene that is sometimes null.
type Nullable struct {
	inner [1]Gene
	null  bool
}

// nullChance is the probability that a Nullable is sampled as null.
const nullChance = 0.05

// Sample samples the gene inside, and rarely makes the value null.
func (g *Nullable) Sample(r *rand.Rand) {
	g.null = chance(r, nullChance)
	g.inner[0].Sample(r)
}

// MutateValue makes the value null, or replaces null by the value of the gene inside.
func (g *Nullable) MutateValue(*rand.Rand, Pace) bool {
	g.null = !g.null
	return true
}

// Clone returns a deep copy.
func (g *Nullable) Clone() Gene {
	return &Nullable{[1]Gene{g.inner[0].Clone()}, g.null}
}

// SetValue accepts null, and what the gene inside accepts.
func (g *Nullable) SetValue(v any) bool {
	ok := v == nil || g.inner[0].SetValue(v)
	if ok {
		g.null = v == nil
	}
	return ok
}

// AppendJSON appends null or the gene inside.
func (g *Nullable) AppendJSON(dst []byte) []byte {
	if g.null {
		return append(dst, "null"...)
	}
	return g.inner[0].AppendJSON(dst)
}

func (g *Nullable) inside() []Gene {
	if g.null {
		return nil
	}
	return g.inner[:]
}

func (g *Nullable) pick(r *rand.Rand) Gene {
	if g.null || chance(r, nullChance) {
		return g
	}
	return g.inner[0]
}

func (g *Nullable) unwrap() Gene {
	if g.null {
		return g
	}
	return g.inner[0]
}
