package model

import (
	"slices"
	"time"
)

// LogEntry is an event of a run with its time.
type LogEntry struct {
	At    time.Duration // the time since the run started, pauses excluded
	Call  int           // number of requests before the event
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
	// ServiceRestarted is sent after the service was started again because it crashed or did not respond.
	ServiceRestarted struct {
		Call  int `json:"call"`
		Times int `json:"times"` // number of restarts since the last ServiceRestarted
	}
	// StartupStubsFound is sent when a run has found the startup stubs of its service.
	StartupStubsFound struct {
		Stubs  []Stub `json:"stubs"`
		Starts int    `json:"starts"` // number of starts of the service until then
	}
)

func (PauseBegan) event()        {}
func (PauseEnded) event()        {}
func (ServiceRestarted) event()  {}
func (StartupStubsFound) event() {}

// MaxJournalEntries is the maximum number of events that a Journal returns. A run may take days and have
// many more.
const MaxJournalEntries = 2000

// Journal stores the latest events of a run. It must not be used by several goroutines at once. The slices
// that Entries returns do not change and may be shared.
type Journal struct {
	all     []LogEntry
	dropped int // number of dropped events, which are all older than the events in all
}

// Add appends an event. It drops the oldest events if there are too many: at least MaxJournalEntries remain.
func (j *Journal) Add(l LogEntry) {
	if len(j.all) == 2*MaxJournalEntries {
		j.all, j.dropped = slices.Clone(j.all[MaxJournalEntries:]), j.dropped+MaxJournalEntries
	}
	j.all = append(j.all, l)
}

// Entries returns the latest events, at most MaxJournalEntries. before is the number of events before
// these.
func (j *Journal) Entries() (latest []LogEntry, before int) {
	old := max(0, len(j.all)-MaxJournalEntries)
	return slices.Clip(j.all[old:]), j.dropped + old
}
