package screen

import (
	"sonde/model"
	"sonde/ui/app/userdata"
)

// Home is what the app is told of the person's own files.
type Home struct {
	Keys []userdata.KeyBinding
	File string // that has them
	// Wrong is what could not be taken of them.
	Wrong []Trouble
	// Place is where the person left the spec the last time.
	Place userdata.Place
	// Keep remembers where the person is in the spec of that title, nil where nothing
	// is remembered. It may be called in the background.
	Keep func(title string, p userdata.Place) error
	Tour Tour
}

// Tour is whether the app leads the person through it at first.
type Tour int

// There is no tour, it is offered, or it begins.
const (
	NoTour Tour = iota
	TourOffered
	TourBegins
)

// Trouble is something wrong in a file, for a person to mend.
type Trouble struct {
	File string
	model.Problem
}

// Keeper is a Screen that is found again as it was left.
type Keeper interface {
	// Leave notes how the screen is; Opened brings it back.
	Leave(*userdata.Place)
}
