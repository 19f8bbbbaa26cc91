package tui

import (
	"reflect"
	"time"

	"sonde/ui/app/userdata"

	tea "github.com/charmbracelet/bubbletea"
)

// placeSaver stores the user's place at regular intervals, so that only the last seconds are lost if the
// app is killed.
type placeSaver struct {
	store    func(title string, p userdata.Place) error // nil if places are not stored
	saved    userdata.Place                             // the place that was stored last
	interval time.Duration
}

// placeSaved is sent after each interval, and after a place was stored. err is the error of storing.
type placeSaved struct{ err error }

// schedule sends placeSaved after the interval.
func (p *placeSaver) schedule() tea.Cmd {
	if p.store == nil {
		return nil
	}
	return tea.Tick(p.interval, func(time.Time) tea.Msg { return placeSaved{} })
}

// save stores the place of the spec with this title, if the place has changed.
func (p *placeSaver) save(title string, place userdata.Place) tea.Cmd {
	if reflect.DeepEqual(place, p.saved) {
		return p.schedule()
	}
	p.saved = place
	store := p.store
	return func() tea.Msg { return placeSaved{store(title, place)} }
}
