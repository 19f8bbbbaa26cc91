package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// FaultMode selects what a test that shows a fault does as long as the fault exists.
type FaultMode string

// The modes for the tests of faults.
const (
	FailFaults FaultMode = "fail" // the tests assert the correct answer, and fail
	PinFaults  FaultMode = "pin"  // the tests assert the answer of the run, and pass
	SkipFaults FaultMode = "skip" // the tests are skipped
)

// FaultModes are all modes, the default first.
var FaultModes = []FaultMode{FailFaults, PinFaults, SkipFaults}

// shownFault is a fault with the assertions of its test.
type shownFault struct {
	model.Fault
	wants []Assertion
	mode  FaultMode
	// place is the number of the fault in its group, from 1, and size the number of faults in the group.
	place, size int
}

// shownFaults are the faults of a suite by the IDs of the tests that show them.
type shownFaults map[string]*shownFault

// SplitFaults returns two suites. Neither of them repeats a test.
//
// The suite tests has the tests of s, without answers that are faults: calls with such answers are removed from the
// end of each test. Tests that were kept only for faults are left out.
//
// The suite faults has a test for each fault that makes the run fail. If no test can show such a fault,
// faults.UnshownFaults has the reason.
//
// The order of both suites is in faultorder.go.
func (s Suite) SplitFaults() (tests, faults Suite) {
	split := faultSplit{faults: s.Faults, mode: s.FaultMode, allStates: s.IncludeEarlierState}
	tests, faults = s, s
	tests.Faults, faults.Faults = nil, nil
	tests.Tests, tests.retired = split.withoutFaults(s.Tests)
	tests.Tests = serverErrorsLast(distinct(tests.Tests))
	faults.Tests, faults.Code, faults.shown = nil, nil, shownFaults{}
	for _, i := range faultOrder(s.Faults) {
		f := s.Faults[i]
		if !f.CountsAsFailure() {
			continue
		}
		t, shown, why := split.testOf(i)
		if why != "" {
			line := fmt.Sprintf("No test shows the fault %s of %s, because %s.", remark(f.Oracle, 60), remark(string(f.Op), 80), why)
			faults.unshown = append(faults.unshown, line)
			continue
		}
		faults.Tests, faults.shown[t.ID] = append(faults.Tests, t), shown
	}
	faults.Tests = faults.shown.distinct(faults.Tests)
	faults.shown.number(faults.Tests)
	return tests, faults
}

// faultSplit separates a run's faults from its tests.
type faultSplit struct {
	faults    []model.Fault
	mode      FaultMode
	allStates bool // faults that depend on earlier state get tests, too
}

// faultID returns the ID of the test for the fault with the index i.
func faultID(i int) string { return fmt.Sprintf("f%d", i+1) }

// testOf returns the test that shows a fault. If there is none, why is the reason.
func (p faultSplit) testOf(i int) (t model.Test, shown *shownFault, why string) {
	f := p.faults[i]
	if f.Test == nil || len(f.Test.Calls) == 0 {
		return t, nil, "its calls are not known"
	}
	if !p.allStates && (f.Verdict == model.VerdictEarlierState || f.Test.EarlierState != "") {
		return t, nil, "it depends on earlier state: --all writes it"
	}
	wants, err := assertionsOf(f)
	switch {
	case err != nil:
		return t, nil, err.Error()
	case p.mode == PinFaults && f.Status == 0:
		return t, nil, "no test can pass without an answer"
	}
	t = *f.Test
	if n := wants[0].calls; n > 0 {
		t.Calls = t.Calls[:n]
		t.Links = slices.DeleteFunc(slices.Clone(t.Links), func(l model.Link) bool { return l.To >= n })
	}
	t.ID, t.Name, t.Checks, t.Covers, t.Code = faultID(i), "", nil, nil, 0
	t.Calls = slices.Clone(t.Calls)
	last := len(t.Calls) - 1
	for k, c := range t.Calls[:last] {
		t.Calls[k].AnyStatus = c.AnyStatus || p.isFault(c)
	}
	if t.Calls[last].Status == 0 {
		t.Calls[last].Status = statusMissing
	}
	return t, &shownFault{Fault: f, wants: wants, mode: p.mode}, ""
}

// statusMissing is the status of a last call without an answer. It is not 0, so that the call counts as sent.
const statusMissing = 1

// isFault reports whether the answer of a call is a fault, judging by its status.
func (p faultSplit) isFault(c model.Call) bool {
	return c.Status >= 500 && slices.ContainsFunc(p.faults, func(f model.Fault) bool {
		return f.Op == c.Op && f.Status == c.Status && f.CountsAsFailure() && f.IsStatusFault()
	})
}

// withoutFaults returns the tests without answers that are faults; see trim. It leaves out tests that were kept only
// for such answers, and does not change tests with a Mock. retired has the first comment line of each test that was
// left out or changed, by which an update finds the test in a file of an earlier version.
func (p faultSplit) withoutFaults(tests []model.Test) (all []model.Test, retired []string) {
	for _, t := range tests {
		if !slices.ContainsFunc(t.Calls, p.isFault) || t.Mock != nil {
			all = append(all, t)
			continue
		}
		retired = append(retired, firstLine(t))
		if t, ok := p.trim(t); ok {
			all = append(all, t)
		}
	}
	return all, retired
}

