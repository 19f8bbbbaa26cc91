package cluster

import (
	"cmp"
	"math"
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// Profile describes a set of operations by their most frequent resources and their most typical values.
type Profile struct {
	// Resources are the nouns of the operations' paths, the most frequent first.
	Resources []Resource
	// Values are the identities of identifiers and references, the most typical first. A typical value is taken by
	// many of these operations, but by few other operations.
	Values []string
}

// Resource is a noun with the number of operations whose paths end in it.
type Resource struct {
	Noun       string
	Operations int
}

// profileValues is the maximum number of values in a profile.
const profileValues = 3

// Profiler makes profiles of sets of operations of an API. It may be used by several goroutines at once.
type Profiler struct {
	noun  map[model.OpID]string
	takes map[model.OpID][]string // the identities of the values that each operation takes
	count map[string]int          // number of operations that take each value
	ops   int                     // number of operations of the API
}

// NewProfiler returns a profiler for operations. The matcher must have the values of these operations.
func NewProfiler(m *match.Matcher, ops []*model.Operation) *Profiler {
	p := &Profiler{map[model.OpID]string{}, map[model.OpID][]string{}, map[string]int{}, len(ops)}
	tree := newResourceTree(m, ops)
	for _, op := range ops {
		r := tree.of[op]
		if r != nil && !tree.canName(r) {
			r = tree.above(r)
		}
		if r != nil {
			p.noun[op.ID] = resource.Element(r.Segment)
		}
		for _, u := range m.UsesOf(op) {
			identifies := u.Kind == match.KindIdentifier || u.Kind == match.KindReference
			if identifies && !u.Out && !slices.Contains(p.takes[op.ID], u.ID) {
				p.takes[op.ID] = append(p.takes[op.ID], u.ID)
				p.count[u.ID]++
			}
		}
	}
	return p
}

// Profile returns the profile of these operations: their resources and their values.
func (p *Profiler) Profile(ops []model.OpID) Profile { return Profile{p.resources(ops), p.values(ops)} }

func (p *Profiler) resources(ops []model.OpID) (list []Resource) {
	at := map[string]int{}
	for _, op := range ops {
		noun := p.noun[op]
		if noun == "" {
			continue
		}
		i, known := at[noun]
		if !known {
			i = len(list)
			at[noun] = i
			list = append(list, Resource{Noun: noun})
		}
		list[i].Operations++
	}
	slices.SortStableFunc(list, func(a, b Resource) int { return b.Operations - a.Operations })
	return list
}

// values returns the values that are typical of the given operations, the best first. The score of a value is the
// number of these operations that take it, times the square of its rarity; see rarity.
func (p *Profiler) values(ops []model.OpID) (list []string) {
	takers := map[string]int{}
	for _, op := range ops {
		for _, v := range p.takes[op] {
			if takers[v]++; takers[v] == 1 {
				list = append(list, v)
			}
		}
	}
	score := func(v string) float64 { return float64(takers[v]) * math.Pow(rarity(p.count[v], p.ops), 2) }
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(score(b), score(a)) })
	return list[:min(len(list), profileValues)]
}
