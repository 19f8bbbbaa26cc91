package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"sonde/model"
)

// session is the state of a user at the service, with the credentials of the last log-in. The client
// learns from the service's answers that credentials have expired, not from a clock.
type session struct {
	resolvedUser
	mu            sync.Mutex
	obtained      []model.Credential // credentials from the answer to the last log-in
	loggedIn      bool               // the credentials are valid, as far as is known
	everLoggedIn  bool               // a log-in succeeded at least once
	failed        int                // number of failed log-ins in a row
	accepted      bool               // an answer since the last log-in shows that the credentials work
	untouched     bool               // no call of the user got an answer since the service was reset
	endsAtReset   bool               // a reset of the service invalidates the credentials
	created       bool               // the user exists: created since the last reset, or before it if survivesReset is true
	everCreated   bool               // the requests that create the user succeeded at least once
	wasReset      bool               // the service was reset since the requests that create the user succeeded last
	survivesReset bool               // a reset does not remove the user
	// refusedOps are the operations that refuse the user even after a new log-in.
	refusedOps map[model.OpID]bool
}

// maxFailedLogins is how many log-ins of a user may fail in a row. After that the user's calls are
// sent without the credentials of a log-in.
const maxFailedLogins = 3

// enroll makes a session for each user. It returns an error of one line if a credential of a user is
// missing or invalid, or if the host of a log-in is not allowed.
func (c *Client) enroll(users []model.User, hosts []string) error {
	c.sessions, c.logins = map[string]*session{}, map[model.OpID]loginCall{}
	for _, u := range users {
		f, err := resolveUser(u)
		if err != nil {
			return err
		}
		if f.login != nil && f.login.URL != "" {
			if err := checkLoginURL(f.login.URL, hosts); err != nil {
				return fmt.Errorf("user %q logs in at another host: %w", u.Name, err)
			}
		}
		for _, secret := range f.secrets {
			c.mask.hide(secret)
		}
		c.sessions[u.Name] = &session{resolvedUser: f, refusedOps: map[model.OpID]bool{}}
		c.addLoginCall(u)
	}
	return nil
}

// SendAs sends a request of a user, like Send. If necessary, it creates the user and logs the user in
// first. A user who is not in Options.Users has no credentials.
func (c *Client) SendAs(ctx context.Context, user string, r model.Request) model.Exchange {
	s := c.acquireSender(ctx)
	defer s.close()
	return s.sendAs(user, r)
}

// sendUnlessBlocked is like sendAs, but does not send a request for which Options.Blocked returns an error. A blocked
// request counts against the budget, too: the exchange has the error of Blocked, or ErrBudget if nothing is left.
func (s *sender) sendUnlessBlocked(user string, r model.Request) model.Exchange {
	var blocked error
	if s.blocked != nil {
		blocked = s.blocked(r)
	}
	switch {
	case blocked == nil:
		return s.sendAs(user, r)
	case !s.Client.take():
		return model.Exchange{Request: r, Err: ErrBudget}
	}
	return s.masked(model.Exchange{Request: r, Err: blocked})
}

// RestoreUser creates a user and logs the user in, even if the client already did so since the last
// reset. made reports whether the user was created. It is false if no requests create the user, or if
// these requests succeeded before and all answers now say that the user exists. The error is a
// *LoginError if the service refuses a request.
func (c *Client) RestoreUser(ctx context.Context, user string) (made bool, err error) {
	u := c.sessions[user]
	if u == nil {
		return false, nil
	}
	s := c.acquireSender(ctx)
	defer s.close()
	u.forget()
	if made, err = s.create(u); err != nil {
		return false, err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.login == nil {
		return made, nil
	}
	return made, s.logIn(u)
}

// TryLogIn logs a user in again. If that fails, the user keeps the credentials of the earlier log-in.
// The error is a *LoginError if the service refuses the log-in. TryLogIn does nothing for a user
// without a log-in.
func (c *Client) TryLogIn(ctx context.Context, user string) error {
	u := c.sessions[user]
	if u == nil || u.login == nil {
		return nil
	}
	s := c.acquireSender(ctx)
	defer s.close()
	u.mu.Lock()
	defer u.mu.Unlock()
	obtained, in, failed, worked := u.obtained, u.loggedIn, u.failed, u.accepted
	err := s.logIn(u)
	if err != nil {
		u.obtained, u.loggedIn, u.failed, u.accepted = obtained, in, failed, worked
	}
	return err
}

// forget makes the client assume that the user neither exists nor is logged in, and that no operation refuses the user.
func (s *session) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.created, s.loggedIn, s.failed, s.accepted = false, false, 0, false
	clear(s.refusedOps)
}

