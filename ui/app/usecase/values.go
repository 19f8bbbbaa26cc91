package usecase

import (
	"context"

	"sonde/model"
)

// ValueCorrections has the functions that write the user's corrections of values to the configuration, and
// derive corrections from traffic. They apply to specs that are loaded later.
type ValueCorrections struct {
	// Put writes a correction and returns the path of the file. The correction replaces the one of the same
	// value in the same scope.
	Put func(model.ValueCorrection) (path string, err error)
	// Remove removes the correction of the same value in the same scope as c, and returns the path of the file.
	Remove func(c model.ValueCorrection) (path string, err error)
	// Observe derives corrections from the traffic of a run or a recording. They apply to specs that are
	// loaded later. It returns those that the open spec does not have yet.
	Observe func(ctx context.Context, folder string) ([]model.ValueCorrection, error)
}
