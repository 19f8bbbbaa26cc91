package cli

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"sonde/model"
)

// mostSource is how large a source file may be to be shown.
const mostSource = 16 << 20

// Source reads a file of the service's source. One that is not any more what was
// built is an error: what was reached is about other lines.
func (s *session) Source(f model.SourceFile) (string, error) {
	data, err := s.read(f)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.Path == "":
		return "", errors.New("the driver of the service does not say in which file these are")
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%q is gone since the service was built", f.Path)
	case err != nil:
		return "", fmt.Errorf("%q cannot be read: %w", f.Path, err)
	case f.Sum != "" && fmt.Sprintf("%x", sha256.Sum256(data)) != f.Sum:
		return "", fmt.Errorf("%q has changed since the service was built: the next search builds it anew", f.Path)
	}
	return string(data), nil
}

// readSmall reads a file that is no larger than what is shown.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostSource+1))
	if len(data) > mostSource {
		return nil, fmt.Errorf("it is larger than %d MB", mostSource>>20)
	}
	return data, err
}
