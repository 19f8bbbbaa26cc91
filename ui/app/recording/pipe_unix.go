//go:build unix

package recording

import "syscall"

// makePipe makes a named pipe that only this user can open.
func makePipe(path string) error { return syscall.Mkfifo(path, 0o600) }
