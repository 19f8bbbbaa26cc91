package shape

// MaxDistinct is how many shapes, and how many traits, of an operation and a status are distinguished:
// a service whose answers always differ must not fill the disk.
const MaxDistinct = 50

// ProfileCounter counts the exchanges that were kept, by shape and trait. The zero value is empty. It is not
// safe for concurrent use.
type ProfileCounter struct{ pages map[string]*page }

// page counts what was kept of an operation and a status.
type page struct{ shapes, traits counts }

type counts map[string]int

// fewer reports whether a key was counted fewer times than n, and whether it is beyond the
// MaxDistinct that are distinguished.
func (c counts) fewer(key string, n int) (fewer, over bool) {
	times, known := c[key]
	over = !known && len(c) >= MaxDistinct
	return times < n && !over, over
}

func (c counts) note(key string) {
	if _, over := c.fewer(key, 1); !over {
		c[key]++
	}
}

func (b *ProfileCounter) page(kind string) *page {
	if b.pages == nil {
		b.pages = map[string]*page{}
	}
	if b.pages[kind] == nil {
		b.pages[kind] = &page{counts{}, counts{}}
	}
	return b.pages[kind]
}

// WantsProfile reports whether an exchange has a shape or a trait that was kept fewer times than n. If not,
// over reports whether it has others, beyond the MaxDistinct that are distinguished.
func (b *ProfileCounter) WantsProfile(l Profile, n int) (wants, over bool) {
	p := b.page(l.Kind)
	wants, over = p.shapes.fewer(l.Shape, n)
	for _, t := range l.Traits {
		fewer, more := p.traits.fewer(t, n)
		wants, over = wants || fewer, over || more
	}
	return wants, over && !wants
}

// CountProfile counts an exchange that is kept.
func (b *ProfileCounter) CountProfile(l Profile) {
	p := b.page(l.Kind)
	p.shapes.note(l.Shape)
	for _, t := range l.Traits {
		p.traits.note(t)
	}
}
