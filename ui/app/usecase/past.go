package usecase

import (
	"context"
	"time"

	"sonde/model"
)

// Searches lists and opens the searches that are stored on disk.
type Searches struct {
	// List returns the recent searches of the open spec, the newest first. They include
	// those of other versions of the spec.
	List func(ctx context.Context) ([]PastSearch, error)
	// Open reads the search in a folder.
	Open func(ctx context.Context, folder string) (PastSearch, model.Snapshot, error)
}

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
