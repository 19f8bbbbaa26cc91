package depend

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
)

// Path is a way to call an operation, beginning with nothing: the last operation of Seq is the target, and
// the others provide what it needs.
type Path struct {
	Seq model.Seq
	// Passes has the values that pass from step to step, ordered by the step that takes them.
	Passes []Pass
	// Outside has the values that no step provides.
	Outside []OutsideValue
}

// Pass is a value that a step of a path emits and a later one takes.
type Pass struct {
	From, To int // indices into the path's Seq
	// Emitted is the use from which the value comes. It is an input of From if the client chooses the value.
	Emitted, Taken match.ValueUse
	// Existing reports whether From only finds an element that must exist, and does not create it.
	Existing bool
}

// OutsideValue is a value that a step of a path needs and that no step provides.
type OutsideValue struct {
	To    int // index into the path's Seq
	Taken match.ValueUse
	// Emitted reports whether some operation emits the value, although none creates it from nothing.
	Emitted bool
}

// Summary says what the path begins with: "from nothing", or what must exist.
func (p Path) Summary() string {
	var exist []string
	for _, s := range p.Passes {
		if s.Existing {
			exist = including(exist, cmp.Or(s.Taken.Entity(), s.Taken.Name))
		}
	}
	for _, o := range p.Outside {
		exist = including(exist, cmp.Or(o.Taken.Entity(), o.Taken.Name))
	}
	if exist == nil {
		return "from nothing"
	}
	return "must exist already: " + strings.Join(exist, ", ")
}

// Why returns why no step of the path provides the value.
func (o OutsideValue) Why() string {
	if o.Emitted {
		return "no operation that can be called first creates or lists it; others only mention it"
	}
	return "no operation creates or lists it"
}

// OptionalValue is a reference that an operation can take but does not require.
type OptionalValue struct {
	Taken match.ValueUse
	// From is the best operation to provide it, "" if there is none.
	From model.OpID
}

// Template returns the path's structure, with links that name where each value is.
func (p Path) Template() model.Template {
	t := model.Template{Weight: 1}
	for _, id := range p.Seq {
		t.Steps = append(t.Steps, model.TemplateStep{Op: id, Min: 1, Max: 1})
	}
	for _, s := range p.Passes {
		l := model.Link{From: s.From, To: s.To, In: s.Taken.In, Name: cmp.Or(s.Taken.Pointer, s.Taken.Name)}
		switch e := s.Emitted; {
		case !e.Out:
			l.Param = e.Name
		case e.In == model.InHeader:
			l.Header = e.Name
		case !strings.Contains(e.Pointer, "*"):
			l.Pointer = e.Pointer
		}
		t.Links = append(t.Links, l)
	}
	return t
}

// LogIns returns the log-ins that return the credentials of some step.
func (p Path) LogIns(grants []match.LoginGrant) []match.LoginGrant {
	return slices.DeleteFunc(slices.Clone(grants), func(g match.LoginGrant) bool {
		return !slices.ContainsFunc(p.Seq, func(op model.OpID) bool { return slices.Contains(g.To, op) && g.From != op })
	})
}

// Costs of a path. A path with a lower cost comes first.
const (
	costStep     = 10
	costPut      = 1  // an identifier that the client must choose
	costExisting = 12 // a step that only finds an element
	costUnscoped = 15 // a value from an operation that does not know its scope
	costOutside  = 25 // a value from outside
)

// Limits of the search for paths.
const (
	maxPathSteps  = 8
	maxCreators   = 4   // operations that create an element and are tried
	maxReads      = 2   // operations that find an element and are tried
	maxExpansions = 300 // unfinished paths that are looked at
)

// Paths returns at most limit ways to call an operation, beginning with nothing, the best first: those with
// fewer steps and with fewer values from outside, with steps that create what is needed rather than find it.
// Only required values are provided. If no way is known, the only path is the operation itself, with the
// values from outside. The result is nil for an operation that the planner does not have.
func (p *Planner) Paths(target model.OpID, limit int) []Path {
	op := p.byID[target]
	if op == nil || limit <= 0 {
		return nil
	}
	f := p.feeders()
	queue := &draftHeap{newDraft(f, op)}
	var found []Path
	seen := map[string]bool{}
	for n := 0; queue.Len() > 0 && len(found) < limit && n < maxExpansions; n++ {
		d := heap.Pop(queue).(*draft)
		if len(d.open) > 0 {
			for i, next := range d.expand(f) {
				next.order = n*(maxCreators+maxReads+1) + i
				heap.Push(queue, next)
			}
			continue
		}
		path := d.path()
		if key := seqKey(path.Seq); !seen[key] {
			seen[key] = true
			found = append(found, path)
		}
	}
	return found
}

