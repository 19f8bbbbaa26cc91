package codec

import (
	"os"

	"github.com/google/renameio/v2/maybe"
)

// privateFile is the mode of the files of runs and recordings. Only the user may read them, because they hold
// answers of a service.
const privateFile = 0o600

// openPrivate opens a file that only the user may read, and creates the file if needed.
func openPrivate(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|os.O_CREATE, privateFile)
	if err == nil {
		_ = f.Chmod(privateFile) // an older version of Sonde may have created the file; some file systems have no modes
	}
	return f, err
}

// writePrivate writes a file that only the user may read. It replaces the file atomically, except on Windows.
func writePrivate(path string, data []byte) error {
	err := maybe.WriteFile(path, data, privateFile)
	if err == nil {
		_ = os.Chmod(path, privateFile) // WriteFile does not change the mode of an existing file
	}
	return err
}
