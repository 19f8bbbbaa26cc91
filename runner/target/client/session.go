package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"sonde/model"
)

// session is the state of a user at the service, with the credentials of the last log-in. Whether
// they have expired is inferred from answers, not from a clock.
type session struct {
	resolvedUser
	mu            sync.Mutex
	obtained      []model.Credential
	loggedIn      bool // logged in, as far as known
	everLoggedIn  bool // the log-in worked once
	failed        int  // failed log-ins in a row since
	accepted      bool // a call since the last log-in was not refused
	first         bool // no call was sent since the service was reset
	endsAtReset   bool // a reset invalidates what a log-in gave
	created       bool // the requests that create the user were sent since the last reset
	everCreated   bool // they were sent at least once
	survivesReset bool // a reset does not remove the user
	// refusedOps are the operations that refuse the user even after a new log-in.
	refusedOps map[model.OpID]bool
}

// maxFailed is how many log-ins in a row may fail, after one that worked, until the user's calls
// are sent without credentials.
const maxFailedLogins = 3

// enroll prepares the users. The error is one line: a credential is missing, or a user logs in at
// a host that is not allowed.
func (c *Client) enroll(users []model.User, hosts []string) error {
	c.sessions = map[string]*session{}
	for _, u := range users {
		f, err := fill(u)
		if err != nil {
			return err
		}
		if f.login != nil && f.login.URL != "" {
			if err := checkLogin(f.login.URL, hosts); err != nil {
				return fmt.Errorf("user %q logs in elsewhere: %w", u.Name, err)
			}
		}
		for _, secret := range f.secrets {
			c.mask.hide(secret)
		}
		c.sessions[u.Name] = &session{resolvedUser: f, refusedOps: map[model.OpID]bool{}}
	}
	return nil
}

// SendAs sends a call of a user, and logs the user in before if necessary.
func (c *Client) SendAs(ctx context.Context, user string, r model.Request) model.Exchange {
	w := c.acquireSender(ctx)
	defer w.close()
	return w.as(user, r)
}

// make sends a call of a user unless it is blocked.
func (w *sender) make(user string, r model.Request) model.Exchange {
	switch {
	case w.blocked == nil || !w.blocked(r):
		return w.as(user, r)
	case !w.Client.take():
		return model.Exchange{Request: r, Err: ErrBudget}
	}
	return w.masked(model.Exchange{Request: r, Err: ErrBlocked})
}

// RestoreUser creates a user again and logs in anew, as if the user were new. created reports
// whether createUsers created the user, who did not exist. The error is a *LoginError if the
// service refuses.
func (c *Client) RestoreUser(ctx context.Context, user string) (made bool, err error) {
	s := c.sessions[user]
	if s == nil {
		return false, nil
	}
	w := c.acquireSender(ctx)
	defer w.close()
	s.forget()
	if err := w.create(s); err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	made = len(s.creates) > 0 && !s.survivesReset
	if s.login == nil {
		return made, nil
	}
	return made, w.logIn(s)
}

// TryLogIn logs a user in anew. The error is a *LoginError if the service refuses; then the user
// keeps the credentials of an earlier log-in.
func (c *Client) TryLogIn(ctx context.Context, user string) error {
	s := c.sessions[user]
	if s == nil || s.login == nil {
		return nil
	}
	w := c.acquireSender(ctx)
	defer w.close()
	s.mu.Lock()
	defer s.mu.Unlock()
	obtained, in, failed, worked := s.obtained, s.loggedIn, s.failed, s.accepted
	err := w.logIn(s)
	if err != nil {
		s.obtained, s.loggedIn, s.failed, s.accepted = obtained, in, failed, worked
	}
	return err
}

// forget resets what is known about a user.
func (s *session) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.created, s.loggedIn, s.failed, s.accepted = false, false, 0, false
	clear(s.refusedOps)
}

// as sends a call of a user, and logs the user in before if necessary. If the credentials have
// expired, it logs in again and repeats the call once.
func (w *sender) as(user string, r model.Request) model.Exchange {
	s := w.sessions[user]
	if s == nil {
		return w.send(r, nil)
	}
	if err := w.create(s); err != nil {
		return model.Exchange{Request: r, Err: err}
	}
	if s.login == nil {
		return w.send(r, s.sends)
	}
	if err := w.enter(s); err != nil {
		return model.Exchange{Request: r, Err: err}
	}
	x := w.send(r, s.carries())
	if !s.expired(r.Op, x) {
		return x
	}
	if err := w.renew(s); err != nil {
		var refused *LoginError
		x.Err = err
		if errors.As(err, &refused) {
			x.Err = nil // the answer is valid even if the new log-in fails
		}
		return x
	}
	x = w.send(r, s.carries())
	s.renewed(r.Op, x)
	return x
}

// carries returns the current credentials of the user.
func (s *session) carries() []model.Credential {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(s.sends[:len(s.sends):len(s.sends)], s.obtained...)
}

// enter logs a user in who is not. After too many failures it does nothing, and the calls are
// sent without credentials.
func (w *sender) enter(s *session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loggedIn || s.failed >= maxFailedLogins {
		return nil
	}
	err := w.logIn(s)
	var refused *LoginError
	if s.everLoggedIn && errors.As(err, &refused) {
		return nil
	}
	return err
}

// renew logs a user in again.
func (w *sender) renew(s *session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loggedIn, s.accepted = false, false
	return w.logIn(s)
}

// expired records an answer and reports whether it shows that the user's credentials have
// expired: 401 after answers that were not.
func (s *session) expired(op model.OpID, x model.Exchange) bool {
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
	s.first = s.first && status == 0
	return false
}

// renewed records the answer after a new log-in.
func (s *session) renewed(op model.OpID, x model.Exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case x.Reply.Status == http.StatusUnauthorized:
		s.refusedOps[op] = true
	case x.Reply.Status > 0:
		s.endsAtReset = s.endsAtReset || s.first
		s.accepted = true
	}
	s.first = false
}

// NoteReset records that the service is in its first state again. If a reset invalidates the
// credentials, users log in anew.
func (c *Client) NoteReset() {
	for _, s := range c.sessions {
		s.mu.Lock()
		s.first = true
		s.created = s.created && s.survivesReset
		if s.endsAtReset {
			s.loggedIn = false
		}
		s.mu.Unlock()
	}
}

// WorkedLogins returns the log-ins and the requests that create users which have worked.
func (c *Client) WorkedLogins() []model.Login {
	var all []model.Login
	for _, s := range c.sessions {
		s.mu.Lock()
		if s.everLoggedIn && s.login.Path != "" {
			all = append(all, *s.login)
		}
		if s.everCreated {
			all = append(all, s.creates...)
		}
		s.mu.Unlock()
	}
	return all
}

// LostUsers returns the names of the users whose log-in worked once and then failed too often,
// in no particular order.
func (c *Client) LostUsers() []string {
	var all []string
	for name, s := range c.sessions {
		s.mu.Lock()
		if s.failed >= maxFailedLogins {
			all = append(all, name)
		}
		s.mu.Unlock()
	}
	return all
}
