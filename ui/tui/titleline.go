package tui

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// titleFact is a part of the title line. If there is not enough room, the facts with the highest rank are
// left out first.
type titleFact struct {
	text string
	rank int
}

// titleLine draws as many facts as fit. The parameter right is drawn at the right edge.
func titleLine(width int, right draw.Line, all []titleFact) string {
	room := width - right.Width() - 1
	left := draw.TextLine(" sonde ", theme.Active)
	facts := fitFacts(all, room-left.Width())
	for i, f := range facts {
		sep := " · "
		if i == 0 {
			sep = " "
		}
		left = append(left, draw.Span{Text: sep, Style: theme.Dim}, draw.Span{Text: f.text, Style: theme.Plain})
	}
	return left.Cut(room).At(width-right.Width(), right...).Render(width, false)
}

// facts returns the facts about the open spec, nil if there is none.
func (a *app) facts() []titleFact {
	opened := a.spec.shown()
	if opened == nil {
		return nil
	}
	s := opened.Spec
	facts := []titleFact{
		{strings.TrimSpace(draw.Clean(s.Title) + " " + draw.Clean(s.Version)), 0},
		{breadcrumbText(a.screens.breadcrumbs(a.nav.op), a.width), 1},
		{draw.Clean(s.Format), 5},
		{words.Plural(len(s.Operations), "operation"), 3},
	}
	if !opened.IsPreview {
		facts = append(facts, titleFact{words.Plural(len(opened.Groups), "group"), 4})
	}
	if n := len(a.problems()); n > 0 {
		facts = append(facts, titleFact{words.Plural(n, "problem"), 2})
	}
	return facts
}

// breadcrumbText joins names in at most about a third of the width. If the path of an operation is too
// long, its beginning is cut.
func breadcrumbText(names []string, width int) string {
	const arrow = " › "
	text := draw.Clean(names[0])
	for _, name := range names[1:] {
		name, room := draw.Clean(name), max(8, width/3-ansi.StringWidth(text+arrow))
		if strings.Contains(name, " /") {
			name = draw.OperationLine(name, room).Text()
		}
		text += arrow + draw.CutMiddle(name, room)
	}
	return text
}

// fitFacts leaves out facts until the remaining facts fit into room cells. The first fact always stays, even if it
// does not fit. titleLine cuts it then.
func fitFacts(facts []titleFact, room int) []titleFact {
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

func factsWidth(facts []titleFact) int {
	w := -2 // the first fact has one blank before it, the other facts have three
	for _, f := range facts {
		w += 3 + ansi.StringWidth(f.text)
	}
	return w
}

// tab is a screen's entry in the tab line.
type tab struct{ name, badge string }

// tabs returns the entries of the screens, with their badges if a spec is open.
func (s *screenSet) tabs(opened bool) []tab {
	out := make([]tab, len(s.all))
	for i, one := range s.all {
		out[i] = tab{name: one.Name()}
		if opened {
			out[i].badge = draw.Clean(one.TabBadge())
		}
	}
	return out
}

// The forms of the tab line, in the order in which they are tried. Each comment names what the form leaves
// out.
const (
	tabsWhole      = iota // nothing
	tabsOneBadge          // the badges of all tabs except the current one
	tabNames              // all badges, and the blank after each tab
	tabNumbers            // the names of all tabs except the current one
	tabsOnlyNumber        // the names of all tabs except the current one, and all badges
)

// tabLine draws the tabs, and returns the span of each tab. It uses the first form that fits. If no form fits, it
// uses the last form.
func tabLine(width int, tabs []tab, current int) (string, []span) {
	line, spans := drawTabs(tabs, current, tabsWhole)
	for level := tabsOneBadge; level <= tabsOnlyNumber && line.Width() > width; level++ {
		line, spans = drawTabs(tabs, current, level)
	}
	return line.Render(width, false), spans
}

func drawTabs(tabs []tab, current, level int) (draw.Line, []span) {
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
		text := mark + tabText(i, t, i == current, level)
		if level != tabNames {
			text += " "
		}
		spans = append(spans, span{line.Width(), line.Width() + ansi.StringWidth(text)})
		line = append(line, draw.Span{Text: text, Style: style})
	}
	return line, spans
}

func tabText(i int, t tab, current bool, level int) string {
	text := fmt.Sprint(i + 1)
	if current || level <= tabNames {
		text += " " + t.name
	}
	if t.badge != "" && (level == tabsWhole || level == tabNumbers || current && level == tabsOneBadge) {
		text += " " + t.badge
	}
	return text
}
