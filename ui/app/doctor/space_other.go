//go:build !(linux || darwin || freebsd || windows)

package doctor

import "errors"

// freeSpace returns errors.ErrUnsupported.
func freeSpace(string) (uint64, error) { return 0, errors.ErrUnsupported }
