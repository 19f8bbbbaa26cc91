package app

import (
	"errors"

	"sonde/ui/app/recent"
	"sonde/ui/app/service"
	"sonde/ui/app/userdata"
)

// memory writes what Sonde remembers of a spec from one start to the next.
type memory struct {
	file   string // "" to remember nothing
	source string // the spec's
}

// RememberPlace remembers where a person is in the spec.
func (w *Workspace) RememberPlace(title string, p userdata.Place) error {
	return w.memory.change(func(s *userdata.State) {
		s.PutSpec(userdata.RecentSpec{Source: w.memory.name(), Title: title, When: recent.CurrentTime(), Place: p})
	})
}

// Remembered returns the name under which the spec is remembered.
func (w *Workspace) Remembered() string { return w.memory.name() }

func (m memory) name() string {
	if m.source == service.DemoSource || m.source == "-" {
		return m.source
	}
	return userdata.SpecSource(m.source)
}

// change changes the file. A file of a newer Sonde stays as it is, and gives no error: the app has
// reported it at the start.
func (m memory) change(change func(*userdata.State)) error {
	if m.file == "" {
		return nil
	}
	if err := userdata.ChangeState(m.file, change); !errors.Is(err, userdata.ErrNewer) {
		return err
	}
	return nil
}

// addRun adds a search to the recent ones. An error is dropped: the search is kept all the same.
func (m memory) addRun(folder, title string) { _ = m.change(recent.RememberRun(folder, title)) }
