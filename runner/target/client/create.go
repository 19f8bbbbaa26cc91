package client

import (
	"fmt"
	"net/http"
	"strings"

	"sonde/model"
)

// create sends the requests that create a user. It does nothing if the user exists: the requests have succeeded since
// the last reset, or they succeeded earlier and a reset does not remove the user. An answer which says that the user
// exists counts as success: a 409, or any 4xx if the requests succeeded before. When the requests are sent again
// after the first reset, the answers show whether a reset removes the user.
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
