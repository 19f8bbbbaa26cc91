//go:build !((linux || darwin || freebsd) && (amd64 || arm64 || riscv64 || loong64 || ppc64le))

package probedata

import (
	"errors"
	"os"
)

func mapFile(*os.File, int) ([]byte, error) {
	return nil, errors.New("memory cannot be shared on this system: Linux, macOS and FreeBSD of 64 bits can")
}

func unmap([]byte) error { return nil }
