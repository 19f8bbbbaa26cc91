package tui

import (
	"fmt"
	"strings"

	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// fact is a part of the title line. Where room is short, the facts with the
// highest rank go first.
type fact struct {
	text string
	rank int
}

// title draws what is open and, always, which service Sonde talks to.
func (a *app) title() string {
	right := hostMark(a.host, max(12, a.width*2/3))
	room := a.width - right.Width() - 1
	left := pane.Text(" sonde ", theme.Active)
	facts := keepFacts(a.facts(), room-left.Width())
	for i, f := range facts {
		sep := " · "
		if i == 0 {
			sep = " "
		}
		left = append(left, pane.Span{Text: sep, Style: theme.Dim}, pane.Span{Text: f.text, Style: theme.Plain})
	}
	return left.Cut(room).At(a.width-right.Width(), right...).Render(a.width, false)
}

func (a *app) facts() []fact {
	if a.study == nil {
		return nil
	}
	s := a.study.Spec
	facts := []fact{
		{strings.TrimSpace(pane.Clean(s.Title + " " + s.Version)), 0},
		{pane.Clean(s.Format), 4},
		{words.Plural(len(s.Operations), "operation"), 2},
		{words.Plural(len(a.study.Groups), "group"), 3},
	}
	if n := len(s.Problems); n > 0 {
		facts = append(facts, fact{words.Plural(n, "problem"), 1})
	}
	return facts
}

// keepFacts leaves facts out until the rest fits; the first one may be cut.
func keepFacts(facts []fact, room int) []fact {
	for len(facts) > 1 && factsWidth(facts) > room {
		worst := 0
		for i, f := range facts {
			if f.rank > facts[worst].rank {
				worst = i
			}
		}
		facts = append(facts[:worst:worst], facts[worst+1:]...)
	}
	return facts
}

func factsWidth(facts []fact) int {
	w := -2 // the first has one blank before it
	for _, f := range facts {
		w += 3 + ansi.StringWidth(f.text)
	}
	return w
}

// hostMark says which service is called, and marks one that is not local.
func hostMark(h screen.Host, room int) pane.Line {
	where := strings.TrimSuffix(strings.TrimPrefix(pane.Clean(h.URL), "http://"), "/")
	switch {
	case h.URL == "":
		return pane.Text(theme.Optional+" no service ", theme.Dim)
	case h.Remote:
		return pane.Text(theme.Live+" REMOTE "+where+" ", theme.Bad).Cut(room)
	case h.Name != "":
		where = pane.Clean(h.Name) + "  " + where
	}
	return pane.Line{{Text: theme.Live + " ", Style: theme.Good}, {Text: where + " ", Style: theme.Plain}}.Cut(room)
}

// tab is a screen's entry in the tab line.
type tab struct{ name, live string }

func (a *app) tabs() []tab {
	out := make([]tab, len(a.screens))
	for i, s := range a.screens {
		out[i] = tab{name: s.Name()}
		if a.study != nil {
			out[i].live = pane.Clean(s.Live())
		}
	}
	return out
}

// tabLine draws the tabs, and returns where each stands. Where room is short,
// the numbers of the others go, then their names.
func tabLine(width int, tabs []tab, current int) (string, []span) {
	line, spans := drawTabs(tabs, current, 0)
	for thrift := 1; thrift <= 3 && line.Width() > width; thrift++ {
		line, spans = drawTabs(tabs, current, thrift)
	}
	return line.Render(width, false), spans
}

func drawTabs(tabs []tab, current, thrift int) (pane.Line, []span) {
	var line pane.Line
	var spans []span
	for i, t := range tabs {
		if i > 0 {
			line = append(line, pane.Span{Text: "│", Style: theme.Border})
		}
		mark, style := " ", theme.Plain
		if i == current {
			mark, style = theme.Cursor, theme.Active
		}
		text := mark + tabText(i, t, i == current, thrift) + " "
		spans = append(spans, span{line.Width(), line.Width() + ansi.StringWidth(text)})
		line = append(line, pane.Span{Text: text, Style: style})
	}
	return line, spans
}

func tabText(i int, t tab, current bool, thrift int) string {
	text := fmt.Sprint(i + 1)
	if current || thrift < 2 {
		text += " " + t.name
	}
	if t.live != "" && (thrift == 0 || current && thrift < 3 || thrift == 2) {
		text += " " + t.live
	}
	return text
}
