package netsim

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"sonde/model"
)

const (
	maxAnswers  = 1000                  // answers on one connection, or datagrams of one inward stub, in a test
	maxReceived = 1 << 20               // bytes since the last answer that are kept and matched
	maxMute     = 5 * time.Second       // bounds how long a host is mute; longer than most time-outs
	maxDelay    = 10 * time.Second      // bounds each pause before or within an answer
	halfClosed  = 50 * time.Millisecond // how long after its last data a service may still begin to wait
)

// tcpPlayer gives the answers of stubs on a raw TCP connection. The mutex of the network
// guards it.
type tcpPlayer struct {
	c           *conn
	s           *stream
	test        *testState
	answered    map[int]int   // number of answers given, by stub
	total       int           // number of answers given
	received    []byte        // data since the last answer
	noted       bool          // a contact has the received data
	ended       time.Time     // when the data of the service ended; zero if it has not ended
	broken      bool          // the service reset the connection
	sawHTTP     bool          // detectHTTP has found HTTP
	speaksFirst bool          // the host gives the next answer without having received anything
	peerClosed  chan struct{} // closed when the data of the service has ended
	port        *listener     // the port that the host called, nil if the service called
	idle        bool          // the host that called port has nothing more to send for now
	lastCall    int           // index of the test's call in which the service last sent data
	opened      int           // number of steps of the prologue that were given
}

func newTCPPlayer(c *conn, s *stream) *tcpPlayer {
	return &tcpPlayer{c: c, s: s, peerClosed: make(chan struct{}), lastCall: -1}
}

// playTCP lets stubs answer on a connection until the connection ends.
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
	p.c.change(p.markIdle)
}

// markIdle records that the host which called p.port has nothing more to send for now. Then the
// next host may call the port. The caller must hold the mutex.
func (p *tcpPlayer) markIdle() {
	if p.idle || p.port == nil {
		return
	}
	p.idle = true
	p.c.n.inward.invite(p.port)
	p.c.n.inward.progressed()
}

// begin assigns the connection to a test, and starts the scripts of the stubs over. The caller must hold the mutex.
func (p *tcpPlayer) begin(t *testState) {
	p.test, p.answered, p.total, p.received, p.noted = t, map[int]int{}, 0, nil, true
	p.c.test = t
}

// joinTest assigns the connection to the current test, if the service may use it in several tests. The caller must hold
// the mutex.
func (p *tcpPlayer) joinTest() {
	if t := p.c.n.test; t != p.test && (p.c.duringStartup || p.c.isShared()) {
		p.begin(t)
	}
}

// readAll reads what the service sends, until the connection ends.
func (p *tcpPlayer) readAll() {
	part := make([]byte, 32<<10)
	for {
		n, err := p.s.Read(part)
		p.c.n.pump()
		p.c.change(func() { p.receive(part[:n]) })
		if err != nil {
			p.c.change(func() { p.ended, p.broken = time.Now(), !errors.Is(err, io.EOF) })
			time.AfterFunc(halfClosed, p.c.wake)
			close(p.peerClosed)
			return
		}
	}
}

func (p *tcpPlayer) receive(part []byte) {
	p.joinTest()
	if len(part) > 0 {
		p.noted, p.lastCall = false, p.test.call
		p.received = append(p.received, part[:min(len(part), maxReceived-len(p.received))]...)
	}
}

// serviceLeft reports whether the service has closed the connection. A service that has only
// closed its write side begins to wait for an answer within halfClosed.
func (p *tcpPlayer) serviceLeft() bool {
	return p.broken || !p.ended.IsZero() && p.c.wait == nil && time.Since(p.ended) >= halfClosed
}

// step gives the answer that is due, if any. It reports whether the connection stays open.
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

