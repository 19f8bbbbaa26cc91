package model

import (
	"slices"
	"time"
)

// Logged is an event of a run and when it came, for a person to look back at.
type Logged struct {
	At    time.Duration // since the run began, pauses left out
	Call  int           // requests that had been counted
	Event Event
}

// Tells is false of events that only say how far a run is.
func (l Logged) Tells() bool {
	switch l.Event.(type) {
	case Progress, CoveredCode:
		return false
	}
	return true
}

type (
	// Held tells that a person holds the run, WentOn that it goes on.
	Held struct {
		Call int `json:"call"`
	}
	WentOn struct {
		Call int `json:"call"`
	}
	// Restarted tells that a service which died or hung was started again.
	Restarted struct {
		Call  int `json:"call"`
		Times int `json:"times"` // since it was last told
	}
)

func (Held) event()      {}
func (WentOn) event()    {}
func (Restarted) event() {}

// MostLogged is how many events a Journal keeps at least: a run may go on for days.
const MostLogged = 2000

// Journal keeps the newest events that a person looks back at. What it has shown never
// changes.
type Journal struct {
	all  []Logged
	gone int // that came before those
}

// Add adds an event.
func (j *Journal) Add(l Logged) {
	if len(j.all) == 2*MostLogged {
		j.all, j.gone = slices.Clone(j.all[MostLogged:]), j.gone+MostLogged
	}
	j.all = append(j.all, l)
}

// Shown are the newest events, MostLogged at most, and how many came before them.
func (j *Journal) Shown() (all []Logged, gone int) {
	old := max(0, len(j.all)-MostLogged)
	return slices.Clip(j.all[old:]), j.gone + old
}
