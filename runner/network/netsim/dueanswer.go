package netsim

import (
	"io"
	"time"

	"sonde/model"
)

// dueAnswer is an answer that a stub is about to give, with the contact that it belongs to.
type dueAnswer struct {
	model.Answer
	test    *testState
	contact int  // index of the contact in the test's log, or -1
	unasked bool // the host sends it without having received anything
}

// writePaced writes data. With the fault NetSlow it writes at the answer's rate, and returns
// false if the test ended or peerClosed is closed. It also returns false after an error.
func (d dueAnswer) writePaced(w io.Writer, data []byte, peerClosed <-chan struct{}) bool {
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
		if len(data) > 0 && !d.pause(every, peerClosed) {
			return false
		}
	}
	return true
}

// pace returns how many bytes of an answer are written at once, and the pause between two writes. all is the size of
// the answer.
func (d dueAnswer) pace(all int) (size int, every time.Duration) {
	switch {
	case d.Rate <= 0:
		return all, 0
	case d.Rate < 100:
		return 1, time.Second / time.Duration(d.Rate)
	}
	return d.Rate / 100, 10 * time.Millisecond
}

// delay returns how long a slow answer waits before its first byte.
func (d dueAnswer) delay() time.Duration {
	if d.Fault != model.NetSlow {
		return 0
	}
	return time.Duration(d.Latency) * time.Millisecond
}

// pause waits for a duration, but not longer than maxDelay. It returns false if the test ends
// or peerClosed is closed.
func (d dueAnswer) pause(long time.Duration, peerClosed <-chan struct{}) bool {
	if long == 0 {
		return true
	}
	timer := time.NewTimer(min(long, maxDelay))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-d.test.ended:
	case <-peerClosed:
	}
	return false
}

// stayMute waits until peerClosed is closed, the test ends, or maxMute is over. It records the
// duration in the contact.
func (n *Network) stayMute(d dueAnswer, peerClosed <-chan struct{}) {
	n.mu.Lock()
	d.test.mute[d.contact] = time.Now()
	n.mu.Unlock()
	d.pause(maxMute, peerClosed)
	n.mu.Lock()
	defer n.mu.Unlock()
	d.test.endMute(d.contact)
}
