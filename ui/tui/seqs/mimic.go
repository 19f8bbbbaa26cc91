package seqs

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// mimics says which recorded exchange a test mimics, and what it wants of it.
func (p *page) mimics(t *model.Test) {
	if t == nil || t.Mock == nil {
		return
	}
	m := t.Mock
	for _, l := range words.Wrap(draw.Clean(m.About), p.width-2) {
		p.add(draw.TextLine(" "+l, theme.Strong))
	}
	if len(m.ExpectedCalls) > 0 {
		p.add(draw.TextLine(" wants "+words.Plural(len(m.ExpectedCalls), "outward call"), theme.Dim))
	}
	for _, w := range m.ExpectedCalls {
		p.wanted(t, w)
	}
	if m.Uncertain {
		p.prose("? Nobody knows for sure that all of them are for this call: the test has no call oracle.", theme.Warn)
	}
	p.loose(m)
	p.add(nil)
}

// wanted is an outward call, numbered by its phase: those of one number come in any order.
func (p *page) wanted(t *model.Test, w model.ExpectedCall) {
	if w.Stub < 0 || w.Stub >= len(t.Stubs) {
		return
	}
	s := t.Stubs[w.Stub]
	line := draw.TextLine(fmt.Sprintf("%*d  ", inset-2, w.Phase+1), theme.Dim)
	line = append(
		line, draw.Span{Text: draw.Clean(s.Host), Style: theme.Plain},
		draw.Span{Text: "  " + draw.Clean(s.Match.String()), Style: theme.Value},
	)
	p.add(line)
}

// loose lists what is not compared as it was, and why.
func (p *page) loose(m *model.MockTest) {
	all := m.Output
	for _, w := range m.ExpectedCalls {
		all = append(all[:len(all):len(all)], w.Params...)
	}
	head := " not compared as it was"
	for _, e := range all {
		if e.Why == "" {
			continue
		}
		if head != "" {
			p.add(draw.TextLine(head, theme.Dim))
			head = ""
		}
		place := strings.TrimSpace(draw.Clean(string(e.In) + " " + e.Name))
		p.add(draw.Line{
			{Text: strings.Repeat(" ", inset) + place, Style: theme.Plain},
			{Text: "  " + string(e.Comparison) + ": " + draw.Clean(e.Why), Style: theme.Dim},
		})
	}
}
