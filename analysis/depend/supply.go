package depend

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// supply finds the entities from which operations get the values that they require.
type supply struct {
	*index
	inv *Inventory
	// sources has the entities that can supply a value, by the value's identity. An operation of such an entity emits
	// the value without requiring it, or creates an element with a value that the client chooses.
	sources map[string]sources
}

// sources is a set of entities. near finds the entity that is nearest to a place.
type sources struct {
	all  map[int]bool
	near nearby[int]
}

func newSupply(inv *Inventory, x *index, ops []*model.Operation) *supply {
	s := &supply{index: x, inv: inv, sources: map[string]sources{}}
	for _, op := range ops {
		k := inv.of[op.ID]
		for u := range x.revealed(op) {
			s.addSource(u.ID, k)
		}
		if slices.Contains(inv.Entities[k].Operations[RoleCreate], op.ID) {
			for u := range x.chosen(op) {
				s.addSource(u.ID, k)
			}
		}
	}
	return s
}

// addSource adds an entity as a source of a value.
func (s *supply) addSource(value string, k int) {
	t, known := s.sources[value]
	if !known {
		t = sources{all: map[int]bool{}, near: newNearby(func(a, b int) bool { return a < b })}
		s.sources[value] = t
	}
	if !t.all[k] {
		t.all[k] = true
		t.near.add(s.inv.Entities[k].place, k)
	}
}

// including returns list with x appended, or list itself if it already has x.
func including[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// source returns the entity that supplies a value to the entity of an operation. This is the entity that a template
// would create or, if there is none, the nearest source. ok is false in these cases:
//   - The operation's entity has the value itself.
//   - The value is created or emitted at its place in the path, see settled.
//   - There is no source.
func (s *supply) source(op *model.Operation, u *match.ValueUse) (entity int, ok bool) {
	k := s.inv.of[op.ID]
	p, inPath := s.placeOf(op, u)
	a := s.aliases[p.at]
	switch {
	case !inPath:
		a.of = s.find(u, s.matcher.ResourceOf(op))
	case !a.named && s.settled(p.at, u):
		return 0, false
	}
	if a.of != nil {
		if from, ok := s.inv.of[a.of.Creators()[0].Op.ID]; ok {
			return from, from != k
		}
	}
	return s.nearestSource(k, u)
}

// settled reports whether a value in a path needs no other source, because it is created or emitted at its resource
// r.
func (s *supply) settled(r *resource.Resource, u *match.ValueUse) bool {
	up, ok := s.inv.runs[head(r)]
	return len(r.Creators()) > 0 || ok && s.sources[u.ID].all[up]
}

// nearestSource returns the source of a value that is nearest to entity k in the tree of resources. It returns false
// if the value has no source, or if k itself is a source.
func (s *supply) nearestSource(k int, u *match.ValueUse) (int, bool) {
	t := s.sources[u.ID]
	if t.all[k] {
		return 0, false
	}
	return t.near.find(s.inv.Entities[k].place)
}

// missing returns the operations that require values without a source.
func (s *supply) missing(ops []*model.Operation) []MissingInput {
	var list []MissingInput
	for _, op := range ops {
		var lacks []string
		for u := range s.demands(op) {
			if len(s.sources[u.ID].all) == 0 {
				lacks = including(lacks, u.ID)
			}
		}
		if lacks != nil {
			list = append(list, MissingInput{Op: op.ID, Values: lacks})
		}
	}
	return list
}

// connect sets the needs of each entity. An entity needs the entities on the paths of its operations, and the
// entities that supply the values that its operations require.
func (s *supply) connect(ops []*model.Operation) {
	for _, op := range ops {
		e := s.inv.Entities[s.inv.of[op.ID]]
		uses := s.matcher.UsesOf(op)
		for i := range uses {
			u := &uses[i]
			p, inPath := s.placeOf(op, u)
			if !inPath {
				continue
			}
			if up, ok := s.inv.runs[head(p.at)]; ok && s.inv.Entities[up] != e {
				e.need(up, u.ID)
			}
		}
		for u := range s.demands(op) {
			if from, ok := s.source(op, u); ok {
				e.need(from, u.ID)
			}
		}
	}
	for _, e := range s.inv.Entities {
		slices.SortFunc(e.Needs, func(a, b EntityNeed) int { return a.Entity - b.Entity })
	}
}

// need adds a value to the needs of e. The entity with the index from supplies the value.
func (e *ResourceEntity) need(from int, value string) {
	i := slices.IndexFunc(e.Needs, func(n EntityNeed) bool { return n.Entity == from })
	if i < 0 {
		i = len(e.Needs)
		e.Needs = append(e.Needs, EntityNeed{Entity: from})
	}
	e.Needs[i].Values = including(e.Needs[i].Values, value)
}
