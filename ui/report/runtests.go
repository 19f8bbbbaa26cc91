package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// shownTest is a test on a page.
type shownTest struct {
	anchor
	Title string // the name that the user gave the test
	Steps []shownStep
	// Between is the number of calls that the steps leave out before the last one.
	Between int
	Last    *shownStep // nil if the test has one step
	Facts   []fact
	Calls   []shownCall
	Faults  []anchor
	Flags   []string
	Folded  bool
	// For the filter: the statuses, the numbers of operations and the anchors of faults, each with spaces between.
	Statuses, Ops, FaultKeys string
}

// shownStep is a call in the heading of a test.
type shownStep struct {
	Op     shownOp
	Status shownStatus
}

// shownSteps is the number of calls before the last one that the heading of a test shows.
const shownSteps = 3

// testSection returns the tests of a run, in its order.
func testSection(r Run, links runLinks) (section, error) {
	return newSection("test", maxTests, len(r.Tests), func(i int, folded bool) any { return newShownTest(r, links, i, folded) })
}

// newShownTest returns a test. folded leaves out its calls.
func newShownTest(r Run, links runLinks, at int, folded bool) shownTest {
	t := r.Tests[at]
	s := shownTest{anchor: links.tests[at], Title: draw.Clean(t.Name), Faults: links.faultsOf(at), Facts: testFacts(t)}
	s.addSteps(t.Calls)
	s.Folded = folded
	if !folded {
		for i, x := range matched(t, r.Exchanges[t.ID]) {
			s.Calls = append(s.Calls, newShownCall(t, i, x))
		}
	}
	if t.Flaky != "" {
		s.Flags = append(s.Flags, "flaky")
	}
	if t.EarlierState != "" {
		s.Flags = append(s.Flags, "depends on earlier state")
	}
	s.setKeys(t, links)
	return s
}

// addSteps sets the calls that the heading shows: the first ones and the last one.
func (s *shownTest) addSteps(calls []model.Call) {
	for i, c := range calls {
		step := shownStep{Op: newShownOp(c.Op), Status: newShownStatus(c.Status)}
		switch {
		case i == len(calls)-1 && i > 0:
			s.Last = &step
		case i < shownSteps:
			s.Steps = append(s.Steps, step)
		default:
			s.Between++
		}
	}
}

// setKeys sets what the filter looks for.
func (s *shownTest) setKeys(t model.Test, links runLinks) {
	var statuses, ops, faults []string
	for _, c := range t.Calls {
		statuses = append(statuses, strconv.Itoa(c.Status))
		ops = append(ops, strconv.Itoa(links.ops[c.Op]))
	}
	for _, f := range s.Faults {
		faults = append(faults, f.Anchor)
	}
	join := func(all []string) string {
		slices.Sort(all)
		return strings.Join(slices.Compact(all), " ")
	}
	s.Statuses, s.Ops, s.FaultKeys = join(statuses), join(ops), join(faults)
}

// matched returns for each call of a test its exchange, or nil if the call was not sent or the exchange is not known.
// Exchanges are in the order of the calls, but calls that were not sent have none.
func matched(t model.Test, exchanges []Exchange) []*Exchange {
	all := make([]*Exchange, len(t.Calls))
	next := 0
	for i, c := range t.Calls {
		if next == len(exchanges) {
			break
		}
		if missing := len(t.Calls) - i - (len(exchanges) - next); missing > 0 && exchanges[next].Status != c.Status && !c.AnyStatus {
			continue
		}
		all[i] = &exchanges[next]
		next++
	}
	return all
}

// testFacts returns what a page says about a test besides its calls.
func testFacts(t model.Test) []fact {
	covers := cleanAll(t.Covers)
	const most = 12
	if more := len(covers) - most; more > 0 {
		covers = append(covers[:most:most], fmt.Sprintf("and %d more", more))
	}
	facts := []fact{
		{"Kept for", strings.Join(covers, ", ")},
		{"Source", codeText(t.Code)},
		{"Made", madeText(t)},
		{"Flaky", draw.Clean(t.Flaky)},
		{"Earlier state", draw.Clean(t.EarlierState)},
		{"Rows", countText(len(t.Rows), "row", "inserted before the first call")},
		{"Hosts", countText(len(t.Stubs), "stub", "of other hosts")},
	}
	return slices.DeleteFunc(facts, func(f fact) bool { return f.Value == "" })
}

func codeText(n int) string {
	if n == 0 {
		return ""
	}
	return "kept for " + words.InCode(n)
}

func countText(n int, thing, rest string) string {
	if n == 0 {
		return ""
	}
	return words.Plural(n, thing) + " " + rest
}

// rules describe how the search made a test.
var rules = map[model.CreationRule]string{
	model.FromPerson:          "from a sequence that the user asked for",
	model.FromInitialTemplate: "from a template, in the first phase",
	model.FromRecording:       "from a recorded test",
	model.FromTemplate:        "from a template",
	model.FromSweep:           "by a sweep over values of one operation",
	model.FromNegative:        "by edge cases of one operation",
	model.FromInteraction:     "by calls of operations that depend on each other",
	model.FromAttempt:         "by another try of an operation without success",
	model.FromRandomCalls:     "from random calls",
	model.FromMigration:       "by another island",
	model.FromMutation:        "by mutation",
	model.FromMinimisation:    "by minimising another test",
}

// madeText says how a test was made.
func madeText(t model.Test) string {
	l := t.Lineage
	if l == nil {
		return ""
	}
	text := rules[l.Rule]
	if text == "" {
		text = draw.Clean(string(l.Rule))
	}
	return fmt.Sprintf("%s, after %s", text, words.Plural(l.Call, "call"))
}
