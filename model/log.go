package model

import (
	"slices"
	"time"
)

// LogEntry is an event of a run with its time.
type LogEntry struct {
	At    time.Duration // since the run started, pauses excluded
	Call  int           // requests counted before it
	Event Event
}

// Notable reports whether the event is more than a report of progress.
func (l LogEntry) Notable() bool {
	switch l.Event.(type) {
	case Progress, CodeCovered:
		return false
	}
	return true
}

type (
	// PauseBegan is sent when the user pauses the run.
	PauseBegan struct {
		Call int `json:"call"`
	}
	// PauseEnded is sent when the run continues after a pause.
	PauseEnded struct {
		Call int `json:"call"`
	}
	// ServiceRestarted is sent when a service that died or hung was started again.
	ServiceRestarted struct {
		Call  int `json:"call"`
		Times int `json:"times"` // since the last such event
	}
)

func (PauseBegan) event()       {}
func (PauseEnded) event()       {}
func (ServiceRestarted) event() {}

// MaxJournalEntries is the number of events that a Journal returns at most. A run may take
// days and has many more.
const MaxJournalEntries = 2000

// Journal keeps the latest events of a run. It is for one goroutine; the slices that Entries
// returns are never changed and may be shared.
type Journal struct {
	all     []LogEntry
	dropped int // number of events before those of all
}

// Add appends an event.
func (j *Journal) Add(l LogEntry) {
	if len(j.all) == 2*MaxJournalEntries {
		j.all, j.dropped = slices.Clone(j.all[MaxJournalEntries:]), j.dropped+MaxJournalEntries
	}
	j.all = append(j.all, l)
}

// Entries returns the latest events, at most MaxJournalEntries, and the number of events
// before them.
func (j *Journal) Entries() (latest []LogEntry, before int) {
	old := max(0, len(j.all)-MaxJournalEntries)
	return slices.Clip(j.all[old:]), j.dropped + old
}
