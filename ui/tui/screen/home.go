package screen

import (
	"sonde/model"
	"sonde/ui/app/userdata"
	"sonde/ui/draw"
)

// Preferences has the settings from the user's files: keys, and the place where the user left a spec.
type Preferences struct {
	Keys []userdata.KeyBinding
	File string // the path of the file that declares Keys
	// Problems are the errors in File.
	Problems []FileProblem
	// Names is the naming of operations. If Place has another naming, that naming is used instead.
	Names draw.Naming
	// Place is the place where the user left the spec.
	Place userdata.Place
	// KeepPlace stores the user's place in the spec with a title. It may be called from any goroutine. If KeepPlace
	// is nil, no place is stored.
	KeepPlace func(title string, p userdata.Place) error
	Tour      Tour
	// Welcome is true if the app shows the demo because there is no spec to open. It then says so, and how to open one.
	Welcome bool
}

// Tour says whether the app starts with its guided tour.
type Tour int

// The values of Tour.
const (
	NoTour      Tour = iota
	TourOffered      // the app asks the user first
	TourBegins       // the tour begins immediately
)

// FileProblem is an error in a file that the user can fix.
type FileProblem struct {
	File string
	model.Problem
}

// PlaceKeeper is a Screen with state that is restored when the spec is opened the next time.
type PlaceKeeper interface {
	// SavePlace stores the screen's state in a place. When the screen receives SpecOpened, it restores the state from
	// the place in the message.
	SavePlace(*userdata.Place)
}
