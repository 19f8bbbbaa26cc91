package specdiff

import (
	"fmt"

	"sonde/analysis"
	"sonde/model"
)

// SetStatus is how a set of operations changed.
type SetStatus string

// The statuses of a set of operations in the new version of the spec, compared with the old version.
const (
	SetNew      SetStatus = "new"
	SetGone     SetStatus = "gone"
	SetSplit    SetStatus = "split"
	SetMerged   SetStatus = "merged"
	SetMixed    SetStatus = "mixed" // several sets became several other sets
	SetGrew     SetStatus = "grew"
	SetShrank   SetStatus = "shrank"
	SetReplaced SetStatus = "changed" // some operations were added and others removed
)

// SetChange is a change of groups or clusters. A set of a single operation is not reported as new or gone.
type SetChange struct {
	Status SetStatus
	// Old and New are the numbers or names of sets that correspond to each other in the two versions.
	Old, New []string
	// Added are the operations that only the new sets have. Removed are the operations that only the old sets have.
	// An operation in both versions has its new ID.
	Added, Removed []model.OpID
}

// opGroup is a value-sharing group or a cluster.
type opGroup struct {
	name string
	ops  []model.OpID
}

func groupSets(a *analysis.Analysis) []opGroup {
	var all []opGroup
	for i, g := range a.ValueGroups() {
		all = append(all, opGroup{name: fmt.Sprintf("group %d", i+1), ops: g.Operations})
	}
	return all
}

func clusterSets(a *analysis.Analysis) []opGroup {
	var all []opGroup
	for _, c := range a.Clusters() {
		all = append(all, opGroup{name: c.Name, ops: c.Operations})
	}
	return all
}

// compareSets returns the changes of sets of operations. An old and a new set correspond if they share at least half
// of the operations of one of the two sets. Only operations that are in both versions count. If just a single
// operation moved to another set, these two sets do not correspond.
func compareSets(p *pairing, older, newer []opGroup) []SetChange {
	m := newSetMatcher(p, older, newer)
	var all []SetChange
	for _, part := range m.components() {
		all = m.appendChange(all, part)
	}
	return all
}

// setMatcher finds which sets correspond. An old set is identified by its index, a new set by the number of old sets
// plus its index.
type setMatcher struct {
	sets  []opGroup
	older int     // number of old sets
	both  []int   // for each set, the number of its operations that are in both versions
	links [][]int // for each set, the sets that correspond to it
}

func newSetMatcher(p *pairing, older, newer []opGroup) *setMatcher {
	m := &setMatcher{older: len(older)}
	for _, s := range older {
		renamed := opGroup{name: s.name}
		for _, op := range s.ops {
			if to, ok := p.toNew[op]; ok {
				op = to
			}
			renamed.ops = append(renamed.ops, op)
		}
		m.sets = append(m.sets, renamed)
	}
	m.sets = append(m.sets, newer...)
	m.both, m.links = make([]int, len(m.sets)), make([][]int, len(m.sets))
	in := map[model.OpID]int{}
	for i, s := range newer {
		for _, op := range s.ops {
			if _, ok := p.ofNew[op]; ok {
				in[op] = m.older + i
				m.both[m.older+i]++
			}
		}
	}
	m.link(in)
	return m
}

// link finds the sets that correspond. in has, for each operation, the index of its new set.
func (m *setMatcher) link(in map[model.OpID]int) {
	type count struct{ to, shared int }
	shared := make([][]count, m.older)
	for i := range m.older {
		at := map[int]int{}
		for _, op := range m.sets[i].ops {
			to, ok := in[op]
			if !ok {
				continue
			}
			m.both[i]++
			if _, known := at[to]; !known {
				at[to] = len(shared[i])
				shared[i] = append(shared[i], count{to: to})
			}
			shared[i][at[to]].shared++
		}
	}
	for i, counts := range shared {
		for _, c := range counts {
			alone := c.shared == 1 && max(m.both[i], m.both[c.to]) > 1
			if !alone && (2*c.shared >= m.both[i] || 2*c.shared >= m.both[c.to]) {
				m.links[i], m.links[c.to] = append(m.links[i], c.to), append(m.links[c.to], i)
			}
		}
	}
}

// components returns groups of sets that correspond to each other, directly or through other sets.
func (m *setMatcher) components() (all [][]int) {
	seen := make([]bool, len(m.sets))
	for i := range m.sets {
		if seen[i] {
			continue
		}
		seen[i] = true
		part := []int{i}
		for k := 0; k < len(part); k++ {
			for _, next := range m.links[part[k]] {
				if !seen[next] {
					seen[next] = true
					part = append(part, next)
				}
			}
		}
		all = append(all, part)
	}
	return all
}

// appendChange appends the change of a group of corresponding sets. It appends nothing if nothing changed.
func (m *setMatcher) appendChange(all []SetChange, part []int) []SetChange {
	var c SetChange
	var before, after opSet
	for _, i := range part {
		ops := &after
		if i < m.older {
			c.Old = append(c.Old, m.sets[i].name)
			ops = &before
		} else {
			c.New = append(c.New, m.sets[i].name)
		}
		for _, op := range m.sets[i].ops {
			ops.add(op)
		}
	}
	c.Added, c.Removed = after.without(&before), before.without(&after)
	c.Status = c.status()
	if c.Status == "" || len(before.list)+len(after.list) == 1 {
		return all
	}
	return append(all, c)
}

// status returns the status of the change. It returns "" if one old and one new set have the same operations, even if
// their names differ.
func (c SetChange) status() SetStatus {
	switch {
	case len(c.Old) == 0:
		return SetNew
	case len(c.New) == 0:
		return SetGone
	case len(c.Old) > 1 && len(c.New) > 1:
		return SetMixed
	case len(c.Old) > 1:
		return SetMerged
	case len(c.New) > 1:
		return SetSplit
	case len(c.Added) > 0 && len(c.Removed) > 0:
		return SetReplaced
	case len(c.Added) > 0:
		return SetGrew
	case len(c.Removed) > 0:
		return SetShrank
	}
	return ""
}
