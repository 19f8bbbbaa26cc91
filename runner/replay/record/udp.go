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
	// patience is how long the relay waits for an answer to a datagram, and drained how long it
	// may take to read those that have come.
	patience = 2 * time.Second
	drained  = 50 * time.Millisecond
)

// relayUDP replaces a host that the service calls by UDP.
type relayUDP struct {
	m    *Monitor
	host string // as the service calls it
	to   string
	ours *net.UDPConn
	// mark is a datagram that the monitor sends to itself: when it is read, all before it are.
	mark   [16]byte
	marker *net.UDPConn

	mu      sync.Mutex
	peers   map[netip.AddrPort]*peer
	waiting []chan struct{}
}

// peer is a socket of the service, and the datagram that it sent last.
type peer struct {
	theirs *net.UDPConn
	at     time.Time
	visit  *trackedRequest
	how    model.Attribution
	turns  []model.MessagePair // nil if the last one was reported
}

func (m *Monitor) listenUDP(w Endpoint) error {
	at, err := net.ResolveUDPAddr("udp", w.Addr)
	if err != nil {
		return busy(w.Addr, err)
	}
	c, err := net.ListenUDP("udp", at)
	if err != nil {
		return busy(w.Addr, err)
	}
	r := &relayUDP{m: m, host: c.LocalAddr().String(), to: w.To.Host, ours: c, peers: map[netip.AddrPort]*peer{}}
	_, _ = rand.Read(r.mark[:]) // never fails
	r.marker, err = net.DialUDP("udp", nil, c.LocalAddr().(*net.UDPAddr))
	if err != nil {
		c.Close()
		return busy(w.Addr, err)
	}
	m.raw = append(m.raw, r)
	m.at = append(m.at, Listening{Addr: r.host, Endpoint: w, Inward: false})
	m.serving.Go(r.serve)
	return nil
}

func (r *relayUDP) serve() {
	b := make([]byte, maxDatagram)
	for {
		n, from, err := r.ours.ReadFromUDPAddrPort(b)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
		case n == len(r.mark) && [16]byte(b[:n]) == r.mark:
			r.read()
		default:
			r.says(from, b[:n])
		}
	}
}

// read wakes those who wait for the datagrams before a mark.
func (r *relayUDP) read() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.waiting {
		close(w)
	}
	r.waiting = nil
}

// says records a datagram of the service and relays it.
func (r *relayUDP) says(from netip.AddrPort, words []byte) {
	v, how := r.m.requests.cause(nil)
	p := r.peer(from)
	if p == nil {
		return
	}
	r.mu.Lock()
	r.tell(p, nil)
	p.at, p.visit, p.how = r.m.clock.now(), v, how
	p.turns = []model.MessagePair{{Request: append([]byte(nil), words...)}}
	r.mu.Unlock()
	if _, err := p.theirs.Write(words); err != nil {
		r.mu.Lock()
		r.tell(p, plain(err))
		r.mu.Unlock()
	}
}

// peer returns the peer at an address, and makes it if it is new.
func (r *relayUDP) peer(from netip.AddrPort) *peer {
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
			p := &peer{theirs: c}
			r.peers[from] = p
			go r.hears(from, p)
			return p
		}
	}
	r.m.once("datagrams to " + r.to + " were not relayed: the host cannot be reached, or there are too many clients")
	return nil
}

// hears relays answers, until none comes for a while.
func (r *relayUDP) hears(from netip.AddrPort, p *peer) {
	b := make([]byte, maxDatagram)
	for {
		_ = p.theirs.SetReadDeadline(time.Now().Add(patience))
		n, err := p.theirs.Read(b)
		r.mu.Lock()
		if err == nil {
			r.answered(p, b[:n])
			r.mu.Unlock()
			_, _ = r.ours.WriteToUDPAddrPort(b[:n], from)
			continue
		}
		late := errors.Is(err, os.ErrDeadlineExceeded)
		if late || errors.Is(err, net.ErrClosed) {
			r.tell(p, nil)
		} else {
			r.tell(p, plain(err))
		}
		if errors.Is(err, net.ErrClosed) || late && r.m.clock.now().Sub(p.at) > time.Minute {
			delete(r.peers, from)
			r.mu.Unlock()
			p.theirs.Close()
			return
		}
		r.mu.Unlock()
	}
}

// answered records an answer. The mutex is held.
func (r *relayUDP) answered(p *peer, answer []byte) {
	answer = append([]byte(nil), answer...)
	switch n := len(p.turns); {
	case n == 0: // its datagram was already reported
		p.at = r.m.clock.now()
		p.visit, p.how = r.m.requests.cause(nil)
		p.turns = []model.MessagePair{{Answer: answer}}
	case len(p.turns[n-1].Answer) == 0:
		p.turns[n-1].Answer = answer
	case n < maxTurns:
		p.turns = append(p.turns, model.MessagePair{Answer: answer})
	}
}

// tell reports a peer's last datagram, once. The mutex is held.
func (r *relayUDP) tell(p *peer, err error) {
	if len(p.turns) == 0 {
		return
	}
	s := model.OutwardCall{Host: r.host, Name: r.to, Protocol: model.UDP, Messages: p.turns}
	s.At, s.Took, s.Err = p.at, r.m.clock.now().Sub(p.at), err
	p.turns = nil
	r.m.sent(p.visit, p.how, s, nil)
}

// drain waits until everything that was sent before is read.
func (r *relayUDP) drain() {
	done := make(chan struct{})
	r.mu.Lock()
	r.waiting = append(r.waiting, done)
	r.mu.Unlock()
	if _, err := r.marker.Write(r.mark[:]); err != nil {
		return
	}
	select {
	case <-done:
	case <-time.After(drained):
	}
}

// settled reports the datagrams for a request that is answered.
func (r *relayUDP) settled(v *trackedRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.peers {
		if p.visit == v {
			r.tell(p, nil)
		}
	}
}

func (r *relayUDP) close() {
	r.drain()
	r.ours.Close()
	r.marker.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.peers {
		r.tell(p, nil)
		p.theirs.Close()
	}
}
