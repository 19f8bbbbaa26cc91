package app

import (
	"errors"

	"sonde/ui/app/recent"
	"sonde/ui/app/service"
	"sonde/ui/home"
)

// RememberPlace remembers where a person is in the spec.
func (w *Workspace) RememberPlace(title string, p home.Place) error {
	return w.remember(func(s *home.State) {
		s.PutSpec(home.Spec{Source: w.Remembered(), Title: title, When: recent.Now(), Place: p})
	})
}

// Remembered is the spec's name in what is remembered.
func (w *Workspace) Remembered() string {
	if w.Source == service.DemoSource || w.Source == "-" {
		return w.Source
	}
	return home.Source(w.Source)
}

// remember changes what is remembered, where there is a place for it.
func (w *Workspace) remember(change func(*home.State)) error {
	if w.Memory == "" {
		return nil
	}
	if err := home.Change(w.Memory, change); !errors.Is(err, home.ErrNewer) { // which show has said
		return err
	}
	return nil
}

// rememberRun adds a search to those of late.
func (w *Workspace) rememberRun(folder string) {
	_ = w.remember(recent.NewRun(folder, w.spec.Title)) // the search is there all the same
}
