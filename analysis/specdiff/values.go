package specdiff

import (
	"cmp"
	"slices"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/match"
)

// ValueChange is a value whose emitters or takers have changed. Operations have their new IDs; removed operations
// have their old ones.
type ValueChange struct {
	// Old and New are the identities of the value in the two versions. An identity is "" if the value does not pass
	// between operations in this version. Both may differ for the same value, because an identity is the shortest
	// unambiguous name.
	Old, New string
	// EmittersAdded, EmittersRemoved, TakersAdded and TakersRemoved are the operations that emit or take
	// the value in only one of the versions.
	EmittersAdded, EmittersRemoved, TakersAdded, TakersRemoved []model.OpID
}

// FeederChange is an input that got its first feeder or lost its last feeder. Both versions of the operation have the
// input.
type FeederChange struct {
	Operation model.OpID // the ID in the new version
	In        model.Location
	// At is the name of a parameter, or the JSON pointer of a field of the body.
	At string
	// Value is the identity of the value in the version in which the input has feeders. This is the old version if
	// Lost is true, otherwise the new version.
	Value string
	// Required reports whether the new version of the operation requires the value.
	Required bool
	// Lost reports whether the input lost its last feeder. If it is false, the input got its first feeder.
	Lost bool
	// Feeders are the operations that emit the value, in the old version if Lost is true, otherwise in the new
	// version.
	Feeders []model.OpID
}

// place is an input or an output of an operation.
type place struct {
	op  model.OpID // the new ID if the operation is in both versions
	out bool
	in  model.Location
	at  string
}

// version has the values of one version of a spec that link operations.
type version struct {
	values  []*passedValue // in order of first appearance
	by      map[string]*passedValue
	ofPlace map[place]*passedValue
	need    map[place]bool // required inputs
	places  []place        // in order of appearance
}

// passedValue is a value with the operations that emit and take it.
type passedValue struct {
	id               string
	places           []place
	emitters, takers opSet
}

// opSet is a set of operations, in order of appearance.
type opSet struct {
	list []model.OpID
	has  map[model.OpID]bool
}

func (s *opSet) add(op model.OpID) {
	if !s.has[op] {
		if s.has == nil {
			s.has = map[model.OpID]bool{}
		}
		s.has[op] = true
		s.list = append(s.list, op)
	}
}

// without returns the operations that are not in another set.
func (s *opSet) without(other *opSet) (rest []model.OpID) {
	for _, op := range s.list {
		if !other.has[op] {
			rest = append(rest, op)
		}
	}
	return rest
}

// passes reports whether one operation emits the value and another operation takes it. For a nil v it returns false.
func (v *passedValue) passes() bool {
	switch {
	case v == nil || len(v.emitters.list) == 0 || len(v.takers.list) == 0:
		return false
	case len(v.emitters.list) == 1 && len(v.takers.list) == 1:
		return v.emitters.list[0] != v.takers.list[0]
	}
	return true
}

// feedersOf returns the operations other than op that emit the value.
func (v *passedValue) feedersOf(op model.OpID) (feeders []model.OpID) {
	if v == nil {
		return nil
	}
	for _, from := range v.emitters.list {
		if from != op {
			feeders = append(feeders, from)
		}
	}
	return feeders
}

// hasFeeder reports whether an operation other than op emits the value.
func (v *passedValue) hasFeeder(op model.OpID) bool {
	if v == nil {
		return false
	}
	n := len(v.emitters.list)
	return n > 1 || n == 1 && v.emitters.list[0] != op
}

// newVersion reads the values that link operations. name returns the new ID of an operation and the new name of an
// input of the operation.
func newVersion(a *analysis.Analysis, name func(*model.Operation, match.ValueUse) (model.OpID, string)) *version {
	v := &version{by: map[string]*passedValue{}, ofPlace: map[place]*passedValue{}, need: map[place]bool{}}
	for _, op := range a.Operations {
		for _, u := range a.Matcher().UsesOf(op) {
			if a.Mode.Match == match.MatchQualified && !u.Kind.Links() {
				continue
			}
			id, at := name(op, u)
			v.add(place{op: id, out: u.Out, in: u.In, at: at}, u)
		}
	}
	return v
}

