package seqs

import (
	"context"
	"fmt"
	"slices"

	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// prepared brings what is costly to make of a study.
type prepared struct {
	study *screen.AnalyzedSpec
	meter *valuegroup.Meter
	sc    distil.Listing
}

// comesOnShow makes, in the background, what waits for the screen to come on show.
func (s *Screen) comesOnShow(tab screen.Tab) tea.Cmd {
	study := s.rows.study
	s.onShow = tab == screen.TabSeqs
	s.weigh()
	switch {
	case !s.onShow || study == nil:
		return nil
	case s.preparing != study:
		return tea.Batch(s.bind(), s.prepare(study))
	case s.rest.stale:
		return s.ask()
	}
	return nil
}

func (s *Screen) prepare(study *screen.AnalyzedSpec) tea.Cmd {
	s.preparing = study
	return func() tea.Msg {
		// It ends at its limit; the error is the context's, which never ends.
		sc, _ := study.Analysis.Distil(context.Background(), distil.SC)
		return prepared{study: study, meter: study.Analysis.Meter(), sc: sc}
	}
}

func (s *Screen) prepared(msg prepared) tea.Cmd {
	if msg.study != s.rows.study {
		return nil
	}
	s.meter, s.rows.distilled.sc = msg.meter, &msg.sc
	s.rows.distilled.list(s.rows.row)
	s.narrow()
	if s.rows.distilled.rule == distil.SC { // then the picks may stand in another order
		return s.picks()
	}
	return s.ask()
}

// rest is what the picks leave out, and the rows that would cover it.
type rest struct {
	no      int  // of the newest question; older answers are dropped
	pending bool // it is not answered yet; until then the last answer is shown
	stale   bool // it must be asked again once the screen is on show
	known   bool // there was an answer
	valuegroup.Cover
	rows   []*row // that would cover the rest
	wanted bool   // they are to be picked as soon as they are known
	added  []*row // that were picked so, and still are
}

// covered is the answer to a question.
type covered struct {
	no    int
	cover valuegroup.Cover
	rows  []*row
}

// ask asks in the background which few rows cover what the picks leave out.
func (s *Screen) ask() tea.Cmd {
	s.rest.no++
	s.rest.pending, s.rest.stale = true, false
	if s.meter == nil {
		return nil
	}
	no, meter := s.rest.no, s.meter
	var picked, open []*row
	for _, r := range s.rows.all() {
		if r.picked {
			picked = append(picked, r)
		} else {
			open = append(open, r)
		}
	}
	have, candidates := seqsOf(picked), seqsOf(open)
	return func() tea.Msg {
		c := covered{no: no, cover: meter.Cover(have, candidates)}
		for _, i := range c.cover.Chosen {
			c.rows = append(c.rows, open[i])
		}
		return c
	}
}

// askAgain asks because there are other rows, at once or when the screen comes
// on show.
func (s *Screen) askAgain() tea.Cmd {
	if s.onShow {
		return s.ask()
	}
	s.rest.stale = true
	return nil
}

func seqsOf(rows []*row) []model.Seq {
	all := make([]model.Seq, len(rows))
	for i, r := range rows {
		all[i] = r.Seq
	}
	return all
}

func (s *Screen) covered(msg covered) tea.Cmd {
	if msg.no != s.rest.no {
		return nil
	}
	s.rest.known, s.rest.pending, s.rest.Cover, s.rest.rows = true, false, msg.cover, msg.rows
	if s.rest.wanted {
		return s.coverRest()
	}
	return nil
}

// coverRest picks the seqs that cover the rest, as soon as they are known.
func (s *Screen) coverRest() tea.Cmd {
	s.rest.wanted = s.rest.pending
	if s.rest.wanted || len(s.rest.rows) == 0 {
		return nil
	}
	for _, r := range s.rest.rows {
		r.picked = true
	}
	s.narrow()
	more := len(s.rest.rows)
	s.rest.added, s.rest.rows = append(s.rest.added, s.rest.rows...), nil
	return tea.Batch(
		s.picks(),
		screen.ShowStatus(fmt.Sprintf("%s more picked; %s takes them back", words.Plural(more, "seq"), widget.KeyName(keyUndo))),
	)
}

// takeBack unpicks what coverRest picked and nobody has unpicked since.
func (s *Screen) takeBack() tea.Cmd {
	n := len(s.rest.added)
	for _, r := range s.rest.added {
		r.picked = false
	}
	s.narrow()
	return tea.Batch(s.picks(), screen.ShowStatus(words.Plural(n, "seq")+" taken back"))
}

// keepAdded forgets of what was added what is not picked any more.
func (s *Screen) keepAdded(picks []*row) {
	if len(s.rest.added) == 0 {
		return
	}
	picked := map[*row]bool{}
	for _, r := range picks {
		picked[r] = true
	}
	s.rest.added = slices.DeleteFunc(s.rest.added, func(r *row) bool { return !picked[r] })
}

// turnRule lists by the other rule. What is picked stays picked.
func (s *Screen) turnRule() tea.Cmd {
	l := &s.rows.distilled
	l.turn()
	l.list(s.rows.row)
	s.narrow()
	if l.sc == nil {
		return nil
	}
	text := fmt.Sprintf("by DC what follows shares a value: %s; by SC whatever can run: %s",
		number(len(l.dc.Seqs), l.dc.GaveUp), number(len(l.sc.Seqs), l.sc.GaveUp))
	return tea.Batch(s.picks(), screen.ShowStatus(text))
}

// number writes how many there are, or that there are more.
func number(n int, more bool) string {
	if more {
		return words.Count(n) + "+"
	}
	return words.Count(n)
}
