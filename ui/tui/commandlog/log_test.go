package commandlog

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// noon is the time of all entries in tests.
func noon() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC) }

// A log keeps a limited number of actions, and leaves out commands that are too long.
func TestLogIsBounded(t *testing.T) {
	l := New(noon)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range maxEntries / 2 {
				l.Add("search", "sonde search")
			}
		})
	}
	group.Wait()
	l.Add("the newest", strings.Repeat("x", maxCommand+1))
	all, dropped := l.Entries()
	if len(all) != maxEntries || dropped != maxEntries+1 {
		t.Errorf("%d entries, %d dropped", len(all), dropped)
	}
	if last := all[len(all)-1]; last.Text != "the newest" || last.Command != "" || !last.At.Equal(noon()) {
		t.Errorf("the newest entry is %+.80v", last)
	}
}

// A script has all commands in order. What no command does is a comment, which no text can leave.
func TestScript(t *testing.T) {
	l := New(noon)
	l.Add("search in run", "sonde search shop.yaml --seed 1")
	l.Add("Explore: filter cart\nrm -rf x\r", "")
	l.ended("replay t1", "sonde export run --pick t1", fmt.Errorf("refused"))
	all, _ := l.Entries()
	want := `#!/bin/sh
# What was done in Sonde, as commands. Secrets are not in it.

# 12:00:00 search in run
sonde search shop.yaml --seed 1

# 12:00:00 Explore: filter cart rm -rf x : no command does this

# 12:00:00 replay t1 (failed)
sonde export run --pick t1
`
	if got := Script(all); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
