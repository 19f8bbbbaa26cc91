package vnet

import (
	"io"
	"time"

	"sonde/model"
)

// pace says what is to be said: at once, or as slowly as the fault NetSlow has it. It ends early when the test does, or the service left.
func pace(w io.Writer, says []byte, d due, left <-chan struct{}) bool {
	if d.Fault != model.NetSlow {
		_, err := w.Write(says)
		return err == nil
	}
	size, every := len(says), time.Duration(0)
	if d.Rate > 0 {
		size, every = max(1, d.Rate/100), 10*time.Millisecond
		if d.Rate < 100 {
			every = time.Second / time.Duration(d.Rate)
		}
	}
	for len(says) > 0 {
		part := says[:min(size, len(says))]
		if _, err := w.Write(part); err != nil {
			return false
		}
		says = says[len(part):]
		if len(says) > 0 && !d.pause(every, left) {
			return false
		}
	}
	return true
}

// late is how long the answer is to wait.
func (d due) late() time.Duration {
	if d.Fault != model.NetSlow {
		return 0
	}
	return time.Duration(d.Latency) * time.Millisecond
}

// pause waits, at most mostLate, and reports whether the test still goes on.
func (d due) pause(long time.Duration, left <-chan struct{}) bool {
	if long == 0 {
		return true
	}
	timer := time.NewTimer(min(long, mostLate))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-d.test.over:
	case <-left:
	}
	return false
}

// mute says nothing until the service leaves, the test ends or it lasted too long, and
// notes how long that was.
func (n *Network) mute(d due, left <-chan struct{}) {
	n.mu.Lock()
	d.test.mute[d.contact] = time.Now()
	n.mu.Unlock()
	d.pause(mostMute, left)
	n.mu.Lock()
	defer n.mu.Unlock()
	d.test.speaks(d.contact)
}

// speaks notes how long the service has waited for a mute host.
func (t *test) speaks(contact int) {
	if began, is := t.mute[contact]; is {
		t.log.took(contact, int(time.Since(began).Milliseconds()))
		delete(t.mute, contact)
	}
}
