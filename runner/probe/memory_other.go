//go:build !linux && !darwin && !freebsd

package probe

import (
	"errors"
	"os"
)

func mapFile(*os.File, int) ([]byte, error) {
	return nil, errors.New("memory cannot be shared on this system: Linux, macOS and FreeBSD can")
}

func unmap([]byte) error { return nil }
