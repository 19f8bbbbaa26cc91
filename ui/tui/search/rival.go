package search

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/chart"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// rival is the run before the one on show, whose curve is laid behind that one's.
type rival struct {
	curve []model.Point
	calls int
	how   string // it differed
}

// rivalOf is what there was before a run with some settings, nil where there was
// nothing.
func rivalOf(before watch, now screen.Settings) *rival {
	if !before.seen {
		return before.rival
	}
	was := before.settings
	if before.run == nil { // somebody else's: this is all that is known of it
		was = now
		was.Tuning = before.snap.Tuning
	}
	return &rival{curve: before.snap.Curve, calls: before.snap.Summary.Calls, how: differs(was, now)}
}

// differs says how settings differ from others: the knobs first, for they are what a
// person compares.
func differs(was, now screen.Settings) string {
	var parts []string
	for _, k := range knobs {
		if a, b := k.get(was.Tuning), k.get(now.Tuning); !equal(a, b) {
			parts = append(parts, k.symbol+" "+k.short(a))
		}
	}
	for _, s := range []struct {
		name     string
		was, now bool
	}{{name: "white-box", was: was.White, now: now.White}, {name: "network", was: was.Net, now: now.Net}} {
		switch {
		case s.was && !s.now:
			parts = append(parts, s.name)
		case s.now && !s.was:
			parts = append(parts, "no "+s.name)
		}
	}
	if was.Seed != now.Seed {
		parts = append(parts, fmt.Sprintf("seed %d", was.Seed))
	}
	if len(parts) == 0 {
		return "the run before"
	}
	return strings.Join(parts, ", ")
}

// against compares a run that made so many calls with the one before.
func (r *rival) against(calls int) string {
	if r == nil || calls == 0 {
		return ""
	}
	at := min(calls, r.calls)
	return fmt.Sprintf("behind it: %s, %s covered at %s", r.how, words.Count(chart.At(r.curve, at)), words.Count(at))
}
