package record

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"sonde/model"
	"sonde/model/route"
	"sonde/runner/target/client"
)

// Options of a Monitor. The zero value listens nowhere.
type Options struct {
	Spec *model.Spec
	Out  []Endpoint // hosts that the service calls
	// Serial passes on one request at a time.
	Serial bool
	// Selection and Sampling select what is kept.
	Choice   Selection
	Sampling Sampling
	// Masks select what is masked, and Callers identify the users of requests.
	Masks   Masks
	Callers *client.CallerIndex
	// Insecure accepts any certificate of the service and the hosts.
	Insecure bool
	// TLS is the configuration for the service, and without its certificates for the hosts; nil
	// for the default.
	TLS *tls.Config
	// TrafficSink receives the traffic. It is called concurrently.
	Sink TrafficSink

	read func() time.Time // the machine's clock, nil for time.Now
}

// raw relays connections or datagrams without HTTP.
type raw interface {
	// settled reports the calls for a request that is answered.
	settled(*trackedRequest)
	close()
}

// TrafficSink receives the traffic; codec.RecordingWriter is one.
type TrafficSink interface {
	WriteServed(model.ServedRequest) error
	WriteOutwardCall(model.OutwardCall) error
	WriteWarning(string) error
}

// Monitor records a service, from New until Close.
type Monitor struct {
	options   Options
	clock     clock
	requests  *requestTracker
	router    *route.Router
	transport transport // to the hosts
	inward    transport // to the service
	masker    *masker
	sampler   *sampler
	turn      chan struct{}
	servers   []*http.Server
	at        []Listening
	raw       []raw // those that relay no HTTP
	serving   sync.WaitGroup
	visits    inFlight // requests to the service
	calls     inFlight // of the service
	over      sync.Once

	mu      sync.Mutex
	table   *table
	noted   map[string]bool
	failure error
}

// Listening is an address on which the monitor listens.
type Listening struct {
	Addr     string // on which it listens
	Endpoint        // of which To is nil for the proxy
	Inward   bool
}

// New begins to listen in place of the hosts. An error names the address on which it cannot listen.
func New(o Options) (*Monitor, error) {
	c := newClock(o.read)
	m := &Monitor{
		options:   o,
		clock:     c,
		requests:  newRequestTracker(c, o.Serial),
		router:    route.New(o.Spec),
		transport: newTransport(o.secure(false)),
		inward:    newTransport(o.secure(true)),
		table:     newTable(),
		masker:    newMasker(o.Masks),
		sampler:   newSampler(o.Sampling),
		turn:      make(chan struct{}, 1),
		noted:     map[string]bool{},
	}
	for _, w := range o.Out {
		if err := m.listenOutward(w); err != nil {
			m.Close()
			return nil, err
		}
	}
	return m, nil
}

// ListenInward begins to listen for requests to the service. It is called before the first request.
func (m *Monitor) ListenInward(w Endpoint) error {
	return m.serve(w, true, func(string) http.Handler {
		return &inwardHandler{m: m, base: w.To.String(), relay: newRelay(w.To, false, m.inward)}
	})
}

func (m *Monitor) listenOutward(w Endpoint) error {
	switch w.To.Scheme {
	case "tcp":
		return m.listenTCP(w)
	case "udp":
		return m.listenUDP(w)
	}
	return m.serve(w, false, func(addr string) http.Handler {
		return &outwardHandler{m: m, host: addr, relay: newRelay(w.To, true, m.transport)}
	})
}

// serve serves HTTP on an endpoint's address.
func (m *Monitor) serve(w Endpoint, inward bool, handler func(addr string) http.Handler) error {
	l, err := net.Listen("tcp", w.Addr)
	if err != nil {
		return busy(w.Addr, err)
	}
	addr := l.Addr().String()
	s := newServer(handler(addr))
	m.servers = append(m.servers, s)
	m.at = append(m.at, Listening{Addr: addr, Endpoint: w, Inward: inward})
	m.serving.Go(func() { _ = s.Serve(l) }) // it ends when it is closed
	return nil
}

func busy(addr string, err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return fmt.Errorf("cannot listen on %q: %w: use another address; port 0 takes a free one", addr, err)
}