// firstLine returns the first line of a test's comment, which is the same in files of earlier versions.
func firstLine(t model.Test) string {
	line, _, _ := strings.Cut(strings.TrimPrefix(seqComment(t), "// "), "\n")
	return strings.TrimSpace(line)
}

// trim returns a test without the answers that are faults. It removes calls with such answers from the end of the
// test. Other calls with such answers remain, but may get any status. ok is false if the test was kept only for
// answers that are faults.
func (p faultSplit) trim(t model.Test) (trimmed model.Test, ok bool) {
	covered := func(c model.Call) bool { return slices.Contains(t.Covers, fmt.Sprintf("%s %d", c.Op, c.Status)) }
	t.Calls = slices.Clone(t.Calls)
	end := last(t) + 1
	for end > 0 && p.isFault(t.Calls[end-1]) {
		end--
	}
	kept := false
	for i, c := range t.Calls[:end] {
		fault := p.isFault(c)
		t.Calls[i].AnyStatus = c.AnyStatus || fault
		kept = kept || !fault && (covered(c) || len(t.Covers) == 0)
	}
	dropped := func(call int) bool { return call >= end || p.isFault(t.Calls[call]) }
	t.Checks = slices.DeleteFunc(slices.Clone(t.Checks), func(k model.Check) bool { return dropped(k.Call) })
	t.Links = slices.DeleteFunc(slices.Clone(t.Links), func(l model.Link) bool { return l.To >= end })
	t.Calls = t.Calls[:end]
	return t, kept
}

// distinct returns the tests without those that repeat the calls, values and assertions of an earlier one.
func distinct(tests []model.Test) []model.Test {
	known := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(tests), func(t model.Test) bool {
		key := identity(t)
		repeated := known[key]
		known[key] = true
		return repeated
	})
}

// identity returns the calls, values and assertions of a test as text.
func identity(t model.Test) string {
	t.ID, t.Name, t.Origin, t.Covers, t.Code, t.Lineage, t.Flaky = "", "", "", nil, 0, nil, ""
	text, _ := json.Marshal(t) // a Test always marshals
	return string(text)
}

// distinct returns the tests without those that repeat the calls and assertions of an earlier test.
func (f shownFaults) distinct(tests []model.Test) []model.Test {
	known := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(tests), func(t model.Test) bool {
		key := identity(t)
		for _, w := range f[t.ID].wants {
			key += " " + w.String()
		}
		repeated := known[key]
		known[key] = true
		return repeated
	})
}

// about returns comment lines that describe the fault.
func (s *shownFault) about() []string {
	all := []string{
		"", fmt.Sprintf("It shows a fault: %s, of severity %s.", remark(s.Oracle, 60), s.Severity),
	}
	if s.size > 1 && s.Status >= 500 {
		const line = "%s answers %d with %d faults; this is number %d."
		all = append(all, fmt.Sprintf(line, remark(string(s.Op), 80), s.Status, s.size, s.place))
	}
	all = append(all, "Expected: "+remark(s.Expected, 200))
	if s.Status > 0 {
		all = append(all, fmt.Sprintf("Got: %d %s", s.Status, remark(s.Text, 200)))
	} else {
		all = append(all, "Got: "+remark(s.Text, 200))
	}
	if s.mode == PinFaults {
		all = append(all, "It asserts what the service does today, so that it passes until the fault is fixed.")
	}
	return all
}

// reason returns the reason why a test is skipped, "" if it is not skipped.
func (s *shownFault) reason() string {
	if s == nil || s.mode != SkipFaults {
		return ""
	}
	return "a fault of the service: " + remark(s.Oracle, 60)
}

// pinned reports whether the test asserts the answer of the run.
func (s *shownFault) pinned() bool { return s != nil && s.mode == PinFaults }

// ofStatus reports whether an assertion of the test checks the status.
func (s *shownFault) ofStatus() bool {
	return slices.ContainsFunc(s.wants, func(w Assertion) bool { return w.Kind == AssertStatus })
}

// status returns the status to expect of the faulty answer, or 0 if another assertion of the test checks the status.
// got is the status in the run.
func (s *shownFault) status(got int) int {
	if s.ofStatus() && !s.pinned() {
		return 0
	}
	return got
}

// assertions returns the assertions of the test. If the test is pinned, those on the status are left out.
func (s *shownFault) assertions() []Assertion {
	return slices.DeleteFunc(slices.Clone(s.wants), func(w Assertion) bool { return s.pinned() && w.Kind == AssertStatus })
}

// title returns the suffix of a test's name for the fault: ReadableAfterDelete, SchemaPrice.
func (s *shownFault) title() string {
	name := pascal(words(s.Oracle))
	for _, w := range s.wants {
		member := words(w.Pointer[strings.LastIndexByte(w.Pointer, '/')+1:])
		name += nameOf(member)
	}
	return name
}

// links returns links to the values of earlier answers with which the assertions compare. It returns nil if s is nil.
func (s *shownFault) links() []*model.Link {
	if s == nil {
		return nil
	}
	var all []*model.Link
	for _, w := range s.wants {
		if w.link != nil {
			all = append(all, w.link)
		}
	}
	return all
}
