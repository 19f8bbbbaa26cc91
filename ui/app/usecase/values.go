package usecase

import "sonde/model"

// ValueCorrections keeps what the user says about values in the configuration. Specs that are read later have the
// corrections.
type ValueCorrections struct {
	// Put writes a correction, and returns the path of the file. It replaces the correction of the same value in the same
	// scope.
	Put func(model.ValueCorrection) (path string, err error)
	// Remove removes the correction of the same value in the same scope as c, and returns the path of the file.
	Remove func(c model.ValueCorrection) (path string, err error)
}
