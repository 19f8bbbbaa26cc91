package tui

import (
	"reflect"
	"time"

	"sonde/ui/app/userdata"

	tea "github.com/charmbracelet/bubbletea"
)

// placeSaver stores from time to time where the user is, so that a killed app loses no
// more than a moment.
type placeSaver struct {
	store    func(title string, p userdata.Place) error // nil stores nothing
	saved    userdata.Place                             // last
	interval time.Duration
}

// placeSaved is sent after the interval, and after the place was stored. Err is why it
// could not be.
type placeSaved struct{ err error }

// schedule sends placeSaved after the interval.
func (p *placeSaver) schedule() tea.Cmd {
	if p.store == nil {
		return nil
	}
	return tea.Tick(p.interval, func(time.Time) tea.Msg { return placeSaved{} })
}

// save stores the place of the spec with the title if it has changed.
func (p *placeSaver) save(title string, place userdata.Place) tea.Cmd {
	if reflect.DeepEqual(place, p.saved) {
		return p.schedule()
	}
	p.saved = place
	store := p.store
	return func() tea.Msg { return placeSaved{store(title, place)} }
}
