package depend

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// pathSearch is a search for paths to one operation. It caches the sources of inputs.
type pathSearch struct {
	*feeders
	known map[input][]feeder // caches the results of sources
}

// sources returns the same as feeders.sources, from the cache if possible.
func (s *pathSearch) sources(op *model.Operation, u match.ValueUse) []feeder {
	key := input{op: op.ID, in: u.In, name: placeName(&u)}
	list, ok := s.known[key]
	if !ok {
		list = s.feeders.sources(op, &u)
		s.known[key] = list
	}
	return list
}

// draft is an unfinished path. It is built backwards from the target.
type draft struct {
	steps   []*model.Operation // the target is the first step
	finds   []bool             // for each step, whether it only finds an element, which must exist already
	passes  []stepPair         // which steps provide values to which steps
	outside []openNeed         // the values that no step provides
	open    []openNeed         // the needs that no step provides yet; the first one is expanded next
	cost    int
	order   int // if the costs are equal, the draft with the lower order takes precedence
}

// stepPair has the indexes of two steps of a draft. The step at from provides a value to the step at to.
type stepPair struct{ from, to int }

// openNeed is a value that a step needs.
type openNeed struct {
	step int
	use  match.ValueUse
}

func newDraft(f *feeders, op *model.Operation) *draft {
	d := &draft{steps: []*model.Operation{op}, finds: []bool{false}, cost: costStep}
	d.open = f.required(op, 0)
	return d
}

// required returns the values that a client must get from other operations to call op. The last parameter of the path
// comes first. An answer with the value of this parameter often also has the values of the parameters before it, such
// as the owner of a repository.
func (f *feeders) required(op *model.Operation, step int) []openNeed {
	var path, rest []openNeed
	seen := map[string]bool{}
	for _, u := range f.matcher.UsesOf(op) {
		switch {
		case u.Out || !u.Required || !u.Kind.Links() || u.Kind == match.KindCredential || seen[string(u.In)+u.Name+u.Pointer]:
			continue
		case !u.IsReference && !f.joins(op, u):
			continue
		}
		seen[string(u.In)+u.Name+u.Pointer] = true
		if u.In == model.InPath {
			path = append(path, openNeed{step: step, use: u})
		} else {
			rest = append(rest, openNeed{step: step, use: u})
		}
	}
	slices.SortStableFunc(path, func(a, b openNeed) int { return cmp.Compare(placeInPath(op, &b.use), placeInPath(op, &a.use)) })
	return append(path, rest...)
}

// joins reports whether a path parameter of op names an existing element, although the method of op could create an
// element. This is so if op is a PUT and another operation, a POST, creates the element.
func (f *feeders) joins(op *model.Operation, u match.ValueUse) bool {
	list := f.by[u.ID]
	return u.In == model.InPath && len(list) > 0 && list[0].rank == rankPost && list[0].op != op
}

// expand returns the drafts in which the first open need is provided. If reuse returns a draft, the result is only
// this draft. Otherwise the result has one draft for each possible new step, up to the limits. If no operation creates
// the element, or if there is no new step, the result also has a draft that takes the value from outside the path.
func (d *draft) expand(s *pathSearch) []*draft {
	need := d.open[0]
	if next := d.reuse(s, need); next != nil {
		return []*draft{next}
	}
	var list []*draft
	all := s.sources(d.steps[need.step], need.use)
	created := len(all) > 0 && all[0].rank <= rankPut
	creators, reads := maxCreators, maxReads
	if created {
		reads = 1
	}
	for _, from := range all {
		left := &creators
		if from.rank == rankRead {
			left = &reads
		}
		if *left > 0 && d.usable(from) {
			*left--
			list = append(list, d.with(s.feeders, need, from))
		}
	}
	if len(list) == 0 || !created {
		next := d.copy()
		next.outside = append(next.outside, need)
		next.cost += costOutside
		list = append(list, next)
	}
	return list
}

// copy returns a copy of a draft without the first open need.
func (d *draft) copy() *draft {
	return &draft{
		steps:   slices.Clip(d.steps),
		finds:   slices.Clip(d.finds),
		passes:  slices.Clip(d.passes),
		outside: slices.Clip(d.outside),
		open:    slices.Clone(d.open[1:]),
		cost:    d.cost,
	}
}

