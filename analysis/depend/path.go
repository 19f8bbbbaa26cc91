package depend

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
)

// Path is a sequence of calls that leads to an operation. The last operation of Seq is the target. The operations
// before it provide values that the target needs. They create elements or, if Pass.Existing is set, find elements
// that exist already.
type Path struct {
	Seq model.Seq
	// Passes are the values that steps pass on, ordered by the step that takes them.
	Passes []Pass
	// Outside are the values that no step provides.
	Outside []OutsideValue
}

// OutsideValue is a value that a step of a path needs and that no step provides.
type OutsideValue struct {
	To    int // index into the path's Seq
	Taken match.ValueUse
	// From is the best source of the value among all operations except the one that takes it. It is "" if there is no
	// source.
	From model.OpID
	rank feederRank // the rank of From
}

// Summary says which elements must exist before the path is called. If none must exist, it returns "from nothing".
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

// pathOf returns the path of a sequence of operations, with the values that pass between them.
func (f *feeders) pathOf(seq []*model.Operation) Path {
	p := Path{Passes: f.bind(seq)}
	for i, op := range seq {
		p.Seq = append(p.Seq, op.ID)
		for _, n := range f.required(op, i) {
			isPassed := func(s Pass) bool {
				return s.To == i && s.Taken.In == n.use.In && placeName(&s.Taken) == placeName(&n.use)
			}
			if !slices.ContainsFunc(p.Passes, isPassed) {
				p.Outside = append(p.Outside, f.outside(op, n))
			}
		}
	}
	return p
}

// outside returns the OutsideValue for a value that a step needs and that no step provides.
func (f *feeders) outside(op *model.Operation, n openNeed) OutsideValue {
	o := OutsideValue{To: n.step, Taken: n.use}
	most := -1
	for _, from := range f.sources(op, &n.use) {
		if o.From != "" && from.rank > o.rank {
			break
		}
		if near := commonTokens(from.op.Path, op.Path); near > most && from.op != op {
			o.From, o.rank, most = from.op.ID, from.rank, near
		}
	}
	return o
}

// Why returns the reason why no step of the path provides the value.
func (o OutsideValue) Why() string {
	switch {
	case o.From == "":
		return "no operation creates or lists it"
	case o.rank <= rankPut:
		return fmt.Sprintf("%s creates it, in a longer way", o.From)
	case o.rank == rankRead:
		return fmt.Sprintf("no operation creates it; %s finds one", o.From)
	}
	return fmt.Sprintf("no operation creates or lists it; %s mentions it", o.From)
}

// OptionalValue is an optional input that refers to an element.
type OptionalValue struct {
	Taken match.ValueUse
	// From is the operation that best provides the value. It is the operation that takes the value if no other
	// operation provides it.
	From model.OpID
}

// Template returns the path as a template. Its links state the place of each value. Inputs that a link cannot set have
// no link.
func (p Path) Template() model.Template {
	t := model.Template{Weight: 1}
	for _, id := range p.Seq {
		t.Steps = append(t.Steps, model.TemplateStep{Op: id, Min: 1, Max: 1})
	}
	for _, s := range p.Passes {
		if s.isLinkable {
			t.Links = append(t.Links, s.link())
		}
	}
	return t
}

// LogIns returns the log-ins in grants that return a credential which a step of the path needs.
func (p Path) LogIns(grants []match.LoginGrant) []match.LoginGrant {
	return slices.DeleteFunc(slices.Clone(grants), func(g match.LoginGrant) bool {
		return !slices.ContainsFunc(p.Seq, func(op model.OpID) bool { return slices.Contains(g.To, op) && g.From != op })
	})
}

// The costs of the parts of a path. Paths with a lower total cost come first.
const (
	costStep     = 10
	costPut      = 1  // an identifier that the client must choose
	costExisting = 12 // a step that only finds an element
	costUnscoped = 15 // a value from an operation that lacks some values of the element's scope
	costOutside  = 25 // a value that no step provides
	// costFindInNew is the cost of a step that finds an element inside another element that an earlier step creates.
	// It is higher than costExisting, because a new element is most likely empty: a new repository has no workflow
	// runs yet.
	costFindInNew = costExisting + 1
)

// Limits of the search for paths.
const (
	maxPathSteps  = 8
	maxCreators   = 4   // maximum number of tried operations that create an element
	maxReads      = 2   // maximum number of tried operations that find an element
	maxExpansions = 300 // maximum number of expanded drafts
)

