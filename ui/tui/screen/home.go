package screen

import (
	"sonde/model"
	"sonde/ui/app/userdata"
)

// Preferences are the user's own files, as far as the app needs them: keys, and where
// the user left a spec.
type Preferences struct {
	Keys []userdata.KeyBinding
	File string // that declares Keys
	// Problems are the errors in File.
	Problems []FileProblem
	// Place is where the user left the spec the last time.
	Place userdata.Place
	// KeepPlace stores where the user is in the spec with the title. It may be called from
	// any goroutine; nil stores nothing.
	KeepPlace func(title string, p userdata.Place) error
	Tour      Tour
}

// Tour is whether the app starts with its guided tour.
type Tour int

// The values of Tour.
const (
	NoTour      Tour = iota
	TourOffered      // the app asks first
	TourBegins       // the tour begins at once
)

// FileProblem is an error in a file that the user can fix.
type FileProblem struct {
	File string
	model.Problem
}

// PlaceKeeper is a Screen with state that is restored when the spec is opened again.
type PlaceKeeper interface {
	// SavePlace stores the screen's state in the place. SpecOpened brings it back.
	SavePlace(*userdata.Place)
}
