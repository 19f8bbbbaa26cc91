//go:build unix

// These declarations are added to internal/poll. A watched socket reports when it is about to wait
// in a read, an accept or a receive, and Sonde may end the wait. The functions that are
// wrapped here are renamed to sondeReal….
package poll

import (
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Package net sets these variables for other packages.
var (
	SondeVirtual atomic.Bool                            // there is a virtual network, or the service is recorded
	SondeReport  atomic.Pointer[func(fields ...string)] // reports an event, nil without a channel
)

// SondeWatch watches a socket. It does not prevent the garbage collection of the socket.
type SondeWatch struct {
	report func(written, read uint64)

	mu            sync.Mutex
	slot          *SondeSlot // nil if waits are reported by events
	written, read uint64
	waiting       *pollDesc     // nil unless the socket waits
	waitError     syscall.Errno // the error with which the wait ends
	deadline      time.Time     // the deadline that the service set
}

// SondeWatch watches a socket that is not in use yet. report is called when the socket is about to
// wait, and when data is written while it waits.
func (fd *FD) SondeWatch(report func(written, read uint64)) *SondeWatch {
	w := &SondeWatch{report: report}
	fd.pd.sonde = w
	return w
}

// EndWait ends the wait of a socket with an error. It has no effect on a socket that does not wait.
func (w *SondeWatch) EndWait(err syscall.Errno) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting != nil {
		w.waitError = err
		w.wake()
	}
}

// wake ends the wait by setting a deadline in the past.
func (w *SondeWatch) wake() { runtime_pollSetDeadline(w.waiting.runtimeCtx, -1, 'r') }

//sonde:field pollDesc sonde *SondeWatch

func (pd *pollDesc) waitRead(isFile bool) error {
	w := pd.sonde
	if w == nil {
		return pd.sondeRealWaitRead(isFile)
	}
	w.beginWait(pd)
	return w.endWait(pd.sondeRealWaitRead(isFile))
}

func (w *SondeWatch) beginWait(pd *pollDesc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = pd
	w.slot.beginWait(w.written, w.read)
	w.reportWait()
}

// reportWait reports that the socket waits. It does nothing if the socket does not wait, or if its slot shows the
// wait and no report is wanted. The caller must hold the mutex.
func (w *SondeWatch) reportWait() {
	if w.waiting != nil && w.slot.mustReport(w.written) {
		w.report(w.written, w.read)
	}
}

// endWait is called when a wait has returned err. If EndWait was called during the wait, endWait
// restores the deadline of the service. It returns the error of EndWait if EndWait ended the wait, and
// err otherwise.
func (w *SondeWatch) endWait(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	pd, waitError := w.waiting, w.waitError
	w.waiting, w.waitError = nil, 0
	w.slot.endWait()
	if waitError == 0 {
		return err
	}
	runtime_pollSetDeadline(pd.runtimeCtx, sondePollDeadline(w.deadline), 'r')
	if err == ErrDeadlineExceeded {
		return waitError
	}
	return err
}

// sondePollDeadline returns a deadline as the time from now in nanoseconds, which the poller needs. 0 means no
// deadline.
func sondePollDeadline(t time.Time) int64 {
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
	if w.waitError != 0 {
		w.wake()
	}
	return err
}