// Listening returns the addresses on which the monitor listens.
func (m *Monitor) Listening() []Listening { return m.at }

// lastWords is how long requests in flight may still take when the monitor is closed.
const lastWords = 2 * time.Second

// Close ends the monitor and returns when all exchanges are reported. Requests in flight may take
// up to lastWords, and are then reported without an answer.
func (m *Monitor) Close() { m.over.Do(m.close) }

func (m *Monitor) close() {
	ctx, cancel := context.WithTimeout(context.Background(), lastWords)
	defer cancel()
	for _, s := range m.servers {
		if s.Shutdown(ctx) != nil {
			s.Close()
		}
	}
	m.visits.wait(settled) // a closed connection ends its request a moment later
	m.calls.wait(settled)
	for _, r := range m.raw {
		r.close()
	}
	m.serving.Wait()
	m.transport.close()
	m.inward.close()
}

// enter waits until a request may be relayed, and returns a function for its end.
func (m *Monitor) enter(ctx context.Context) (leave func(), err error) {
	if !m.options.Serial {
		return func() {}, nil
	}
	select {
	case m.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return func() {
		m.calls.wait(settled)
		<-m.turn
	}, nil
}

// settled is how long the next request waits at most for outward calls of the last one.
const settled = time.Second

// served reports a request that is answered, or will not be.
func (m *Monitor) served(v *trackedRequest, x model.Exchange, early *masked, r *http.Request) {
	for _, r := range m.raw { // calls that were sent before the answer count
		if u, ok := r.(*relayUDP); ok {
			u.drain()
		}
		r.settled(v)
	}
	m.requests.end(v)
	found, ok := m.router.FindOperation(x.Request.Method, x.Request.URL)
	if ok {
		x.Request.Op = found.Op.ID
	}
	s := model.ServedRequest{
		ID:      v.id,
		User:    m.options.Callers.UserOf(x.Request),
		Session: m.session(x.Request.Header, r),
	}
	m.options.Callers.LearnLogin(x)
	s.Exchange = m.masker.exchange(x, early)
	calls := m.table.served(v, s.Exchange)
	keep := m.options.Choice.op(x.Request.Op) && m.sampler.keeps(found.Op, s.Exchange, calls)
	held := m.table.decide(v, keep)
	if !keep {
		return
	}
	for _, out := range held {
		m.failed(m.options.Sink.WriteOutwardCall(out))
	}
	m.failed(m.options.Sink.WriteServed(s))
}

// sent reports a call of the service. Its request may be masked already.
func (m *Monitor) sent(v *trackedRequest, how model.Attribution, s model.OutwardCall, early *masked) {
	if !m.options.Choice.sent(s) {
		return
	}
	s.ID, s.Attribution = newID(0)[:16], how
	if v != nil {
		s.CauseID = v.id
	}
	s.Exchange, s.Messages = m.masker.exchange(s.Exchange, early), m.masker.turns(s.Messages)
	if m.table.sent(v, s, m.options.Sampling.all() && m.options.Choice.Ops == nil) {
		m.failed(m.options.Sink.WriteOutwardCall(s))
	}
}

// session returns a pseudonym of the credential of a request, or of its connection.
func (m *Monitor) session(h http.Header, r *http.Request) string {
	for _, name := range []string{"Authorization", "X-Api-Key", "Cookie"} {
		if v := first(h, name); v != "" {
			return m.masker.name("s-", name+v)
		}
	}
	return m.masker.name("c-", r.RemoteAddr)
}

// maxNoted bounds the notes, which depend on the traffic.
const maxNoted = 1000

// once reports a note, unless it was reported before.
func (m *Monitor) once(text string) {
	text = m.masker.text(text)
	m.mu.Lock()
	known := m.noted[text] || len(m.noted) >= maxNoted
	if !known {
		m.noted[text] = true
	}
	m.mu.Unlock()
	if !known {
		m.failed(m.options.Sink.WriteWarning(text))
	}
}

// failed keeps the first error of the sink.
func (m *Monitor) failed(err error) {
	if err == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failure == nil {
		m.failure = err
	}
}

// SinkError returns why something could not be written, nil if everything was.
func (m *Monitor) SinkError() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failure
}
