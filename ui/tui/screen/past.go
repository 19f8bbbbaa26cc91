package screen

import (
	"context"
	"time"

	"sonde/model"
)

// Searches are those that are kept on disk.
type Searches struct {
	// List are those that began lately and are of the spec that is open, also of another
	// version of it; the last one comes first.
	List func(ctx context.Context) ([]Past, error)
	// Open reads the one in a folder, as it is there now.
	Open func(ctx context.Context, folder string) (Past, model.Snapshot, error)
}

// Past is a search that is kept on disk.
type Past struct {
	Folder   string
	Started  time.Time
	Settings Settings // as far as its folder tells
	Summary  model.Summary
	// Ended tells that it came to an end; else it was killed, or still goes on in another
	// program.
	Ended bool
	// Other tells that it was made with another version of the spec.
	Other   bool
	Command string // that repeats it from a shell
}
