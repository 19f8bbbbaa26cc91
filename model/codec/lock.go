package codec

import (
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockFile is there for its lock alone, and stays.
const lockFile = ".lock"

// claim keeps others from writing to a run's folder until the lock is closed, or
// this program ends in whatever way. Where the file system knows no locks,
// nobody is kept.
func claim(dir string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, lockFile))
	if free, err := lock.TryLock(); err == nil && !free {
		return nil, fmt.Errorf("another Sonde writes to the run %q: wait for its end, or stop it", dir)
	}
	return lock, nil
}
