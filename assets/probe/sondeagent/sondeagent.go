//go:build (linux || darwin || freebsd) && (amd64 || arm64 || riscv64 || loong64 || ppc64le)

// Package sondeagent shares the memory of sondeprobe with Sonde: at the start of a service it maps
// the shared file over that memory. The service's main package imports it.
package sondeagent

import (
	"sync/atomic"
	"syscall"
	"unsafe"

	"sonde/assets/probe/sondeprobe"
)

// FileEnv is the environment variable with the path of the shared file.
const FileEnv = "SONDE_PROBES"

func init() {
	path, ok := syscall.Getenv(FileEnv)
	if !ok {
		return
	}
	if reason := share(path); reason != "" {
		message := "sonde: this service runs without probes: " + path + " " + reason + "\n"
		_, _ = syscall.Write(2, []byte(message))
	}
}

// share maps a file over the probes' memory. It returns "", or the reason why that is not possible.
func share(path string) string {
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return "cannot be opened: " + err.Error()
	}
	defer syscall.Close(fd)
	page := uintptr(syscall.Getpagesize())
	shift := sondeprobe.Memory() % page
	size := (page + shift + sondeprobe.Size + page - 1) / page * page
	var s syscall.Stat_t
	if err := syscall.Fstat(fd, &s); err != nil || s.Size < int64(size) {
		return "is cut short"
	}
	b, err := syscall.Mmap(fd, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return "cannot be mapped: " + err.Error()
	}
	defer syscall.Munmap(b)
	return replaceMemory(fd, b, page, shift)
}

// replaceMemory maps the pages of a file, except the first page, over the probes' memory. Before that, it
// copies the hits so far to the file. It returns "", or the reason why that is not possible.
func replaceMemory(fd int, file []byte, page, shift uintptr) string {
	h := (*sondeprobe.Head)(unsafe.Pointer(unsafe.SliceData(file)))
	if !h.Matches() || h.Shift != uint64(shift) {
		return "is of another build"
	}
	sondeprobe.CopyHits(file[page+shift:])
	_, _, e := syscall.Syscall6(syscall.SYS_MMAP, sondeprobe.Memory()-shift, uintptr(len(file))-page,
		syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_FIXED, uintptr(fd), page)
	if e != 0 {
		return "cannot be mapped: " + e.Error()
	}
	atomic.AddUint64(&h.Attached, 1)
	return ""
}
