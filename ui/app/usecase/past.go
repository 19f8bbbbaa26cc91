package usecase

import (
	"time"

	"sonde/model"
)

// PastSearch is a search that is stored on disk.
type PastSearch struct {
	Folder   string
	Started  time.Time
	Settings SearchSettings // as far as its folder has them
	Summary  model.Summary
	// Finished is false if the search was killed or is still running in another process.
	Finished bool
	// OtherVersion is true if the search used another version of the spec.
	OtherVersion bool
	Command      string // that repeats the search from a shell
}
