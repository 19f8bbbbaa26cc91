package tui

import (
	"reflect"
	"time"

	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// glanced is that a moment went by. Err is why the place could not be kept, if it was
// to be.
type glanced struct{ err error }

// remember keeps the place from time to time: who is killed loses no more than a moment.
func (a *app) remember() tea.Cmd {
	if a.home.KeepPlace == nil {
		return nil
	}
	return tea.Tick(a.glance, func(time.Time) tea.Msg { return glanced{} })
}

// glanced keeps the place where it is another than before.
func (a *app) glanced(msg glanced) tea.Cmd {
	if msg.err != nil {
		return tea.Batch(a.say(screen.StatusMessage{Err: msg.err}), a.remember())
	}
	place := a.place()
	if a.study == nil || reflect.DeepEqual(place, a.kept) {
		return a.remember()
	}
	a.kept = place
	keep, title := a.home.KeepPlace, a.study.Spec.Title
	return func() tea.Msg { return glanced{keep(title, place)} }
}

// keep keeps the place of a spec that could be opened.
func (a *app) keep() error {
	if a.home.KeepPlace == nil || a.study == nil {
		return nil
	}
	return a.home.KeepPlace(a.study.Spec.Title, a.place())
}