func (v *version) add(at place, u match.ValueUse) {
	value := v.by[u.ID]
	if value == nil {
		value = &passedValue{id: u.ID}
		v.by[u.ID] = value
		v.values = append(v.values, value)
	}
	if u.Out {
		value.emitters.add(at.op)
	} else {
		value.takers.add(at.op)
		v.need[at] = v.need[at] || u.Required
	}
	if v.ofPlace[at] == nil {
		v.ofPlace[at] = value
		value.places = append(value.places, at)
		v.places = append(v.places, at)
	}
}

// valueComparison has the values of both versions.
type valueComparison struct{ older, newer *version }

func compareValues(p *pairing, older, newer *analysis.Analysis) valueComparison {
	return valueComparison{
		older: newVersion(older, func(op *model.Operation, u match.ValueUse) (model.OpID, string) {
			at := cmp.Or(u.Pointer, u.Name)
			if to, ok := p.toNew[op.ID]; ok {
				return to, p.all[p.ofNew[to]].newName(u.In, at)
			}
			return op.ID, at // no new operation has this ID, because it would be paired with op
		}),
		newer: newVersion(newer, func(op *model.Operation, u match.ValueUse) (model.OpID, string) {
			return op.ID, cmp.Or(u.Pointer, u.Name)
		}),
	}
}

// changes returns the values whose emitters or takers have changed. Each old value has at most one successor, which
// is the same value in the new version; see successors.
func (c valueComparison) changes() []ValueChange {
	successor := c.successors()
	taken := map[*passedValue]bool{}
	var all []ValueChange
	for _, before := range c.older.values {
		after := successor[before]
		taken[after] = true
		all = appendChange(all, before, after)
	}
	for _, after := range c.newer.values {
		if !taken[after] {
			all = appendChange(all, nil, after)
		}
	}
	return all
}

// appendChange appends the change of a value. It appends nothing in two cases: the emitters and takers are the same
// in both versions, or the value passes between operations in neither version.
func appendChange(all []ValueChange, before, after *passedValue) []ValueChange {
	if !before.passes() && !after.passes() {
		return all
	}
	var c ValueChange
	var none passedValue
	if before.passes() {
		c.Old = before.id
	}
	if after.passes() {
		c.New = after.id
	}
	if before == nil {
		before = &none
	}
	if after == nil {
		after = &none
	}
	c.EmittersAdded, c.EmittersRemoved = after.emitters.without(&before.emitters), before.emitters.without(&after.emitters)
	c.TakersAdded, c.TakersRemoved = after.takers.without(&before.takers), before.takers.without(&after.takers)
	if len(c.EmittersAdded)+len(c.EmittersRemoved)+len(c.TakersAdded)+len(c.TakersRemoved) == 0 {
		return all
	}
	return append(all, c)
}

// successors returns the successor of each old value: the new value that shares the most places with it. If several
// share equally many, the first is the successor. Each new value is the successor of at most one old value. An old
// value without a successor is left out.
func (c valueComparison) successors() map[*passedValue]*passedValue {
	type match struct {
		before, after *passedValue
		shared        int
	}
	var all []match
	for _, before := range c.older.values {
		index := map[*passedValue]int{}
		for _, at := range before.places {
			after := c.newer.ofPlace[at]
			if after == nil {
				continue
			}
			i, ok := index[after]
			if !ok {
				i = len(all)
				index[after] = i
				all = append(all, match{before: before, after: after})
			}
			all[i].shared++
		}
	}
	slices.SortStableFunc(all, func(a, b match) int { return b.shared - a.shared })
	of, used := map[*passedValue]*passedValue{}, map[*passedValue]bool{}
	for _, m := range all {
		if of[m.before] == nil && !used[m.after] {
			of[m.before], used[m.after] = m.after, true
		}
	}
	return of
}

// feeders returns the inputs that lost their last feeder or got their first feeder.
func (c valueComparison) feeders() []FeederChange {
	var all []FeederChange
	for _, at := range c.newer.places {
		before, after := c.older.ofPlace[at], c.newer.ofPlace[at]
		if at.out || before == nil || before.hasFeeder(at.op) == after.hasFeeder(at.op) {
			continue
		}
		f := FeederChange{Operation: at.op, In: at.in, At: at.at, Required: c.newer.need[at], Lost: before.hasFeeder(at.op)}
		with := after
		if f.Lost {
			with = before
		}
		f.Value, f.Feeders = with.id, with.feedersOf(at.op)
		all = append(all, f)
	}
	return all
}
