package seqs

import (
	"fmt"

	"sonde/analysis/valuegroup"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// coverage is the part of the scope that the picks do not cover, and the rows that would cover this part. Queries
// compute both in the background. Each query has a number.
type coverage struct {
	query   int  // the number of the latest query; results of older queries are dropped
	pending bool // the latest query has no result yet; SeqCover and rows are from an older query
	stale   bool // a new query must start when the screen becomes visible
	known   bool // a query has had a result
	valuegroup.SeqCover
	rows   []*row // the rows that would cover the rest of the scope
	wanted bool   // the user wants rows to be picked as soon as the result is known
}

// covered is sent when a query has a result.
type covered struct {
	query int // the number of the query
	cover valuegroup.SeqCover
	rows  []*row
}

// askCover starts a query for a small set of rows that covers the rest of the scope: the groups and operations that
// the picks do not cover. If the meter that measures coverage is not ready yet, askCover only marks the old result as
// out of date.
func (s *selection) askCover() tea.Cmd {
	c := &s.cover
	c.query++
	c.pending, c.stale = true, false
	meter := s.catalog.distilled.meter
	if meter == nil {
		return nil
	}
	query := c.query
	var picked, open []*row
	for _, r := range s.catalog.all() {
		switch {
		case r.picked:
			picked = append(picked, r)
		case s.catalog.scope.has(r.Seq):
			open = append(open, r)
		}
	}
	have, candidates := seqsOf(picked), seqsOf(open)
	return func() tea.Msg {
		result := covered{query: query, cover: meter.ChooseCover(have, candidates)}
		for _, i := range result.cover.Chosen {
			result.rows = append(result.rows, open[i])
		}
		return result
	}
}

// coverMayChange starts a new query after the rows have changed. If the screen is not visible, the query
// starts when it becomes visible.
func (s *selection) coverMayChange(visible bool) tea.Cmd {
	if visible {
		return s.askCover()
	}
	s.cover.stale = true
	return nil
}

// covered stores the result of the latest query. If the user asked for the rows before the result was known, covered
// picks them.
func (s *selection) covered(msg covered) tea.Cmd {
	c := &s.cover
	if msg.query != c.query {
		return nil
	}
	c.known, c.pending, c.SeqCover, c.rows = true, false, msg.cover, msg.rows
	if c.wanted {
		return s.pickCover()
	}
	return nil
}

// pickCover picks the rows that cover the rest of the scope. If a query is running, the rows are picked when the
// query has a result.
func (s *selection) pickCover() tea.Cmd {
	c := &s.cover
	c.wanted = c.pending
	if c.wanted || len(c.rows) == 0 {
		return nil
	}
	for _, r := range c.rows {
		r.picked = true
	}
	s.list.refresh()
	more := len(c.rows)
	c.rows = nil
	text := fmt.Sprintf("%s more picked; %s unpicks them", words.Plural(more, "seq"), widget.KeyName(screen.KeyUndo))
	return tea.Batch(s.changed(), screen.ShowStatus(text))
}
