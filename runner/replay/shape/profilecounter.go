package shape

// MaxDistinct is the maximum number of shapes, and of traits, that are distinguished for an operation and a status.
// Without a limit, a recording could fill the disk, because the answers of some services always differ.
const MaxDistinct = 50

// ProfileCounter counts the exchanges that were kept, by shape and by trait. The zero value is
// empty. It is not safe for concurrent use.
type ProfileCounter struct{ kinds map[string]*kindCounts }

// kindCounts counts the exchanges of an operation with a status.
type kindCounts struct{ shapes, traits counts }

// counts has the number of exchanges by shape or by trait.
type counts map[string]int

// fewer reports whether key was counted fewer than n times. over is true if key is new and MaxDistinct other
// keys are already distinguished; fewer is then false.
func (c counts) fewer(key string, n int) (fewer, over bool) {
	times, known := c[key]
	over = !known && len(c) >= MaxDistinct
	return times < n && !over, over
}

// add counts a key, unless the key is new and MaxDistinct keys are counted already.
func (c counts) add(key string) {
	if _, over := c.fewer(key, 1); !over {
		c[key]++
	}
}

// kind returns the counts of an operation with a status, and adds them if there are none yet.
func (c *ProfileCounter) kind(kind string) *kindCounts {
	if c.kinds == nil {
		c.kinds = map[string]*kindCounts{}
	}
	if c.kinds[kind] == nil {
		c.kinds[kind] = &kindCounts{shapes: counts{}, traits: counts{}}
	}
	return c.kinds[kind]
}

// WantsProfile reports whether p has a shape or a trait that was counted fewer than n times. If wants is false, over
// reports whether p has a new shape or trait that cannot be counted, because MaxDistinct others are counted already.
func (c *ProfileCounter) WantsProfile(p Profile, n int) (wants, over bool) {
	k := c.kind(p.Kind)
	wants, over = k.shapes.fewer(p.Shape, n)
	for _, t := range p.Traits {
		fewer, more := k.traits.fewer(t, n)
		wants, over = wants || fewer, over || more
	}
	return wants, over && !wants
}

// CountProfile counts an exchange that is kept.
func (c *ProfileCounter) CountProfile(p Profile) {
	k := c.kind(p.Kind)
	k.shapes.add(p.Shape)
	for _, t := range p.Traits {
		k.traits.add(t)
	}
}
