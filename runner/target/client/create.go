package client

import (
	"fmt"
	"net/http"
	"strings"

	"sonde/model"
)

// create sends the requests that create a user, unless they were sent since the service was started
// or reset. It accepts answers which say that the user exists already. The first answers after a
// reset show whether a reset removes the user.
func (s *sender) create(u *session) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.created || len(u.creates) == 0 {
		return nil
	}
	stays := u.everCreated
	for _, l := range u.creates {
		reply, err := s.sendLogin(&l)
		if err != nil {
			return err
		}
		isNew := reply.Status/100 == 2
		if !isNew && reply.Status != http.StatusConflict && !(u.everCreated && reply.Status/100 == 4) {
			text := strings.TrimSuffix(fmt.Sprintf("answered %d: %s", reply.Status, model.Excerpt(reply.Body)), ": ")
			return &LoginError{User: u.name, Request: s.mask.text(loginRequest(&l)), Text: s.mask.text(text), Creating: true}
		}
		stays = stays && !isNew
	}
	u.created, u.everCreated, u.survivesReset = true, true, stays
	if !stays {
		u.loggedIn = false // the credentials belong to the user that was removed
	}
	return nil
}
