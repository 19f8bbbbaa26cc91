package export

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sonde/model"
)

// Report is what a run came to, for those who were not there.
type Report struct {
	Title string
	// Release is that of the Sonde which made the run, "" where nobody knows.
	Release string
	// Command is what a person types to repeat the run.
	Command string
	BaseURL string
	Seed    uint64
	Started time.Time
	// Operations are all of the spec's.
	Operations []model.OpID
	Tests      []model.Test
	Faults     []model.Fault
	Summary    model.Summary
	// Reproduce returns the curl commands that show a fault; nil, or "", where there are
	// none.
	Reproduce func(model.Fault) string
	// Trouble says why the run did not come to its end, or tells nothing; empty
	// where neither is so.
	Trouble []string
}

// operations returns all that the spec or a fault names.
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

// came returns what a service did instead of what was expected.
func came(f model.Fault) string {
	if f.Status == 0 {
		return f.Text
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", f.Status, f.Text))
}

// headline returns a fault in one line.
func headline(f model.Fault) string {
	line := fmt.Sprintf("%s %s: expected %s, came %s", f.Severity, f.Oracle, f.Expected, came(f))
	switch f.Verdict {
	case model.Flaky:
		line = "flaky " + line
	case model.EarlierState:
		line += "; it depends on earlier state"
	}
	return flat(line)
}

// verdict returns what became of repeating a fault.
func verdict(f model.Fault) string {
	text := fmt.Sprintf("%s, seen %d×", f.Repeated(), f.Count)
	if f.Merged > 0 {
		text += fmt.Sprintf(", and %d× with further messages, which are not told apart", f.Merged)
	}
	return flat(text)
}
