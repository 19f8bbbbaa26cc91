package vnet

import (
	"context"
	"slices"
	"time"

	"sonde/model"
)

// mostShed bounds how long a service may take to notice that a connection ended.
const mostShed = 50 * time.Millisecond

// HangUp ends the talks over raw TCP of a test that is over. The service is brought back
// to its first state after that, so that what it makes of an end, such as a line that
// never ended, is none of the next test's.
func (n *Network) HangUp() {
	n.shed(func(c *conn) bool { return c.inward || c.proxied == nil && c.state == speaking && !c.startup })
}

// shed ends connections. It waits until the service has noticed, as it would otherwise
// speak on one that is gone.
func (n *Network) shed(drops func(*conn) bool) {
	n.mu.Lock()
	var all []*conn
	for _, c := range n.conns {
		if drops(c) {
			all = append(all, c)
		}
	}
	n.mu.Unlock()
	for _, c := range all {
		c.hangUp()
	}
	late, cancel := context.WithTimeout(context.Background(), mostShed)
	defer cancel()
	for _, c := range all {
		select {
		case <-c.done:
		case <-late.Done():
			c.kill()
		}
	}
}

// keeps reports whether a connection is one that a test may go on with. It may not with
// those of raw TCP, whose scripts begin with the connection, nor with those to hosts that
// it does not have, or cannot reach at first, or on which it would be asked twice: clients
// ask again by themselves where a connection breaks that they have used before. The mutex
// is held.
func (c *conn) keeps(t *test) bool {
	switch {
	case c.inward:
		return false
	case c.proxied != nil:
		return true // it is to no host
	case c.state == speaking:
		return c.startup && len(c.stubs(model.TCP)) > 0
	}
	d, stubs := t.dials[c.way], c.stubs(model.HTTP)
	if len(stubs) == 0 || d == nil || d.steps[0].fault != "" {
		return false
	}
	return !slices.ContainsFunc(stubs, func(i int) bool {
		first, _, _ := t.next(i)
		return first.Fault == model.NetReset || first.Fault == model.NetMute || first.Fault == model.NetWrongTLS
	})
}

// hangUp ends a connection so that the service notices if it waits on it.
func (c *conn) hangUp() {
	c.n.mu.Lock()
	c.look()
	waits := c.wait != nil || c.state == asking
	c.n.mu.Unlock()
	if waits {
		_ = c.CloseWrite()
	} else {
		c.kill()
	}
}
