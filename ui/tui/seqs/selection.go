package seqs

import (
	"fmt"
	"slices"

	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// selection counts the picks of the catalog and picks rows, by rule or to cover the rest. It
// reports the picks to the other screens.
type selection struct {
	catalog *catalog
	list    *rowList
	post    *screen.MessageQueue
	tally   tally
	meter   *valuegroup.Meter // nil until it is computed
	cover   coverage
	byRule  rulePicks
}

// reset prepares for another spec.
func (s *selection) reset() {
	s.meter = nil
	s.cover = coverage{query: s.cover.query, pending: true, added: s.cover.added}
}

// changed counts what is picked, reports it to the other screens, and asks in the
// background what would cover the rest.
func (s *selection) changed() tea.Cmd {
	rows := s.catalog.picks()
	s.cover.forgetUnpicked(rows)
	s.tally = newTally(s.catalog.analyzed, rows)
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

// toggleAll picks all listed rows, or unpicks them if all are picked.
func (s *selection) toggleAll() tea.Cmd {
	picked := !allPicked(s.list.rows)
	for _, r := range s.list.rows {
		r.picked = picked && !r.isHeading()
	}
	return s.changed()
}

// allPicked reports whether all rows are picked; headings do not count.
func allPicked(rows []*row) bool {
	return !slices.ContainsFunc(rows, func(r *row) bool { return !r.picked && !r.isHeading() })
}

// try asks the search to try what is picked, or else the seq under the cursor.
func (s *selection) try() tea.Cmd {
	rows := s.catalog.picks()
	if len(rows) == 0 {
		rows = []*row{s.list.current()}
	}
	return s.post.Send(screen.TrySeqs{Seqs: seqsOf(rows)})
}

// addTests adds tests that were made by hand or of a recording, picked. A test of an
// exchange replaces the earlier test of that exchange.
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

// switchRule lists distilled seqs by the other rule. Picks stay, and are reported because
// they may be in another order.
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
		countOrMore(len(d.dc.Seqs), d.dc.GaveUp), countOrMore(len(d.sc.Seqs), d.sc.GaveUp),
	)
	return tea.Batch(s.changed(), screen.ShowStatus(text))
}

// addStub adds a stub to what is picked. It replaces a stub for the same messages.
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
