package vnet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"sync"
	"syscall"
	"time"

	"sonde/model"
)

// Bounds of connections that are passed on.
const (
	mostComing = 10 * time.Second // until the service comes through the door that it asked for
	shortly    = 50 * time.Millisecond
)

// line is a connection of the service that is passed on to a host.
type line struct {
	r     *Recorder
	id    uint64
	to    netip.AddrPort
	hosts []string // what it may be called, the one to speak of first
	place *url.URL // where the host really is, nil for where the service turned to
	cause string   // for which request it was dialed
	at    time.Time
	ctx   context.Context
	stop  context.CancelFunc
	out   net.Conn
	in    *net.TCPConn
	once  sync.Once

	mu    sync.Mutex
	tls   bool
	name  string // by which the service called the host in TLS
	marks []mark
	talk  *talk // what is said now, nil for nothing
	broke error // by whichever end
}

// broken remembers why an end broke off: who asks the host by HTTP sees it late.
func (l *line) broken(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broke = err
}

// why is why an end broke off, or what was seen of it.
func (l *line) why(seen error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broke != nil {
		return l.broke
	}
	return seen
}

// mark says for which request bytes are, from one on.
type mark struct {
	from  uint64
	cause string
}

// asked takes in that the service wants to dial.
func (r *Recorder) asked(e event) {
	l := &line{r: r, id: e.number(0), to: e.place(1), cause: cause(e.field(2)), at: time.Now()}
	l.ctx, l.stop = context.WithCancel(context.Background())
	r.mu.Lock()
	l.hosts = r.book.hosts(l.to)
	l.place = r.place(l.hosts)
	r.lines[l.id] = l
	r.mu.Unlock()
	go l.dial()
}

// address is where the host really is.
func (l *line) address() string {
	name, _ := split(l.hosts[0])
	switch {
	case l.place != nil:
		return l.place.Host
	case own(name) == l.to.Addr() || own6(name) == l.to.Addr():
		return l.hosts[0] // another of its ports is elsewhere
	}
	return l.to.String()
}

// dial dials the host, and lets the service come or tells it why not.
func (l *line) dial() {
	var d net.Dialer
	out, err := d.DialContext(l.ctx, "tcp", l.address())
	switch {
	case l.ctx.Err() != nil:
		if err == nil {
			_ = out.Close()
		}
	case err != nil:
		l.r.forget(l)
		l.r.missing(l, err)
		l.r.tell("door %d !%s -\n", l.id, errnoOf(err))
	default:
		l.out = out
		l.r.reached(l)
		time.AfterFunc(mostComing, l.expire)
		l.r.tell("door %d %s %s\n", l.id, l.r.door.Addr(), out.LocalAddr())
	}
}

// tell tells the service something.
func (r *Recorder) tell(format string, a ...any) {
	r.mu.Lock()
	c := r.channel
	r.mu.Unlock()
	if c != nil {
		_ = c.write(fmt.Sprintf(format, a...)) // a service that is gone needs no answer
	}
}

// errnoOf is what the service sees of a dial that failed.
func errnoOf(err error) string {
	for name, errno := range map[string]syscall.Errno{
		"ECONNREFUSED": syscall.ECONNREFUSED, "ECONNRESET": syscall.ECONNRESET, "ETIMEDOUT": syscall.ETIMEDOUT, "ENETUNREACH": syscall.ENETUNREACH, "EHOSTUNREACH": syscall.EHOSTUNREACH,
	} {
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

// dropped takes in that the service does not wait for a connection any more.
func (r *Recorder) dropped(id uint64, why string) {
	r.mu.Lock()
	l := r.lines[id]
	r.mu.Unlock()
	if l == nil {
		return
	}
	if why == context.DeadlineExceeded.Error() {
		r.missing(l, errors.New("the service waited in vain for the connection"))
	}
	l.end(nil)
}

// expire ends a connection to which the service never came.
func (l *line) expire() {
	l.r.mu.Lock()
	came := l.in != nil
	l.r.mu.Unlock()
	if !came {
		l.end(nil)
	}
}

func (r *Recorder) forget(l *line) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.lines, l.id)
}

// begin passes on what is said from now on. The mutex of the recorder is held.
func (l *line) begin(c *net.TCPConn) {
	l.in = c
	go l.sniff(&spoken{Conn: c, l: l}, &spoken{Conn: l.out, l: l})
}

// end closes both ends, and hands over what was said.
func (l *line) end(why error) {
	l.once.Do(func() {
		l.r.forget(l)
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
		l.finish(why)
	})
}

// sent begins what is handed over of something on the line.
func (l *line) sent(p model.Protocol) model.Sent {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := model.Sent{Host: l.called(), Protocol: p, TLS: l.tls}
	s.Name = named(s.Host, l.place)
	s.At = time.Now()
	return s
}

// called is what the host is called: as the service does in TLS, if that is one of its
// names.
func (l *line) called() string {
	if host := net.JoinHostPort(l.name, fmt.Sprint(l.to.Port())); l.name != "" {
		for _, h := range l.hosts {
			if h == host {
				return h
			}
		}
	}
	return l.hosts[0]
}
