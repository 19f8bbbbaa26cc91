package graph

import (
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"

	tea "github.com/charmbracelet/bubbletea"
)

// seen is which nodes fit what a person looks for.
type seen struct {
	finder.Finder
	lit  []bool // by node
	hits int
}

// seek finds out which nodes fit: by their names and facts or, where none does, by
// what their operations take or emit.
func (s *Screen) seek() {
	s.find.lit, s.find.hits = nil, 0
	if s.picture == nil || s.find.Empty() {
		return
	}
	best, ranks := filter.Within, make([]filter.Rank, len(s.picture.nodes))
	for i, nd := range s.picture.nodes {
		ranks[i] = s.find.Fit(s.rowOf(nd))
		best = max(best, ranks[i])
	}
	s.find.lit = make([]bool, len(ranks))
	for i, r := range ranks {
		if r == best {
			s.find.lit[i] = true
			s.find.hits++
		}
	}
}

// rowOf is what the filter sees of a node.
func (s *Screen) rowOf(nd node) filter.Row {
	row := filter.Row{Ops: nd.ops, Words: []string{nd.name}}
	if s.find.Asks("status") {
		for _, op := range nd.ops {
			row.Statuses = append(row.Statuses, s.study.Index.Statuses(op, s.run)...)
		}
	}
	return row
}

// lit reports whether a node is one that a person looks for.
func (s *Screen) lit(node int) bool { return node < len(s.find.lit) && s.find.lit[node] }

// typed takes a key while it is typed what to find, and goes to the first that fits.
func (s *Screen) typed(k tea.KeyMsg) tea.Cmd {
	before := s.find.Text()
	cmd := s.find.Key(k)
	if s.find.Text() != before {
		s.seek()
		s.next(0)
	}
	return cmd
}

// forget finds nothing any more.
func (s *Screen) forget() {
	s.find.Set("")
	s.seek()
}

// next goes on to a node that is looked for: from the cursor on, or with a step
// of 1 or -1 to the one after it or before it.
func (s *Screen) next(step int) {
	if s.picture == nil {
		return
	}
	n := len(s.picture.nodes)
	for i := range n {
		at := s.at + step + i
		if step < 0 {
			at = s.at + step - i
		}
		at = (at%n + n) % n
		if s.lit(at) {
			s.choose(at)
			return
		}
	}
}
