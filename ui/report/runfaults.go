package report

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// shownFault is a fault on a page.
type shownFault struct {
	anchor
	Severity  string
	Mark      string // the glyph of the severity
	Op        shownOp
	Status    shownStatus
	Oracle    string
	Facts     []fact
	Calls     []shownCall
	Curl      string
	Tests     []anchor
	MoreTests int
	Uncounted string // why the fault does not count, "" if it does
	Folded    bool   // details are left out
	CurlID    string
}

// severityMarks are the glyphs of severities.
var severityMarks = map[model.Severity]string{model.SeverityError: "✗", model.SeverityWarning: "△", model.SeverityNote: "·"}

// faultSection returns the faults of a run, the most severe first.
func faultSection(r Run, links runLinks) (section, error) {
	var all []shownFault
	for _, i := range r.FaultOrder() {
		s := newShownFault(r, r.Faults[i])
		const most = 6
		s.anchor, s.Tests = links.faults[i], links.testsOf(i, most)
		s.MoreTests, s.CurlID = max(0, len(links.shows[i])-most), "curl--"+s.Anchor
		all = append(all, s)
	}
	return faultElements(all)
}

// faultElements writes faults up to the maximum size of their section.
func faultElements(all []shownFault) (section, error) {
	return newSection("fault", maxFaults, len(all), func(i int, folded bool) any {
		f := all[i]
		if folded {
			f.Calls, f.Curl, f.Folded = nil, "", true
		}
		return f
	})
}

// newShownFault returns a fault without its anchor and its tests.
func newShownFault(r Run, f model.Fault) shownFault {
	s := shownFault{
		Severity: draw.Clean(string(f.Severity)), Mark: severityMarks[f.Severity], Op: newShownOp(f.Op),
		Status: newShownStatus(f.Status), Oracle: draw.Clean(f.Oracle), Facts: faultFacts(r, f), Uncounted: uncounted(f),
	}
	if r.Reproduce != nil {
		s.Curl = limited(draw.CleanLines(r.Reproduce(f)), 4*maxBody)
	}
	if f.Test == nil {
		return s
	}
	for i := range f.Test.Calls {
		var x *Exchange
		if i < len(f.Exchanges) {
			x = &Exchange{ExchangeExcerpt: f.Exchanges[i]}
		}
		call := newShownCall(*f.Test, i, x)
		call.Faulty = i == len(f.Test.Calls)-1
		s.Calls = append(s.Calls, call)
	}
	return s
}

func uncounted(f model.Fault) string {
	switch {
	case f.Severity == model.SeverityNote:
		return "does not count"
	case !f.CountsAsFailure():
		return "flaky"
	}
	return ""
}

// faultFacts returns what a fault is: what was expected, what happened, and what its oracle reports.
func faultFacts(r Run, f model.Fault) []fact {
	got := f.Text
	if f.Status > 0 {
		got = strings.TrimSpace(fmt.Sprintf("%d %s", f.Status, f.Text))
	}
	seen := words.Plural(f.Count, "time")
	if f.Merged > 0 {
		seen += fmt.Sprintf(", and %s with other messages, which count as the same", words.Plural(f.Merged, "time"))
	}
	facts := []fact{
		{"Expected", draw.Clean(f.Expected)},
		{"Got", draw.Clean(got)},
		{"Input", draw.Clean(f.Input.String())},
		{"Verdict", draw.Clean(f.Repeated())},
		{"Seen", seen},
		{"Rule", draw.Clean(r.Rules[f.Oracle])},
	}
	return slices.DeleteFunc(facts, func(f fact) bool { return f.Value == "" })
}
