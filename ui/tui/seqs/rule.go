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

// pickRule is a rule by which the user picks several rows at once.
type pickRule int

const (
	noRule pickRule = iota
	serverErrors
	onePerGroup
	pickRules
)

// rulePicks holds the current rule, and the rows that it picked.
type rulePicks struct {
	rule pickRule
	rows []*row
}

// nextRule changes to the next rule. It unpicks the rows that the old rule picked, and picks listed rows by
// the new rule. Rows that the user picked individually stay picked.
func (s *selection) nextRule() tea.Cmd {
	for _, r := range s.byRule.rows {
		r.picked = false
	}
	s.byRule = rulePicks{rule: (s.byRule.rule + 1) % pickRules}
	for _, r := range s.chosenByRule() {
		if !r.picked {
			r.picked = true
			s.byRule.rows = append(s.byRule.rows, r)
		}
	}
	s.list.refresh()
	return tea.Batch(s.changed(), screen.ShowStatus(s.byRule.summary()))
}

// chosenByRule returns the listed rows that the current rule picks.
func (s *selection) chosenByRule() []*row {
	switch s.byRule.rule {
	case serverErrors:
		return best(s.list.rows, serverErrorsOf, shorter)
	case onePerGroup:
		return best(s.list.rows, func(r *row) []int { return s.catalog.groups(r.Seq) }, moreTypical)
	}
	return nil
}

// summary returns a text that says what the rule picked, and what the next rule picks.
func (p rulePicks) summary() string {
	next := [pickRules]string{"one per server error", "one per group", "none by rule"}[p.rule]
	what := [pickRules]string{" picked by rule", " picked, one per server error", " picked, one per group"}[p.rule]
	return fmt.Sprintf("%s%s; %s: %s", words.Count(len(p.rows)), what, widget.KeyName(keyByRule), next)
}

// best returns the best row for each key, in the order of rows and without duplicates. The function has returns the
// keys of a row, such as its groups. The function better returns a negative number if its first row is better than its
// second.
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

// operationStatus is an operation with the status of an answer.
type operationStatus struct {
	op     model.OpID
	status int
}

// serverErrorsOf returns the answers of a row with a status of 500 or more.
func serverErrorsOf(r *row) (all []operationStatus) {
	if r.Test == nil {
		return nil
	}
	for _, c := range r.Test.Calls {
		if c.Status >= 500 {
			all = append(all, operationStatus{op: c.Op, status: c.Status})
		}
	}
	return all
}

func shorter(a, b *row) int { return cmp.Compare(len(a.Seq), len(b.Seq)) }

// moreTypical compares two seqs for sorting. Seqs that touch fewer groups come first. Among these, seqs that were
// played come first, and then longer seqs, because a longer seq shows more of its group.
func moreTypical(a, b *row) int {
	unplayed := func(r *row) int {
		if r.Test == nil {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Groups, b.Groups), cmp.Compare(unplayed(a), unplayed(b)), -shorter(a, b))
}
