package record

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"sonde/model"
	"sonde/runner/network/dialogue"
)

// Limits of what is kept of a connection for one request.
const (
	maxConversation = 1 << 20 // bytes
	maxMessages     = 1000
)

// tcpRelay relays connections of the service to a TCP host.
type tcpRelay struct {
	monitor *Monitor
	host    string // address that the service calls
	to      string // address of the host

	listener net.Listener
	mu       sync.Mutex
	open     map[*tcpConversation]bool
	database bool // a connection was with a database
}

// listenTCP listens in place of a TCP host.
func (m *Monitor) listenTCP(w Endpoint) error {
	l, err := net.Listen("tcp", w.Addr)
	if err != nil {
		return listenError(w.Addr, err)
	}
	r := &tcpRelay{monitor: m, host: l.Addr().String(), to: w.To.Host, listener: l, open: map[*tcpConversation]bool{}}
	m.rawRelays = append(m.rawRelays, r)
	m.listening = append(m.listening, Listening{Addr: r.host, Endpoint: w, Inward: false})
	m.serving.Go(r.serve)
	return nil
}

// serve accepts connections until the listener is closed.
func (r *tcpRelay) serve() {
	for {
		c, err := r.listener.Accept()
		switch {
		case err == nil:
			go r.relay(c.(*net.TCPConn))
		case errors.Is(err, net.ErrClosed):
			return
		default:
			time.Sleep(10 * time.Millisecond) // no file descriptor is free
		}
	}
}

// close closes the listener and all connections. It waits until their messages were reported, for at most
// closeTimeout.
func (r *tcpRelay) close() {
	r.listener.Close()
	for _, c := range r.conversations() {
		c.service.Close()
	}
	for end := time.Now().Add(closeTimeout); len(r.conversations()) > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// conversations returns the conversations of the open connections.
func (r *tcpRelay) conversations() (all []*tcpConversation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.open {
		all = append(all, c)
	}
	return all
}

// isDatabase reports whether the host is a database.
func (r *tcpRelay) isDatabase() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.database
}

// reportFor reports the messages that a request caused.
func (r *tcpRelay) reportFor(tracked *trackedRequest) {
	for _, c := range r.conversations() {
		c.mu.Lock()
		if c.cause == tracked {
			c.report(nil)
		}
		c.mu.Unlock()
	}
}

// relay relays one connection until both ends have closed it.
func (r *tcpRelay) relay(service *net.TCPConn) {
	defer service.Close()
	c := &tcpConversation{relay: r, service: service, id: newID(0)[:16]}
	c.begin()
	r.mu.Lock()
	r.open[c] = true
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.open, c)
		r.mu.Unlock()
	}()
	err := c.run()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reportRest(err)
}

// tcpConversation has the messages on a connection for one request. They are reported when the request is answered,
// when the service's next message belongs to another request, and at the end of the connection.
type tcpConversation struct {
	relay   *tcpRelay
	service *net.TCPConn
	id      string // ID of the connection in the recording

	mu          sync.Mutex
	at          time.Time
	cause       *trackedRequest
	attribution model.Attribution
	messages    []model.MessagePair
	size        int
	reported    bool                  // at least one report was made for the connection
	database    *databaseConversation // nil unless the connection is with a database
}

// begin clears the messages, and finds the request for which the service sends the next ones. The caller holds c.mu,
// unless c is not shared yet.
func (c *tcpConversation) begin() {
	c.at, c.messages, c.size = c.relay.monitor.clock.now(), nil, 0
	c.cause, c.attribution = c.relay.monitor.requests.cause(nil)
}

// report reports the messages so far, if there are any or err is not nil. The caller holds c.mu.
func (c *tcpConversation) report(err error) {
	if len(c.messages) == 0 && err == nil {
		return
	}
	s := model.OutwardCall{Host: c.relay.host, Name: c.relay.to, Protocol: model.TCP, Connection: c.id, Messages: c.messages}
	s.At, s.Took, s.Err = c.at, c.relay.monitor.clock.now().Sub(c.at), err
	c.relay.monitor.reportOutward(c.cause, c.attribution, s, nil)
	c.reported = true
	c.begin()
}

