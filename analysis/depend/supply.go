package depend

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// supply knows who can tell the values that operations demand.
type supply struct {
	*index
	inv *Inventory
	// tellers are the entities whose operations tell a value, by its identity:
	// they emit what they do not demand, or create something with what the
	// client chooses.
	tellers map[string]tellers
}

// tellers are entities: all, and those near to a place.
type tellers struct {
	all  map[int]bool
	near nearby[int]
}

func newSupply(inv *Inventory, x *index, ops []*model.Operation) *supply {
	s := &supply{index: x, inv: inv, tellers: map[string]tellers{}}
	for _, op := range ops {
		k := inv.of[op.ID]
		tells := x.told(op)
		if slices.Contains(inv.Entities[k].Operations[RoleCreate], op.ID) {
			tells = append(tells, x.madeUp(op)...)
		}
		for _, u := range tells {
			s.tell(u.ID, k)
		}
	}
	return s
}

// tell notes that an entity tells a value.
func (s *supply) tell(value string, k int) {
	t, known := s.tellers[value]
	if !known {
		t = tellers{map[int]bool{}, newNearby(func(a, b int) bool { return a < b })}
		s.tellers[value] = t
	}
	if !t.all[k] {
		t.all[k] = true
		t.near.add(s.inv.Entities[k].place, k)
	}
}

// including appends what a list does not have yet.
func including[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// source returns the entity from which an operation's gets a value: the one that
// a template would create for it, or the nearest that tells it. It is false where
// the entity has the value itself, where the path says what is needed, and where
// nobody has it.
func (s *supply) source(op *model.Operation, u match.ValueUse) (int, bool) {
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
	return s.teller(k, u)
}

// settled reports whether what a place holds is created or shown there, whatever
// else shows it.
func (s *supply) settled(r *resource.Resource, u match.ValueUse) bool {
	up, ok := s.inv.runs[head(r)]
	return len(r.Creators()) > 0 || ok && s.tellers[u.ID].all[up]
}

// teller returns the entity nearest to another in the paths that tells a value.
func (s *supply) teller(k int, u match.ValueUse) (int, bool) {
	t := s.tellers[u.ID]
	if t.all[k] {
		return 0, false
	}
	return t.near.find(s.inv.Entities[k].place)
}

// outside returns the operations that demand what nobody tells.
func (s *supply) outside(ops []*model.Operation) []MissingInput {
	var list []MissingInput
	for _, op := range ops {
		var lacks []string
		for _, u := range s.demands(op) {
			if len(s.tellers[u.ID].all) == 0 {
				lacks = including(lacks, u.ID)
			}
		}
		if lacks != nil {
			list = append(list, MissingInput{op.ID, lacks})
		}
	}
	return list
}

// connect gives every entity those that it needs: those on the paths of its
// operations, and the sources of what they demand.
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

// need adds that an entity needs a value of another.
func (e *ResourceEntity) need(from int, value string) {
	i := slices.IndexFunc(e.Needs, func(n EntityNeed) bool { return n.Entity == from })
	if i < 0 {
		i = len(e.Needs)
		e.Needs = append(e.Needs, EntityNeed{Entity: from})
	}
	e.Needs[i].Values = including(e.Needs[i].Values, value)
}
