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

// quietAfterAnswer ends conversations and datagram exchanges after the service has answered the request that caused
// them. A conversation in which the host has answered is over when no data has come for quietAfterAnswer. A datagram
// exchange ends quietAfterAnswer after the answer to the request.
const quietAfterAnswer = 50 * time.Millisecond

// relayConn relays one connection of the service to a host.
type relayConn struct {
	r        *Recorder
	id       uint64
	to       netip.AddrPort
	hosts    []string        // the names of the host, the preferred name first
	location *url.URL        // location of the host from RelayOptions.Locations, nil if the host has none
	cause    string          // the request that caused the dial
	at       time.Time       // time of the service's request for the connection
	ctx      context.Context // context of the dial and the handshakes; canceled when the connection ends
	stop     context.CancelFunc
	out      net.Conn  // the connection to the host
	endOnce  sync.Once // runs end

	// The mutex of the recorder guards in and opened.

	in       *net.TCPConn  // the connection of the service; nil until arrived is closed
	opened   bool          // the service has reported the connection
	arrived  chan struct{} // closed when in is set
	drained  chan struct{} // closed when all data of the service is read, or the relay has ended
	drainEnd sync.Once

	mu           sync.Mutex
	tls          bool
	serverName   string // the server name in the TLS hello of the service
	causes       causeMarks
	conversation *conversation // the current conversation, nil if there is none
	database     *databaseRelay
	broken       error // the error with which an end broke the connection, or nil
}

// setBroken records the error with which an end broke the connection. A request on the connection later fails with
// another, less precise error; reason then returns the recorded error.
func (l *relayConn) setBroken(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = err
}

// reason returns the error of setBroken, or else the given error.
func (l *relayConn) reason(fallback error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return l.broken
	}
	return fallback
}

// asked handles the service's request for a connection to a host.
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

// address returns the host:port to dial.
func (l *relayConn) address() string {
	name, _ := splitHost(l.hosts[0])
	switch {
	case l.location != nil:
		return l.location.Host
	case syntheticIPv4(name) == l.to.Addr() || syntheticIPv6(name) == l.to.Addr():
		return l.hosts[0] // the name has a synthetic address, because another port of the host has a location
	}
	return l.to.String()
}

// dial dials the host. Then it sends the service the address to which the service must connect, or the error of the
// dial. It sends nothing if the relay has ended.
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

// knownErrnos are the errors of dials that are passed on to the service unchanged.
var knownErrnos = map[string]syscall.Errno{
	"ECONNREFUSED": syscall.ECONNREFUSED,
	"ECONNRESET":   syscall.ECONNRESET,
	"ETIMEDOUT":    syscall.ETIMEDOUT,
	"ENETUNREACH":  syscall.ENETUNREACH,
	"EHOSTUNREACH": syscall.EHOSTUNREACH,
}

// errnoOf returns the name of the error that the service sees for a failed dial.
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

// dropped handles the report that the service no longer waits for a connection.
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

// expire ends the relay if the service has not connected.
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

// begin starts to relay the service's connection c. If the relay has a connection already,
// begin closes c. The caller must hold the mutex of the recorder.
func (l *relayConn) begin(c *net.TCPConn) {
	if l.in != nil {
		_ = c.Close()
		return
	}
	l.in = c
	close(l.arrived)
	go l.dispatch(&relayEnd{Conn: c, l: l}, &relayEnd{Conn: l.out, l: l})
}

// drain waits until all data that the service has sent so far is read, or ctx ends. The
// connection cannot be used afterwards. drain does nothing if the service has not reported the
// connection.
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
	_ = l.in.CloseRead() // data that has arrived can still be read; fails after a reset
	select {
	case <-l.drained:
	case <-ctx.Done():
	}
}

// setDrained records that all data of the service is read.
func (l *relayConn) setDrained() { l.drainEnd.Do(func() { close(l.drained) }) }

// end closes both connections. It delivers the current conversation, and the requests to a database that got no reply.
// Only the first call has an effect. why is nil if the connection did not fail.
func (l *relayConn) end(why error) {
	l.endOnce.Do(func() {
		defer l.r.forget(l) // last, because Flush waits for each relay in r.relays
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
		l.finishRequests(why)
		l.setDrained()
	})
}

// newSent returns an outward call that begins now.
func (l *relayConn) newSent(p model.Protocol) model.OutwardCall {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.newSentLocked(p)
}

// newSentLocked is newSent for callers that hold the mutex.
func (l *relayConn) newSentLocked(p model.Protocol) model.OutwardCall {
	s := model.OutwardCall{Host: l.hostName(), Protocol: p, TLS: l.tls}
	s.Name = displayName(s.Host, l.location)
	s.At = time.Now()
	return s
}

// hostName returns the host of outward calls on the connection: the server name of TLS if that is a
// name of the host, or else the preferred name. The caller must hold the mutex.
func (l *relayConn) hostName() string {
	host := net.JoinHostPort(l.serverName, strconv.Itoa(int(l.to.Port())))
	if l.serverName != "" && slices.Contains(l.hosts, host) {
		return host
	}
	return l.hosts[0]
}
