package search

import (
	"sonde/model"
)

// Sink receives what a run finds. Its functions may be nil. One goroutine calls the functions. An error of a function
// ends the run.
type Sink struct {
	// Emit is called with each event and its time.
	Emit func(model.LogEntry) error
	// SaveTests is called with all tests kept so far, at the end and from time to time after a change.
	SaveTests func([]model.Test) error
	// SaveFaults is called with all faults found so far, together with SaveTests.
	SaveFaults func([]model.Fault) error
	// SaveAnswers is called with the number of answers by operation and status, together with
	// SaveTests.
	SaveAnswers func(map[model.OpID]map[int]int) error
	// ObserveReply is called with each answer to a call of a test.
	ObserveReply func(model.Reply) error
	// SaveTraffic is called with the requests and answers of the kept tests, from time to time and at the
	// end. Requests and answers contain no credentials.
	SaveTraffic func([]model.PlayedTest) error
	// SaveCode is called together with SaveTraffic if the run measures coverage of the source. profile is the
	// coverage in the format of go tool cover. covers has the kept tests that cover code targets, each with these
	// targets.
	SaveCode func(profile []byte, covers []model.TestTargets) error
}
