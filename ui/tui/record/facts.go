package record

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// groupFacts describes the exchanges of an operation.
func groupFacts(g *group, width int) []draw.Line {
	l := &lines{width: width}
	t := tallied(g.all)
	l.fact("seen", plain(words.Plural(len(g.all), "exchange")+", "+words.Plural(g.shapes, "shape")))
	l.fact("answered", statuses(t.statuses, true)...)
	if len(t.hosts) == 0 {
		l.fact("sent", draw.Span{Text: "nothing to other hosts", Style: theme.Dim})
	}
	for i, h := range t.ranked() {
		label := ""
		if i == 0 {
			label = "sent to"
		}
		l.fact(label, plain(h), draw.Span{Text: " ×" + words.Count(t.hosts[h]), Style: theme.Dim})
	}
	for i, link := range links(t.attributions) {
		label := ""
		if i == 0 {
			label = "linked by"
		}
		l.fact(label, plain(link.String()), draw.Span{Text: "  " + explained[link.attribution], Style: theme.Dim})
	}
	if g.op == "" {
		l.add(nil)
		l.prose("The document has no operation for these: there can be no tests of them.", theme.Warn)
	}
	l.add(nil)
	keys := widget.KeyName(keyPick) + " picks its listed exchanges; " + widget.KeyName(keyFold) + " opens and closes it."
	l.prose(keys, theme.Dim)
	return l.all
}

// link is a way in which outward calls were attributed to requests, with the number of these calls.
type link struct {
	attribution model.Attribution
	n           int
}

func (l link) String() string {
	if !l.attribution.Certain() {
		return fmt.Sprintf("%s %s?", l.attribution, words.Count(l.n))
	}
	return fmt.Sprintf("%s %s", l.attribution, words.Count(l.n))
}

// explained has, for each kind of attribution, the reason why the call belongs to the request.
var explained = map[model.Attribution]string{
	model.AttributedByTrace:   "the service passed the trace context on",
	model.AttributedByContext: "Sonde built the service and saw it",
	model.AttributedBySerial:  "no other request was in the service",
	model.AttributedByTime:    "not certain: the request was in progress",
}

// links returns the kinds of attribution, the most certain first.
func links(counts map[model.Attribution]int) (all []link) {
	order := []model.Attribution{
		model.AttributedByTrace,
		model.AttributedByContext,
		model.AttributedBySerial,
		model.AttributedByTime,
	}
	for _, how := range order {
		if n := counts[how]; n > 0 {
			all = append(all, link{how, n})
		}
	}
	return all
}

// linksText joins links.
func linksText(all []link) string {
	var parts []string
	for _, l := range all {
		parts = append(parts, l.String())
	}
	return strings.Join(parts, ", ")
}

// tally counts statuses, hosts and attributions of exchanges.
type tally struct {
	statuses     map[int]int
	hosts        map[string]int
	attributions map[model.Attribution]int
}

func tallied(all []*entry) tally {
	t := tally{statuses: map[int]int{}, hosts: map[string]int{}, attributions: map[model.Attribution]int{}}
	for _, e := range all {
		t.statuses[e.Reply.Status]++
		for i := range e.OutwardCalls {
			t.hosts[hostName(&e.OutwardCalls[i])]++
			t.attributions[e.OutwardCalls[i].Attribution]++
		}
	}
	return t
}

// ranked returns the hosts, the most frequently called first.
func (t tally) ranked() []string {
	return slices.SortedFunc(maps.Keys(t.hosts), func(a, b string) int {
		return cmp.Or(t.hosts[b]-t.hosts[a], cmp.Compare(a, b))
	})
}

// statuses draws the number of responses with each status. If the parameter each is false, it draws the number of
// responses in each class of statuses, such as 2xx.
func statuses(counts map[int]int, each bool) (spans []draw.Span) {
	if !each {
		counts = classes(counts)
	}
	for i, status := range slices.Sorted(maps.Keys(counts)) {
		glyph, style := theme.Class(status)
		text := fmt.Sprintf("%s%s", glyph, words.Count(counts[status]))
		if each {
			text = fmt.Sprintf("%s %d ×%s", glyph, status, words.Count(counts[status]))
		}
		if status == 0 && each {
			text = theme.Failed + " no answer ×" + words.Count(counts[status])
		}
		if i > 0 {
			spans = append(spans, plain("  "))
		}
		spans = append(spans, draw.Span{Text: text, Style: style})
	}
	return spans
}

// classes returns the sum of the counts in each class of statuses.
func classes(counts map[int]int) map[int]int {
	out := map[int]int{}
	for status, n := range counts {
		out[status/100*100] += n
	}
	return out
}

func plain(text string) draw.Span { return draw.Span{Text: text, Style: theme.Plain} }
