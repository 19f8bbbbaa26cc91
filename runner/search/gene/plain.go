package gene

import (
	"bytes"
	"iter"
	"slices"
)

// Simplest returns a copy of a gene with the plainest value that its schema allows. Optional parts are absent. A scalar
// is the schema's default or an example. Without these, a text is as short as possible, and a number is 0 or the bound
// nearest to 0. A list is as short as possible.
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

// maxSettled limits how many simpler values of a part are tried if the enclosing gene does not allow
// them.
const maxSettled = 3

// settle replaces a part of a gene by the first of the part's plainer values that the gene allows. It does not
// change the part if the gene allows none of the first maxSettled values.
func settle(g Gene, part *Gene) {
	old, tries := *part, 0
	for next := range Simpler(old) {
		*part = next
		if allowed(g) {
			return
		}
		*part = old
		tries++
		if tries == maxSettled {
			return
		}
	}
}

// IsSimplest reports whether a gene has its plainest value.
func IsSimplest(g Gene) bool { return bytes.Equal(JSON(g), JSON(Simplest(g))) }

// Simpler yields genes that are simpler than g: first the simplest one, and then genes in which one part is simpler,
// outer parts before inner parts. The genes are valid for the schema if g is valid.
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

// plainerPart yields copies of g in which part i is plainer. It returns false once yield has returned false.
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

// SimplifiableParts returns pointers to the genes in a tree that can be made plain independently of each
// other. An object that may have any number of fields is replaced by its fields, at each level of the tree.
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

// parts returns pointers to the genes inside that may be made plainer. The order is the same for a clone.
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

// allowed reports whether a gene allows the values of the genes inside it. Only some genes restrict them.
func allowed(g Gene) bool {
	switch g := g.(type) {
	case *Except:
		return g.allows(g.inner[0])
	case *Choice:
		return g.alone == nil || g.alone.countValid(g.alone.all, valueOf(g.inner[0])) == 1
	case *Array:
		return !g.unique || !slices.ContainsFunc(g.elems, func(e Gene) bool { return g.hasTwice(e) })
	case *Object:
		return g.size.holds(len(g.fields()))
	}
	return true
}
