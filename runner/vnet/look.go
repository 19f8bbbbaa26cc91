package vnet

import (
	"time"

	"sonde/model"
)

// A service with a network built in shows where it waits, so that whoever needs to know
// looks there, and tells only those waits that somebody needs to know at once. On a
// connection that has no seat to show it tells each.

// seated lets a connection be one that shows its waits, if it does. It looks for those
// for which a host speaks first. The mutex is held.
func (c *conn) seated() {
	if c.inward || c.n.seats == nil {
		return
	}
	c.seats = c.n.seats
	c.seats.want(c, false)
	if c.state == fresh && len(c.stubs(model.HTTP)) == 0 {
		time.AfterFunc(silence, c.shy)
	}
}

// shy lets the host speak first to a service that waits for that, or has it tell when
// it does.
func (c *conn) shy() {
	c.n.mu.Lock()
	c.look()
	if c.wait == nil && c.state == fresh && c.taken == 0 {
		c.need(true)
	}
	w := c.wait
	c.n.mu.Unlock()
	c.greet(w)
}

// look looks whether the service waits on its connections. The mutex is held.
func (n *Network) look() {
	for _, c := range n.conns {
		if c.state != asking {
			c.look()
		}
	}
}

// look looks whether the service waits. The mutex is held.
func (c *conn) look() {
	if c.sees() {
		c.tell()
	}
}

// sees takes in that the service waits, if nobody saw that before. The mutex is held.
func (c *conn) sees() (anew bool) {
	w, turns := c.seats.wait(c)
	if w == nil || turns == c.turns && w.written == c.shown {
		return false
	}
	c.turns, c.shown = turns, w.written
	c.waits(w)
	c.n.arm()
	return true
}

// need has the service tell as soon as it waits, unless it says more before: then
// somebody looks anyway. The mutex is held.
func (c *conn) need(it bool) {
	c.seats.want(c, it)
	if it {
		c.look()
	}
}

// hears takes in that the service tells of a wait. Where it shows it that counts: much
// may have happened since. The mutex is held.
func (c *conn) hears(w *wait) {
	if c.seats.shows(c) {
		c.look()
		return
	}
	c.waits(w)
	c.tell()
}

// waits takes in that the service waits. Where it has said nothing, to a host that
// does not speak HTTP, it is for the host to speak first, unless the service says
// something soon: a client of HTTP reads before it has written. The mutex is held.
func (c *conn) waits(w *wait) {
	c.wait, c.news = w, true
	if c.state == fresh && w.written == 0 && len(c.stubs(model.HTTP)) == 0 {
		time.AfterFunc(silence, func() { c.greet(w) })
	}
}

// greet lets the host speak first, if the service still waits for that.
func (c *conn) greet(w *wait) {
	c.n.mu.Lock()
	defer c.n.mu.Unlock()
	if w != nil && c.wait == w && c.state == fresh && c.taken == 0 {
		c.interrupt()
	}
}
