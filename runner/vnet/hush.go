package vnet

import (
	"slices"
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

// A namespace tells of no wait. There silence is taken for one, and shyness is also how
// long it must last until nothing is taken to come.

// quiet is the clock of silence.
type quiet struct {
	last  time.Time
	found time.Time // the last when silence was found
	timer *time.Timer
	armed bool
}

// sure reports whether it was silent for long enough, and was when asked before: on a
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

// arm starts the clock, if a call is in flight; in a namespace always. The mutex is
// held.
func (n *Network) arm() {
	if !n.moved.armed && (n.test.busy || n.space != nil) && !n.closed {
		n.moved.armed = true
		n.moved.timer = time.AfterFunc(max(silence-time.Since(n.moved.last), time.Millisecond), n.hush)
	}
}

// hush ends the waits in which nothing will come, once nothing moves any more.
func (n *Network) hush() {
	n.pump()
	n.drain()
	n.expected()
	n.mu.Lock()
	n.moved.armed = false
	var ends []func()
	n.look()
	still := !n.closed && n.moved.sure() && !n.owing() && n.settled()
	if still && n.space != nil {
		n.presume()
		still = time.Since(n.moved.last) >= shyness
	}
	if still && n.test.busy {
		ends = append(n.starved(), n.broken()...)
	}
	if len(n.waits) > 0 || len(n.conns) > 0 || len(n.unheard) > 0 || n.expects() {
		n.arm()
	}
	n.mu.Unlock()
	for _, end := range ends {
		end()
	}
}

// expects reports whether in a namespace a port may be opened that matters: by the call in
// flight, or because somebody wants to speak to it. The mutex is held.
func (n *Network) expects() bool {
	return n.space != nil && (n.test.busy || slices.ContainsFunc(n.test.stubs, func(s model.Stub) bool { return s.Inward }))
}

// expected looks for such ports.
func (n *Network) expected() {
	n.mu.Lock()
	s, wanted := n.space, n.expects()
	n.mu.Unlock()
	if wanted {
		s.look()
	}
}

// owing reports whether some answer is on its way.
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
	return append(ends, n.abandoned()...)
}

// abandoned are, in a namespace, the same waits, as far as they can be guessed: of who
// sent a datagram, and at ports that were opened in this test's calls, to which somebody
// comes and leaves at once.
func (n *Network) abandoned() (ends []func()) {
	s := n.space
	if s == nil {
		return nil
	}
	for from, to := range n.unheard {
		ends = append(ends, func() { _ = s.Refuse(from, to) })
	}
	clear(n.unheard)
	for id, l := range n.listens {
		if l.network == "tcp" && n.sockets[id] == n.test && l.caller == nil && !l.visited {
			l.visited = true
			ends = append(ends, func() { s.visit(l) })
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
		case c.state == fresh && c.shakes && n.space != nil: // it is at work
		case c.state == fresh && time.Since(c.since) >= shyness:
			c.interrupt()
		case c.state == speaking:
			n.unanswered(c)
			ends = append(ends, c.kill)
		}
	}
	return ends
}

// interrupt ends the reading of first bytes. The mutex is held.
func (c *conn) interrupt() { _ = c.SetReadDeadline(time.Unix(1, 0)) }

// becomes says how far the connection is. Who was about to interrupt it comes too late, or
// has done so in vain. The mutex is held.
func (c *conn) becomes(s state) {
	c.state = s
	_ = c.SetReadDeadline(time.Time{})
}

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