// reportRest reports the last messages. It also reports a connection without any messages, unless the host is a
// database: then it may be a spare connection of a pool. The caller holds c.mu.
func (c *tcpConversation) reportRest(err error) {
	if c.database != nil {
		c.database.finish(err)
		return
	}
	if !c.reported && len(c.messages) == 0 && err == nil && !c.relay.isDatabase() {
		c.messages = []model.MessagePair{{}}
	}
	c.report(err)
}

// isFirst reports whether nothing was sent on the connection so far. The caller holds c.mu.
func (c *tcpConversation) isFirst() bool {
	return c.database == nil && !c.reported && len(c.messages) == 0
}

// addRequest records bytes that the service sent.
func (c *tcpConversation) addRequest(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isFirst() {
		c.database = newDatabaseConversation(c.relay, dialogue.Detect, p)
	}
	if c.database != nil {
		c.database.addRequest(p)
		return
	}
	if tracked, attribution := c.relay.monitor.requests.cause(nil); tracked != c.cause {
		c.report(nil)
		c.cause, c.attribution = tracked, attribution
	}
	if n := len(c.messages); n == 0 || len(c.messages[n-1].Answer) > 0 {
		if n >= maxMessages {
			c.relay.monitor.warnOnce("not all messages on a connection to " + c.relay.to + " are kept")
			return
		}
		c.messages = append(c.messages, model.MessagePair{})
	}
	last := &c.messages[len(c.messages)-1]
	last.Request = c.appendLimited(last.Request, p)
}

// addAnswer records bytes that the host sent.
func (c *tcpConversation) addAnswer(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isFirst() {
		c.database = newDatabaseConversation(c.relay, dialogue.DetectGreeting, p)
	}
	if c.database != nil {
		c.database.addAnswer(p)
		return
	}
	if len(c.messages) == 0 {
		c.messages = append(c.messages, model.MessagePair{})
	}
	last := &c.messages[len(c.messages)-1]
	last.Answer = c.appendLimited(last.Answer, p)
}

// appendLimited appends p to the bytes of a message, up to maxConversation bytes for all messages.
func (c *tcpConversation) appendLimited(to, p []byte) []byte {
	if room := maxConversation - c.size; len(p) > room {
		c.relay.monitor.warnOnce("only the first MB of the data on a connection to " + c.relay.to + " is kept")
		p = p[:room]
	}
	c.size += len(p)
	return append(to, p...)
}

// run connects to the host and relays the data in both directions. It returns how the connection
// broke, nil if it ended normally.
func (c *tcpConversation) run() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.relay.to)
	if err != nil {
		reset(c.service)
		return withoutAddresses(err)
	}
	host := conn.(*net.TCPConn)
	defer host.Close()
	ended := make(chan error, 1)
	go func() { ended <- copyData(host, c.service, c.addRequest) }()
	fromHost := copyData(c.service, host, c.addAnswer)
	fromService := <-ended
	return errors.Join(fromHost, fromService)
}

// copyData copies data from one connection to another, and calls observe with the data. At the end of the data it
// closes the write side of the other connection. After an error it closes both connections; if wasReset(err), it resets
// the destination. It returns nil if the copy in the other direction has closed the connections.
func copyData(to, from *net.TCPConn, observe func([]byte)) error {
	b := buffers.Get()
	defer buffers.Put(b)
	for {
		n, err := from.Read(b)
		if n > 0 {
			observe(b[:n])
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
			if wasReset(err) {
				reset(to)
			}
			to.Close()
			from.Close()
			if errors.Is(err, net.ErrClosed) {
				return nil // the other direction reports why
			}
			return withoutAddresses(err)
		}
	}
}