// Paths returns at most limit paths to an operation, the best first. Paths provide only required values.
//
// A better path has fewer steps, fewer values from outside, and more steps that create elements instead of finding
// them. A path that creates its elements needs no existing elements, and changes no elements of other clients. But if
// an element must exist already, a path that finds the elements that contain it is better than one that creates them.
//
// A path that looks for existing elements inside a new element is left out if another path needs no value from
// outside. If no operation provides any of the values that the target needs, the only path is the target itself, with
// all its values from outside. The result is nil if the planner does not have the operation, or if no path is found
// within the limits of the search.
func (p *Planner) Paths(target model.OpID, limit int) []Path {
	op := p.byID[target]
	if op == nil || limit <= 0 {
		return nil
	}
	s := &pathSearch{feeders: p.feeders(), known: map[input][]feeder{}}
	queue := &draftHeap{newDraft(s.feeders, op)}
	var found []Path
	seen := map[string]bool{}
	isComplete := false // whether a path was found that needs no value from outside
	for n := 0; queue.Len() > 0 && len(found) < limit && n < maxExpansions; n++ {
		d := heap.Pop(queue).(*draft)
		if len(d.open) > 0 {
			for i, next := range d.expand(s) {
				next.order = n*(maxCreators+maxReads+1) + i
				heap.Push(queue, next)
			}
			continue
		}
		path := d.path(s)
		key := seqKey(path.Seq)
		if seen[key] || isComplete && path.findsInNew() {
			continue
		}
		seen[key] = true
		if !isComplete && len(path.Outside) == 0 && !path.findsInNew() {
			isComplete = true
			found = slices.DeleteFunc(found, Path.findsInNew)
		}
		found = append(found, path)
	}
	return found
}

// findsInNew reports whether a step looks for an existing element inside a new element, which an earlier step
// creates. An example is a search for a pull request in a new repository.
func (p Path) findsInNew() bool {
	for _, found := range p.Passes {
		method, _, _ := strings.Cut(string(p.Seq[found.From]), " ")
		if found.Existing && !writes(method) && slices.ContainsFunc(p.Passes, func(s Pass) bool {
			return s.To == found.From && s.Taken.In == model.InPath && !s.Existing && s.Emitted.Out
		}) {
			return true
		}
	}
	return false
}

// ChosenValues returns the required inputs of an operation whose values the client can choose, except for credentials,
// in order. It returns nil for an unknown operation.
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

// Difference compares p with another path. If p has steps that the other path does not have, it returns "with" and
// these steps. Otherwise it returns "without" and the steps that only the other path has. The steps are in order.
func (p Path) Difference(before Path) (word string, steps []model.OpID) {
	if steps = stepsOnlyIn(p.Seq, before.Seq); len(steps) > 0 {
		return "with", steps
	}
	return "without", stepsOnlyIn(before.Seq, p.Seq)
}

// stepsOnlyIn returns the steps of the first seq that the second seq does not have, in order.
func stepsOnlyIn(seq, other model.Seq) (steps []model.OpID) {
	for _, id := range seq {
		if !slices.Contains(other, id) {
			steps = append(steps, id)
		}
	}
	return steps
}

// OptionalValues returns the optional inputs of an operation that refer to elements, in order. It leaves out:
//   - credentials and cursors
//   - values that are also required by the operation
//   - values that no operation creates, reads or lists, such as a volume of a cloud provider
func (p *Planner) OptionalValues(target model.OpID) []OptionalValue {
	op := p.byID[target]
	if op == nil {
		return nil
	}
	f := p.feeders()
	var list []OptionalValue
	seen := map[string]bool{} // values that are required or already in the result
	for _, n := range f.required(op, 0) {
		seen[n.use.ID] = true
	}
	for _, u := range f.matcher.UsesOf(op) {
		if u.Out || u.Required || !u.IsReference || u.Kind == match.KindCursor || u.Kind == match.KindCredential || seen[u.ID] {
			continue
		}
		seen[u.ID] = true
		if from := f.provider(u.ID, op); from != nil {
			list = append(list, OptionalValue{Taken: u, From: from.ID})
		}
	}
	return list
}

// provider returns the best operation that creates, reads or lists an element with an identifier. It prefers
// operations other than taker. It returns nil if there is no such operation.
func (f *feeders) provider(id string, taker *model.Operation) (best *model.Operation) {
	for _, b := range f.by[id] {
		if b.rank == rankOther {
			break
		}
		if best = b.op; best != taker {
			break
		}
	}
	return best
}

func seqKey(seq model.Seq) string {
	var b strings.Builder
	for _, id := range seq {
		b.WriteString(string(id))
		b.WriteByte('\n')
	}
	return b.String()
}
