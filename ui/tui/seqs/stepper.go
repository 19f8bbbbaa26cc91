package seqs

import (
	"sonde/model"
	"sonde/ui/app/usecase"
)

// stepper is a test that is played call by call. The zero value has none.
type stepper struct {
	row  *row
	test model.Test // as it is played
	done []stepped
	busy bool // a call is under way
	err  error
	back bool // afterwards the list gets the focus back
}

// stepped is a call that was played.
type stepped struct {
	row     *row
	request model.Request // as it was sent, without credentials
	sent    usecase.SendResult
	err     error
}

// start begins the next call, or the first one again after the last. It returns the call's
// index.
func (s *stepper) start() int {
	if s.finished() {
		s.done = nil
	}
	s.busy, s.err = true, nil
	return len(s.done)
}

// take stores a call that was played. It reports false for a call of another row.
func (s *stepper) take(msg stepped) bool {
	if s.row != msg.row {
		return false
	}
	s.busy, s.err = false, msg.err
	if len(msg.sent.Exchanges) > 0 {
		s.done = append(s.done, msg)
	}
	return true
}

// finished reports whether all calls were played.
func (s *stepper) finished() bool { return len(s.done) == len(s.test.Calls) }
