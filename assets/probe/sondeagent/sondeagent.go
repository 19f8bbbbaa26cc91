//go:build linux || darwin || freebsd

// Package sondeagent shares the memory of a service's probes with Sonde: the
// service's main imports it.
package sondeagent

import (
	"syscall"
	"unsafe"

	"sonde/assets/probe/sondeprobe"
)

// File names the environment variable that holds the path of the shared file.
const File = "SONDE_PROBES"

func init() {
	path, ok := syscall.Getenv(File)
	if !ok {
		return
	}
	if why := share(path); why != "" {
		complaint := "sonde: this service goes on without probes: " + path + " " + why + "\n"
		_, _ = syscall.Write(2, []byte(complaint))
	}
}

// share maps a file for the probes, or says why it cannot.
func share(path string) string {
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return "cannot be opened: " + err.Error()
	}
	defer syscall.Close(fd)
	var s syscall.Stat_t
	if err := syscall.Fstat(fd, &s); err != nil || s.Size < sondeprobe.Size {
		return "is cut short"
	}
	b, err := syscall.Mmap(fd, 0, sondeprobe.Size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return "cannot be mapped: " + err.Error()
	}
	if !sondeprobe.Share(unsafe.Pointer(unsafe.SliceData(b))) {
		return "is of another build"
	}
	return ""
}
