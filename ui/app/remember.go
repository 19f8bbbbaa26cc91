package app

import (
	"errors"

	"sonde/ui/app/recent"
	"sonde/ui/app/service"
	"sonde/ui/app/userdata"
)

// RememberPlace remembers where a person is in the spec.
func (w *Workspace) RememberPlace(title string, p userdata.Place) error {
	return w.remember(func(s *userdata.State) {
		s.PutSpec(userdata.RecentSpec{Source: w.Remembered(), Title: title, When: recent.Now(), Place: p})
	})
}

// Remembered is the spec's name in what is remembered.
func (w *Workspace) Remembered() string {
	if w.Source == service.DemoSource || w.Source == "-" {
		return w.Source
	}
	return userdata.SpecSource(w.Source)
}

// remember changes what is remembered, where there is a place for it.
func (w *Workspace) remember(change func(*userdata.State)) error {
	if w.Memory == "" {
		return nil
	}
	if err := userdata.ChangeState(w.Memory, change); !errors.Is(err, userdata.ErrNewer) { // which show has said
		return err
	}
	return nil
}

// rememberRun adds a search to those of late.
func (w *Workspace) rememberRun(folder string) {
	_ = w.remember(recent.NewRun(folder, w.spec.Title)) // the search is there all the same
}
