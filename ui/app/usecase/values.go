package usecase

import (
	"context"

	"sonde/model"
)

// ValueCorrections has the functions that write the user's corrections of values to the configuration, and
// derive corrections from traffic. They apply to specs that are loaded later.
type ValueCorrections struct {
	// Put writes a correction and returns the path of the file. An existing correction of the same value in the same
	// scope is replaced.
	Put func(model.ValueCorrection) (path string, err error)
	// Remove removes the correction that has the same value and scope as c, and returns the path of the file.
	Remove func(c model.ValueCorrection) (path string, err error)
	// Observe derives corrections from the traffic of a run or a recording. They apply to specs that are loaded later.
	// Observe returns the corrections that the open spec does not have yet.
	Observe func(ctx context.Context, folder string) ([]model.ValueCorrection, error)
}
