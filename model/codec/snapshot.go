package codec

import (
	"cmp"
	"errors"

	"sonde/model"
)

// Snapshot returns the last stored state of the run; c is the history of the run. What is not stored is zero in it,
// such as the open targets, the hosts around the service and the coverage of each line.
func (r StoredRun) Snapshot(c RunHistory) model.Snapshot {
	s := model.Snapshot{
		Phase: model.PhaseDone, Summary: r.summary(c), Used: c.Last.Used, Tuning: r.Tuning, Applied: r.Tuning,
		Curve: c.Curve, Marks: r.Commands, Log: c.Log, Unlogged: c.Unlogged,
		Grid: r.grid(), Faults: r.Faults, Tests: r.Tests, Net: r.Net != nil,
	}
	if n := len(r.Commands); n > 0 {
		s.Tuning, s.Applied = r.Commands[n-1].Tuning, r.Commands[n-1].Tuning
	}
	if s.Summary.Trouble != "" {
		s.Err = errors.New(s.Summary.Trouble)
	}
	return s
}

// grid returns the number of answers by operation and status. For a run of an older version it counts the
// answers in the kept tests.
func (r StoredRun) grid() map[model.OpID]map[int]int {
	if r.Answers != nil {
		return r.Answers
	}
	all := map[model.OpID]map[int]int{}
	for _, t := range r.Tests {
		for _, c := range t.Calls {
			if c.Status > 0 {
				if all[c.Op] == nil {
					all[c.Op] = map[int]int{}
				}
				all[c.Op][c.Status]++
			}
		}
	}
	return all
}

// summary returns the run's summary, in which it counts the stored faults and answers anew. If the run did not end,
// summary sets only the known fields.
func (r StoredRun) summary(c RunHistory) model.Summary {
	if c.Summary != nil {
		s := *c.Summary
		s.CountFaults(r.Faults)
		if r.Answers != nil {
			s.CountAnswers(r.Answers)
		}
		return s
	}
	s := model.Summary{
		Calls:      c.Last.Call,
		SetUp:      c.Last.SetUp,
		Checking:   c.Last.Checking,
		Minimising: c.Last.Minimising,
		Budget:     r.Limits.Calls,
		Targets:    c.Last.Targets,
		Operations: len(r.Operations),
		Tests:      len(r.Tests),
		Unanswered: c.Last.Unanswered,
		NoAnswer:   c.Last.NoAnswer,
		Restarts:   c.Last.Restarts,
		Asked:      c.Last.Asked,
		Elapsed:    c.Last.Elapsed,
		Cancelled:  true,
	}
	if n := len(c.Curve); n > 0 {
		s.Covered = c.Curve[n-1].Covered
		s.Targets = max(s.Targets, s.Covered)
	}
	s.Rate = float64(s.Calls) / cmp.Or(s.Elapsed.Seconds(), 1)
	s.CountFaults(r.Faults)
	s.CountAnswers(r.grid())
	return s
}