// next returns the answer that is due, if any. If none is due, end reports whether the connection must end. A
// connection of an earlier test gets no more answers, unless joinTest assigns it to the current test. The caller must
// hold the mutex.
func (p *tcpPlayer) next() (d dueAnswer, due, end bool) {
	p.c.inspectQuietly()
	p.c.dirty = false
	p.joinTest()
	if p.c.n.test != p.test {
		return d, false, p.serviceLeft()
	}
	d, due = p.takePrologue()
	if !due {
		d, due = p.takeDue()
	}
	if due {
		return d, true, false
	}
	if p.c.isQuiet() {
		p.markIdle()
	}
	end = p.isOver()
	if end {
		p.c.n.test.noteUnanswered(p.c)
	} else {
		p.c.wantReport(p.actsOnWait())
	}
	return d, false, end
}

// takePrologue returns the next answer of the prologue if the answer is due. It is due in three cases: the host speaks
// first in this step; the service has sent the message of the step; or the service has sent another message, which no
// stub matches, and waits. A message that a stub matches ends the prologue. takePrologue returns false if no answer is
// due. The caller must hold the mutex.
func (p *tcpPlayer) takePrologue() (dueAnswer, bool) {
	steps := p.c.prologue()
	if p.opened >= len(steps) {
		return dueAnswer{}, false
	}
	sent := steps[p.opened].Sent()
	switch {
	case len(sent) > 0 && bytes.Equal(p.received, sent), len(sent) == 0 && len(p.received) == 0:
	case len(p.received) > 0 && p.matchesStub():
		p.opened = len(steps)
		return dueAnswer{}, false
	case len(p.received) == 0 || !p.c.isQuiet():
		return dueAnswer{}, false
	}
	a := steps[p.opened].Answer()
	p.opened++
	p.c.unfinished++
	p.received, p.noted = nil, true
	return dueAnswer{Answer: a, test: p.test, contact: -1, unasked: len(sent) == 0}, true
}

// matchesStub reports whether the received data matches a stub with a condition on data. The caller must hold the
// mutex.
func (p *tcpPlayer) matchesStub() bool {
	return slices.ContainsFunc(p.c.stubs(model.TCP), func(i int) bool {
		m := p.c.n.test.stubs[i].Match
		return matchesData(m) && MatchesBytes(m, p.received, p.c.nth)
	})
}

// given returns the number of answers that a stub has given: in the whole test if the stub has AnyConnection, and
// otherwise on this connection. The caller must hold the mutex.
func (p *tcpPlayer) given(stub int) int {
	if p.test.stubs[stub].AnyConnection {
		return p.test.answered[stub]
	}
	return p.answered[stub]
}

// takeDue takes the next answer of the first stub that has another answer and gives it now; see triggers. It returns
// false if there is no such stub, before the end of the prologue, and after maxAnswers answers. The caller must hold
// the mutex.
func (p *tcpPlayer) takeDue() (dueAnswer, bool) {
	for _, i := range p.c.stubs(model.TCP) {
		s := p.c.n.test.stubs[i]
		a, index, ok := ScriptedAnswer(s, p.given(i))
		if !ok || p.opened < len(p.c.prologue()) || p.total >= maxAnswers || !p.triggers(s) {
			continue
		}
		p.answered[i]++
		if s.AnyConnection {
			p.test.answered[i]++
		}
		p.total++
		p.c.unfinished++
		unasked := p.speaksFirst
		return dueAnswer{Answer: a, test: p.test, contact: p.note(i, index, a), unasked: unasked}, true
	}
	return dueAnswer{}, false
}

// triggers reports whether a stub answers now. A stub with conditions on data answers if it matches the received
// data. A stub without such conditions answers if the service waits or the host speaks first. No stub answers on a
// connection whose number it does not match.
func (p *tcpPlayer) triggers(s model.Stub) bool {
	switch {
	case !matchesNth(s.Match, p.c.nth):
		return false
	case matchesData(s.Match):
		return len(p.received) > 0 && MatchesBytes(s.Match, p.received, p.c.nth)
	}
	return p.speaksFirst || p.c.isQuiet()
}

