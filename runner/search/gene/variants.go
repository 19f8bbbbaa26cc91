package gene

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// maxOthers is how many values of a long enumeration, or alternatives of a choice, are tried at random.
const maxOthers = 16

// maxSeeds is how many examples are tried.
const maxSeeds = 64

// Variants returns genes that differ from g in one place. In this place, one of these is true:
//   - An optional part is present or absent, or a nullable one is null or not.
//   - Another alternative, or another value of an enumeration, is chosen.
//   - A number or a text is at the edge of what is allowed.
//   - A list or a map is longer or empty.
//   - A value is an example or the default of the schema.
//   - A Boolean value, a date or a time is another one.
//
// The genes are valid for the schema if g is valid. Locked genes do not change. If one level of the tree has more
// variants than most, Variants draws that many of them.
func Variants(r *rand.Rand, g Gene, most int) []Gene {
	if d, ok := g.(*Disruptive); ok && d.probability <= 0 {
		return nil
	}
	all := DrawFrom(r, others(r, g, most), most)
	turns := DrawIndexes(r, len(parts(g)), most)
	for _, i := range turns {
		for _, inner := range Variants(r, *parts(g)[i], most/len(turns)) {
			c := g.Clone()
			*parts(c)[i] = inner
			if allowed(c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// DrawFrom returns random elements of a list, in the list's order. most is their number; if the list has
// fewer, DrawFrom returns all.
func DrawFrom[T any](r *rand.Rand, list []T, most int) []T {
	var some []T
	for _, i := range DrawIndexes(r, len(list), most) {
		some = append(some, list[i])
	}
	return some
}

// manyNumbers is the greatest n for which DrawIndexes always shuffles all numbers. For a greater n, that may take too
// long: DrawIndexes uses pick to draw a few of the numbers.
const manyNumbers = 1000

// DrawIndexes returns different random numbers from 0 to n-1, sorted. most is how many it returns. If n is not
// greater than most, it returns all numbers, without using r.
func DrawIndexes(r *rand.Rand, n, most int) []int {
	if n > manyNumbers && most < n/2 {
		return pick(r, n, most)
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	if n > most {
		r.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:most]
		slices.Sort(all)
	}
	return all
}

// pick implements DrawIndexes for a few of many numbers, by Floyd's algorithm.
func pick(r *rand.Rand, n, most int) []int {
	taken := make(map[int]bool, most)
	for last := n - most; last < n; last++ {
		if at := r.IntN(last + 1); !taken[at] {
			taken[at] = true
		} else {
			taken[last] = true
		}
	}
	return slices.Sorted(maps.Keys(taken))
}

// TreeSize returns the number of genes in a tree. A gene whose parts are not visited, such as an absent
// Optional, counts as one.
func TreeSize(g Gene) int {
	n := 1
	for _, part := range parts(g) {
		n += TreeSize(*part)
	}
	return n
}

// maxExtreme is the largest bound that an author of a spec probably chose for the value. Larger bounds
// are mostly the limits of a number format.
const maxExtreme = 1e9

// SetExtreme sets a number to the greatest value that its schema allows if most is true, otherwise to the
// least. It does not change a number whose bound is beyond maxExtreme. It does not change other genes.
func SetExtreme(g Gene, most bool) {
	var n *Integer
	switch g := core(g).(type) {
	case *Integer:
		n = g
	case *Long:
		n = &g.Integer
	case *Double:
		g.v = extreme(g.v, g.fit(g.lo), g.fit(g.hi), most)
		return
	case *Float:
		g.v = extreme(g.v, g.fit(g.lo), g.fit(g.hi), most)
		return
	default:
		return
	}
	n.at = extreme(n.at, n.lo, n.hi, most)
}

func extreme[T int64 | float64](old, lo, hi T, most bool) T {
	to := lo
	if most {
		to = hi
	}
	if to < -maxExtreme || to > maxExtreme {
		return old
	}
	return to
}

// OmitOptional makes all optional parts absent.
func OmitOptional(g Gene) {
	if o, ok := g.(*Optional); ok {
		o.present = false
	}
	for _, part := range parts(g) {
		OmitOptional(*part)
	}
}

// RequiredOnly makes a gene present and all optional parts inside it absent.
func RequiredOnly(r *rand.Rand, g Gene) {
	if o, ok := g.(*Optional); ok && !o.present {
		o.turn(r)
	}
	for _, part := range parts(g) {
		OmitOptional(*part)
	}
}

// others returns the variants of a gene itself. Variants adds those of the genes inside.
func others(r *rand.Rand, g Gene, most int) []Gene {
	switch g := g.(type) {
	case *Optional:
		return g.others(r, most)
	case *Nullable:
		return []Gene{&Nullable{[1]Gene{g.inner[0].Clone()}, !g.null}}
	case *Boolean:
		return []Gene{&Boolean{!g.v}}
	case *Enum:
		return g.others(r)
	case *Integer:
		return made(without(g.edges(), g.at), func(at int64) Gene { return &Integer{g.span, at} })
	case *Long:
		return made(without(g.edges(), g.at), func(at int64) Gene { return &Long{Integer{g.span, at}} })
	case *Double:
		return made(without(g.edges(), g.v), func(v float64) Gene { return &Double{g.interval, v} })
	case *Float:
		return made(without(g.edges(), g.v), func(v float64) Gene { return &Float{Double{g.interval, v}} })
	case *String:
		return made(without(g.edges(r), g.v), func(v string) Gene { return &String{g.shape, v} })
	case *Array:
		return g.others(r)
	case *Choice:
		return g.others(r)
	case *Map:
		return g.others(r)
	case *seeded:
		return g.others(r)
	case *Date:
		return g.others(r)
	case *DateTime, *Time:
		return []Gene{resampled(r, g)}
	}
	return nil
}

func without[T comparable](values []T, v T) []T {
	return slices.DeleteFunc(values, func(other T) bool { return other == v })
}

func resampled(r *rand.Rand, g Gene) Gene {
	c := g.Clone()
	c.Sample(r)
	return c
}

// others returns an absent copy of a present gene. For an absent gene, it returns a present copy, and the variants of
// this copy.
func (g *Optional) others(r *rand.Rand, most int) []Gene {
	c := g.Clone().(*Optional)
	c.turn(r)
	all := []Gene{c}
	if c.present {
		for _, inner := range Variants(r, c.inner[0], most) {
			all = append(all, &Optional{proto: g.proto, inner: [1]Gene{inner}, present: true})
		}
	}
	return all
}

func (g *Enum) others(r *rand.Rand) []Gene {
	var all []Gene
	for _, at := range DrawIndexes(r, len(g.values), maxOthers) {
		if at != g.at {
			all = append(all, &Enum{g.literals, at})
		}
	}
	return all
}

// others returns an empty list, a longer list, and a list that contains an element twice, if they are allowed.
func (g *Array) others(r *rand.Rand) []Gene {
	var all []Gene
	if g.min == 0 && len(g.elems) > 0 {
		all = append(all, &Array{list: g.list})
	}
	if len(g.elems) < g.max {
		if c := g.Clone().(*Array); c.add(r) {
			all = append(all, c)
		}
		if len(g.elems) > 0 && !g.unique {
			all = append(all, &Array{g.list, append(cloneAll(g.elems), g.elems[0].Clone())})
		}
	}
	return all
}

// others returns a map with an additional entry and an empty map, if they are allowed.
func (g *Map) others(r *rand.Rand) []Gene {
	var all []Gene
	if c := g.Clone().(*Map); c.grow(r) {
		all = append(all, c)
	}
	if len(g.names) > 0 && g.min == 0 {
		c := *g
		c.names, c.values = nil, nil
		all = append(all, &c)
	}
	return all
}

// others returns all days of a week, and the 29th of February.
func (g *Date) others(r *rand.Rand) []Gene {
	year := 2015 + r.IntN(20)
	month := 1 + r.IntN(12)
	var all []Gene
	for day := range 7 {
		c := newDate()
		c.parts.set(year, month, 8+day)
		all = append(all, c)
	}
	leap := newDate()
	leap.parts.set(2024, 2, 29)
	return append(all, leap)
}

func (g *Choice) others(r *rand.Rand) []Gene {
	var all []Gene
	for _, at := range DrawIndexes(r, len(g.protos), maxOthers) {
		if at != g.at {
			c := g.Clone().(*Choice)
			c.take(r, at)
			all = append(all, c)
		}
	}
	return all
}

// others returns the gene with its default and with its examples.
func (g *seeded) others(r *rand.Rand) []Gene {
	var all []Gene
	for _, at := range DrawIndexes(r, len(g.values), maxSeeds) {
		if c := g.Clone().(*seeded); c.SetValue(g.values[at]) && string(JSON(c)) != string(JSON(g)) {
			all = append(all, c)
		}
	}
	return all
}
