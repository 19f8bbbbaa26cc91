package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// FaultMode says what the tests of faults do while the faults are there.
type FaultMode string

// The modes.
const (
	FailFaults FaultMode = "fail" // they assert what should hold, and fail
	PinFaults  FaultMode = "pin"  // they assert what the service does today, and pass
	SkipFaults FaultMode = "skip" // they are skipped
)

// FaultModes are all of them, the usual one first.
var FaultModes = []FaultMode{FailFaults, PinFaults, SkipFaults}

// showing is a fault and what its test asserts.
type showing struct {
	model.Fault
	wants []Want
	mode  FaultMode
}

// Split returns a suite of the tests that hold, without the answers that are faults, and one
// of a test for each fault that a run counts. A suite without faults is as it was, and the
// other one is empty.
func (s Suite) Split() (tests, faults Suite) {
	tests, faults = s, s
	tests.Faults, faults.Faults = nil, nil
	tests.Tests, tests.retired = s.sound()
	tests.Tests = distinct(tests.Tests)
	faults.Tests, faults.Code, faults.shows = nil, nil, map[string]*showing{}
	for i, f := range s.Faults {
		if !f.CountsAsFailure() {
			continue
		}
		if t, sh, why := s.show(i); why == "" {
			faults.Tests, faults.shows[t.ID] = append(faults.Tests, t), sh
		} else {
			faults.unshown = append(
				faults.unshown,
				fmt.Sprintf("No test shows the fault %s of %s, because %s.", remark(f.Oracle, 60), remark(string(f.Op), 80), why),
			)
		}
	}
	faults.Tests = faults.distinctFaults()
	return tests, faults
}

// faultID returns what the test of the fault with an index is called in its comment.
func faultID(i int) string { return fmt.Sprintf("f%d", i+1) }

// show returns the test of a fault, or why there is none.
func (s Suite) show(i int) (t model.Test, sh *showing, why string) {
	f := s.Faults[i]
	if f.Test == nil || len(f.Test.Calls) == 0 {
		return t, nil, "its calls are not known"
	}
	if !s.AllStates && (f.Verdict == model.EarlierState || f.Test.EarlierState != "") {
		return t, nil, "it depends on earlier state: --all writes it"
	}
	wants, err := wantsOf(f)
	switch {
	case err != nil:
		return t, nil, err.Error()
	case s.FaultMode == PinFaults && f.Status == 0:
		return t, nil, "no test can pass without an answer"
	}
	t = *f.Test
	t.ID, t.Name, t.Checks, t.Covers, t.Code = faultID(i), "", nil, nil, 0
	t.Calls = slices.Clone(t.Calls)
	last := len(t.Calls) - 1
	for k, c := range t.Calls[:last] {
		t.Calls[k].AnyStatus = c.AnyStatus || s.isFault(c)
	}
	if t.Calls[last].Status == 0 {
		t.Calls[last].Status = noStatus
	}
	return t, &showing{Fault: f, wants: wants, mode: s.FaultMode}, ""
}

// noStatus stands for the status of a call that had none, whose test wants one.
const noStatus = 1

// isFault reports whether the answer to a call is a fault by its status.
func (s Suite) isFault(c model.Call) bool {
	return c.Status >= 500 && slices.ContainsFunc(s.Faults, func(f model.Fault) bool {
		return f.Op == c.Op && f.Status == c.Status && f.CountsAsFailure() && f.IsStatusFault()
	})
}

// sound returns the tests without answers that are faults: calls at the end are left out, others
// may be answered with any status. A test that is kept for such answers alone is left out. What
// is changed so is also retired where an older version wrote it.
func (s Suite) sound() (all []model.Test, retired []string) {
	for _, t := range s.Tests {
		if !slices.ContainsFunc(t.Calls, s.isFault) || t.Mock != nil {
			all = append(all, t)
			continue
		}
		retired = append(retired, firstLine(t))
		if t, ok := s.without(t); ok {
			all = append(all, t)
		}
	}
	return all, retired
}

// firstLine returns the one of a test's comment, as files of older versions have it.
func firstLine(t model.Test) string {
	line, _, _ := strings.Cut(strings.TrimPrefix(seqComment(t), "// "), "\n")
	return strings.TrimSpace(line)
}

