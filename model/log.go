package model

import (
	"slices"
	"time"
)

// LogEntry is an event of a run and when it came, for a person to look back at.
type LogEntry struct {
	At    time.Duration // since the run began, pauses left out
	Call  int           // requests that had been counted
	Event Event
}

// Notable is false of events that only say how far a run is.
func (l LogEntry) Notable() bool {
	switch l.Event.(type) {
	case Progress, CodeCovered:
		return false
	}
	return true
}

type (
	// PauseBegan tells that a person holds the run, WentOn that it goes on.
	PauseBegan struct {
		Call int `json:"call"`
	}
	PauseEnded struct {
		Call int `json:"call"`
	}
	// ServiceRestarted tells that a service which died or hung was started again.
	ServiceRestarted struct {
		Call  int `json:"call"`
		Times int `json:"times"` // since it was last told
	}
)

func (PauseBegan) event()       {}
func (PauseEnded) event()       {}
func (ServiceRestarted) event() {}

// MaxJournalEntries is how many events a Journal keeps at least: a run may go on for days.
const MaxJournalEntries = 2000

// Journal keeps the newest events that a person looks back at. What it has shown never
// changes.
type Journal struct {
	all  []LogEntry
	gone int // that came before those
}

// Add adds an event.
func (j *Journal) Add(l LogEntry) {
	if len(j.all) == 2*MaxJournalEntries {
		j.all, j.gone = slices.Clone(j.all[MaxJournalEntries:]), j.gone+MaxJournalEntries
	}
	j.all = append(j.all, l)
}

// Entries are the newest events, MostLogged at most, and how many came before them.
func (j *Journal) Entries() (all []LogEntry, gone int) {
	old := max(0, len(j.all)-MaxJournalEntries)
	return slices.Clip(j.all[old:]), j.gone + old
}
