package model

import "time"

// Logged is an event of a run and when it came, for a person to look back at.
type Logged struct {
	At    time.Duration // since the run began, pauses left out
	Call  int           // requests that had been counted
	Event Event
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