// without returns a test without the answers that are faults; false where nothing else was tested.
func (s Suite) without(t model.Test) (model.Test, bool) {
	covered := func(c model.Call) bool { return slices.Contains(t.Covers, fmt.Sprintf("%s %d", c.Op, c.Status)) }
	t.Calls = slices.Clone(t.Calls)
	end := last(t) + 1
	for end > 0 && s.isFault(t.Calls[end-1]) {
		end--
	}
	kept := false
	for i, c := range t.Calls[:end] {
		fault := s.isFault(c)
		t.Calls[i].AnyStatus = c.AnyStatus || fault
		kept = kept || !fault && (covered(c) || len(t.Covers) == 0)
	}
	dropped := func(call int) bool { return call >= end || s.isFault(t.Calls[call]) }
	t.Checks = slices.DeleteFunc(slices.Clone(t.Checks), func(k model.Check) bool { return dropped(k.Call) })
	t.Links = slices.DeleteFunc(slices.Clone(t.Links), func(l model.Link) bool { return l.To >= end })
	t.Calls = t.Calls[:end]
	return t, kept
}

// distinct are tests of which no two have the same calls, values and assertions.
func distinct(tests []model.Test) []model.Test {
	known := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(tests), func(t model.Test) bool {
		key := identity(t)
		old := known[key]
		known[key] = true
		return old
	})
}

// identity returns what a test does and asserts, as text.
func identity(t model.Test) string {
	t.ID, t.Name, t.Origin, t.Covers, t.Code, t.Lineage, t.Flaky = "", "", "", nil, 0, nil, ""
	text, _ := json.Marshal(t) // texts and numbers always marshal
	return string(text)
}

// distinctFaults returns the tests of faults of which no two have the same calls and wants.
func (s Suite) distinctFaults() []model.Test {
	known := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(s.Tests), func(t model.Test) bool {
		key := identity(t)
		for _, w := range s.shows[t.ID].wants {
			key += " " + w.String()
		}
		old := known[key]
		known[key] = true
		return old
	})
}

// about returns lines that say what the fault is.
func (s *showing) about() []string {
	all := []string{
		"", fmt.Sprintf("It shows a fault: %s, of severity %s.", remark(s.Oracle, 60), s.Severity),
		"Expected: " + remark(s.Expected, 200),
	}
	if s.Status > 0 {
		all = append(all, fmt.Sprintf("Came: %d %s", s.Status, remark(s.Text, 200)))
	} else {
		all = append(all, "Came: "+remark(s.Text, 200))
	}
	if s.mode == PinFaults {
		all = append(all, "It asserts what the service does today, so that it passes until the fault is mended.")
	}
	return all
}

// reason is why a test is skipped, "" where it is not.
func (s *showing) reason() string {
	if s == nil || s.mode != SkipFaults {
		return ""
	}
	return "a fault of the service: " + remark(s.Oracle, 60)
}

// pinned reports whether the test asserts what the service does today.
func (s *showing) pinned() bool { return s != nil && s.mode == PinFaults }

// ofStatus reports whether a status is among what the test wants.
func (s *showing) ofStatus() bool {
	return slices.ContainsFunc(s.wants, func(w Want) bool { return w.Kind == WantStatus })
}

// status returns the one that the faulty answer must have, 0 where the wants say it.
func (s *showing) status(came int) int {
	if s.ofStatus() && !s.pinned() {
		return 0
	}
	return came
}

// broken are the wants, of which a pinned status is none.
func (s *showing) expected() []Want {
	return slices.DeleteFunc(slices.Clone(s.wants), func(w Want) bool { return s.pinned() && w.Kind == WantStatus })
}

// title returns how a test's name goes on: ReadableAfterDelete, SchemaPrice.
func (s *showing) title() string {
	name := pascal(words(s.Oracle))
	for _, w := range s.wants {
		place := words(w.Pointer[strings.LastIndexByte(w.Pointer, '/')+1:])
		name += short(place)
	}
	return name
}

// further returns the links by which wants compare.
func (s *showing) further() []*model.Link {
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

// ShowsFaults reports whether the tests of the suite show faults.
func (s Suite) ShowsFaults() bool { return s.shows != nil }

// Unshown returns lines about faults that no test shows.
func (s Suite) Unshown() []string { return s.unshown }

// Retired returns the first lines of comments about tests that are not in the file any more.
func (s Suite) Retired() []string { return s.retired }
