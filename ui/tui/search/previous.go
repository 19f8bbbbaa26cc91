package search

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// previousRun is the run that was shown before the current one. The chart also draws the curve of the
// previous run.
type previousRun struct {
	curve       []model.CurvePoint
	calls       int
	differences string // the settings in which the previous run differs from the current run
}

// previousOf returns the run that was shown before a run with the given settings, nil if there was none.
func previousOf(before trackedRun, now usecase.SearchSettings) *previousRun {
	if !before.hasSnapshot {
		return before.previous
	}
	was := before.settings
	if before.handle == nil { // another program started the run: only the tuning of the run is known
		was = now
		was.Tuning = before.snap.Tuning
	}
	return &previousRun{curve: before.snap.Curve, calls: before.snap.Summary.Calls, differences: differences(was, now)}
}

// differences returns a text with the previous settings that differ from the current settings. If no setting differs,
// the text says so. Knobs come first because users compare them.
func differences(previous, current usecase.SearchSettings) string {
	var parts []string
	for _, k := range knobs {
		if a, b := k.get(previous.Tuning), k.get(current.Tuning); !equal(a, b) {
			parts = append(parts, k.symbol+" "+k.short(a))
		}
	}
	for _, s := range []struct {
		name     string
		was, now bool
	}{
		{name: "white-box", was: previous.WhiteBox, now: current.WhiteBox},
		{name: "network", was: previous.Net, now: current.Net},
		{name: "security tests", was: previous.Security, now: current.Security},
	} {
		switch {
		case s.was && !s.now:
			parts = append(parts, s.name)
		case s.now && !s.was:
			parts = append(parts, "no "+s.name)
		}
	}
	if previous.Seed != current.Seed {
		parts = append(parts, fmt.Sprintf("seed %d", previous.Seed))
	}
	if len(parts) == 0 {
		return "the same settings"
	}
	return strings.Join(parts, ", ")
}

// comparison returns a text that says how many targets the previous run had covered after the given number of calls.
// If the previous run was shorter, the text has the number at the end of that run. comparison returns "" if there is
// no previous run, or if calls is 0.
func (p *previousRun) comparison(calls int) string {
	if p == nil || calls == 0 {
		return ""
	}
	at := min(calls, p.calls)
	return fmt.Sprintf("previous: %s, %s covered at %s", p.differences, words.Count(draw.CoveredAt(p.curve, at)), words.Count(at))
}
