package netsim

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"sonde/model"
)

// quietAfterAnswer is how long nothing may come, after a request is answered, until what was
// sent for it is over.
const quietAfterAnswer = 50 * time.Millisecond

// relayConn is a connection of the service that is passed on to a host.
type relayConn struct {
	r        *Recorder
	id       uint64
	to       netip.AddrPort
	hosts    []string // its names, the preferred one first
	location *url.URL // where the host really is, nil for where the service dialed
	cause    string   // the request for which it was dialed
	at       time.Time
	ctx      context.Context // of the dial and the handshakes; it ends with the connection
	stop     context.CancelFunc
	out      net.Conn
	once     sync.Once

	// The mutex of the recorder guards these, and the channels order what follows them.
	in       *net.TCPConn
	opened   bool          // the service has reported the connection
	arrived  chan struct{} // closed when in is set
	drained  chan struct{} // closed when all that the service sent is read
	drainEnd sync.Once

	mu           sync.Mutex
	tls          bool
	serverName   string // of the service's TLS
	causes       causeMarks
	conversation *conversation // the current one, nil if there is none
	broken       error         // why an end broke the connection
}

// setBroken records why an end broke the connection: a request on it fails later.
func (l *relayConn) setBroken(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = err
}

// reason returns why an end broke the connection, or else the given error.
func (l *relayConn) reason(seen error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return l.broken
	}
	return seen
}

// asked dials a host for the service.
func (r *Recorder) asked(e askEvent) {
	l := &relayConn{
		r:       r,
		id:      e.id,
		to:      e.to,
		cause:   e.cause,
		at:      time.Now(),
		arrived: make(chan struct{}),
		drained: make(chan struct{}),
	}
	l.ctx, l.stop = context.WithCancel(context.Background())
	r.mu.Lock()
	l.hosts = r.names.hosts(l.to)
	l.location = r.locationOf(l.hosts)
	r.relays[l.id] = l
	r.mu.Unlock()
	go l.dial()
}

// address is where the host really is.
func (l *relayConn) address() string {
	name, _ := splitHost(l.hosts[0])
	switch {
	case l.location != nil:
		return l.location.Host
	case syntheticIPv4(name) == l.to.Addr() || syntheticIPv6(name) == l.to.Addr():
		return l.hosts[0] // another port of the host has a location
	}
	return l.to.String()
}

// dial dials the host, and tells the service where to connect, or why it cannot.
func (l *relayConn) dial() {
	var d net.Dialer
	out, err := d.DialContext(l.ctx, "tcp", l.address())
	switch {
	case l.ctx.Err() != nil:
		if err == nil {
			_ = out.Close()
		}
	case err != nil:
		l.r.dialFailed(l, err)
		l.r.forget(l)
		l.r.command("door %d !%s -\n", l.id, errnoOf(err))
	default:
		l.out = out
		l.r.dialSucceeded(l)
		time.AfterFunc(maxArrival, l.expire)
		l.r.command("door %d %s %s\n", l.id, l.r.listener.Addr(), out.LocalAddr())
	}
}

// knownErrnos are the errors of dials that the service sees as they are.
var knownErrnos = map[string]syscall.Errno{
	"ECONNREFUSED": syscall.ECONNREFUSED,
	"ECONNRESET":   syscall.ECONNRESET,
	"ETIMEDOUT":    syscall.ETIMEDOUT,
	"ENETUNREACH":  syscall.ENETUNREACH,
	"EHOSTUNREACH": syscall.EHOSTUNREACH,
}

// errnoOf is the error that the service sees of a dial that failed.
func errnoOf(err error) string {
	for name, errno := range knownErrnos {
		if errors.Is(err, errno) {
			return name
		}
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return "ETIMEDOUT"
	}
	return "EHOSTUNREACH"
}

// dropped records that the service does not wait for a connection any more.
func (r *Recorder) dropped(e dropEvent) {
	r.mu.Lock()
	l := r.relays[e.id]
	r.mu.Unlock()
	if l == nil {
		return
	}
	if e.reason == context.DeadlineExceeded.Error() {
		r.dialFailed(l, errors.New("the service waited in vain for the connection"))
	}
	l.end(nil)
}

// expire ends a connection if the service never connected.
func (l *relayConn) expire() {
	l.r.mu.Lock()
	connected := l.in != nil
	l.r.mu.Unlock()
	if !connected {
		l.end(nil)
	}
}

func (r *Recorder) forget(l *relayConn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.relays, l.id)
}

// begin begins to pass on data. A second connection for the same relay is closed. The mutex of
// the recorder is held.
func (l *relayConn) begin(c *net.TCPConn) {
	if l.in != nil {
		_ = c.Close()
		return
	}
	l.in = c
	close(l.arrived)
	go l.dispatch(&relayEnd{Conn: c, l: l}, &relayEnd{Conn: l.out, l: l})
}

// drain waits until all that the service has sent so far is read, or until the context ends.
// The connection is of no use afterwards.
func (l *relayConn) drain(ctx context.Context) {
	l.r.mu.Lock()
	opened := l.opened
	l.r.mu.Unlock()
	if !opened {
		return
	}
	select {
	case <-l.arrived:
	case <-ctx.Done():
		return
	}
	_ = l.in.CloseRead() // what has arrived is still read, then the end of it; it fails after a reset
	select {
	case <-l.drained:
	case <-ctx.Done():
	}
}

// setDrained records that all that the service sent is read.
func (l *relayConn) setDrained() { l.drainEnd.Do(func() { close(l.drained) }) }

// end closes both ends, and delivers the current conversation.
func (l *relayConn) end(why error) {
	l.once.Do(func() {
		defer l.r.forget(l) // last: until then Flush waits for it
		l.stop()
		l.r.mu.Lock()
		in := l.in
		l.r.mu.Unlock()
		for _, c := range []net.Conn{l.out, in} {
			if t, ok := c.(*net.TCPConn); ok && t != nil {
				if errors.Is(why, syscall.ECONNRESET) {
					_ = t.SetLinger(0)
				}
				_ = t.Close()
			}
		}
		l.finishConversation(why)
		l.setDrained()
	})
}

// newSent begins a record of something that the service sends.
func (l *relayConn) newSent(p model.Protocol) model.OutwardCall {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := model.OutwardCall{Host: l.hostName(), Protocol: p, TLS: l.tls}
	s.Name = displayName(s.Host, l.location)
	s.At = time.Now()
	return s
}

// hostName is the name of the host: as in the service's TLS, if that is one of its names.
// The mutex is held.
func (l *relayConn) hostName() string {
	host := net.JoinHostPort(l.serverName, strconv.Itoa(int(l.to.Port())))
	if l.serverName != "" && slices.Contains(l.hosts, host) {
		return host
	}
	return l.hosts[0]
}
