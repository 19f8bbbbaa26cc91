package groups

import (
	"fmt"
	"slices"

	"sonde/model"
)

// group is the index of the group under the cursor; -1 where there is none.
func (s *Screen) group() int {
	if s.groups.At >= len(s.order) {
		return -1
	}
	return s.order[s.groups.At]
}

// sort orders the table: the largest groups first, or as they are numbered, of
// those that fit the filter. The cursor stays on its group.
func (s *Screen) sort() {
	at := s.group()
	s.order = slices.DeleteFunc(span(0, len(s.study.Groups)), func(g int) bool { return !s.fits(g) })
	if !s.byNo {
		slices.SortStableFunc(s.order, func(a, b int) int {
			return len(s.study.Groups[b].Operations) - len(s.study.Groups[a].Operations)
		})
	}
	s.groups.Fit(len(s.order), s.groups.Height)
	s.groups.Go(slices.Index(s.order, at))
}

// drawing is that of the group under the cursor, nil until it is finished.
func (s *Screen) drawing() *drawing { return s.drawings[s.group()] }

// listed are the seqs of the group under the cursor by the rule chosen.
func (s *Screen) listed() []model.Seq {
	return s.counts[s.group()][s.rule].Seqs
}

// below is the number of lines in the part below the figure.
func (s *Screen) below() int {
	if v := s.value(); v != "" {
		return len(s.proof(v))
	}
	return len(s.listed())
}

// exchanged are the values that the operations of the group under the cursor
// exchange; none before it is drawn.
func (s *Screen) exchanged() []exchange {
	if d := s.drawing(); d != nil {
		return d.exchanged
	}
	return nil
}

// rows is how many members are listed: operations, then exchanged values.
func (s *Screen) rows() int { return len(s.kept) }

// op is the operation under the cursor; "" where it is on a value.
func (s *Screen) op() model.OpID {
	g := s.group()
	if g < 0 {
		return ""
	}
	switch s.focus {
	case picture:
		return s.pointed()
	case seqs:
		if v := s.value(); v != "" {
			return s.proof(v)[s.seqs.At].op
		}
		if all := s.listed(); s.seqs.At < len(all) {
			return all[s.seqs.At][len(all[s.seqs.At])-1]
		}
		return ""
	}
	ops, at := s.study.Groups[g].Operations, s.member(s.members.At)
	if at < 0 || at >= len(ops) {
		return ""
	}
	return ops[at]
}

// pointed is the operation under the cursor of the figure, in its tree or, where
// it has none of its own, that of the members.
func (s *Screen) pointed() model.OpID {
	d := s.drawing()
	if d == nil {
		return ""
	}
	node := s.node(s.members.At)
	if s.tree() && s.twigs.At < len(d.twigs) {
		node = d.twigs[s.twigs.At].node
	}
	if node < 0 || node >= len(d.ops) {
		return ""
	}
	return d.ops[node]
}

// Location returns the operation under the cursor, and its group.
func (s *Screen) Location() (model.OpID, []string) {
	if s.study == nil || s.group() < 0 {
		return "", nil
	}
	names := []string{fmt.Sprintf("group %d", s.group()+1)}
	op := s.op()
	if op != "" {
		names = append(names, string(op))
	}
	return op, names
}

// follow has the box of the member under the cursor in sight.
func (s *Screen) follow() {
	d := s.drawing()
	if d == nil {
		return
	}
	node := s.node(s.members.At)
	d.sheet.Follow(node)
	for i, row := range d.twigs {
		if row.node == node {
			s.twigs.Go(i)
			return
		}
	}
}

// node is the box of the member in a row, -1 where it has none.
func (s *Screen) node(row int) int {
	d, ops, member := s.drawing(), s.study.Groups[s.group()].Operations, s.member(row)
	switch {
	case member < 0:
		return -1
	case member < len(ops):
		return slices.Index(d.ops, ops[member])
	}
	name := s.exchanged()[member-len(ops)].names[0]
	i := slices.IndexFunc(d.values, func(all []string) bool { return slices.Contains(all, name) })
	if i < 0 {
		return -1
	}
	return len(d.ops) + i
}
