package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"sonde/model"
)

// session is a user on the way: with what the last log-in gave. Whether that has
// expired is told by counting answers, not by a clock.
type session struct {
	filled
	mu       sync.Mutex
	obtained []model.Credential
	in       bool // logged in; the service may think otherwise
	ever     bool // the log-in worked once
	failed   int  // log-ins in a row that did not work since
	worked   bool // a call since the last log-in was not refused
	first    bool // no call was made since the service was reset
	wiped    bool // a reset ends what a log-in gave
	made     bool // the requests that make the user were sent since the last reset
	everMade bool // and were once
	stays    bool // a reset leaves the user there
	// vain are the operations that refuse the user even after a new log-in.
	vain map[model.OpID]bool
}

// mostFailed is how often in a row a log-in that worked before may fail until
// the user goes on without.
const mostFailed = 3

// enroll prepares the users. The error is of one line: a credential is
// missing, or somebody logs in at a host that may not be called.
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
		c.sessions[u.Name] = &session{filled: f, vain: map[model.OpID]bool{}}
	}
	return nil
}

// SendAs sends a call of a user, who logs in first where that is needed.
func (c *Client) SendAs(ctx context.Context, user string, r model.Request) model.Exchange {
	w := c.way(ctx)
	defer w.close()
	return w.as(user, r)
}

// make sends a call of a user unless it is barred.
func (w *way) make(user string, r model.Request) model.Exchange {
	switch {
	case w.barred == nil || !w.barred(r):
		return w.as(user, r)
	case !w.Client.take():
		return model.Exchange{Request: r, Err: ErrBudget}
	}
	return w.masked(model.Exchange{Request: r, Err: ErrBlocked})
}

// RestoreUser makes a user again and logs in anew, as if nothing were known of the user.
// Made reports whether createUsers made the user, who was not there. The error is a
// *LoginError where the service refuses that.
func (c *Client) RestoreUser(ctx context.Context, user string) (made bool, err error) {
	s := c.sessions[user]
	if s == nil {
		return false, nil
	}
	w := c.way(ctx)
	defer w.close()
	s.forget()
	if err := w.create(s); err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	made = len(s.creates) > 0 && !s.stays
	if s.login == nil {
		return made, nil
	}
	return made, w.logIn(s)
}

// TryLogIn logs a user in anew. The error is a *LoginError where the service refuses that;
// then the user keeps what an earlier log-in gave.
func (c *Client) TryLogIn(ctx context.Context, user string) error {
	s := c.sessions[user]
	if s == nil || s.login == nil {
		return nil
	}
	w := c.way(ctx)
	defer w.close()
	s.mu.Lock()
	defer s.mu.Unlock()
	obtained, in, failed, worked := s.obtained, s.in, s.failed, s.worked
	err := w.logIn(s)
	if err != nil {
		s.obtained, s.in, s.failed, s.worked = obtained, in, failed, worked
	}
	return err
}

// forget lets go of what is known of a user.
func (s *session) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made, s.in, s.failed, s.worked = false, false, 0, false
	clear(s.vain)
}

// as sends a call of a user, who logs in first where that is needed. What was
// obtained and has expired is obtained anew, once.
func (w *way) as(user string, r model.Request) model.Exchange {
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
			x.Err = nil // the answer stays what it is
		}
		return x
	}
	x = w.send(r, s.carries())
	s.renewed(r.Op, x)
	return x
}

// carries returns what the user's requests carry at this moment.
func (s *session) carries() []model.Credential {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(s.sends[:len(s.sends):len(s.sends)], s.obtained...)
}

// enter logs a user in who is not. One who was, and cannot any more, goes on
// without.
func (w *way) enter(s *session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.in || s.failed >= mostFailed {
		return nil
	}
	err := w.logIn(s)
	var refused *LoginError
	if s.ever && errors.As(err, &refused) {
		return nil
	}
	return err
}

// renew logs a user in again.
func (w *way) renew(s *session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.in, s.worked = false, false
	return w.logIn(s)
}

// expired notes an answer and reports whether it says that what the user carries
// has expired: 401, after others that were not.
func (s *session) expired(op model.OpID, x model.Exchange) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := x.Reply.Status
	if status/100 == 2 {
		s.worked = true
		delete(s.vain, op)
	}
	if status == http.StatusUnauthorized && s.worked && !s.vain[op] && s.failed < mostFailed {
		return true
	}
	s.first = s.first && status == 0
	return false
}

// renewed notes the answer after a new log-in.
func (s *session) renewed(op model.OpID, x model.Exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case x.Reply.Status == http.StatusUnauthorized:
		s.vain[op] = true
	case x.Reply.Status > 0:
		s.wiped = s.wiped || s.first
		s.worked = true
	}
	s.first = false
}

// NoteReset tells that the service is in its first state again. Where that ends
// what log-ins gave, users will log in anew.
func (c *Client) NoteReset() {
	for _, s := range c.sessions {
		s.mu.Lock()
		s.first = true
		s.made = s.made && s.stays
		if s.wiped {
			s.in = false
		}
		s.mu.Unlock()
	}
}

// WorkedLogins returns the log-ins and the requests that make users that did what they are
// for.
func (c *Client) WorkedLogins() []model.Login {
	var all []model.Login
	for _, s := range c.sessions {
		s.mu.Lock()
		if s.ever && s.login.Path != "" {
			all = append(all, *s.login)
		}
		if s.everMade {
			all = append(all, s.creates...)
		}
		s.mu.Unlock()
	}
	return all
}

// LostUsers returns the names of the users whose log-in worked and then did not any
// more, in no order.
func (c *Client) LostUsers() []string {
	var all []string
	for name, s := range c.sessions {
		s.mu.Lock()
		if s.failed >= mostFailed {
			all = append(all, name)
		}
		s.mu.Unlock()
	}
	return all
}
