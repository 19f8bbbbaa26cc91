package depend

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// supply finds the entities from which operations get the values that they demand.
type supply struct {
	*index
	inv *Inventory
	// sources has the entities that can supply a value, by the value's identity. Their operations emit the
	// value and do not demand it, or create something with a value that the client chooses.
	sources map[string]sources
}

// sources is a set of entities in which the entity nearest to a place can be found.
type sources struct {
	all  map[int]bool
	near nearby[int]
}

func newSupply(inv *Inventory, x *index, ops []*model.Operation) *supply {
	s := &supply{index: x, inv: inv, sources: map[string]sources{}}
	for _, op := range ops {
		k := inv.of[op.ID]
		values := x.revealed(op)
		if slices.Contains(inv.Entities[k].Operations[RoleCreate], op.ID) {
			values = append(values, x.chosen(op)...)
		}
		for _, u := range values {
			s.addSource(u.ID, k)
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

// including returns list with x appended, or list itself if x is in it.
func including[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// source returns the entity that supplies a value to the entity of an operation: the one that a
// template would create, or else the nearest source. ok is false if the operation's entity has the
// value itself, if its path already implies the supplying entity, or if there is no source.
func (s *supply) source(op *model.Operation, u match.ValueUse) (entity int, ok bool) {
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

// settled reports whether a value in a path is created or emitted at its resource r, so that it needs no
// other source.
func (s *supply) settled(r *resource.Resource, u match.ValueUse) bool {
	up, ok := s.inv.runs[head(r)]
	return len(r.Creators()) > 0 || ok && s.sources[u.ID].all[up]
}

// nearestSource returns the source of a value whose path is nearest to that of entity k. It returns
// false if the value has no source, or if k itself is a source.
func (s *supply) nearestSource(k int, u match.ValueUse) (int, bool) {
	t := s.sources[u.ID]
	if t.all[k] {
		return 0, false
	}
	return t.near.find(s.inv.Entities[k].place)
}

// missing returns the operations that demand values without a source.
func (s *supply) missing(ops []*model.Operation) []MissingInput {
	var list []MissingInput
	for _, op := range ops {
		var lacks []string
		for _, u := range s.demands(op) {
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

// connect sets the needs of each entity: the entities on the paths of its operations, and the entities
// that supply the values which its operations demand.
func (s *supply) connect(ops []*model.Operation) {
	for _, op := range ops {
		e := s.inv.Entities[s.inv.of[op.ID]]
		for _, u := range s.matcher.UsesOf(op) {
			p, inPath := s.placeOf(op, u)
			if !inPath {
				continue
			}
			if up, ok := s.inv.runs[head(p.at)]; ok && s.inv.Entities[up] != e {
				e.need(up, u.ID)
			}
		}
		for _, u := range s.demands(op) {
			if from, ok := s.source(op, u); ok {
				e.need(from, u.ID)
			}
		}
	}
	for _, e := range s.inv.Entities {
		slices.SortFunc(e.Needs, func(a, b EntityNeed) int { return a.Entity - b.Entity })
	}
}

// need adds a value to the needs of e. The entity from supplies it.
func (e *ResourceEntity) need(from int, value string) {
	i := slices.IndexFunc(e.Needs, func(n EntityNeed) bool { return n.Entity == from })
	if i < 0 {
		i = len(e.Needs)
		e.Needs = append(e.Needs, EntityNeed{Entity: from})
	}
	e.Needs[i].Values = including(e.Needs[i].Values, value)
}
