package gene

import (
	"math/rand/v2"
	"slices"
)

// fewer returns simpler variants of a gene that contains other genes. Only the gene's own value is
// simpler, for example a list has fewer elements. See plainer.
func fewer(g Gene) []Gene {
	switch g := g.(type) {
	case *Optional:
		return when(g.present, NewOptional(g.proto))
	case *Nullable:
		return when(g.null, &Nullable{inner: [1]Gene{fresh(g.inner[0])}})
	case *Map:
		return g.fewer()
	case *Array:
		return g.fewer()
	case *Choice:
		return g.first()
	}
	return nil
}

// fresh returns a new gene with the simplest value, made from a prototype.
func fresh(proto Gene) Gene {
	g := proto.Clone()
	g.Sample(rand.New(rand.NewPCG(1, 2)))
	return Simplest(g)
}

// fewer returns shorter lists: first a list with as few elements as allowed, then lists that lack one element.
func (g *Array) fewer() []Gene {
	n := len(g.elems)
	if n <= g.min {
		return nil
	}
	all := []Gene{&Array{g.list, cloneAll(g.elems[:g.min])}}
	for i := n - 1; i >= 0 && n-1 > g.min; i-- {
		all = append(all, &Array{g.list, cloneAll(slices.Concat(g.elems[:i], g.elems[i+1:]))})
	}
	return all
}

// hasTwice reports whether two elements have the value of e.
func (g *Array) hasTwice(e Gene) bool {
	i := slices.IndexFunc(g.elems, func(other Gene) bool { return string(JSON(other)) == string(JSON(e)) })
	return i >= 0 && g.has(e, i)
}

// fewer returns smaller maps: first a map with as few entries as allowed, then maps that lack one entry.
func (g *Map) fewer() []Gene {
	n := len(g.names)
	if n <= g.min {
		return nil
	}
	all := []Gene{g.only(func(i int) bool { return i < g.min })}
	for but := n - 1; but >= 0 && n-1 > g.min; but-- {
		all = append(all, g.only(func(i int) bool { return i != but }))
	}
	return all
}

// only returns a copy of the map with the entries for which keep returns true.
func (g *Map) only(keep func(i int) bool) *Map {
	c := *g
	c.names, c.values = nil, nil
	for i, name := range g.names {
		if keep(i) {
			c.names, c.values = append(c.names, name), append(c.values, g.values[i].Clone())
		}
	}
	return &c
}

// first returns a list with one gene: the choice with the simplest value of the first alternative. It returns nil if
// the first alternative is chosen already, or if the value is not allowed.
func (g *Choice) first() []Gene {
	if g.at == 0 {
		return nil
	}
	c := &Choice{protos: g.protos, at: 0, inner: [1]Gene{fresh(g.protos[0])}, alone: g.alone}
	return when(allowed(c), c)
}
