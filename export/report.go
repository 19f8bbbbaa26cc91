package export

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sonde/model"
)

// Report is the result of a run, for all formats of reports.
type Report struct {
	Title string
	// Release is the version of Sonde that made the run, "" if unknown.
	Release string
	// Command is the command line that repeats the run.
	Command string
	BaseURL string
	Spec    string // the path or URL of the specification, "" if unknown
	Seed    uint64
	Started time.Time
	// Operations are all operations of the specification.
	Operations []model.OpID
	Tests      []model.Test
	Faults     []model.Fault
	Summary    model.Summary
	// Reproduce returns the curl commands that show a fault, "" if there are none. Reproduce may be nil.
	Reproduce func(model.Fault) string
	// Trouble has the reasons why the run was not completed or proves nothing. It is empty for a good run.
	Trouble []string
	// Known has, by their IDs, the faults that are known and therefore do not make the run fail, each with a remark.
	Known map[string]string
	// FlakyFails reports whether flaky faults of severity error or warning make the run fail, too.
	FlakyFails bool
	// Remarks are further texts about the result, of one line each.
	Remarks []string
}

// fails reports whether a fault makes the run fail.
func (r Report) fails(f model.Fault) bool {
	_, known := r.Known[f.ID]
	return !known && (f.CountsAsFailure() || r.FlakyFails && f.Severity != model.SeverityNote)
}

// failures returns the faults that make the run fail, the worst first.
func (r Report) failures() (all []model.Fault) {
	for _, i := range faultOrder(r.Faults) {
		if r.fails(r.Faults[i]) {
			all = append(all, r.Faults[i])
		}
	}
	return all
}

// operations returns the operations of the specification, and those that appear only in faults.
func (r Report) operations() []model.OpID {
	all := slices.Clone(r.Operations)
	known := map[model.OpID]bool{}
	for _, op := range all {
		known[op] = true
	}
	for _, f := range r.Faults {
		if !known[f.Op] {
			known[f.Op] = true
			all = append(all, f.Op)
		}
	}
	return all
}

// FaultOrder returns the indexes of the faults in the order of exported tests: the most severe first, and those of an
// operation together.
func (r Report) FaultOrder() []int { return faultOrder(r.Faults) }

// gotText describes the actual behaviour of the service for a fault.
func gotText(f model.Fault) string {
	if f.Status == 0 {
		return f.Text
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", f.Status, f.Text))
}

// headline returns a fault in one line: its severity, its oracle, what was expected and got, and whether it is flaky
// or depends on earlier state.
func headline(f model.Fault) string {
	line := fmt.Sprintf("%s %s: expected %s, got %s", f.Severity, f.Oracle, f.Expected, gotText(f))
	switch f.Verdict {
	case model.VerdictFlaky:
		line = "flaky " + line
	case model.VerdictEarlierState:
		line += "; it depends on earlier state"
	}
	return printableLine(line)
}

// verdict describes in one line whether a fault repeated, and how often the run saw it.
func verdict(f model.Fault) string {
	text := fmt.Sprintf("%s, seen %d×", f.Repeated(), f.Count)
	if f.Merged > 0 {
		text += fmt.Sprintf(", and %d× with further messages, which count as the same", f.Merged)
	}
	return printableLine(text)
}
