package tui

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
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
	left := draw.TextLine(" sonde ", theme.Active)
	facts := keepFacts(a.facts(), room-left.Width())
	for i, f := range facts {
		sep := " · "
		if i == 0 {
			sep = " "
		}
		left = append(left, draw.Span{Text: sep, Style: theme.Dim}, draw.Span{Text: f.text, Style: theme.Plain})
	}
	return left.Cut(room).At(a.width-right.Width(), right...).Render(a.width, false)
}

func (a *app) facts() []fact {
	if a.study == nil {
		return nil
	}
	s := a.study.Spec
	facts := []fact{
		{strings.TrimSpace(draw.Clean(s.Title + " " + s.Version)), 0},
		{a.trace(), 1},
		{draw.Clean(s.Format), 5},
		{words.Plural(len(s.Operations), "operation"), 3},
		{words.Plural(len(a.study.Groups), "group"), 4},
	}
	if n := len(a.troubles()); n > 0 {
		facts = append(facts, fact{words.Plural(n, "problem"), 2})
	}
	return facts
}

// trace is where the person is, in about a third of the line: of an
// operation, the end is left.
func (a *app) trace() string {
	const arrow = " › "
	names := a.crumbs()
	text := draw.Clean(names[0])
	for _, name := range names[1:] {
		name, room := draw.Clean(name), max(8, a.width/3-ansi.StringWidth(text+arrow))
		if strings.Contains(name, " /") {
			name = draw.OperationLine(name, room).Text()
		}
		text += arrow + draw.CutMiddle(name, room)
	}
	return text
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
func hostMark(h screen.Service, room int) draw.Line {
	where := strings.TrimSuffix(strings.TrimPrefix(draw.Clean(h.URL), "http://"), "/")
	switch {
	case h.URL == "":
		return draw.TextLine(theme.Optional+" no service ", theme.Dim)
	case h.Remote:
		return draw.TextLine(theme.Live+" REMOTE "+where+" ", theme.Bad).Cut(room)
	case h.Name != "":
		where = draw.Clean(h.Name) + "  " + where
	}
	return draw.Line{{Text: theme.Live + " ", Style: theme.Good}, {Text: where + " ", Style: theme.Plain}}.Cut(room)
}

// tab is a screen's entry in the tab line.
type tab struct{ name, live string }

func (a *app) tabs() []tab {
	out := make([]tab, len(a.screens))
	for i, s := range a.screens {
		out[i] = tab{name: s.Name()}
		if a.study != nil {
			out[i].live = draw.Clean(s.TabBadge())
		}
	}
	return out
}

// How much of the tabs is left out where room is short.
const (
	everything = iota
	fewLive    // the numbers of the others
	names      // all numbers, and the blanks between the tabs
	numbered   // the names of the others
	least      // and all numbers
)

// tabLine draws the tabs, and returns where each stands. Where room is short,
// the numbers of the others go, then their names.
func tabLine(width int, tabs []tab, current int) (string, []span) {
	line, spans := drawTabs(tabs, current, everything)
	for thrift := fewLive; thrift <= least && line.Width() > width; thrift++ {
		line, spans = drawTabs(tabs, current, thrift)
	}
	return line.Render(width, false), spans
}

func drawTabs(tabs []tab, current, thrift int) (draw.Line, []span) {
	var line draw.Line
	var spans []span
	for i, t := range tabs {
		if i > 0 {
			line = append(line, draw.Span{Text: "│", Style: theme.Border})
		}
		mark, style := " ", theme.Plain
		if i == current {
			mark, style = theme.Cursor, theme.Active
		}
		text := mark + tabText(i, t, i == current, thrift)
		if thrift != names {
			text += " "
		}
		spans = append(spans, span{line.Width(), line.Width() + ansi.StringWidth(text)})
		line = append(line, draw.Span{Text: text, Style: style})
	}
	return line, spans
}

func tabText(i int, t tab, current bool, thrift int) string {
	text := fmt.Sprint(i + 1)
	if current || thrift <= names {
		text += " " + t.name
	}
	if t.live != "" && (thrift == everything || thrift == numbered || current && thrift == fewLive) {
		text += " " + t.live
	}
	return text
}
