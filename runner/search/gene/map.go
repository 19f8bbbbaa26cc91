package gene

import (
	"math/rand/v2"
	"slices"
)

// Map is an object with any names, whose values are genes of one kind.
type Map struct {
	proto    Gene     // prototype of the values
	min, max int      // number of entries
	usual    int      // maximum number of sampled entries, unless min is greater; see model.Sizes
	free     bool     // the schema says nothing about the values, so that they may have other kinds than proto
	reserved []string // names of the enclosing object's own fields
	names    []string
	values   []Gene
}

// Sample draws at most g.usual entries, unless the schema requires more.
func (g *Map) Sample(r *rand.Rand) {
	g.names, g.values = nil, nil
	most := max(g.min, min(g.max, g.usual))
	for range g.min + r.IntN(most-g.min+1) {
		g.add(r)
	}
	for try := 0; len(g.names) < g.min && try < tries; try++ {
		g.add(r)
	}
}

// grow adds an entry if there may be more, and reports whether it did.
func (g *Map) grow(r *rand.Rand) bool { return len(g.names) < g.max && g.add(r) }

// shrink removes an entry if there may be fewer, and reports whether it did.
func (g *Map) shrink(r *rand.Rand) bool {
	n := len(g.names)
	if n <= g.min {
		return false
	}
	i := r.IntN(n)
	g.names = append(g.names[:i:i], g.names[i+1:]...)
	g.values = append(g.values[:i:i], g.values[i+1:]...)
	return true
}

// add appends an entry with a random name. It returns false if the name is taken.
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

// MutateValue adds or removes an entry.
func (g *Map) MutateValue(r *rand.Rand, _ Pace) bool {
	if n := len(g.names); n > g.min && (n >= g.max || r.IntN(2) == 0) {
		return g.shrink(r)
	}
	return g.grow(r)
}

// Clone returns a deep copy.
func (g *Map) Clone() Gene {
	c := *g
	c.names = slices.Clone(g.names)
	c.values = cloneAll(g.values)
	return &c
}

func cloneAll(genes []Gene) []Gene {
	copies := make([]Gene, len(genes))
	for i, g := range genes {
		copies[i] = g.Clone()
	}
	return copies
}

// SetValue accepts an object. The map gets its entries in alphabetical order. If some entries do not fit, SetValue
// leaves them out and returns false. If too few entries fit, it changes nothing and returns false.
func (g *Map) SetValue(v any) bool {
	values, ok := v.(map[string]any)
	if !ok {
		return false
	}
	next := &Map{reserved: g.reserved}
	for _, name := range sortedNames(values) {
		value := g.proto.Clone()
		if !value.SetValue(values[name]) {
			value = g.literal(values[name])
		}
		if len(next.names) == g.max || next.taken(name) || value == nil {
			ok = false
			continue
		}
		next.names = append(next.names, name)
		next.values = append(next.values, value)
	}
	if len(next.names) < g.min {
		return false
	}
	g.names, g.values = next.names, next.values
	return ok
}

// literal returns a gene with a fixed value of another kind than the prototype, nil if the schema does not allow such a value.
func (g *Map) literal(v any) Gene {
	if !g.free {
		return nil
	}
	if e := newEnum([]any{v}); e != nil {
		return e
	}
	return nil
}

// AppendJSON appends the entries in the order in which they were added.
func (g *Map) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for f := range g.present {
		dst = appendField(dst, f)
	}
	return append(dst, '}')
}

func (g *Map) fields() []Field { return slices.AppendSeq(make([]Field, 0, len(g.names)), g.present) }

func (g *Map) present(yield func(Field) bool) {
	for i, name := range g.names {
		if !yield(Field{name, g.values[i]}) {
			return
		}
	}
}

func (g *Map) inside() []Gene { return g.values }

func (g *Map) pick(r *rand.Rand) Gene {
	if len(g.values) == 0 || g.min < g.max && r.IntN(3) == 0 {
		return g
	}
	return pickOne(r, g.values)
}
