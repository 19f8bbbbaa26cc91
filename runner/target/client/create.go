package client

import (
	"fmt"
	"net/http"
	"strings"

	"sonde/model"
)

// create creates a user, unless that was done since the service started or was reset. A user
// who exists already is accepted. The first answer after a reset shows whether a reset removes
// the user.
func (w *sender) create(s *session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.created || len(s.creates) == 0 {
		return nil
	}
	stays := s.everCreated
	for _, l := range s.creates {
		reply, err := w.askIn(&l)
		if err != nil {
			return err
		}
		isNew := reply.Status/100 == 2
		if !isNew && reply.Status != http.StatusConflict && !(s.everCreated && reply.Status/100 == 4) {
			text := strings.TrimSuffix(fmt.Sprintf("answered %d: %s", reply.Status, model.Excerpt(reply.Body)), ": ")
			return &LoginError{User: s.name, Request: w.mask.text(where(&l)), Text: w.mask.text(text), Creating: true}
		}
		stays = stays && !isNew
	}
	s.created, s.everCreated, s.survivesReset = true, true, stays
	if !stays {
		s.loggedIn = false // the credentials belong to the user that was removed
	}
	return nil
}
