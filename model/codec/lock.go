package codec

import (
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockFile is the name of the lock file. The file is never removed.
const lockFile = ".lock"

// lockFolder locks the folder of a run or a recording against other processes, until the lock is closed or this process
// ends. It returns an error if another process has the lock. If the folder cannot be locked for another reason, as on a
// file system without locks, it remains unlocked, and this is no error.
func lockFolder(dir, kind string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, lockFile))
	if free, err := lock.TryLock(); err == nil && !free {
		return nil, fmt.Errorf("another Sonde writes to the %s %q: wait for its end, or stop it", kind, dir)
	}
	return lock, nil
}
