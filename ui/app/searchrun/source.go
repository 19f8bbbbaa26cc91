package searchrun

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"

	"sonde/model"
)

// Source reads a source file of the service. It returns an error if the file has changed since the build,
// because the coverage would be shown at wrong lines.
func (s *Run) Source(f model.SourceFile) (string, error) {
	data, err := s.readSource(f)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.Path == "":
		return "", errors.New("the driver of the service does not say in which file these lines are")
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%q was removed after the service was built", f.Path)
	case err != nil:
		return "", fmt.Errorf("%q cannot be read: %w", f.Path, err)
	case f.Sum != "" && fmt.Sprintf("%x", sha256.Sum256(data)) != f.Sum:
		return "", fmt.Errorf("%q has changed since the service was built: the next search builds it again", f.Path)
	}
	return string(data), nil
}
