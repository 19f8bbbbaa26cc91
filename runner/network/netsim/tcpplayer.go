package netsim

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"

	"sonde/model"
)

const (
	maxAnswers  = 1000                  // on one connection in one test
	maxReceived = 1 << 20               // bytes that are matched, between two answers
	maxMute     = 5 * time.Second       // that a service waits for a mute host: longer than most time-outs
	maxDelay    = 10 * time.Second      // that an answer may take
	halfClosed  = 50 * time.Millisecond // between the end of what a service sends and its wait
)

// tcpPlayer gives the answers of raw TCP on a connection. The mutex of the network guards it.
type tcpPlayer struct {
	c        *conn
	s        *stream
	test     *test
	given    map[int]int // answers of each stub's script
	total    int
	received []byte        // since the last answer
	noted    bool          // what was received is in the log
	ended    time.Time     // since when the service sends no more; zero while it may
	broken   bool          // the service broke the connection
	sawHTTP  bool          // HTTP was detected
	greets   bool          // the next answer is given unasked
	left     chan struct{} // closed when the service sends no more
	port     *listener     // which the host called, nil if the service called
	rested   bool          // the host has sent all that it could without waiting
	lastCall int           // in which the service last sent something
}

func newTCPPlayer(c *conn, s *stream) *tcpPlayer {
	return &tcpPlayer{c: c, s: s, left: make(chan struct{}), lastCall: -1}
}

// playTCP lets stubs answer on a connection until it ends.
func (c *conn) playTCP(s *stream) {
	p := newTCPPlayer(c, s)
	c.change(func() {
		c.setState(connTCP)
		c.player = p
		p.begin(c.n.test)
	})
	p.run()
}

// run gives answers until the connection ends.
func (p *tcpPlayer) run() {
	go p.readAll()
	for p.step() {
		<-p.c.changed
	}
	p.c.change(p.rest)
}

// rest records that nothing is to be sent for now: other hosts may call the port. The mutex
// is held.
func (p *tcpPlayer) rest() {
	if p.rested || p.port == nil {
		return
	}
	p.rested = true
	p.c.n.inward.invite(p.port)
	p.c.n.inward.progressed()
}

// begin starts the scripts of a test.
func (p *tcpPlayer) begin(t *test) {
	p.test, p.given, p.total, p.received, p.noted = t, map[int]int{}, 0, nil, true
	p.c.test = t
}

// readAll takes what the service sends.
func (p *tcpPlayer) readAll() {
	part := make([]byte, 32<<10)
	for {
		n, err := p.s.Read(part)
		p.c.n.pump()
		p.c.change(func() { p.receive(part[:n]) })
		if err != nil {
			p.c.change(func() { p.ended, p.broken = time.Now(), !errors.Is(err, io.EOF) })
			time.AfterFunc(halfClosed, p.c.wake)
			close(p.left)
			return
		}
	}
}

func (p *tcpPlayer) receive(part []byte) {
	if len(part) > 0 {
		p.noted, p.lastCall = false, p.test.call
		p.received = append(p.received, part[:min(len(part), maxReceived-len(p.received))]...)
	}
}

// serviceLeft reports whether the service has closed the connection, and not only its half
// of it: then it would soon wait for an answer.
func (p *tcpPlayer) serviceLeft() bool {
	return p.broken || !p.ended.IsZero() && p.c.wait == nil && time.Since(p.ended) >= halfClosed
}

