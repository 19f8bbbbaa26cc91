package netsim

import (
	"io"
	"time"

	"sonde/model"
)

// dueAnswer is an answer of a stub that is to be given, and the contact that it belongs to.
type dueAnswer struct {
	model.Answer
	test    *test
	contact int  // its index in the test's log, or -1
	unasked bool // the host speaks first
}

// writePaced writes data, as slowly as the fault NetSlow demands. It returns false if the
// test ended, or the service left.
func (d dueAnswer) writePaced(w io.Writer, data []byte, left <-chan struct{}) bool {
	if d.Fault != model.NetSlow {
		_, err := w.Write(data)
		return err == nil
	}
	size, every := d.pace(len(data))
	for len(data) > 0 {
		part := data[:min(size, len(data))]
		if _, err := w.Write(part); err != nil {
			return false
		}
		data = data[len(part):]
		if len(data) > 0 && !d.pause(every, left) {
			return false
		}
	}
	return true
}

// pace returns how many bytes are written at once, and the pause between them.
func (d dueAnswer) pace(all int) (size int, every time.Duration) {
	switch {
	case d.Rate <= 0:
		return all, 0
	case d.Rate < 100:
		return 1, time.Second / time.Duration(d.Rate)
	}
	return d.Rate / 100, 10 * time.Millisecond
}

// delay is how long the answer waits.
func (d dueAnswer) delay() time.Duration {
	if d.Fault != model.NetSlow {
		return 0
	}
	return time.Duration(d.Latency) * time.Millisecond
}

// pause waits, at most for maxDelay, and reports whether the test still runs.
func (d dueAnswer) pause(long time.Duration, left <-chan struct{}) bool {
	if long == 0 {
		return true
	}
	timer := time.NewTimer(min(long, maxDelay))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-d.test.over:
	case <-left:
	}
	return false
}

// stayMute says nothing until the service leaves, the test ends, or maxMute is over, and
// notes how long that was.
func (n *Network) stayMute(d dueAnswer, left <-chan struct{}) {
	n.mu.Lock()
	d.test.mute[d.contact] = time.Now()
	n.mu.Unlock()
	d.pause(maxMute, left)
	n.mu.Lock()
	defer n.mu.Unlock()
	d.test.endMute(d.contact)
}
