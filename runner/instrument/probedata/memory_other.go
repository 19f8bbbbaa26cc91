//go:build !((linux || darwin || freebsd) && (amd64 || arm64 || riscv64 || loong64 || ppc64le))

package probedata

import (
	"errors"
	"os"
)

// CanShareMemory reports whether a service can share memory with Sonde on this system.
const CanShareMemory = false

func mapFile(*os.File, int) ([]byte, error) {
	return nil, errors.New("memory cannot be shared on this system: Linux, macOS and FreeBSD of 64 bits can")
}

func unmap([]byte) error { return nil }
