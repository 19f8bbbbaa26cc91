package vnet

import (
	"time"

	"sonde/model"
)

// silence is how long nothing may move until a wait of the service is taken for one
// in which nothing will come.
const silence = 20 * time.Millisecond

// shyness is how long a service may say nothing on a new connection until it is taken
// for one to which the host speaks first: clients of HTTP wait for an answer before
// they ask.
const shyness = 200 * time.Millisecond

// quiet is the clock of silence.
type quiet struct {
	last  time.Time
	found time.Time // the last when silence was found
	timer *time.Timer
	armed bool
}

// sure tells whether it was silent for long enough, and was when asked before: on a
// busy machine time passes in which nobody of us comes to move. The mutex is held.
func (q *quiet) sure() bool {
	if time.Since(q.last) < silence {
		return false
	}
	again := q.found.Equal(q.last)
	q.found = q.last
	return again
}

// moves says that something happened. The mutex is held.
func (n *Network) moves() { n.moved.last = time.Now() }

// arm starts the clock, if a call is in flight. The mutex is held.
func (n *Network) arm() {
	if !n.moved.armed && n.test.busy && !n.closed {
		n.moved.armed = true
		n.moved.timer = time.AfterFunc(max(silence-time.Since(n.moved.last), time.Millisecond), n.hush)
	}
}

// hush ends the waits in which nothing will come, once nothing moves any more.
func (n *Network) hush() {
	n.pump()
	n.drain()
	n.mu.Lock()
	n.moved.armed = false
	var ends []func()
	if n.test.busy && !n.closed && n.moved.sure() && !n.owing() && n.settled() {
		ends = append(n.starved(), n.broken()...)
	}
	if len(n.waits) > 0 || len(n.conns) > 0 {
		n.arm()
	}
	n.mu.Unlock()
	for _, end := range ends {
		end()
	}
}

// owing tells whether some answer is on its way.
func (n *Network) owing() bool {
	for _, c := range n.conns {
		if c.owed > 0 {
			return true
		}
	}
	return n.late > 0
}

// errors of waits to which nobody comes.
var lonely = map[string]string{"accept": "ECONNABORTED", "recv": "ECONNREFUSED"}

// starved are the waits for others to come that began in this test's calls.
func (n *Network) starved() []func() {
	var ends []func()
	for id, w := range n.waits {
		if c := n.channel; c != nil && n.sockets[id] == n.test {
			delete(n.waits, id)
			ends = append(ends, func() { c.starve(id, lonely[w.kind]) })
		}
	}
	return ends
}

// broken are the connections on which the service waits for what does not come.
func (n *Network) broken() []func() {
	var ends []func()
	for _, c := range n.conns {
		switch {
		case !c.still() || c.test != n.test || c.lasts && c.player.asked != n.test.call:
		case c.state == fresh && time.Since(c.since) >= shyness:
			ends = append(ends, c.interrupt)
		case c.state == speaking:
			n.unanswered(c)
			ends = append(ends, c.kill)
		}
	}
	return ends
}

// interrupt ends the reading of first bytes.
func (c *conn) interrupt() { _ = c.SetReadDeadline(time.Unix(1, 0)) }

// unanswered notes what was said and got no answer.
func (n *Network) unanswered(c *conn) {
	if p := c.player; p != nil && !p.told {
		p.reveals()
		m := c.contact(model.TCP)
		m.Said, m.Outcome = p.said, "nothing"
		n.test.note(m)
		p.told, p.said = true, nil
	}
}
