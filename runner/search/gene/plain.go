package gene

import (
	"bytes"
	"iter"
	"slices"
)

// Simplest returns the plainest value that the schema of a gene allows, as far as
// the genes know it: what may be absent is, texts are their schema's default or
// example, or else as short as may be, numbers 0 or the bound next to it, lists
// as short as may be.
func Simplest(g Gene) Gene {
	c := g.Clone()
	for next := plainer(c); len(next) > 0; next = plainer(c) {
		c = next[0]
	}
	for _, p := range parts(c) {
		settle(c, p)
	}
	return c
}

// mostSettled is how many plainer values of a part are tried that the gene
// around it may not have.
const mostSettled = 3

// settle makes a part of a gene plain, or at least plainer where the gene may
// not have it plain.
func settle(g Gene, part *Gene) {
	old, tries := *part, 0
	for next := range Simpler(old) {
		*part = next
		if allowed(g) {
			return
		}
		*part = old
		tries++
		if tries == mostSettled {
			return
		}
	}
}

// IsSimplest reports whether a gene has its plainest value.
func IsSimplest(g Gene) bool { return bytes.Equal(JSON(g), JSON(Simplest(g))) }

// Simpler returns what is next to a gene and plainer: all of it plain, and then
// one of the genes in it made plainer, outer ones before inner ones. Each
// keeps the schema if the gene does.
func Simpler(g Gene) iter.Seq[Gene] {
	return func(yield func(Gene) bool) {
		if all := Simplest(g); bytes.Equal(JSON(all), JSON(g)) || !yield(all) {
			return
		}
		for _, c := range plainer(g) {
			if !yield(c) {
				return
			}
		}
		for i := range parts(g) {
			if !plainerPart(g, i, yield) {
				return
			}
		}
	}
}

// plainerPart yields the gene with a part of it made plainer, and reports whether
// more is wanted.
func plainerPart(g Gene, i int, yield func(Gene) bool) bool {
	for inner := range Simpler(*parts(g)[i]) {
		c := g.Clone()
		*parts(c)[i] = inner
		if allowed(c) && !yield(c) {
			return false
		}
	}
	return true
}

// SimplifiableParts returns the places of the genes in a tree that can be made plain each
// without regard to the others: its root, or where that is an object its fields.
func SimplifiableParts(root *Gene) []*Gene {
	switch g := (*root).(type) {
	case *Object:
		if g.size == nil {
			return placesOf(parts(g))
		}
	case *Nullable, *Disruptive, *seeded:
		if _, isObject := core(g).(*Object); isObject {
			return placesOf(parts(g))
		}
	}
	return []*Gene{root}
}

func placesOf(parts []*Gene) []*Gene {
	var all []*Gene
	for _, p := range parts {
		all = append(all, SimplifiableParts(p)...)
	}
	return all
}

// parts returns the places of the genes inside that may be made plainer. It is
// the same for a clone.
func parts(g Gene) []*Gene {
	switch g := g.(type) {
	case *Optional:
		return each(g.inside())
	case *Nullable:
		return each(g.inside())
	case *Choice:
		return each(g.inner[:])
	case *Except:
		return each(g.inner[:])
	case *Disruptive:
		return each(g.inner[:])
	case *seeded:
		if !g.atSeed() {
			return each(g.inner[:])
		}
	case *Object:
		return each(g.genes)
	case *Map:
		return each(g.values)
	case *Array:
		return each(g.elems)
	case *Base64String:
		return each(g.inner[:])
	case *DateTime:
		return each(g.parts[:])
	}
	return nil
}

func each(genes []Gene) []*Gene {
	places := make([]*Gene, len(genes))
	for i := range genes {
		places[i] = &genes[i]
	}
	return places
}

// allowed reports whether a gene may have the parts that it has; most do not mind.
func allowed(g Gene) bool {
	switch g := g.(type) {
	case *Except:
		return g.allows(g.inner[0])
	case *Choice:
		return g.alone == nil || g.alone.keeps(g.alone.all, valueOf(g.inner[0])) == 1
	case *Array:
		return !g.unique || !slices.ContainsFunc(g.elems, func(e Gene) bool { return g.hasTwice(e) })
	case *Object:
		return g.size.holds(len(g.fields()))
	}
	return true
}
