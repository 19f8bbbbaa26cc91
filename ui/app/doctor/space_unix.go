//go:build linux || darwin || freebsd

package doctor

import "golang.org/x/sys/unix"

// freeSpace returns the number of bytes that a user can write into a folder.
func freeSpace(folder string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return uint64(max(0, int64(s.Bavail))) * uint64(s.Bsize), nil
}
