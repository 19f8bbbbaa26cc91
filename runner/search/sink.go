package search

import (
	"sonde/model"
)

// Sink receives what a run finds. Its functions may be nil. They are called from one goroutine; an
// error of one of them ends the run.
type Sink struct {
	// Emit is called with each event and its time.
	Emit func(model.LogEntry) error
	// SaveTests is called with all tests kept so far: from time to time while they change, and at
	// the end.
	SaveTests func([]model.Test) error
	// SaveFaults is called with all faults found so far, together with SaveTests.
	SaveFaults func([]model.Fault) error
	// SaveAnswers is called with the number of answers by operation and status, together with
	// SaveTests.
	SaveAnswers func(map[model.OpID]map[int]int) error
	// ObserveReply is called with each answer to a call of a test.
	ObserveReply func(model.Reply) error
	// SaveTraffic is called with the requests and answers of the kept tests, from time to time and
	// at the end. They contain no credentials.
	SaveTraffic func([]model.PlayedTest) error
	// SaveCode is called together with SaveTraffic if the run sees into the service: with the
	// coverage of its source as go tool cover reads it, and the code targets of each kept test.
	SaveCode func(profile []byte, covers []model.TestTargets) error
}
