package gene

import "math/rand/v2"

// Array is a list of genes of one kind. It has at most model.Sizes.Items elements unless its schema says otherwise.
type Array struct {
	*list
	elems []Gene
}

// list holds the constraints of an array. All clones share it.
type list struct {
	proto    Gene // prototype of the elements
	min, max int
	usual    int // maximum number of sampled elements, unless min is greater; see model.Sizes
	unique   bool
}

// Sample draws a length and the elements. If elements must be unique and there are not enough different
// values, the array is shorter.
func (g *Array) Sample(r *rand.Rand) {
	most := max(g.min, min(g.max, g.usual))
	n := g.min + r.IntN(most-g.min+1)
	g.elems = make([]Gene, 0, n)
	for range n {
		g.add(r)
	}
	for try := 0; len(g.elems) < g.min && try < tries; try++ {
		g.add(r)
	}
}

// add appends a random element, and returns false if it finds no allowed element.
func (g *Array) add(r *rand.Rand) bool {
	e := g.proto.Clone()
	for range 8 {
		e.Sample(r)
		if !g.unique || !g.has(e, -1) {
			g.elems = append(g.elems, e)
			return true
		}
	}
	return false
}

// AppendElement adds a new element to an array, and reports whether it did. It returns false for other genes.
func AppendElement(r *rand.Rand, g Gene) bool {
	c, ok := core(g).(*Array)
	return ok && len(c.elems) < c.max && c.add(r)
}

// TruncateArray keeps only the first n elements of an array, and reports whether there were more. It returns
// false for other genes.
func TruncateArray(g Gene, n int) bool {
	c, ok := core(g).(*Array)
	if !ok || len(c.elems) <= n {
		return false
	}
	c.elems = c.elems[:n:n]
	return true
}

// has reports whether e equals an element at another index than i.
func (g *Array) has(e Gene, i int) bool {
	text := string(JSON(e))
	for j, other := range g.elems {
		if j != i && string(JSON(other)) == text {
			return true
		}
	}
	return false
}

// MutateValue adds or removes an element. If elements must be unique, it may instead mutate an element,
// because only the array can check that the elements are still unique.
func (g *Array) MutateValue(r *rand.Rand, p Pace) bool {
	if g.unique && len(g.elems) > 0 && r.IntN(3) > 0 && g.mutateElem(r, p) {
		return true
	}
	switch n := len(g.elems); {
	case n > g.min && (n >= g.max || r.IntN(2) == 0):
		i := r.IntN(n)
		g.elems = append(g.elems[:i:i], g.elems[i+1:]...)
		return true
	case n < g.max:
		return g.add(r)
	}
	return false
}

func (g *Array) mutateElem(r *rand.Rand, p Pace) bool {
	i := r.IntN(len(g.elems))
	e := g.elems[i].Clone()
	if !Mutate(r, []Gene{e}, p) || g.has(e, i) {
		return false
	}
	g.elems[i] = e
	return true
}

// Clone returns a deep copy.
func (g *Array) Clone() Gene {
	return &Array{g.list, cloneAll(g.elems)}
}

// SetValue accepts a list of an allowed length whose elements the prototype accepts. If elements must be unique, they
// must differ.
func (g *Array) SetValue(v any) bool {
	values, ok := v.([]any)
	if !ok || len(values) < g.min || len(values) > g.max {
		return false
	}
	set := &Array{list: g.list}
	for _, v := range values {
		e := g.proto.Clone()
		if !e.SetValue(v) || g.unique && set.has(e, -1) {
			return false
		}
		set.elems = append(set.elems, e)
	}
	g.elems = set.elems
	return true
}

// AppendJSON appends the list.
func (g *Array) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, e := range g.elems {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = e.AppendJSON(dst)
	}
	return append(dst, ']')
}

func (g *Array) inside() []Gene {
	if g.unique {
		return nil
	}
	return g.elems
}

func (g *Array) pick(r *rand.Rand) Gene {
	if len(g.inside()) == 0 || g.min < g.max && r.IntN(3) == 0 {
		return g
	}
	return pickOne(r, g.elems)
}
