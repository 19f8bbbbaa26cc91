package codec

import (
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockFile is there for its lock alone, and stays.
const lockFile = ".lock"

// claim keeps others from writing to the folder of a run or a recording until the lock is closed, or
// this program ends in whatever way. Where the file system knows no locks,
// nobody is kept.
func claim(dir, kind string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, lockFile))
	if free, err := lock.TryLock(); err == nil && !free {
		return nil, fmt.Errorf("another Sonde writes to the %s %q: wait for its end, or stop it", kind, dir)
	}
	return lock, nil
}
