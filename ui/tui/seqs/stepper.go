package seqs

import (
	"sonde/model"
	"sonde/ui/app/usecase"
)

// stepper is a test that is played call by call. The zero value has no test.
type stepper struct {
	row  *row
	test model.Test // a copy: a change of the row does not change the test that is played
	done []stepped
	busy bool // a call is being played
	err  error
	back bool // the list gets the focus after the last step, because it had the focus before
}

// stepped is a call that was played.
type stepped struct {
	row     *row
	request model.Request // the request that was sent, without credentials
	sent    usecase.SendResult
	err     error
}

// start begins the next call, and returns the index of this call. After the last call, it begins the first call
// again.
func (s *stepper) start() int {
	if s.finished() {
		s.done = nil
	}
	s.busy, s.err = true, nil
	return len(s.done)
}

// take stores a call that was played. It returns false if the call belongs to another row.
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