// step gives the answer that is due, if there is one, and reports whether the connection
// stays open.
func (p *tcpPlayer) step() bool {
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

// next finds the answer that is due, or that the connection ends. A connection of an earlier
// test gets no more answers, unless it is of the service's start. The mutex is held.
func (p *tcpPlayer) next() (d dueAnswer, due, end bool) {
	p.c.inspectQuietly()
	p.c.dirty = false
	if t := p.c.n.test; t != p.test && p.c.duringStartup {
		p.begin(t)
	} else if t != p.test {
		return d, false, p.serviceLeft()
	}
	d, due = p.takeDue()
	if due {
		return d, true, false
	}
	if p.c.isQuiet() {
		p.rest()
	}
	end = p.isOver()
	if end {
		p.c.n.test.noteUnanswered(p.c)
	} else {
		p.c.wantReport(p.actsOnWait())
	}
	return d, false, end
}

// takeDue takes the answer of the first stub that is to answer now. The mutex is held.
func (p *tcpPlayer) takeDue() (dueAnswer, bool) {
	for _, i := range p.c.stubs(model.TCP) {
		s := p.c.n.test.stubs[i]
		a, index, ok := ScriptedAnswer(s, p.given[i])
		if !ok || p.total >= maxAnswers || !p.triggers(s) {
			continue
		}
		p.given[i]++
		p.total++
		p.c.owed++
		unasked := p.greets
		return dueAnswer{Answer: a, test: p.test, contact: p.note(i, index, a), unasked: unasked}, true
	}
	return dueAnswer{}, false
}

// triggers reports whether a stub answers what was received, or the service's silence.
func (p *tcpPlayer) triggers(s model.Stub) bool {
	switch {
	case !matchesNth(s.Match, p.c.nth):
		return false
	case matchesData(s.Match):
		return len(p.received) > 0 && MatchesBytes(s.Match, p.received, p.c.nth)
	}
	return p.greets || p.c.isQuiet()
}

// note notes that what was received gets an answer, and returns the index of the contact.
func (p *tcpPlayer) note(stub, index int, a model.Answer) int {
	if !matchesData(p.test.stubs[stub].Match) {
		p.detectHTTP()
	}
	m := p.c.contact(model.TCP)
	m.Data, m.Stub, m.Answer, m.Outcome = p.received, stub, index, a.Label(model.TCP)
	p.received, p.noted, p.greets = nil, true, false
	return p.test.note(m)
}

// isOver reports whether the connection is to end: the service asked and no stub answers, it
// left, or it had as many answers as one connection gives. The mutex is held.
func (p *tcpPlayer) isOver() bool {
	return p.serviceLeft() || p.total >= maxAnswers ||
		p.c.isQuiet() && len(p.received) > 0 && !p.hasMore(true) && !p.c.persistent
}

// actsOnWait reports whether something is done as soon as the service waits, which it does
// not yet. The mutex is held.
func (p *tcpPlayer) actsOnWait() bool {
	return !p.c.isQuiet() && (p.hasMore(false) || len(p.received) > 0 && !p.hasMore(true))
}

// hasMore reports whether some script has another answer: to what the service sends, or to
// its waiting. The mutex is held.
func (p *tcpPlayer) hasMore(onData bool) bool {
	for _, i := range p.c.stubs(model.TCP) {
		s := p.c.n.test.stubs[i]
		_, _, ok := ScriptedAnswer(s, p.given[i])
		if ok && matchesData(s.Match) == onData && matchesNth(s.Match, p.c.nth) {
			return true
		}
	}
	return false
}

// give gives an answer, and reports whether the connection stays open.
func (p *tcpPlayer) give(d dueAnswer) bool {
	if d.Fault == model.NetSlow || d.Fault == model.NetMute {
		p.c.change(p.rest) // other hosts don't wait for it
	}
	open := p.perform(d)
	p.c.change(func() { p.c.owed-- })
	if !open {
		p.closeAfter(d)
	}
	return open
}

// closeAfter closes the connection. A host that called the service waits until the service
// has noticed, so that what follows is done when the test continues.
func (p *tcpPlayer) closeAfter(d dueAnswer) {
	if p.port != nil && d.Close {
		_ = p.c.CloseWrite()
		d.pause(halfClosed, p.left)
	}
	_ = p.s.Close()
}

// perform sends an answer, and reports whether the connection stays open.
func (p *tcpPlayer) perform(d dueAnswer) bool {
	data := d.Content()
	switch d.Fault {
	case "", model.NetSlow:
		if !d.pause(d.delay(), p.left) {
			return false
		}
		if d.unasked && len(data) == 0 {
			return !d.Close // an empty write would end a wait that may have begun already
		}
		return d.writePaced(p.s, data, p.left) && !d.Close
	case model.NetCut:
		_, _ = p.s.Write(data[:min(len(data), d.After)])
		return false
	case model.NetMute:
		p.c.n.stayMute(d, p.left)
	}
	_ = p.c.SetLinger(0)
	return false
}

// detectHTTP notes that HTTP is spoken to a host that has only stubs of raw TCP: what was
// received first is a request. The connection continues as raw TCP. The mutex is held.
func (p *tcpPlayer) detectHTTP() {
	if p.sawHTTP || p.c.inward || len(p.c.stubs(model.HTTP)) > 0 || isHTTP(p.received) != yes {
		return
	}
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(p.received)))
	if err != nil {
		return
	}
	p.sawHTTP = true
	m := p.c.contact(model.HTTP)
	m.Request, m.Outcome = excerptOf(readRequest(r)), "not tcp"
	p.c.n.test.note(m)
}
