package vnet

import (
	"io"
	"time"

	"sonde/model"
)

const (
	mostAnswers = 1000                  // on one connection in one test
	mostSaid    = 1 << 20               // that is looked at, between two answers
	mostMute    = 5 * time.Second       // that a service waits for a mute host: longer than those who set a time-out for themselves do mostly
	mostLate    = 10 * time.Second      // that an answer may take
	mostHalf    = 50 * time.Millisecond // between the end of what a service says and its wait
)

// player gives the answers of raw TCP on a connection. The mutex of the network
// guards it.
type player struct {
	c        *conn
	s        *stream
	test     *test
	given    map[int]int // of each stub's script
	total    int
	said     []byte    // since the last answer
	told     bool      // what was said stands in the log
	gone     time.Time // since when the service says no more
	broke    bool
	revealed bool          // that HTTP is spoken
	greets   bool          // the next answer is given unasked
	left     chan struct{} // closed when the service says no more
	port     *listening    // to which the host called, nil where the service did
	rested   bool          // it has said all it could at once
	asked    int           // the call in which the service said something last
}

// play lets stubs answer on a connection until it ends.
func (c *conn) play(s *stream) {
	p := newPlayer()
	c.change(func() {
		c.becomes(speaking)
		c.player, p.c, p.s = p, c, s
		p.begin(c.n.test)
	})
	p.run()
}

func newPlayer() *player {
	return &player{left: make(chan struct{}), asked: -1}
}

// run gives answers until the connection ends.
func (p *player) run() {
	go p.listen()
	for p.act() {
		<-p.c.turn
	}
	p.c.change(p.rest)
}

// rest says that nothing is to be said for now: others may speak to the port. The
// mutex is held.
func (p *player) rest() {
	if p.rested || p.port == nil {
		return
	}
	p.rested = true
	p.c.n.invite(p.port)
	p.c.n.hear()
}

// begin starts the scripts of a test.
func (p *player) begin(t *test) {
	p.test, p.given, p.total, p.said, p.told = t, map[int]int{}, 0, nil, true
	p.c.test = t
}

// listen takes what the service says.
func (p *player) listen() {
	part := make([]byte, 32<<10)
	for {
		n, err := p.s.Read(part)
		p.c.n.pump()
		p.c.change(func() { p.hear(part[:n]) })
		if err != nil {
			p.c.change(func() { p.gone, p.broke = time.Now(), err != io.EOF })
			time.AfterFunc(mostHalf, p.c.tell)
			close(p.left)
			return
		}
	}
}

func (p *player) hear(part []byte) {
	if len(part) > 0 {
		p.told, p.asked = false, p.test.call
		p.said = append(p.said, part[:min(len(part), mostSaid-len(p.said))]...)
	}
}

// leaves reports whether the service has closed the connection, and not only its half
// of it: then it would soon wait for an answer.
func (p *player) leaves() bool {
	return p.broke || !p.gone.IsZero() && p.c.wait == nil && time.Since(p.gone) >= mostHalf
}

// act gives the answer that is due, if there is one, and reports whether the connection
// goes on.
func (p *player) act() bool {
	p.c.n.mu.Lock()
	d, due, end := p.next()
	p.c.n.mu.Unlock()
	switch {
	case due:
		return p.give(d)
	case end:
		p.c.kill()
	}
	return !end
}

// next finds the answer that is due, or that the connection ends. One of an earlier
// test says nothing more, but for those of the service's start.
func (p *player) next() (d due, due, end bool) {
	p.c.sees()
	p.c.news = false
	if t := p.c.n.test; t != p.test && p.c.startup {
		p.begin(t)
	} else if t != p.test {
		return d, false, p.leaves()
	}
	d, due = p.due()
	if due {
		return d, true, false
	}
	if p.c.still() {
		p.rest()
	}
	end = p.ended()
	if end {
		p.c.n.unanswered(p.c)
	} else {
		p.c.need(p.needs())
	}
	return d, false, end
}

// give gives an answer and reports whether the connection goes on.
func (p *player) give(d due) bool {
	if d.Fault == model.NetSlow || d.Fault == model.NetMute {
		p.c.change(p.rest) // nobody waits for that
	}
	goes := p.perform(d)
	p.c.change(func() { p.c.owed-- })
	if !goes {
		p.part(d)
	}
	return goes
}

// part closes the connection. A host that spoke first waits until the service has
// noticed, so that what comes of it is there when the test goes on.
func (p *player) part(d due) {
	if p.port != nil && d.Close {
		_ = p.c.CloseWrite()
		d.pause(mostHalf, p.left)
	}
	_ = p.s.Close()
}

// perform says what is to be said, and reports whether the connection goes on.
func (p *player) perform(d due) bool {
	says := d.Said()
	switch d.Fault {
	case "", model.NetSlow:
		if d.unasked && len(says) == 0 { // else silence would be the answer to a wait, which may have begun already
			return d.pause(d.late(), p.left) && !d.Close
		}
		return d.pause(d.late(), p.left) && pace(p.s, says, d, p.left) && !d.Close
	case model.NetCut:
		_, _ = p.s.Write(says[:min(len(says), d.After)])
		return false
	case model.NetMute:
		p.c.n.mute(d, p.left)
	}
	_ = p.c.SetLinger(0)
	return false
}
