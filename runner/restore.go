package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sonde/model"
	"sonde/runner/client"
)

// watchUsers lets the crew find out when a call ends a user, and bring the user back.
func (c *crew) watchUsers() {
	for _, w := range c.callers {
		w.standing = newStanding(c.plan, c.resets)
	}
}

// restore looks after users whom the last test may have ended, and returns those whom
// it has.
func (c *caller) restore(timed context.Context) (all []model.Ended) {
	all = c.tryLogIns(timed)
	for _, user := range c.standing.suspects() {
		c.setUp(func() error {
			end, err := c.restoreUser(timed, user)
			switch {
			case err != nil && timed.Err() == nil && !errors.Is(err, client.ErrBudget):
				c.standing.clear(user) // nothing is known, and asking again may be in vain
			case err == nil && end.User != "":
				all = append(all, end)
			}
			return err
		})
		c.watch.calm()
	}
	return all
}

// tryLogIns lets users log in anew after the first call of each operation on users that
// went well, and returns those who can't. A service may accept what it gave before, so that
// nothing else shows it; but tests log in anew.
func (c *caller) tryLogIns(timed context.Context) (all []model.Ended) {
	for _, user := range c.standing.toTry() {
		c.setUp(func() error {
			err := c.service.Client().TryLogIn(timed, user)
			if _, refused := errors.AsType[*client.LoginError](err); refused {
				all = append(all, c.standing.lock(user))
				return nil
			}
			return err
		})
	}
	if c.standing != nil {
		c.standing.untry = nil
	}
	return all
}

// restoreUser finds out whether the service still accepts a user, and tries to bring
// the user back. The zero Ended is of a user who was not ended.
func (c *caller) restoreUser(ctx context.Context, user string) (end model.Ended, err error) {
	made, accepted, loggedOut, err := c.tryUser(ctx, user)
	switch {
	case err != nil:
		return end, err
	case accepted && !made:
		c.standing.clear(user)
		return end, nil
	case !accepted && c.service.Resets():
		if err := c.service.Reset(ctx); err != nil {
			return end, err
		}
		c.service.Client().AfterReset()
		c.still = 0
		_, accepted, _, err = c.tryUser(ctx, user)
		if err != nil {
			return end, err
		}
	}
	return c.standing.end(user, accepted, loggedOut), nil
}

// tryUser makes the user, logs in anew and finds out whether the user is accepted.
func (c *caller) tryUser(ctx context.Context, user string) (made, accepted, loggedOut bool, err error) {
	made, err = c.service.Client().Restore(ctx, user)
	if _, refused := errors.AsType[*client.LoginError](err); refused {
		return made, false, true, nil
	}
	if err != nil {
		return false, false, false, err
	}
	accepted, err = c.accepts(ctx, user)
	return made, accepted, false, err
}

// accepts reports whether the service accepts a user by operations that refuse others.
func (c *caller) accepts(ctx context.Context, user string) (bool, error) {
	for _, r := range c.standing.witnesses(user) {
		x := c.service.Client().SendAs(ctx, user, r)
		switch {
		case x.Err != nil:
			return false, x.Err
		case x.Reply.Status == 401:
			return false, nil
		case c.standing.gates[r.Op]:
			return true, nil
		}
		x = c.service.Client().Send(ctx, r)
		if x.Err != nil {
			return false, x.Err
		}
		c.standing.open(r.Op, x.Reply.Status)
		if c.standing.gates[r.Op] {
			return true, nil
		}
	}
	return !c.standing.several(user), nil
}

// noteEnded keeps who was ended by what, and reports whether that is new.
func (c *crew) noteEnded(end model.Ended) bool {
	if slices.Contains(c.ended, end) {
		return false
	}
	c.ended = slices.DeleteFunc(c.ended, func(e model.Ended) bool { return e.LockedOut && e.User == end.User })
	c.ended = append(c.ended, end)
	return true
}

// locksOut says which user a test keeps from logging in, "" if none: tests that are played
// after it fail.
func (c *crew) locksOut(t model.Test) string {
	for _, end := range c.ended {
		if end.LockedOut && slices.ContainsFunc(t.Calls, func(call model.Call) bool { return call.Op == end.By && call.Status/100 == 2 }) {
			return fmt.Sprintf("%s keeps the user %q from logging in", end.By, end.User)
		}
	}
	return ""
}

// endsUser reports whether a test calls an operation that ended a user: such a request may
// not be sent any more.
func (c *crew) endsUser(t model.Test) bool {
	return slices.ContainsFunc(c.ended, func(end model.Ended) bool {
		return slices.ContainsFunc(t.Calls, func(call model.Call) bool { return call.Op == end.By })
	})
}

// left reports whether some user is not gone.
func (c *crew) left() bool {
	return slices.ContainsFunc(c.plan.Users, func(u model.User) bool { return !c.gone(u.Name) })
}

// gone reports whether a user was ended and could not be brought back.
func (c *crew) gone(user string) bool {
	return slices.ContainsFunc(c.ended, func(end model.Ended) bool { return end.User == user && !end.Back && !end.LockedOut })
}

// mourn says of users that a test has ended them. A run without any other pauses or
// ends.
func (e *engine) mourn(all []model.Ended) {
	for _, end := range all {
		if !e.noteEnded(end) {
			continue
		}
		e.emit(model.Note{Call: e.budget.calls, Text: end.String()})
		switch {
		case end.Back || end.LockedOut || e.plan.Replay != nil || e.plan.OnDenied == model.AllowDenied:
		case e.left():
			e.tests.Dismiss(end.User)
		default:
			e.keepOut(&model.Denied{Users: e.door.users, Ended: &end})
		}
	}
}
