package depend

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// supply knows which values operations demand, and who can tell them.
type supply struct {
	*match.Table
	inv     *Inventory
	at      map[*model.Operation]*resource.Resource
	demands [][]demand  // by operation
	params  [][]pathUse // by operation
	// By value, the entities that can tell it: gives are the creators whose
	// answers do; picks those that take it in as something the client chooses;
	// shows what else answers with it.
	gives, picks, shows [][]int
	emitters            []emitters
}

// pathUse is a value that stands in a path.
type pathUse struct {
	place *resource.Resource
	value int
}

// emitters counts the operations that emit a value and keeps the first.
type emitters struct{ first, count int }

func newSupply(inv *Inventory, m *match.Matcher, ops []*model.Operation, at map[*model.Operation]*resource.Resource) *supply {
	t := m.Table(ops)
	n := len(t.Names)
	s := &supply{
		Table: t, inv: inv, at: at,
		demands: make([][]demand, len(ops)), params: make([][]pathUse, len(ops)),
		gives: make([][]int, n), picks: make([][]int, n), shows: make([][]int, n), emitters: make([]emitters, n),
	}
	number := make(map[string]int, n)
	for v, name := range t.Names {
		number[name] = v
	}
	d := inv.demander(at)
	for i, op := range ops {
		s.take(d, i, m.Uses(op), number)
		s.offer(i)
	}
	return s
}

func (inv *Inventory) demander(at map[*model.Operation]*resource.Resource) demander {
	d := demander{things: map[string]bool{}, known: map[model.OpID]*Entity{}, at: at}
	for _, e := range inv.Entities {
		d.things[match.Thing(match.Resource(e.Path))] = true
	}
	delete(d.things, "")
	for op, k := range inv.of {
		d.known[op] = inv.Entities[k]
	}
	return d
}

// take notes what an operation demands, and what stands in its path.
func (s *supply) take(d demander, i int, uses []match.Use, number map[string]int) {
	op := s.Ops[i]
	for _, u := range uses {
		v := number[u.ID]
		if !u.Out && u.In == model.InPath {
			if p := placeOf(s.at[op], op, u.Name); p != nil {
				s.params[i] = append(s.params[i], pathUse{p, v})
			}
		}
		known := func(x demand) bool { return x.value == v }
		if d.demands(op, u) && !slices.ContainsFunc(s.demands[i], known) {
			s.demands[i] = append(s.demands[i], demand{i, v})
		}
	}
}

// offer notes what an operation tells.
func (s *supply) offer(i int) {
	k := s.inv.of[s.Ops[i].ID]
	creates := slices.Contains(s.inv.Entities[k].Operations[Create], s.Ops[i].ID)
	taken := map[int]bool{}
	for _, v := range s.In[i] {
		taken[v] = true
		demanded := slices.ContainsFunc(s.demands[i], func(d demand) bool { return d.value == v })
		if creates && !demanded {
			s.picks[v] = including(s.picks[v], k)
		}
	}
	for _, v := range s.Out[i] {
		if s.emitters[v].count++; s.emitters[v].count == 1 {
			s.emitters[v].first = i
		}
		switch {
		case taken[v]:
		case creates:
			s.gives[v] = including(s.gives[v], k)
		default:
			s.shows[v] = including(s.shows[v], k)
		}
	}
}

func including(list []int, k int) []int {
	if slices.Contains(list, k) {
		return list
	}
	return append(list, k)
}

// source returns the entity from which another gets a value: who creates with
// it rather than who only shows it, and of several the nearest in the paths. It
// is false where the entity has it itself, or nobody.
func (s *supply) source(k, v int) (int, bool) {
	for _, list := range [][]int{s.gives[v], s.picks[v], s.shows[v]} {
		if slices.Contains(list, k) {
			return 0, false
		}
		if len(list) > 0 {
			return slices.MinFunc(list, func(a, b int) int {
				return cmp.Or(cmp.Compare(s.near(b, k), s.near(a, k)), cmp.Compare(a, b))
			}), true
		}
	}
	return 0, false
}

func (s *supply) near(a, b int) int {
	return resource.Common(s.inv.Entities[a].place, s.inv.Entities[b].place)
}

// outside returns the operations with demands that no other operation meets.
func (s *supply) outside() []Lack {
	var list []Lack
	for i, demands := range s.demands {
		var lacks []string
		for _, d := range demands {
			if !s.met(d) {
				lacks = append(lacks, s.Names[d.value])
			}
		}
		if lacks != nil {
			list = append(list, Lack{s.Ops[i].ID, lacks})
		}
	}
	return list
}

// met tells whether another operation emits the value, or the client chose it.
func (s *supply) met(d demand) bool {
	e := s.emitters[d.value]
	return e.count > 1 || e.count == 1 && e.first != d.op || len(s.picks[d.value]) > 0
}

// settled tells whether the value is the id of something on the operation's own
// path that is created or shown where it stands, whatever else shows it.
func (s *supply) settled(d demand) bool {
	for _, p := range s.params[d.op] {
		up, ok := s.inv.runs[head(p.place)]
		if p.value == d.value && ok && (len(s.inv.Entities[up].Operations[Create]) > 0 || slices.Contains(s.shows[d.value], up)) {
			return true
		}
	}
	return false
}

// needs gives every entity those that it needs.
func (inv *Inventory) needs(s *supply) {
	found := make([]map[int][]int, len(inv.Entities)) // entity → needed one → values
	for i, op := range s.Ops {
		k := inv.of[op.ID]
		if found[k] == nil {
			found[k] = map[int][]int{}
		}
		for _, p := range s.params[i] {
			if up, ok := inv.runs[head(p.place)]; ok && up != k {
				found[k][up] = including(found[k][up], p.value)
			}
		}
		for _, d := range s.demands[i] {
			if from, ok := s.source(k, d.value); ok && !s.settled(d) {
				found[k][from] = including(found[k][from], d.value)
			}
		}
	}
	for k, e := range inv.Entities {
		for from, values := range found[k] {
			n := EntityNeed{Entity: from}
			for _, v := range values {
				n.Values = append(n.Values, s.Names[v])
			}
			e.Needs = append(e.Needs, n)
		}
		slices.SortFunc(e.Needs, func(a, b EntityNeed) int { return a.Entity - b.Entity })
	}
}
