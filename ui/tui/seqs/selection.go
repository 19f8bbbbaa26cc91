package seqs

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// selection picks rows of the catalog: one by one, by rule, or to cover what the other picks do not cover. It counts
// the picks and reports them to the other screens.
type selection struct {
	catalog *catalog
	list    *rowList
	post    *screen.MessageQueue
	tally   tally
	cover   coverage
	byRule  rulePicks
}

// reset clears the values that were computed for the old spec.
func (s *selection) reset() {
	s.cover = coverage{query: s.cover.query, pending: true}
}

// changed must be called when the picks have changed. It counts them, reports them to the other screens, and starts
// to compute the rows that would cover the rest of the scope.
func (s *selection) changed() tea.Cmd {
	rows := s.catalog.picks()
	s.tally = newTally(s.catalog)
	items := make([]screen.SeqItem, len(rows))
	for i, r := range rows {
		items[i] = r.SeqItem
	}
	return tea.Batch(s.post.Send(screen.PicksChanged{Items: items}), s.askCover())
}

// toggle picks a row, or unpicks it.
func (s *selection) toggle(r *row) tea.Cmd {
	r.picked = !r.picked
	return s.changed()
}

// toggleAll picks all listed rows. If all of these rows are picked already, it unpicks them.
func (s *selection) toggleAll() tea.Cmd {
	picked := !allPicked(s.list.rows)
	for _, r := range s.list.rows {
		r.picked = picked && !r.isHeading()
	}
	return s.changed()
}

// allPicked reports whether all rows are picked. It ignores headings.
func allPicked(rows []*row) bool {
	return !slices.ContainsFunc(rows, func(r *row) bool { return !r.picked && !r.isHeading() })
}

// try tells the search to try the picked seqs or, if none is picked, the seq under the cursor.
func (s *selection) try() tea.Cmd {
	rows := s.catalog.picks()
	if len(rows) == 0 {
		rows = []*row{s.list.current()}
	}
	return s.post.Send(screen.TrySeqs{Seqs: seqsOf(rows)})
}

// addTests adds and picks tests that were made by hand or from a recording. A test replaces an earlier test
// of the same recorded exchange.
func (s *selection) addTests(tests []model.Test) tea.Cmd {
	if s.catalog.analyzed == nil {
		return nil
	}
	for _, t := range tests {
		s.catalog.add(t).picked = true
	}
	s.catalog.countFaultsOfMade()
	s.list.refresh()
	return s.changed()
}

// switchRule lists the distilled seqs by the other rule. The picks stay. If SC is computed, switchRule reports the
// picks to the other screens again, because their order may have changed.
func (s *selection) switchRule() tea.Cmd {
	d := &s.catalog.distilled
	d.switchRule()
	d.list(s.catalog.newRow)
	s.list.refresh()
	if d.sc == nil {
		return nil
	}
	text := fmt.Sprintf(
		"DC (a call shares a value with the next): %s; SC (a call can run after the one before): %s",
		words.LimitedCell(len(d.dc.Seqs), d.dc.GaveUp), words.LimitedCell(len(d.sc.Seqs), d.sc.GaveUp),
	)
	return tea.Batch(s.changed(), screen.ShowStatus(text))
}

// addStub adds a stub to each picked row. It replaces an added stub for the same messages.
func (s *selection) addStub(stub model.Stub) tea.Cmd {
	rows := s.catalog.picks()
	if len(rows) == 0 {
		return screen.ShowStatus("No test is picked to add the stub to: 4 shows the tests, space picks")
	}
	for _, r := range rows {
		r.Stubs = append(slices.DeleteFunc(slices.Clone(r.Stubs), stub.Replaces), stub)
	}
	text := stub.Host + " " + stub.Summary() + " is added to " + words.Plural(len(rows), "picked seq") +
		"; 6, then r, plays them with it"
	return tea.Batch(s.changed(), screen.ShowStatus(text))
}

func seqsOf(rows []*row) []model.Seq {
	all := make([]model.Seq, len(rows))
	for i, r := range rows {
		all[i] = r.Seq
	}
	return all
}
