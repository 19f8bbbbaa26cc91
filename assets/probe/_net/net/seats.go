//go:build unix

package net

import (
	"internal/poll"
	"os"
	"syscall"
	"unsafe"
)

// sondeAllSeats are seats in memory that is shared with the other end, by the real port
// that a connection has here.
type sondeAllSeats [1 << 16]poll.SondeSeat

// sondeSeats is nil where nothing is shown, and all is told.
var sondeSeats *sondeAllSeats

// sondeOpenSeats takes the seats over. The service's children have none.
func sondeOpenSeats() {
	path, _ := syscall.Getenv(sondeSeatFile)
	if path == "" {
		return
	}
	_ = syscall.Unsetenv(sondeSeatFile)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		defer f.Close()
		var shared []byte
		if shared, err = syscall.Mmap(int(f.Fd()), 0, int(unsafe.Sizeof(sondeAllSeats{})), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED); err == nil {
			sondeSeats = (*sondeAllSeats)(unsafe.Pointer(unsafe.SliceData(shared)))
		}
	}
	if err != nil {
		sondeComplain("each wait is told: " + path + ": " + err.Error())
	}
}
