//go:build (linux || darwin || freebsd) && (amd64 || arm64 || riscv64 || loong64 || ppc64le)

package probedata

import (
	"os"
	"syscall"
)

// CanShareMemory reports whether a service can share memory with Sonde on this system.
const CanShareMemory = true

func mapFile(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

func unmap(b []byte) error { return syscall.Munmap(b) }
