package usecase

import (
	"time"

	"sonde/model"
)

// PastSearch is a stored search.
type PastSearch struct {
	Folder   string
	Started  time.Time
	Settings SearchSettings // the settings that are stored in its folder
	Summary  model.Summary
	// Finished is false if the search was killed or is still running in another process.
	Finished bool
	// OtherVersion is true if the search used another version of the spec.
	OtherVersion bool
	Command      string // command line that repeats the search
}
