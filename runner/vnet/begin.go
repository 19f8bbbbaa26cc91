package vnet

import (
	"slices"

	"sonde/model"
)

// Begin says that a test begins: with its stubs, whose scripts start. It returns once
// they hold; nobody speaks to the service before Speak. A service that never spoke
// with its network is an error; one that has ended is none, as its calls will tell.
func (n *Network) Begin(stubs []model.Stub) error {
	if err := check(stubs); err != nil {
		return err
	}
	t := newTest(append(slices.Clip(stubs), n.options.Stubs...))
	if err := n.serve(t); err != nil {
		return err
	}
	before := n.swap(t)
	before.finish()
	if err := n.push(t); err != nil {
		return err
	}
	n.shed(func(c *conn) bool { return !c.keeps(t) })
	return nil
}

// Speak lets the hosts speak that speak first, before the first call of a test that has
// begun.
func (n *Network) Speak() { n.speak(n.test) }

// swap lets a test be the one that goes on.
func (n *Network) swap(t *test) (before *test) {
	n.pump()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.look() // what it waits for by now is the test's before
	before, n.test = n.test, t
	clear(n.unheard)
	for _, l := range n.listens {
		l.caller, l.mark = nil, 0
	}
	if n.startup == nil {
		n.startup = append([]model.Contact{}, before.log.contacts...)
	}
	before.log.ended = true
	return before
}

// push gives the service the table of a test, if it has another.
func (n *Network) push(t *test) error {
	n.mu.Lock()
	c := n.channel
	if c == nil {
		n.mu.Unlock()
		return nil // the next process begins with it
	}
	text := n.written(t)
	same := text == n.table && !t.counts()
	n.table = text
	n.mu.Unlock()
	if same {
		return nil
	}
	if err := n.save(text); err != nil {
		return err
	}
	if err := c.set(text); !n.knows(c) {
		return err
	}
	return nil
}

// knows reports whether the service ever said something on a channel.
func (n *Network) knows(c *channel) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.channel == c && n.met
}

// counts reports whether the service counts something in the test's table, which
// needs to start over.
func (t *test) counts() bool {
	for _, d := range t.dials {
		if !d.single() {
			return true
		}
	}
	return slices.ContainsFunc(t.stubs, func(s model.Stub) bool { return s.Protocol == model.DNS && len(s.Answers) > 1 })
}

// Calling says that a call of the test is sent: number call, from 0. What the service
// did until then belongs to the call before.
func (n *Network) Calling(call int) {
	if call > 0 {
		n.settle()
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.test.call, n.test.busy = call, true
	n.moves()
	if n.expects() || n.seats != nil && len(n.conns) > 0 {
		n.arm()
	}
}

// Idle says that the call is answered.
func (n *Network) Idle() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.test.busy = false
}

// End says that the test is over, and returns what the service did since it began, in
// order. What it does from now on belongs to no test.
func (n *Network) End() []model.Contact {
	n.settle()
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.conns {
		n.unanswered(c)
	}
	for contact := range n.test.mute {
		n.test.speaks(contact)
	}
	n.test.log.ended, n.test.busy = true, false
	n.test.finish()
	return n.test.log.contacts
}

// SoFar returns what the service did since the test began, as far as that is known; nothing
// once the test is over. It may be called by anybody.
func (n *Network) SoFar() []model.Contact {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.test.log.ended {
		return nil
	}
	return slices.Clone(n.test.log.contacts)
}

// Startup returns what the service did before the first test began.
func (n *Network) Startup() []model.Contact {
	n.pump()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.startup == nil {
		return slices.Clone(n.test.log.contacts)
	}
	return n.startup
}

// sync waits until all that the service has told is taken.
func (n *Network) sync() {
	n.mu.Lock()
	c, s := n.channel, n.space
	n.mu.Unlock()
	if c != nil {
		_ = c.sync() // a service that is gone does nothing any more
	}
	if s != nil {
		s.sync()
	}
}

// pump takes what the service has told so far. The mutex is not held.
func (n *Network) pump() {
	n.mu.Lock()
	c := n.channel
	n.mu.Unlock()
	if c != nil {
		c.pump()
	}
}
