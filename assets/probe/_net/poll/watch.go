//go:build unix

// These declarations are added to internal/poll: a watched socket reports when it is
// about to block in a read, an accept or a receive, and the watcher may end that. The
// functions that are wrapped here are renamed to sondeReal….
package poll

import (
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// What package net knows of the virtual network and others need: whether there is one,
// the host's name in it, and how to report an event.
var (
	SondeVirtual  atomic.Bool
	SondeHostname atomic.Pointer[string]
	SondeTell     atomic.Pointer[func(fields ...string)]
)

// SondeWatch watches a socket. It does not keep the socket from being collected.
type SondeWatch struct {
	tell func(written, read uint64)

	mu            sync.Mutex
	slot          *SondeSlot // nil if each wait is reported
	written, read uint64
	waits         *pollDesc     // nil unless the socket waits
	starved       syscall.Errno // the error with which the wait ends
	deadline      time.Time     // the service's own
}

// SondeWatch watches a socket that is not in use yet: tell is called when it is about
// to block, and when something is written while it does.
func (fd *FD) SondeWatch(tell func(written, read uint64)) *SondeWatch {
	w := &SondeWatch{tell: tell}
	fd.pd.sonde = w
	return w
}

// Starve ends the wait of a socket with an error. A socket that does not wait is left
// alone.
func (w *SondeWatch) Starve(err syscall.Errno) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waits != nil {
		w.starved = err
		w.wake()
	}
}

// wake ends the wait by a deadline in the past.
func (w *SondeWatch) wake() { runtime_pollSetDeadline(w.waits.runtimeCtx, -1, 'r') }

//sonde:field pollDesc sonde *SondeWatch

func (pd *pollDesc) waitRead(isFile bool) error {
	w := pd.sonde
	if w == nil {
		return pd.sondeRealWaitRead(isFile)
	}
	w.begin(pd)
	return w.end(pd.sondeRealWaitRead(isFile))
}

func (w *SondeWatch) begin(pd *pollDesc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waits = pd
	w.slot.begins(w.written, w.read)
	w.say()
}

func (w *SondeWatch) say() {
	if w.waits != nil && w.slot.wants(w.written) {
		w.tell(w.written, w.read)
	}
}

// end restores the deadline of a starved socket, which it needs whatever woke it.
func (w *SondeWatch) end(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	pd, starved := w.waits, w.starved
	w.waits, w.starved = nil, 0
	w.slot.ends()
	if starved == 0 {
		return err
	}
	runtime_pollSetDeadline(pd.runtimeCtx, sondeUntil(w.deadline), 'r')
	if err == ErrDeadlineExceeded {
		return starved
	}
	return err
}

// sondeUntil returns a deadline as the poller wants it: 0 is none.
func sondeUntil(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	if d := int64(time.Until(t)); d != 0 {
		return d
	}
	return -1
}

func setDeadlineImpl(fd *FD, t time.Time, mode int) error {
	w := fd.pd.sonde
	if w == nil || mode == 'w' {
		return sondeRealSetDeadlineImpl(fd, t, mode)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deadline = t
	err := sondeRealSetDeadlineImpl(fd, t, mode)
	if w.starved != 0 {
		w.wake()
	}
	return err
}
