package gene

import (
	"math/rand/v2"
	"slices"
)

// Map is an object whose names are free and whose values are genes of one
// kind.
type Map struct {
	proto    Gene     // of the values
	max      int      // number of entries
	reserved []string // names that are taken by an object around
	names    []string
	values   []Gene
}

// Sample draws up to five entries.
func (g *Map) Sample(r *rand.Rand) {
	g.names, g.values = nil, nil
	for range r.IntN(min(g.max, usualItems) + 1) {
		g.add(r)
	}
}

// add appends an entry under a new name.
func (g *Map) add(r *rand.Rand) bool {
	name := label(r)
	if g.taken(name) {
		return false
	}
	value := g.proto.Clone()
	value.Sample(r)
	g.names = append(g.names, name)
	g.values = append(g.values, value)
	return true
}

func (g *Map) taken(name string) bool {
	return slices.Contains(g.names, name) || slices.Contains(g.reserved, name)
}

// Mutate adds or removes an entry.
func (g *Map) Mutate(r *rand.Rand, _ Pace) bool {
	switch n := len(g.names); {
	case n > 0 && (n >= g.max || r.IntN(2) == 0):
		i := r.IntN(n)
		g.names = append(g.names[:i:i], g.names[i+1:]...)
		g.values = append(g.values[:i:i], g.values[i+1:]...)
		return true
	case n < g.max:
		return g.add(r)
	}
	return false
}

// Clone returns a deep copy.
func (g *Map) Clone() Gene {
	c := *g
	c.names = slices.Clone(g.names)
	c.values = cloneAll(g.values)
	return &c
}

// cloneAll returns deep copies.
func cloneAll(genes []Gene) []Gene {
	copies := make([]Gene, len(genes))
	for i, g := range genes {
		copies[i] = g.Clone()
	}
	return copies
}

// Set takes an object, in the order of its names. Entries that do not fit are
// left out.
func (g *Map) Set(v any) bool {
	values, ok := v.(map[string]any)
	if !ok {
		return false
	}
	g.names, g.values = nil, nil
	for _, name := range sortedNames(values) {
		value := g.proto.Clone()
		if len(g.names) == g.max || g.taken(name) || !value.Set(values[name]) {
			ok = false
			continue
		}
		g.names = append(g.names, name)
		g.values = append(g.values, value)
	}
	return ok
}

// AppendJSON appends the entries in the order in which they were added.
func (g *Map) AppendJSON(dst []byte) []byte { return appendFields(dst, g.fields()) }

func (g *Map) fields() []Field {
	fields := make([]Field, len(g.names))
	for i, name := range g.names {
		fields[i] = Field{name, g.values[i]}
	}
	return fields
}

func (g *Map) inside() []Gene { return g.values }

func (g *Map) pick(r *rand.Rand) Gene {
	if len(g.values) == 0 || r.IntN(3) == 0 {
		return g
	}
	return pickOne(r, g.values)
}