// note notes the received data with the stub's answer to it. It returns the index of the
// contact.
func (p *tcpPlayer) note(stub, index int, a model.Answer) int {
	if !matchesData(p.test.stubs[stub].Match) {
		p.detectHTTP()
	}
	m := p.c.contact(model.TCP)
	m.Data, m.Stub, m.Answer, m.Outcome = p.received, stub, index, a.Label(model.TCP)
	p.received, p.noted, p.speaksFirst = nil, true, false
	return p.test.note(m)
}

// isOver reports whether the connection must end. The caller must hold the mutex. A connection ends if
//
//   - the service has left
//   - the connection got maxAnswers answers
//   - the connection is not persistent, the prologue is over, the service waits for an answer to its data, and no stub
//     that matches data has another answer
func (p *tcpPlayer) isOver() bool {
	return p.serviceLeft() || p.total >= maxAnswers ||
		p.c.isQuiet() && len(p.received) > 0 && p.opened >= len(p.c.prologue()) && !p.hasMore(true) && !p.c.persistent
}

// actsOnWait reports whether the service does not wait yet, and the player will answer or end the
// connection as soon as the service waits. The caller must hold the mutex.
func (p *tcpPlayer) actsOnWait() bool {
	inPrologue := len(p.received) > 0 && p.opened < len(p.c.prologue())
	return !p.c.isQuiet() && (inPrologue || p.hasMore(false) || len(p.received) > 0 && !p.hasMore(true))
}

// hasMore reports whether a stub has another answer: one that matches data if onData is set, or
// else one that is given when the service waits. The caller must hold the mutex.
func (p *tcpPlayer) hasMore(onData bool) bool {
	for _, i := range p.c.stubs(model.TCP) {
		s := p.c.n.test.stubs[i]
		_, _, ok := ScriptedAnswer(s, p.given(i))
		if ok && matchesData(s.Match) == onData && matchesNth(s.Match, p.c.nth) {
			return true
		}
	}
	return false
}

// give gives an answer, and reports whether the connection stays open.
func (p *tcpPlayer) give(d dueAnswer) bool {
	if d.Fault == model.NetSlow || d.Fault.IsSilent() {
		p.c.change(p.markIdle) // other hosts need not wait for the end of the answer
	}
	open := p.perform(d)
	p.c.change(func() { p.c.unfinished-- })
	if !open {
		p.closeAfter(d)
	}
	return open
}

// closeAfter closes the connection after an answer. If the host called the service and its script closes the
// connection, closeAfter first waits until the service has noticed the end, at most halfClosed. So the service has
// reacted to the end before the test continues.
func (p *tcpPlayer) closeAfter(d dueAnswer) {
	if p.port != nil && d.Close {
		_ = p.c.CloseWrite()
		d.pause(halfClosed, p.peerClosed)
	}
	_ = p.s.Close()
}

// perform sends an answer, and reports whether the connection stays open.
func (p *tcpPlayer) perform(d dueAnswer) bool {
	data := d.Content()
	switch d.Fault {
	case "", model.NetSlow:
		if !d.pause(d.delay(), p.peerClosed) {
			return false
		}
		if d.unasked && len(data) == 0 {
			return !d.Close // an empty write would end the current wait of the service
		}
		return d.writePaced(p.s, data, p.peerClosed) && !d.Close
	case model.NetCut:
		_, _ = p.s.Write(data[:min(len(data), d.After)])
		return false
	case model.NetStall:
		_, _ = p.s.Write(data[:min(len(data), d.After)])
		p.c.n.stayMute(d, p.peerClosed)
		return false
	case model.NetMute:
		p.c.n.stayMute(d, p.peerClosed)
	}
	_ = p.c.SetLinger(0)
	return false
}

// detectHTTP notes a contact if the received data is an HTTP request to a host without HTTP stubs. It
// does so at most once. The connection continues as raw TCP. The caller must hold the mutex.
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