// reuse returns a draft without a new step for a need. In this draft, an existing step provides the value, or the
// need takes the same value from outside as an earlier need. It returns nil if neither is possible.
func (d *draft) reuse(s *pathSearch, need openNeed) *draft {
	all := s.sources(d.steps[need.step], need.use)
	for i, op := range d.steps {
		if i == need.step || d.dependsOn(i, need.step) {
			continue
		}
		if slices.ContainsFunc(all, func(from feeder) bool { return from.op == op }) {
			next := d.copy()
			next.passes = append(next.passes, stepPair{i, need.step})
			if !d.finds[i] && d.findsIn(s.feeders, need) {
				next.cost += costFindInNew
			}
			return next
		}
	}
	if slices.ContainsFunc(d.outside, func(o openNeed) bool { return o.use.ID == need.use.ID }) {
		return d.copy()
	}
	return nil
}

// findsIn reports whether the element that a need identifies must already contain other elements. This is so in two
// cases: the step with the need only finds an element, or the step also takes the identifier of a contained element,
// and this identifier comes from outside.
func (d *draft) findsIn(f *feeders, need openNeed) bool {
	return d.finds[need.step] || slices.ContainsFunc(d.outside, func(o openNeed) bool {
		return o.step == need.step && o.use.ID != need.use.ID && f.scope(d.steps[o.step], o.use.ID)[need.use.ID]
	})
}

// dependsOn reports whether step a takes a value from step b, directly or through other steps.
func (d *draft) dependsOn(a, b int) bool {
	for _, p := range d.passes {
		if p.to == a && (p.from == b || d.dependsOn(p.from, b)) {
			return true
		}
	}
	return false
}

// usable reports whether a feeder can be a new step of the draft. It cannot if it has the rank rankOther, if the draft
// already has its operation, or if the draft has maxPathSteps steps.
func (d *draft) usable(from feeder) bool {
	return from.rank < rankOther && len(d.steps) < maxPathSteps && !slices.Contains(d.steps, from.op)
}

// with returns a copy of the draft with a feeder as a new step. The new step provides the need.
func (d *draft) with(f *feeders, need openNeed, from feeder) *draft {
	next := d.copy()
	next.steps = append(next.steps, from.op)
	next.finds = append(next.finds, from.rank == rankRead)
	next.passes = append(next.passes, stepPair{len(next.steps) - 1, need.step})
	next.open = append(f.required(from.op, len(next.steps)-1), next.open...)
	next.cost += costStep
	switch from.rank {
	case rankPut:
		next.cost += costPut
	case rankRead:
		next.cost += costExisting
	}
	if from.rank <= rankPut && d.findsIn(f, need) {
		next.cost += costFindInNew
	}
	if !f.knows(from.op, f.scope(d.steps[need.step], need.use.ID)) {
		next.cost += costUnscoped
	}
	return next
}

// path returns the draft as a path. The draft must be finished. Each step of the path comes after the steps from
// which it takes values. Steps that provide no value to another step are removed, except for the target.
func (d *draft) path(s *pathSearch) Path {
	var order []*model.Operation
	placed := make([]bool, len(d.steps))
	var place func(i int)
	place = func(i int) {
		if placed[i] {
			return
		}
		placed[i] = true
		for _, p := range slices.Backward(d.passes) {
			if p.to == i {
				place(p.from)
			}
		}
		order = append(order, d.steps[i])
	}
	place(0)
	for {
		p := s.pathOf(order)
		unused := func(op *model.Operation) bool { return op != d.steps[0] && !p.provides(op.ID) }
		if !slices.ContainsFunc(order, unused) {
			return p
		}
		order = slices.DeleteFunc(order, unused)
	}
}

// provides reports whether a step of the path provides a value to another step.
func (p Path) provides(op model.OpID) bool {
	return slices.ContainsFunc(p.Passes, func(s Pass) bool { return p.Seq[s.From] == op })
}

// draftHeap is a heap of drafts. The draft with the lowest cost is on top.
type draftHeap []*draft

// Len returns the number of drafts.
func (h draftHeap) Len() int { return len(h) }

// Less reports whether draft i takes precedence over draft j: it has a lower cost or, for equal costs, a lower order.
func (h draftHeap) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].cost, h[j].cost), cmp.Compare(h[i].order, h[j].order)) < 0
}

// Swap swaps two drafts.
func (h draftHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push appends a draft, as heap.Interface requires.
func (h *draftHeap) Push(d any) { *h = append(*h, d.(*draft)) }

// Pop removes and returns the last draft, as heap.Interface requires.
func (h *draftHeap) Pop() any {
	last := len(*h) - 1
	d := (*h)[last]
	*h = (*h)[:last]
	return d
}
