package broker

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockFile is the name of the lock in a folder with the data of a server.
const lockFile = ".lock"

// IsInUse reports whether a server in some process uses a folder for its data.
func IsInUse(folder string) bool {
	lock := flock.New(filepath.Join(folder, lockFile), flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryLock()
	if err != nil {
		return false // there is no lock, so no server was here
	}
	lock.Close()
	return !free
}