// ChosenValues returns the inputs that an operation requires and that its client can make up, in order.
func (p *Planner) ChosenValues(target model.OpID) []match.ValueUse {
	op := p.byID[target]
	if op == nil {
		return nil
	}
	f := p.feeders()
	type place struct {
		in            model.Location
		name, pointer string
	}
	seen := map[place]bool{}
	for _, n := range f.required(op, 0) {
		seen[place{n.use.In, n.use.Name, n.use.Pointer}] = true
	}
	var list []match.ValueUse
	for _, u := range f.matcher.UsesOf(op) {
		at := place{u.In, u.Name, u.Pointer}
		if !u.Out && u.Required && u.Kind != match.KindCredential && !seen[at] {
			seen[at] = true
			list = append(list, u)
		}
	}
	return list
}

// Difference returns the steps that a path has and another one does not have, in order.
func (p Path) Difference(from Path) (steps []model.OpID) {
	for _, id := range p.Seq {
		if !slices.Contains(from.Seq, id) {
			steps = append(steps, id)
		}
	}
	return steps
}

// OptionalValues returns the references that an operation can take without requiring them or the same value
// elsewhere, in order.
func (p *Planner) OptionalValues(target model.OpID) []OptionalValue {
	op := p.byID[target]
	if op == nil {
		return nil
	}
	f := p.feeders()
	var list []OptionalValue
	seen := map[string]bool{} // values that are listed, or required
	for _, n := range f.required(op, 0) {
		seen[n.use.ID] = true
	}
	for _, u := range f.matcher.UsesOf(op) {
		if u.Out || u.Required || !u.IsReference || u.Kind == match.KindCursor || seen[u.ID] {
			continue
		}
		seen[u.ID] = true
		o := OptionalValue{Taken: u}
		if from := f.by[u.ID]; len(from) > 0 && from[0].rank < rankOther && from[0].op != op {
			o.From = from[0].op.ID
		}
		list = append(list, o)
	}
	return list
}

func seqKey(seq model.Seq) string {
	var b strings.Builder
	for _, id := range seq {
		b.WriteString(string(id))
		b.WriteByte('\n')
	}
	return b.String()
}

// draft is a path that is being found, from its target backwards.
type draft struct {
	steps   []*model.Operation // the target is the first
	passes  []Pass             // with indices into steps
	outside []OutsideValue     // with indices into steps
	open    []openNeed         // what no step provides yet, the next one first
	cost    int
	order   int // of equal drafts, the earlier one takes precedence
}

// openNeed is a value that a step needs.
type openNeed struct {
	step int
	use  match.ValueUse
}

func newDraft(f *feeders, op *model.Operation) *draft {
	d := &draft{steps: []*model.Operation{op}, cost: costStep}
	d.open = f.required(op, 0)
	return d
}

// required returns what a client must get elsewhere to call an operation. Values at the end of a path come
// first, because an answer that has them often also has the values before them, such as a repository's owner.
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
	at := func(n openNeed) int { return strings.Index(op.Path, "{"+n.use.Name+"}") }
	slices.SortStableFunc(path, func(a, b openNeed) int { return cmp.Compare(at(b), at(a)) })
	return append(path, rest...)
}

// joins reports whether an operation names an existing element in its path although it could create it: a
// PUT of an element that a POST elsewhere creates.
func (f *feeders) joins(op *model.Operation, u match.ValueUse) bool {
	list := f.by[u.ID]
	return u.In == model.InPath && len(list) > 0 && list[0].rank == rankPost && list[0].op != op
}

// expand returns the drafts in which the first open need is provided in one of the possible ways.
func (d *draft) expand(f *feeders) []*draft {
	need := d.open[0]
	if next := d.reuse(f, need); next != nil {
		return []*draft{next}
	}
	var list []*draft
	all := f.by[need.use.ID]
	creators, reads := maxCreators, maxReads
	if f.created(need.use.ID) {
		reads = 1
	}
	for _, from := range all {
		left := &creators
		if from.rank == rankRead {
			left = &reads
		}
		if *left > 0 && d.usable(from) {
			*left--
			list = append(list, d.with(f, need, from))
		}
	}
	if len(list) == 0 || !f.created(need.use.ID) {
		next := d.copy()
		next.outside = append(next.outside, OutsideValue{To: need.step, Taken: need.use, Emitted: len(all) > 0})
		next.cost += costOutside
		list = append(list, next)
	}
	return list
}

// copy returns a draft without the first open need.
func (d *draft) copy() *draft {
	return &draft{
		steps:   slices.Clip(d.steps),
		passes:  slices.Clip(d.passes),
		outside: slices.Clip(d.outside),
		open:    slices.Clone(d.open[1:]),
		cost:    d.cost,
	}
}

