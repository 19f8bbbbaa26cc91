package netsim

import (
	"time"

	"sonde/model"
)

const (
	// silence is the time without activity after which Sonde assumes that no host will end a wait of the service.
	silence = 20 * time.Millisecond

	// greetingDelay is how long a connection must be open without data until Sonde lets the host speak first. If the
	// host has no stubs of HTTP or a database, the time silence suffices. With such stubs it does not, because clients
	// such as those of HTTP begin to wait before they send. If the service does not report its waits, Sonde ends a wait
	// only after greetingDelay.
	greetingDelay = 200 * time.Millisecond

	maxSettle   = 50 * time.Millisecond // maximum time that settle waits for data
	settlePause = 50 * time.Microsecond // pause between two checks of settle
)

// silenceClock measures the time since the last activity. The zero value has seen no
// activity.
type silenceClock struct {
	last  time.Time // the last activity
	found time.Time // the value of last when isSilent last found silence
}

func (c *silenceClock) active(now time.Time) { c.last = now }

// isSilent reports whether there was silence both at this call and at the previous call,
// with no activity in between. One call is not enough: on a busy machine the time may have
// passed because no goroutine of Sonde could run.
func (c *silenceClock) isSilent(now time.Time) bool {
	if now.Sub(c.last) < silence {
		return false
	}
	again := c.found.Equal(c.last)
	c.found = c.last
	return again
}

// untilSilent returns how long to wait before the next call of isSilent, at least 1 ms.
func (c *silenceClock) untilSilent(now time.Time) time.Duration {
	return max(silence-now.Sub(c.last), time.Millisecond)
}

// quiescence detects when the service waits for its hosts while they wait for the service, and ends the waits of the
// service. The mutex of the network guards it.
type quiescence struct {
	n        *Network
	clock    silenceClock
	armed    bool // check is scheduled
	inFlight int  // datagrams that are being sent to the service
}

// active records activity. The caller must hold the mutex.
func (q *quiescence) active() { q.clock.active(time.Now()) }

// arm schedules check for the time at which the silence may be long enough. It does so only while a
// call is in flight, unless waits are inferred. The caller must hold the mutex.
func (q *quiescence) arm() {
	if !q.armed && (q.n.test.busy || q.n.process.infersWaits()) && !q.n.closed {
		q.armed = true
		time.AfterFunc(q.clock.untilSilent(time.Now()), q.check)
	}
}

// beginSend records that Sonde begins to send a datagram to the service. The caller must hold the mutex.
func (q *quiescence) beginSend() { q.inFlight++ }

// endSend records that the datagram after a beginSend was sent. The caller must not hold the mutex.
func (q *quiescence) endSend() {
	q.n.mu.Lock()
	defer q.n.mu.Unlock()
	q.inFlight--
	q.active()
}

// check ends the waits of the service that no host will end, and schedules itself again if there may be more such
// waits.
func (q *quiescence) check() {
	n := q.n
	n.pump()
	q.receiveDatagrams()
	q.findListeners()
	n.mu.Lock()
	q.armed = false
	n.conns.inspect()
	ends := q.dueEnds()
	if len(n.listeners.waits) > 0 || len(n.conns.open) > 0 || q.mayOpenPort() {
		q.arm()
	}
	n.mu.Unlock()
	for _, end := range ends {
		end()
	}
}

// dueEnds returns functions that end the waits of the service that no host will end. It returns nil if there is
// activity or no call is in flight. The caller must hold the mutex.
func (q *quiescence) dueEnds() []func() {
	n := q.n
	silent := !n.closed && q.clock.isSilent(time.Now()) && !q.owesAnswer() && q.isSettled()
	if silent && n.process.infersWaits() {
		q.inferWaits()
		silent = time.Since(q.clock.last) >= greetingDelay
	}
	if !silent || !n.test.busy {
		return nil
	}
	return append(n.process.waitEnds(n.test), q.breakWaiting()...)
}

// inferWaits records a wait on each connection on which all data is handled and no answer is being
// written, unless the service has closed its end and no data is left to answer. It is called when
// there is silence. The caller must hold the mutex.
func (q *quiescence) inferWaits() {
	for _, c := range q.n.conns.open {
		leaves := c.peerClosed && (c.player == nil || len(c.player.received) == 0)
		if c.wait == nil && c.unfinished == 0 && c.processed == c.received && !leaves {
			c.reportWait(&wait{written: c.received, read: c.sent})
		}
	}
}

// mayOpenPort reports whether Sonde must look for new ports of a service that does not report them:
// while a call is in flight, or a host wants to call the service. The caller must hold the mutex.
func (q *quiescence) mayOpenPort() bool {
	return q.n.process.infersWaits() && (q.n.test.busy || q.n.test.hasInward())
}

// findListeners looks for new ports if mayOpenPort is true.
func (q *quiescence) findListeners() {
	q.n.mu.Lock()
	p, wanted := q.n.process, q.mayOpenPort()
	q.n.mu.Unlock()
	if wanted {
		p.findListeners()
	}
}

// owesAnswer reports whether a host is sending an answer or a datagram. The caller must hold the
// mutex.
func (q *quiescence) owesAnswer() bool { return q.inFlight > 0 || q.n.conns.isAnswering() }

// breakWaiting returns functions that reset the raw TCP connections on which no host will end the wait of the service.
// On a fresh connection it lets the host speak first after greetingDelay. The caller must hold the mutex.
func (q *quiescence) breakWaiting() []func() {
	n := q.n
	var ends []func()
	for _, c := range n.conns.open {
		switch {
		case !c.isQuiet() || c.test != n.test || c.isIdle() || c.persistent && c.player.lastCall != n.test.call:
		case c.state == connFresh && c.handshaking && n.process.infersWaits(): // the service computes keys
		case c.state == connFresh && time.Since(c.since) >= greetingDelay:
			c.interrupt()
		case c.state == connTCP:
			n.test.noteUnanswered(c)
			ends = append(ends, c.kill)
		}
	}
	return ends
}

// settle waits until the events and data that the service has sent so far are handled. It
// waits for the data at most maxSettle.
func (q *quiescence) settle() {
	q.n.current().sync()
	for began := time.Now(); time.Since(began) < maxSettle; time.Sleep(settlePause) {
		q.receiveDatagrams()
		q.n.mu.Lock()
		done := q.isSettled()
		q.n.mu.Unlock()
		if done {
			return
		}
	}
}

// receiveDatagrams handles the datagrams that have arrived at the sockets of the hosts.
func (q *quiescence) receiveDatagrams() {
	q.n.mu.Lock()
	sockets := q.n.sockets.datagramSockets()
	q.n.mu.Unlock()
	for _, h := range sockets {
		h.receivePending()
	}
}

// isSettled reports whether all data that has arrived is read and handled. The caller must hold the
// mutex.
func (q *quiescence) isSettled() bool {
	return q.n.conns.allProcessed() && !unreadData(q.n.sockets, q.n.conns)
}

// noteUnanswered notes the data that the service sent on a raw TCP connection and that no stub
// answered. The caller must hold the mutex.
func (t *testState) noteUnanswered(c *conn) {
	if p := c.player; p != nil && !p.noted {
		p.detectHTTP()
		m := c.contact(model.TCP)
		m.Data, m.Outcome = p.received, "nothing"
		t.note(m)
		p.noted, p.received = true, nil
	}
}
