package app

import (
	"errors"
	"path/filepath"

	"sonde/ui/app/recent"
	"sonde/ui/app/service"
	"sonde/ui/app/userdata"
)

// memory writes the state that Sonde keeps for a spec between sessions.
type memory struct {
	file   string // "" to remember nothing
	source string // source of the spec
}

// RememberPlace stores the user's position in the spec.
func (w *Workspace) RememberPlace(title string, p userdata.Place) error {
	return w.memory.change(func(s *userdata.State) {
		s.PutSpec(userdata.RecentSpec{Source: w.memory.name(), Title: title, When: recent.CurrentTime(), Place: p})
	})
}

// Remembered returns the name under which the state file has the spec.
func (w *Workspace) Remembered() string { return w.memory.name() }

// requestFolder returns the folder for the requests that were sent by hand, "" to remember none.
func (m memory) requestFolder() string {
	if m.file == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(m.file), "requests")
}

func (m memory) name() string {
	if m.source == service.DemoSource || m.source == "-" {
		return m.source
	}
	return userdata.SpecSource(m.source)
}

// change changes the state file. If a newer Sonde wrote the file, it does nothing, because the app has
// already reported that.
func (m memory) change(change func(*userdata.State)) error {
	if m.file == "" {
		return nil
	}
	if err := userdata.ChangeState(m.file, change); !errors.Is(err, userdata.ErrNewer) {
		return err
	}
	return nil
}

// addRun adds a search to the recent ones. It ignores errors, because the search itself is stored
// elsewhere.
func (m memory) addRun(folder, title string) { _ = m.change(recent.RememberRun(folder, title)) }