// reuse returns the draft in which a step that it already has provides a need, or in which the need is the
// same outside value as an earlier one. It returns nil if there is no such step.
func (d *draft) reuse(f *feeders, need openNeed) *draft {
	for i, op := range d.steps {
		if i == need.step || d.dependsOn(i, need.step) {
			continue
		}
		for _, from := range f.by[need.use.ID] {
			if from.op == op {
				next := d.copy()
				from.use = d.beside(f, need, i, from.use)
				next.pass(need, i, from)
				return next
			}
		}
	}
	for _, o := range d.outside {
		if o.Taken.ID == need.use.ID {
			next := d.copy()
			next.outside = append(next.outside, OutsideValue{To: need.step, Taken: need.use, Emitted: o.Emitted})
			return next
		}
	}
	return nil
}

// beside returns the place of a value in the answer of a step from which the needing step takes another value
// already: the place nearest to that value. The owner of a repository is nearer to its name than the user who
// opened an issue.
func (d *draft) beside(f *feeders, need openNeed, from int, best match.ValueUse) match.ValueUse {
	for _, p := range d.passes {
		if p.From != from || p.To != need.step || !best.Out || !p.Emitted.Out {
			continue
		}
		for _, u := range f.matcher.UsesOf(d.steps[from]) {
			if u.Out && u.ID == best.ID && commonTokens(u.Pointer, p.Emitted.Pointer) > commonTokens(best.Pointer, p.Emitted.Pointer) {
				best = u
			}
		}
		break
	}
	return best
}

// commonTokens returns the number of tokens with which two JSON pointers begin alike.
func commonTokens(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}

// dependsOn reports whether step a takes a value of step b, directly or through other steps.
func (d *draft) dependsOn(a, b int) bool {
	for _, p := range d.passes {
		if p.To == a && (p.From == b || d.dependsOn(p.From, b)) {
			return true
		}
	}
	return false
}

// usable reports whether a feeder can be a new step of the draft. An operation that only mentions a value
// cannot.
func (d *draft) usable(from feeder) bool {
	return from.rank < rankOther && len(d.steps) < maxPathSteps && !slices.Contains(d.steps, from.op)
}

// with returns the draft with a feeder as a new step.
func (d *draft) with(f *feeders, need openNeed, from feeder) *draft {
	next := d.copy()
	next.steps = append(next.steps, from.op)
	next.pass(need, len(next.steps)-1, from)
	next.open = append(f.required(from.op, len(next.steps)-1), next.open...)
	next.cost += costStep
	switch from.rank {
	case rankPut:
		next.cost += costPut
	case rankRead:
		next.cost += costExisting
	}
	if !f.knows(from.op, f.scope(d.steps[need.step], need.use.ID)) {
		next.cost += costUnscoped
	}
	return next
}

func (d *draft) pass(need openNeed, step int, from feeder) {
	d.passes = append(d.passes, Pass{
		From: step, To: need.step, Emitted: from.use, Taken: need.use, Existing: !writes(from.op.Method),
	})
}

// path returns the finished draft as a path: each step after those from which it takes values.
func (d *draft) path() Path {
	order := make([]int, 0, len(d.steps))
	placed := make([]int, len(d.steps)) // 1 + position
	var place func(i int)
	place = func(i int) {
		if placed[i] != 0 {
			return
		}
		for k := len(d.passes) - 1; k >= 0; k-- {
			if d.passes[k].To == i {
				place(d.passes[k].From)
			}
		}
		order = append(order, i)
		placed[i] = len(order)
	}
	place(0)
	p := Path{Passes: slices.Clone(d.passes), Outside: slices.Clone(d.outside)}
	for _, i := range order {
		p.Seq = append(p.Seq, d.steps[i].ID)
	}
	for i, s := range p.Passes {
		p.Passes[i].From, p.Passes[i].To = placed[s.From]-1, placed[s.To]-1
	}
	for i, o := range p.Outside {
		p.Outside[i].To = placed[o.To] - 1
	}
	slices.SortStableFunc(p.Passes, func(a, b Pass) int { return cmp.Or(a.To-b.To, a.From-b.From) })
	slices.SortStableFunc(p.Outside, func(a, b OutsideValue) int { return a.To - b.To })
	return p
}

// draftHeap is a heap of drafts, the one with the lowest cost on top.
type draftHeap []*draft

// Len, Less and Swap are those of sort.Interface.
func (h draftHeap) Len() int { return len(h) }

// Less reports whether draft i takes precedence over draft j.
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
