package screen

import (
	"sonde/model"
	"sonde/ui/app/userdata"
	"sonde/ui/draw"
)

// Preferences has what the app reads from the user's own files: keys, and the place where the user
// left a spec.
type Preferences struct {
	Keys []userdata.KeyBinding
	File string // the path of the file that declares Keys
	// Problems are the errors in File.
	Problems []FileProblem
	// Names is how operations are named, unless Place has another naming.
	Names draw.Naming
	// Place is where the user left the spec the last time.
	Place userdata.Place
	// KeepPlace stores the user's place in the spec with a title. It may be called from any
	// goroutine. If it is nil, nothing is stored.
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
	// SavePlace stores the screen's state in the place. SpecOpened restores the state from the place.
	SavePlace(*userdata.Place)
}
