package probe

// plan is what a target follows from, packed: 100,000 of them are read after
// each test.
type plan struct {
	hit, near  int32
	from, upTo int32 // in the terms
}

// term is a Term, packed.
type term struct {
	slot        int32
	base, scale float64
}

// newPlans packs the targets of a manifest.
func newPlans(m *Manifest) (plans []plan, terms []term) {
	for _, t := range m.Targets {
		p := plan{hit: int32(t.Hit), near: int32(t.Near), from: int32(len(terms))}
		for _, of := range t.Terms {
			terms = append(terms, term{int32(of.slot()), of.Base, of.Scale})
		}
		p.upTo = int32(len(terms))
		plans = append(plans, p)
	}
	return plans, terms
}

// index lists, for each number from 0 on, the targets that depend on it.
type index struct {
	start []int32 // into all, and the end of the last
	all   []int32
}

func (x index) of(i int) []int32 { return x.all[x.start[i]:x.start[i+1]] }

func (r *Reader) hitIndex() index {
	return newIndex(r.manifest.Hits, r.plans, func(p plan, on func(int32)) {
		if p.hit != 0 {
			on(p.hit)
		}
		if p.near != 0 && p.near != p.hit {
			on(p.near)
		}
	})
}

func (r *Reader) slotIndex() index {
	return newIndex(2*r.manifest.Preds, r.plans, func(p plan, on func(int32)) {
		for _, t := range r.terms[p.from:p.upTo] {
			on(t.slot)
		}
	})
}

// newIndex turns round what each target depends on. It is counted first, so that
// the index is two pieces of memory however long it is.
func newIndex(numbers int, plans []plan, depends func(p plan, on func(number int32))) index {
	x := index{start: make([]int32, numbers+1)}
	for _, p := range plans {
		depends(p, func(n int32) { x.start[n+1]++ })
	}
	for n := range numbers {
		x.start[n+1] += x.start[n]
	}
	x.all = make([]int32, x.start[numbers])
	next := append([]int32(nil), x.start...)
	for i, p := range plans {
		depends(p, func(n int32) {
			x.all[next[n]] = int32(i)
			next[n]++
		})
	}
	return x
}
