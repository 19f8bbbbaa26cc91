package netsim

import (
	"time"

	"sonde/model"
)

const (
	// silence is how long nothing may happen until a wait of the service is taken for one in
	// which nothing will come.
	silence = 20 * time.Millisecond

	// greetingDelay is how long a service may send nothing on a new connection until the
	// host is taken to speak first: clients of HTTP wait for an answer before they ask. A
	// service whose waits are inferred must be silent as long until nothing is taken to come.
	greetingDelay = 200 * time.Millisecond

	maxSettle   = 50 * time.Millisecond
	settlePause = 50 * time.Microsecond
)

// silenceClock measures how long nothing happened. The zero value has seen no activity.
type silenceClock struct {
	last  time.Time // of activity
	found time.Time // the last activity when isSilent was asked before
}

func (c *silenceClock) active(now time.Time) { c.last = now }

// isSilent reports whether nothing happened for long enough, now and when it was asked
// before: on a busy machine time passes in which nothing of ours gets to run.
func (c *silenceClock) isSilent(now time.Time) bool {
	if now.Sub(c.last) < silence {
		return false
	}
	again := c.found.Equal(c.last)
	c.found = c.last
	return again
}

// untilSilent is how long silence takes, if nothing happens.
func (c *silenceClock) untilSilent(now time.Time) time.Duration {
	return max(silence-now.Sub(c.last), time.Millisecond)
}

// quiescence finds out when the service and its hosts wait for each other, and ends the
// waits in which nothing will come. The mutex of the network guards it.
type quiescence struct {
	n        *Network
	clock    silenceClock
	armed    bool // a check is due
	inFlight int  // datagrams that are on their way to the service
}

// active records that something happened. The mutex is held.
func (q *quiescence) active() { q.clock.active(time.Now()) }

// arm has check called after some silence, if a call is in flight, or always if waits are
// inferred. The mutex is held.
func (q *quiescence) arm() {
	if !q.armed && (q.n.test.busy || q.n.process.infersWaits()) && !q.n.closed {
		q.armed = true
		time.AfterFunc(q.clock.untilSilent(time.Now()), q.check)
	}
}

// beginSend records that a datagram is on its way to the service. The mutex is held.
func (q *quiescence) beginSend() { q.inFlight++ }

// endSend records that a datagram was sent. The mutex is not held.
func (q *quiescence) endSend() {
	q.n.mu.Lock()
	defer q.n.mu.Unlock()
	q.inFlight--
	q.active()
}

// check ends the waits in which nothing will come, if nothing happens any more.
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

// dueEnds returns what ends the waits in which nothing will come, if it is silent. The mutex
// is held.
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
	return append(n.process.starve(n.test), q.breakWaiting()...)
}

// inferWaits takes silence for waiting: where the service sent nothing for a while, and
// nothing is on its way to it. The mutex is held.
func (q *quiescence) inferWaits() {
	for _, c := range q.n.conns.open {
		leaves := c.peerClosed && (c.player == nil || len(c.player.received) == 0)
		if c.wait == nil && c.owed == 0 && c.processed == c.received && !leaves {
			c.reportWait(&wait{written: c.received, read: c.sent})
		}
	}
}

// mayOpenPort reports whether the service, which reports no ports, may open one that
// matters: in the call in flight, or because a host wants to call it. The mutex is held.
func (q *quiescence) mayOpenPort() bool {
	return q.n.process.infersWaits() && (q.n.test.busy || q.n.test.hasInward())
}

// findListeners looks for such ports.
func (q *quiescence) findListeners() {
	q.n.mu.Lock()
	p, wanted := q.n.process, q.mayOpenPort()
	q.n.mu.Unlock()
	if wanted {
		p.findListeners()
	}
}

// owesAnswer reports whether an answer is on its way. The mutex is held.
func (q *quiescence) owesAnswer() bool { return q.inFlight > 0 || q.n.conns.owesAnswer() }

// breakWaiting returns what breaks the connections on which the service waits for what does
// not come. The mutex is held.
func (q *quiescence) breakWaiting() []func() {
	n := q.n
	var ends []func()
	for _, c := range n.conns.open {
		switch {
		case !c.isQuiet() || c.test != n.test || c.persistent && c.player.lastCall != n.test.call:
		case c.state == connFresh && c.handshaking && n.process.infersWaits(): // it computes
		case c.state == connFresh && time.Since(c.since) >= greetingDelay:
			c.interrupt()
		case c.state == connTCP:
			n.test.noteUnanswered(c)
			ends = append(ends, c.kill)
		}
	}
	return ends
}

// settle waits until everything that the service did so far is known: what it reports, and
// what it sent.
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

// receiveDatagrams takes the datagrams that have come.
func (q *quiescence) receiveDatagrams() {
	q.n.mu.Lock()
	sockets := q.n.sockets.datagramSockets()
	q.n.mu.Unlock()
	for _, h := range sockets {
		h.receivePending()
	}
}

// isSettled reports whether everything that has come was read, and dealt with. The mutex is
// held.
func (q *quiescence) isSettled() bool {
	return q.n.conns.allProcessed() && !unreadData(q.n.sockets, q.n.conns)
}

// noteUnanswered notes what the service sent on a connection and got no answer to. The mutex
// is held.
func (t *test) noteUnanswered(c *conn) {
	if p := c.player; p != nil && !p.noted {
		p.detectHTTP()
		m := c.contact(model.TCP)
		m.Data, m.Outcome = p.received, "nothing"
		t.note(m)
		p.noted, p.received = true, nil
	}
}
