//go:build unix

package net

import (
	"internal/poll"
	"os"
	"syscall"
	"unsafe"
)

// sondeAllSlots has a slot for each real local port of a connection, in memory that is shared with Sonde. A slot
// shows whether the connection waits for data.
type sondeAllSlots [1 << 16]poll.SondeSlot

// sondeSlots has the slots. It is nil if all waits are reported by events.
var sondeSlots *sondeAllSlots

// sondeOpenSlots maps the slots into memory. Child processes of the service do not inherit the slots.
func sondeOpenSlots() {
	path, _ := syscall.Getenv(sondeSlotsEnv)
	if path == "" {
		return
	}
	_ = syscall.Unsetenv(sondeSlotsEnv)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		defer f.Close()
		const size = int(unsafe.Sizeof(sondeAllSlots{}))
		var shared []byte
		shared, err = syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
		if err == nil {
			sondeSlots = (*sondeAllSlots)(unsafe.Pointer(unsafe.SliceData(shared)))
		}
	}
	if err != nil {
		sondePrintError("each wait is reported by an event: " + path + ": " + err.Error())
	}
}