// sendAs sends a request of a user. If necessary, it creates the user and logs the user in first. If
// the answer shows that the credentials have expired, it logs the user in again and repeats the request
// once.
func (s *sender) sendAs(user string, r model.Request) model.Exchange {
	u := s.sessions[user]
	if u == nil {
		return s.send(r, nil)
	}
	if _, err := s.create(u); err != nil {
		return model.Exchange{Request: r, Err: err}
	}
	if u.login == nil {
		return s.send(r, u.sends)
	}
	if err := s.ensureLoggedIn(u); err != nil {
		return model.Exchange{Request: r, Err: err}
	}
	x := s.send(r, u.credentials())
	if !u.noteAnswer(r.Op, x) {
		return x
	}
	if err := s.logInAgain(u); err != nil {
		var refused *LoginError
		x.Err = err
		if errors.As(err, &refused) {
			x.Err = nil // the answer is valid even if the new log-in fails
		}
		return x
	}
	x = s.send(r, u.credentials())
	u.noteAnswerAfterLogin(r.Op, x)
	return x
}

// credentials returns the current credentials of the user.
func (s *session) credentials() []model.Credential {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(s.sends[:len(s.sends):len(s.sends)], s.obtained...)
}

// ensureLoggedIn logs a user in if the user is not logged in. After maxFailedLogins failures it does
// nothing. It returns an error for a refused log-in only if no log-in of the user has ever succeeded.
func (s *sender) ensureLoggedIn(u *session) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.loggedIn || u.failed >= maxFailedLogins {
		return nil
	}
	err := s.logIn(u)
	var refused *LoginError
	if u.everLoggedIn && errors.As(err, &refused) {
		return nil
	}
	return err
}

// logInAgain logs in a user whose credentials have expired.
func (s *sender) logInAgain(u *session) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.loggedIn, u.accepted = false, false
	return s.logIn(u)
}

// noteAnswer records an answer to the user. It reports whether the user's credentials have expired and a new log-in
// may help. This is so if all of these are true:
//   - The status is 401.
//   - The credentials have worked since the last log-in.
//   - The operation is not in refusedOps.
//   - Fewer than maxFailedLogins log-ins have failed in a row.
func (s *session) noteAnswer(op model.OpID, x model.Exchange) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := x.Reply.Status
	if status/100 == 2 {
		s.accepted = true
		delete(s.refusedOps, op)
	}
	if status == http.StatusUnauthorized && s.accepted && !s.refusedOps[op] && s.failed < maxFailedLogins {
		return true
	}
	s.untouched = s.untouched && status == 0
	return false
}

// noteAnswerAfterLogin records the answer to a request that was repeated after a new log-in.
func (s *session) noteAnswerAfterLogin(op model.OpID, x model.Exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case x.Reply.Status == http.StatusUnauthorized:
		s.refusedOps[op] = true
	case x.Reply.Status > 0:
		s.endsAtReset = s.endsAtReset || s.untouched
		s.accepted = true
	}
	s.untouched = false
}

// NoteReset records that the service was reset. Before their next calls, users whom a reset removes are
// created again, and users whose credentials a reset invalidates log in again.
func (c *Client) NoteReset() {
	for _, u := range c.sessions {
		u.mu.Lock()
		u.untouched, u.wasReset = true, true
		u.created = u.created && u.survivesReset
		if u.endsAtReset {
			u.loggedIn = false
		}
		u.mu.Unlock()
	}
}

// WorkedLogins returns the requests that logged users in or created users and succeeded. It leaves out
// log-ins at another host.
func (c *Client) WorkedLogins() []model.Login {
	var all []model.Login
	for _, u := range c.sessions {
		u.mu.Lock()
		if u.everLoggedIn && u.login.Path != "" {
			all = append(all, *u.login)
		}
		if u.everCreated {
			all = append(all, u.creates...)
		}
		u.mu.Unlock()
	}
	return all
}

// LostUsers returns, in no particular order, the names of the users whose log-in failed
// maxFailedLogins times in a row. Their calls are sent without the credentials of a log-in.
func (c *Client) LostUsers() []string {
	var all []string
	for name, u := range c.sessions {
		u.mu.Lock()
		if u.failed >= maxFailedLogins {
			all = append(all, name)
		}
		u.mu.Unlock()
	}
	return all
}
