package client

import (
	"fmt"
	"net/http"
	"strings"

	"sonde/model"
)

// create sends the requests that create a user, unless u.created is true. An answer which says that the user exists
// counts as success: a 409, or any 4xx if the requests succeeded before. made is false if create sends no request, or
// if these requests succeeded before and all answers now say that the user exists. If the service was reset after the
// earlier success, the answers also show whether a reset removes the user.
func (s *sender) create(u *session) (made bool, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.created || len(u.creates) == 0 {
		return false, nil
	}
	made = !u.everCreated
	for _, l := range u.creates {
		reply, err := s.sendLogin(&l)
		if err != nil {
			return false, err
		}
		isNew := reply.Status/100 == 2
		if !isNew && reply.Status != http.StatusConflict && !(u.everCreated && reply.Status/100 == 4) {
			text := strings.TrimSuffix(fmt.Sprintf("answered %d: %s", reply.Status, model.Excerpt(reply.Body)), ": ")
			return false, &LoginError{User: u.name, Request: s.mask.text(loginRequest(&l)), Text: s.mask.text(text), Creating: true}
		}
		made = made || isNew
	}
	if u.wasReset {
		u.survivesReset = !made
	}
	u.created, u.everCreated, u.wasReset = true, true, false
	if made {
		u.loggedIn = false // the credentials belong to the user that was removed
	}
	return made, nil
}
