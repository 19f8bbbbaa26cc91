package record

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"sonde/model"
)

// Limits of what is kept of a connection for one request.
const (
	maxSaid  = 1 << 20 // bytes
	maxTurns = 1000
)

// relayTCP replaces a host that the service calls by TCP.
type relayTCP struct {
	m    *Monitor
	host string // as the service calls it
	to   string

	listener net.Listener
	mu       sync.Mutex
	open     map[*tcpConversation]bool
}

func (m *Monitor) listenTCP(w Endpoint) error {
	l, err := net.Listen("tcp", w.Addr)
	if err != nil {
		return busy(w.Addr, err)
	}
	r := &relayTCP{m: m, host: l.Addr().String(), to: w.To.Host, listener: l, open: map[*tcpConversation]bool{}}
	m.raw = append(m.raw, r)
	m.at = append(m.at, Listening{Addr: r.host, Endpoint: w, Inward: false})
	m.serving.Go(r.serve)
	return nil
}

func (r *relayTCP) serve() {
	for {
		c, err := r.listener.Accept()
		switch {
		case err == nil:
			go r.take(c.(*net.TCPConn))
		case errors.Is(err, net.ErrClosed):
			return
		default:
			time.Sleep(10 * time.Millisecond) // no file descriptor is free
		}
	}
}

// close ends the listener and all connections.
func (r *relayTCP) close() {
	r.listener.Close()
	for _, w := range r.all() {
		w.ours.Close()
	}
	for end := time.Now().Add(lastWords); len(r.all()) > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

func (r *relayTCP) all() (all []*tcpConversation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for w := range r.open {
		all = append(all, w)
	}
	return all
}

// settled reports the messages for a request that is answered.
func (r *relayTCP) settled(v *trackedRequest) {
	for _, w := range r.all() {
		w.mu.Lock()
		if w.visit == v {
			w.cut(nil)
		}
		w.mu.Unlock()
	}
}

// take relays a connection until both ends are done.
func (r *relayTCP) take(ours *net.TCPConn) {
	defer ours.Close()
	w := &tcpConversation{r: r, ours: ours}
	w.begin()
	r.mu.Lock()
	r.open[w] = true
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.open, w)
		r.mu.Unlock()
	}()
	err := w.relay()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last(err)
}

// tcpConversation is a connection with the messages on it for one request. When the request changes, they are
// reported.
type tcpConversation struct {
	r    *relayTCP
	ours *net.TCPConn

	mu    sync.Mutex
	at    time.Time
	visit *trackedRequest
	how   model.Attribution
	turns []model.MessagePair
	size  int
	told  bool // something was reported about the connection
}

// begin clears the messages. The mutex is held, or the wire is not shared yet.
func (w *tcpConversation) begin() {
	w.at, w.turns, w.size = w.r.m.clock.now(), nil, 0
	w.visit, w.how = w.r.m.requests.cause(nil)
}

// cut reports the messages so far, if there are any. The mutex is held.
func (w *tcpConversation) cut(err error) {
	if len(w.turns) == 0 && err == nil {
		return
	}
	s := model.OutwardCall{Host: w.r.host, Name: w.r.to, Protocol: model.TCP, Messages: w.turns}
	s.At, s.Took, s.Err = w.at, w.r.m.clock.now().Sub(w.at), err
	w.r.m.sent(w.visit, w.how, s, nil)
	w.told = true
	w.begin()
}

// last reports the last messages, or that a connection had none.
func (w *tcpConversation) last(err error) {
	if !w.told && len(w.turns) == 0 && err == nil {
		w.turns = []model.MessagePair{{}}
	}
	w.cut(err)
}

// says records what the service sent.
func (w *tcpConversation) says(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if v, how := w.r.m.requests.cause(nil); v != w.visit {
		w.cut(nil)
		w.visit, w.how = v, how
	}
	if n := len(w.turns); n == 0 || len(w.turns[n-1].Answer) > 0 {
		if n >= maxTurns {
			w.r.m.once("not all messages on a connection to " + w.r.to + " are kept")
			return
		}
		w.turns = append(w.turns, model.MessagePair{})
	}
	last := &w.turns[len(w.turns)-1]
	last.Request = w.kept(last.Request, p)
}

// hears records what the host sent.
func (w *tcpConversation) hears(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.turns) == 0 {
		w.turns = append(w.turns, model.MessagePair{})
	}
	last := &w.turns[len(w.turns)-1]
	last.Answer = w.kept(last.Answer, p)
}

// kept appends data, as far as there is room.
func (w *tcpConversation) kept(to, p []byte) []byte {
	if room := maxSaid - w.size; len(p) > room {
		w.r.m.once("only the first MB of the data on a connection to " + w.r.to + " is kept")
		p = p[:room]
	}
	w.size += len(p)
	return append(to, p...)
}

// relay connects to the host and relays the data of both ends. The error is how the connection
// broke, nil if it ended normally.
func (w *tcpConversation) relay() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := new(net.Dialer).DialContext(ctx, "tcp", w.r.to)
	if err != nil {
		reset(w.ours)
		return plain(err)
	}
	theirs := c.(*net.TCPConn)
	defer theirs.Close()
	ended := make(chan error, 1)
	go func() { ended <- pass(theirs, w.ours, w.says) }()
	back := pass(w.ours, theirs, w.hears)
	there := <-ended
	return errors.Join(back, there)
}

// pass copies the data of one end to the other, and how it ends: by end of data, or by a reset.
func pass(to, from *net.TCPConn, tell func([]byte)) error {
	b := chunks.Get()
	defer chunks.Put(b)
	for {
		n, err := from.Read(b)
		if n > 0 {
			tell(b[:n])
			if _, bad := to.Write(b[:n]); bad != nil {
				err = bad
			}
		}
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			_ = to.CloseWrite() // the peer may have closed
			return nil
		default:
			if abrupt(err) {
				reset(to)
			}
			to.Close()
			from.Close()
			if errors.Is(err, net.ErrClosed) {
				return nil // the other direction reports why
			}
			return plain(err)
		}
	}
}
