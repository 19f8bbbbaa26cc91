package seqs

import (
	"cmp"
	"fmt"
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// rule is by what rows are picked that nobody picks by hand.
type rule int

const (
	noRule rule = iota
	allFaults
	onePerGroup
	rules
)

// ruled are the rows that the rule in force has picked.
type ruled struct {
	rule rule
	rows []*row
}

// pickByRule goes on to the next rule: what the last one picked goes, and what this one
// finds among the rows that are shown comes. What was picked by hand stays.
func (s *Screen) pickByRule() tea.Cmd {
	for _, r := range s.ruled.rows {
		r.picked = false
	}
	s.ruled = ruled{rule: (s.ruled.rule + 1) % rules}
	for _, r := range s.ruled.rule.of(s) {
		if !r.picked {
			r.picked = true
			s.ruled.rows = append(s.ruled.rows, r)
		}
	}
	s.narrow()
	return tea.Batch(s.picks(), screen.ShowStatus(s.ruled.say()))
}

// say says what was picked, and what the key does next.
func (p ruled) say() string {
	next := [rules]string{"one per server error", "one per group", "none by rule"}[p.rule]
	what := words.Count(len(p.rows)) + [rules]string{" picked by rule", " picked, one per server error", " picked, one per group"}[p.rule]
	return fmt.Sprintf("%s; %s: %s", what, widget.KeyName(keyByRule), next)
}

// of are the rows of those shown that the rule wants.
func (r rule) of(s *Screen) []*row {
	switch r {
	case allFaults:
		return best(s.shown, failed, shorter)
	case onePerGroup:
		return best(s.shown, s.rows.touched, plainer)
	}
	return nil
}

// best returns the best row for each thing that rows have, each once.
func best[K comparable](rows []*row, has func(*row) []K, better func(a, b *row) int) (out []*row) {
	of := map[K]*row{}
	for _, r := range rows {
		for _, k := range has(r) {
			if have := of[k]; have == nil || better(r, have) < 0 {
				of[k] = r
			}
		}
	}
	for _, r := range rows {
		if slices.ContainsFunc(has(r), func(k K) bool { return of[k] == r }) {
			out = append(out, r)
		}
	}
	return out
}

// answer is a status that an operation answered.
type answer struct {
	op     model.OpID
	status int
}

// failed are the server errors that a row shows.
func failed(r *row) (all []answer) {
	if r.Test == nil {
		return nil
	}
	for _, c := range r.Test.Calls {
		if c.Status >= 500 {
			all = append(all, answer{c.Op, c.Status})
		}
	}
	return all
}

func (s *store) touched(r *row) []int { return s.groups(r.Seq) }

func shorter(a, b *row) int { return cmp.Compare(len(a.Seq), len(b.Seq)) }

// plainer prefers what stays in one group, then what was called already, then what is
// longer: it shows more of the group.
func plainer(a, b *row) int {
	called := func(r *row) int {
		if r.Test == nil {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Groups, b.Groups), cmp.Compare(called(a), called(b)), -shorter(a, b))
}
