package usecase

import (
	"context"

	"sonde/model"
)

// ValueCorrections keeps what the user says about values in the configuration, and finds what traffic shows about them.
// Specs that are read later have the corrections.
type ValueCorrections struct {
	// Put writes a correction, and returns the path of the file. It replaces the correction of the same value in the same
	// scope.
	Put func(model.ValueCorrection) (path string, err error)
	// Remove removes the correction of the same value in the same scope as c, and returns the path of the file.
	Remove func(c model.ValueCorrection) (path string, err error)
	// Observe reads the traffic of a run or of a recording. Specs that are read later have what it shows about values. It
	// returns what the open spec does not have yet.
	Observe func(ctx context.Context, folder string) ([]model.ValueCorrection, error)
}
