package search

import (
	"context"
	"fmt"
	"time"

	"sonde/model"
)

// This file handles what changes the course of a run between two tests: commands of the user,
// operations that cannot be called, and users whom the service refuses.

// prepareTest applies the commands that are due and waits while the run is paused. It returns false if ctx has ended,
// because no further test may then be played.
func (s *scheduler) prepareTest(ctx context.Context) bool {
	for len(s.pendingCommands) > 0 && s.pendingCommands[0].Asked <= s.asked {
		s.apply(s.pendingCommands[0].Command)
		s.pendingCommands = s.pendingCommands[1:]
	}
	for {
		commands, wait, wake := s.run.requests.drain()
		s.journal.notePause(s.run.requests.isPaused())
		for _, command := range commands {
			s.apply(command)
		}
		if !s.run.requests.isPaused() && s.err == nil {
			s.denied = nil
		}
		if !wait || ctx.Err() != nil {
			return ctx.Err() == nil
		}
		s.wait(ctx, wake)
	}
}

// wait waits until the request queue of a paused run changes or ctx ends.
func (s *scheduler) wait(ctx context.Context, wake <-chan struct{}) {
	start := time.Now()
	s.publish(model.PhasePaused)
	select {
	case <-wake:
	case <-ctx.Done():
	}
	s.pool.budget.addPause(time.Since(start))
}

// apply applies a command and emits it. If the command cannot be applied, it emits the reason.
func (s *scheduler) apply(command model.Command) {
	if err := s.commands.apply(command); err != nil {
		s.refuse(model.Note{Call: s.pool.requestsSent(), Text: err.Error()})
		return
	}
	applied := model.AppliedCommand{Call: s.pool.requestsSent(), Asked: s.asked, Command: command, Tuning: s.commands.tuning}
	s.judge.stats.addCommand(applied)
	s.journal.emit(applied)
	s.publish(model.PhaseRunning)
}

// refuse notes and emits why a command does not take effect.
func (s *scheduler) refuse(n model.Note) {
	s.judge.stats.addRefusal(n)
	s.journal.emit(n)
	s.publish(model.PhaseRunning)
}

// abandon mutes operations whose requests cannot be sent. The run ends if no operation is left.
func (s *scheduler) abandon(all []abandonedOp) {
	for _, op := range all {
		why := model.Excerpt([]byte(op.err.Error()))
		if err := s.commands.applyPriority(model.Priority{Kind: model.PriorityMuted, Ops: []model.OpID{op.op}}); err != nil {
			s.err = fmt.Errorf("no operation is left that can be called: of %q, %s; correct the specification", op.op, why)
			return
		}
		text := fmt.Sprintf("%s is no longer part of the search: %s", op.op, why)
		s.journal.note(text)
	}
}

// denyAccess ends or pauses a run whose users are refused, as the plan says.
func (s *scheduler) denyAccess(d *model.AccessDenied) {
	switch {
	case s.plan.OnDenied == model.PauseWhenDenied:
		s.denied = d
		s.journal.note("paused: " + d.String())
		s.run.Pause()
	case s.err == nil:
		s.denied = d
		s.err = &DeniedError{*d}
	}
}

// handleEnded notes the users that a test has ended. It removes the users who could not be restored from the search.
// If this leaves no user, the run pauses or ends instead. A user who is only locked out is not removed. In a run that
// repeats another run, or that continues when users are refused, no user is removed.
func (s *scheduler) handleEnded(all []model.EndedUser) {
	for _, end := range all {
		if !s.judge.noteEnded(end) {
			continue
		}
		s.journal.note(end.String())
		switch {
		case end.Back || end.LockedOut || s.plan.Replay != nil || s.plan.OnDenied == model.ContinueWhenDenied:
		case s.judge.hasUsersLeft():
			s.proposer.tests.RemoveUser(end.User)
		default:
			s.denyAccess(&model.AccessDenied{Users: s.access.users, Ended: &end})
		}
	}
}
