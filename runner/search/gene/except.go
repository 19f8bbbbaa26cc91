package gene

import (
	"math/rand/v2"

	"sonde/model"
)

// exceptTries is how many values are drawn to find one that is not forbidden.
const exceptTries = 32

// Except is a gene whose value must not be valid for a schema: "not" in JSON Schema. The genes inside
// cannot check that, so Except mutates them itself.
type Except struct {
	inner [1]Gene
	*ban
}

// ban is the schema that a value must not be valid for.
type ban struct {
	*checker
	not *model.Schema
}

func (b *ban) allows(g Gene) bool { return b.countValid([]*model.Schema{b.not}, valueOf(g)) == 0 }

// newExcept returns an Except of a gene, or the gene itself if all of its values seem to be forbidden.
func newExcept(inner Gene, not *model.Schema) Gene {
	g := &Except{[1]Gene{inner.Clone()}, &ban{newChecker(not), not}}
	g.Sample(rand.New(rand.NewPCG(1, 2)))
	if !g.allows(g.inner[0]) {
		return inner
	}
	return g
}

// Sample draws until the value is not forbidden, or the tries are used up.
func (g *Except) Sample(r *rand.Rand) {
	for range exceptTries {
		g.inner[0].Sample(r)
		if g.allows(g.inner[0]) {
			return
		}
	}
}

// MutateValue mutates the genes inside to a value that is not forbidden.
func (g *Except) MutateValue(r *rand.Rand, p Pace) bool {
	for range exceptTries {
		next := g.inner[0].Clone()
		if Mutate(r, []Gene{next}, p) && g.allows(next) {
			g.inner[0] = next
			return true
		}
	}
	return false
}

// Clone returns a deep copy.
func (g *Except) Clone() Gene { return &Except{[1]Gene{g.inner[0].Clone()}, g.ban} }

// SetValue accepts what the gene inside accepts, if it is not forbidden.
func (g *Except) SetValue(v any) bool {
	next := g.inner[0].Clone()
	ok := next.SetValue(v) && g.allows(next)
	if ok {
		g.inner[0] = next
	}
	return ok
}

// AppendJSON appends the gene inside.
func (g *Except) AppendJSON(dst []byte) []byte { return g.inner[0].AppendJSON(dst) }

func (g *Except) unwrap() Gene { return g.inner[0] }

// exclusive are the alternatives of oneOf: a value must be valid for exactly one of them.
type exclusive struct {
	*checker
	all []*model.Schema
}

// aloneTries is how many values of an alternative are drawn to find one that is valid for no other alternative.
const aloneTries = 8

// newExclusive returns an exclusive for alternatives: all are their schemas, and protos are their genes. Each gene
// must have a value that is valid for only one alternative. If newExclusive finds no such value for a gene, it
// returns nil. It returns nil, for example, for objects whose properties are all optional: every value of an
// alternative is then valid for the others.
func newExclusive(protos []Gene, all []*model.Schema) *exclusive {
	e := &exclusive{newChecker(all...), all}
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range protos {
		if e.draw(p.Clone(), r) == 0 {
			return nil
		}
	}
	return e
}

// draw samples a gene until its value is valid for only one alternative. It returns how many tries were left, the
// successful one included, or 0 if it found no such value.
func (e *exclusive) draw(g Gene, r *rand.Rand) int {
	for left := aloneTries; left > 0; left-- {
		g.Sample(r)
		if e.countValid(e.all, valueOf(g)) == 1 {
			return left
		}
	}
	return 0
}
