package record

import (
	"crypto/rand"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"sonde/model"
)

const (
	maxDatagram = 64 << 10
	maxPeers    = 1000
	// answerTimeout is how long the relay waits for an answer to a datagram.
	answerTimeout = 2 * time.Second
	// drainTimeout bounds how long drain waits for the datagrams that have arrived.
	drainTimeout = 50 * time.Millisecond
)

// udpRelay relays datagrams of the service to a UDP host.
type udpRelay struct {
	monitor *Monitor
	host    string // address that the service calls
	to      string // address of the host
	service *net.UDPConn
	// mark is a datagram that the relay sends to itself. When it is read, all datagrams before it
	// were read.
	mark   [16]byte
	marker *net.UDPConn

	mu      sync.Mutex
	peers   map[netip.AddrPort]*peer
	waiting []chan struct{} // closed when the mark is read
}

// peer is a socket of the service, with the last datagram that the socket sent and the answers to this
// datagram.
type peer struct {
	host        *net.UDPConn // connection to the host
	at          time.Time
	cause       *trackedRequest
	attribution model.Attribution
	messages    []model.MessagePair // nil once they were reported
}

// listenUDP listens in place of a UDP host.
func (m *Monitor) listenUDP(w Endpoint) error {
	at, err := net.ResolveUDPAddr("udp", w.Addr)
	if err != nil {
		return listenError(w.Addr, err)
	}
	c, err := net.ListenUDP("udp", at)
	if err != nil {
		return listenError(w.Addr, err)
	}
	r := &udpRelay{monitor: m, host: c.LocalAddr().String(), to: w.To.Host, service: c, peers: map[netip.AddrPort]*peer{}}
	_, _ = rand.Read(r.mark[:]) // never fails
	r.marker, err = net.DialUDP("udp", nil, c.LocalAddr().(*net.UDPAddr))
	if err != nil {
		c.Close()
		return listenError(w.Addr, err)
	}
	m.rawRelays = append(m.rawRelays, r)
	m.listening = append(m.listening, Listening{Addr: r.host, Endpoint: w, Inward: false})
	m.serving.Go(r.serve)
	return nil
}

// serve reads the service's datagrams until the socket is closed.
func (r *udpRelay) serve() {
	b := make([]byte, maxDatagram)
	for {
		n, from, err := r.service.ReadFromUDPAddrPort(b)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
		case n == len(r.mark) && [16]byte(b[:n]) == r.mark:
			r.wakeWaiting()
		default:
			r.relayRequest(from, b[:n])
		}
	}
}

// wakeWaiting wakes the callers of drain, because the mark was read.
func (r *udpRelay) wakeWaiting() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.waiting {
		close(w)
	}
	r.waiting = nil
}

// relayRequest records a datagram of the service and relays it to the host.
func (r *udpRelay) relayRequest(from netip.AddrPort, words []byte) {
	tracked, attribution := r.monitor.requests.cause(nil)
	p := r.peer(from)
	if p == nil {
		return
	}
	r.mu.Lock()
	r.report(p, nil)
	p.at, p.cause, p.attribution = r.monitor.clock.now(), tracked, attribution
	p.messages = []model.MessagePair{{Request: append([]byte(nil), words...)}}
	r.mu.Unlock()
	if _, err := p.host.Write(words); err != nil {
		r.mu.Lock()
		r.report(p, withoutAddresses(err))
		r.mu.Unlock()
	}
}

// peer returns the peer at an address, a new one if needed. It returns nil if the host cannot be
// reached or there are too many peers.
func (r *udpRelay) peer(from netip.AddrPort) *peer {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.peers[from]; p != nil {
		return p
	}
	to, err := net.ResolveUDPAddr("udp", r.to)
	if err == nil && len(r.peers) < maxPeers {
		var c *net.UDPConn
		c, err = net.DialUDP("udp", nil, to)
		if err == nil {
			p := &peer{host: c}
			r.peers[from] = p
			go r.relayAnswers(from, p)
			return p
		}
	}
	r.monitor.warnOnce("datagrams to " + r.to + " were not relayed: the host cannot be reached, or there are too many clients")
	return nil
}

// relayAnswers relays the host's answers to a peer, until the peer has been idle for about a minute or its connection
// to the host is closed.
func (r *udpRelay) relayAnswers(from netip.AddrPort, p *peer) {
	b := make([]byte, maxDatagram)
	for {
		_ = p.host.SetReadDeadline(time.Now().Add(answerTimeout))
		n, err := p.host.Read(b)
		r.mu.Lock()
		if err == nil {
			r.addAnswer(p, b[:n])
			r.mu.Unlock()
			_, _ = r.service.WriteToUDPAddrPort(b[:n], from)
			continue
		}
		late := errors.Is(err, os.ErrDeadlineExceeded)
		if late || errors.Is(err, net.ErrClosed) {
			r.report(p, nil)
		} else {
			r.report(p, withoutAddresses(err))
		}
		if errors.Is(err, net.ErrClosed) || late && r.monitor.clock.now().Sub(p.at) > time.Minute {
			delete(r.peers, from)
			r.mu.Unlock()
			p.host.Close()
			return
		}
		r.mu.Unlock()
	}
}

// addAnswer records an answer, unless the peer has maxMessages already. The caller holds r.mu.
func (r *udpRelay) addAnswer(p *peer, answer []byte) {
	answer = append([]byte(nil), answer...)
	switch n := len(p.messages); {
	case n == 0: // the datagram was already reported
		p.at = r.monitor.clock.now()
		p.cause, p.attribution = r.monitor.requests.cause(nil)
		p.messages = []model.MessagePair{{Answer: answer}}
	case len(p.messages[n-1].Answer) == 0:
		p.messages[n-1].Answer = answer
	case n < maxMessages:
		p.messages = append(p.messages, model.MessagePair{Answer: answer})
	}
}

// report reports the last datagram of a peer and its answers, unless they were reported before. The
// caller holds r.mu.
func (r *udpRelay) report(p *peer, err error) {
	if len(p.messages) == 0 {
		return
	}
	s := model.OutwardCall{Host: r.host, Name: r.to, Protocol: model.UDP, Messages: p.messages}
	s.At, s.Took, s.Err = p.at, r.monitor.clock.now().Sub(p.at), err
	p.messages = nil
	r.monitor.reportOutward(p.cause, p.attribution, s, nil)
}

// drain waits until all datagrams that have arrived were read, for at most drainTimeout.
func (r *udpRelay) drain() {
	done := make(chan struct{})
	r.mu.Lock()
	r.waiting = append(r.waiting, done)
	r.mu.Unlock()
	if _, err := r.marker.Write(r.mark[:]); err != nil {
		return
	}
	select {
	case <-done:
	case <-time.After(drainTimeout):
	}
}

// reportFor reports the datagrams that a request caused.
func (r *udpRelay) reportFor(tracked *trackedRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.peers {
		if p.cause == tracked {
			r.report(p, nil)
		}
	}
}

// close reports the remaining datagrams and closes all sockets.
func (r *udpRelay) close() {
	r.drain()
	r.service.Close()
	r.marker.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.peers {
		r.report(p, nil)
		p.host.Close()
	}
}
