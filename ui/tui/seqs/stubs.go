package seqs

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// put puts a stub into what is picked, in the place of one for the same messages.
func (s *Screen) put(stub model.Stub) tea.Cmd {
	rows := s.rows.picks()
	if len(rows) == 0 {
		return screen.ShowStatus("Nothing is picked that the stub could go into: 4 shows the tests, space picks")
	}
	for _, r := range rows {
		r.Stubs = append(slices.DeleteFunc(slices.Clone(r.Stubs), stub.Replaces), stub)
	}
	said := screen.ShowStatus(
		stub.Host + " " + stub.Summary() + " stands in " + words.Plural(len(rows), "picked seq") + " now; 6, then r, plays it with that",
	)
	return tea.Batch(s.picks(), said)
}

// stubs are what the hosts around the service answer in a test: what a person put
// there first, then the test's own.
func (p *page) stubs(put, own []model.Stub) {
	if len(put)+len(own) == 0 {
		return
	}
	p.add(draw.TextLine(" what other hosts answer", theme.Dim))
	for _, stub := range put {
		p.stub(stub, theme.Injected+" ")
	}
	for _, stub := range own {
		p.stub(stub, "")
	}
	if len(put) > 0 {
		p.prose(
			theme.Injected+" was put there by you: 6, then r, plays the test with it; until then it may expect something else.",
			theme.Dim,
		)
	}
	p.add(nil)
}

// stub is a host, what it does, and to which messages.
func (p *page) stub(s model.Stub, mark string) {
	host := draw.Clean(string(s.Protocol) + " " + s.Host)
	line := draw.TextLine(strings.Repeat(" ", inset), theme.Plain)
	line = append(line, draw.Span{Text: mark + host + "  ", Style: theme.Plain}, draw.Span{Text: draw.Clean(s.Summary()), Style: theme.Value})
	if to := draw.Clean(s.Match.String()); to != "" {
		line = append(line, draw.Span{Text: "  to " + to, Style: theme.Dim})
	}
	p.add(line)
}

// own are the stubs of a test, none of a seq without values.
func own(t *model.Test) []model.Stub {
	if t == nil {
		return nil
	}
	return t.Stubs
}
