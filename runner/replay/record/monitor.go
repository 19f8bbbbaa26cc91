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

// Options of a Monitor. Spec, Callers and Sink must be set. With the zero values of the other
// fields, the Monitor records everything and listens nowhere.
type Options struct {
	// Spec is the spec of the service. It says to which operation a request belongs.
	Spec *model.Spec
	Out  []Endpoint // hosts that the service calls
	// Serial lets one request at a time into the service.
	Serial bool
	// Choice and Sampling select what is kept.
	Choice   Selection
	Sampling Sampling
	// Masks select what is masked. Callers finds the user of each request.
	Masks   Masks
	Callers *client.CallerIndex
	// TakeSnapshot takes a snapshot of the service's state and gives it a name, while no request is in the service. It
	// is called before the first request, and again each time that SnapshotEvery requests have changed something. If it
	// is nil, no snapshots are taken.
	TakeSnapshot  func(ctx context.Context, name string) error
	SnapshotEvery int
	// TakeCovered returns the code targets that the service has covered since the last call of TakeCovered. The key of
	// the map is the tag of the request for which a target was covered first. TakeCovered returns nil if the targets are
	// not known. It is not called concurrently. If it is nil, requests are reported without the code that they ran.
	TakeCovered func() map[uint8]model.TargetSet
	// Insecure accepts any certificate of the service and the hosts.
	Insecure bool
	// TLS is the TLS configuration for the service, nil for the default. It is used for hosts, too,
	// but without its certificates.
	TLS *tls.Config
	// Sink receives the traffic. It must be safe for concurrent use.
	Sink TrafficSink

	machineClock func() time.Time // nil for time.Now
}

// rawRelay relays TCP or UDP.
type rawRelay interface {
	// reportFor reports the outward calls that an answered request caused.
	reportFor(*trackedRequest)
	// close stops the relay and reports what is left.
	close()
}

// TrafficSink receives the recorded traffic. codec.RecordingWriter implements it.
type TrafficSink interface {
	WriteServed(model.ServedRequest) error
	WriteOutwardCall(model.OutwardCall) error
	WriteWarning(string) error
	// WriteStateSnapshot records a snapshot that was taken.
	WriteStateSnapshot(model.StateSnapshot) error
	// WriteReady records the time from which on the service is ready for requests.
	WriteReady(time.Time) error
}

// Monitor records the traffic of a service from New until Close.
type Monitor struct {
	options         Options
	clock           clock
	requests        *requestTracker
	router          *route.Router
	toHosts         transport // sends requests to the hosts
	toService       transport // sends requests to the service
	masker          *masker
	sampler         *sampler
	snapshots       *snapshotter
	coverage        *coverageTracker // nil if the options have no TakeCovered
	serialSlot      chan struct{}    // held by the request in the service if Serial is set
	servers         []*http.Server
	listening       []Listening
	rawRelays       []rawRelay     // relays of TCP and UDP
	serving         sync.WaitGroup // goroutines that serve listeners
	inwardInFlight  inFlight       // requests to the service
	outwardInFlight inFlight       // calls of the service
	closeOnce       sync.Once
	readyOnce       sync.Once // makes the monitor record only once when the service became ready

	mu        sync.Mutex
	table     *trafficTable
	warned    map[string]bool // texts of the warnings so far
	sinkError error           // the first error of the sink
}

// Listening is an address on which the monitor listens.
type Listening struct {
	Addr     string // the address with the actual port
	Endpoint        // To is nil for the proxy
	Inward   bool   // whether it receives requests to the service
}

// New returns a monitor that listens in place of the hosts. If it cannot listen on an address, the
// error names it.
func New(o Options) (*Monitor, error) {
	c := newClock(o.machineClock)
	m := &Monitor{
		options:    o,
		clock:      c,
		requests:   newRequestTracker(c, o.Serial),
		router:     route.New(o.Spec),
		toHosts:    newTransport(o.tlsConfig(false)),
		toService:  newTransport(o.tlsConfig(true)),
		table:      newTable(),
		masker:     newMasker(o.Masks),
		sampler:    newSampler(o.Sampling),
		coverage:   newCoverageTracker(o.TakeCovered),
		serialSlot: make(chan struct{}, 1),
		warned:     map[string]bool{},
	}
	m.snapshots = m.newSnapshotter()
	for _, w := range o.Out {
		if err := m.listenOutward(w); err != nil {
			m.Close()
			return nil, err
		}
	}
	return m, nil
}

// TakeFirstSnapshot takes the snapshot before the first request, if the options have snapshots. The service must be
// ready, and ListenInward must not have been called.
func (m *Monitor) TakeFirstSnapshot(ctx context.Context) error { return m.snapshots.first(ctx) }

// SnapshotCount returns the number of snapshots that were taken.
func (m *Monitor) SnapshotCount() int { return m.snapshots.count() }

// ListenInward listens for requests to the service, which must be ready: the first call records this time. It must be
// called before the first request.
func (m *Monitor) ListenInward(w Endpoint) error {
	m.readyOnce.Do(func() { m.keepError(m.options.Sink.WriteReady(m.clock.now())) })
	return m.serve(w, true, func(string) http.Handler {
		return &inwardHandler{monitor: m, base: w.To.String(), relay: newRelay(w.To, false, m.toService)}
	})
}

// listenOutward listens in place of a host.
func (m *Monitor) listenOutward(w Endpoint) error {
	switch w.To.Scheme {
	case "tcp":
		return m.listenTCP(w)
	case "udp":
		return m.listenUDP(w)
	}
	return m.serve(w, false, func(addr string) http.Handler {
		return &outwardHandler{monitor: m, host: addr, relay: newRelay(w.To, true, m.toHosts)}
	})
}

// serve listens at the address of an endpoint and begins to serve HTTP there. It calls handler with the actual address;
// handler returns the HTTP handler of the requests.
func (m *Monitor) serve(w Endpoint, inward bool, handler func(addr string) http.Handler) error {
	l, err := net.Listen("tcp", w.Addr)
	if err != nil {
		return listenError(w.Addr, err)
	}
	addr := l.Addr().String()
	s := newServer(handler(addr))
	m.servers = append(m.servers, s)
	m.listening = append(m.listening, Listening{Addr: addr, Endpoint: w, Inward: inward})
	m.serving.Go(func() { _ = s.Serve(l) }) // Serve returns when the server is closed
	return nil
}

// listenError adds the address and a remedy to an error of net.Listen.
func listenError(addr string, err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return fmt.Errorf("cannot listen on %q: %w: use another address; port 0 takes a free one", addr, err)
}

// Listening returns the addresses on which the monitor listens.
func (m *Monitor) Listening() []Listening { return m.listening }

// closeTimeout is how long requests in flight may still take when the monitor is closed.
const closeTimeout = 2 * time.Second

// Close stops the monitor. It returns when all exchanges were reported, or after a few seconds. Requests that are in
// flight for longer than closeTimeout are reported without an answer.
func (m *Monitor) Close() { m.closeOnce.Do(m.close) }

func (m *Monitor) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	for _, s := range m.servers {
		if s.Shutdown(ctx) != nil {
			s.Close()
		}
	}
	m.snapshots.close()
	m.inwardInFlight.wait(outwardTimeout) // a closed connection ends its request a moment later
	m.outwardInFlight.wait(outwardTimeout)
	for _, r := range m.rawRelays {
		r.close()
	}
	m.serving.Wait()
	m.toHosts.close()
	m.toService.close()
}

// enter waits until a request may be relayed to the service. When the request has ended, the caller must call leave, and
// say whether the request changed the service's state. If ctx ends first, enter returns the error of ctx, and leave must
// not be called.
func (m *Monitor) enter(ctx context.Context) (leave func(wrote bool), err error) {
	if !m.options.Serial {
		return m.snapshots.leave, m.snapshots.enter(ctx)
	}
	select {
	case m.serialSlot <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := m.snapshots.enter(ctx); err != nil {
		<-m.serialSlot
		return nil, err
	}
	return func(wrote bool) {
		m.outwardInFlight.wait(outwardTimeout)
		m.snapshots.leave(wrote)
		<-m.serialSlot
	}, nil
}

// outwardTimeout is how long close waits for requests and for outward calls. With the option Serial, it is also how long
// a request waits for outward calls of the previous one.
const outwardTimeout = time.Second

// reportServed counts a request that was answered or failed. If the request is selected, reportServed writes it to the
// sink, with the calls that it caused. early is the masked request, nil if it was not masked yet.
func (m *Monitor) reportServed(tracked *trackedRequest, x model.Exchange, early *masked, r *http.Request) {
	for _, r := range m.rawRelays { // calls that were sent before the answer count
		if u, ok := r.(*udpRelay); ok {
			u.drain()
		}
		r.reportFor(tracked)
	}
	m.requests.end(tracked)
	covered, byOthers := m.coverage.end(tracked)
	found, ok := m.router.FindOperation(x.Request.Method, x.Request.URL)
	if ok {
		x.Request.Op = found.Op.ID
	}
	s := model.ServedRequest{
		ID:      tracked.id,
		User:    m.options.Callers.UserOf(x.Request),
		Session: m.sessionOf(x.Request.Header, r),
		Covered: covered, CoveredByOthers: byOthers,
	}
	m.options.Callers.LearnLogin(x)
	s.Exchange = m.masker.exchange(x, early)
	calls := m.table.countServed(tracked, s.Exchange)
	keep := m.options.Choice.hasOperation(x.Request.Op) && m.sampler.keeps(found.Op, s, calls)
	held := m.table.decide(tracked, keep)
	if !keep {
		return
	}
	for _, out := range held {
		m.keepError(m.options.Sink.WriteOutwardCall(out))
	}
	m.keepError(m.options.Sink.WriteServed(s))
}

// reportOutward reports a call of the service, if the call is selected. The sink may get the call only when the request
// that caused the call ends, or not at all; see countOutward. early is the masked request of the call, nil if it was
// not masked yet.
func (m *Monitor) reportOutward(tracked *trackedRequest, attribution model.Attribution, s model.OutwardCall, early *masked) {
	if !m.options.Choice.hasCall(s) {
		return
	}
	s.ID, s.Attribution = newID(0)[:16], attribution
	s.Exchange = withGRPCText(s.Exchange)
	if tracked != nil {
		s.CauseID = tracked.id
	}
	s.Exchange, s.Messages = m.masker.exchange(s.Exchange, early), m.masker.messages(s.Messages)
	if m.table.countOutward(tracked, s, m.options.Sampling.all() && m.options.Choice.Ops == nil) {
		m.keepError(m.options.Sink.WriteOutwardCall(s))
	}
}

// sessionOf returns a pseudonym of the request's credential. If the usual headers have none, it returns a
// pseudonym of the request's connection.
func (m *Monitor) sessionOf(h http.Header, r *http.Request) string {
	for _, name := range []string{"Authorization", "X-Api-Key", "Cookie"} {
		if v := headerValue(h, name); v != "" {
			return m.masker.opaqueName("s-", name+v)
		}
	}
	return m.masker.opaqueName("c-", r.RemoteAddr)
}

// maxWarnings is the maximum number of different warnings. It limits memory, because the texts of
// warnings depend on the traffic.
const maxWarnings = 1000

// warnOnce reports a warning, unless it was reported before or there are already maxWarnings.
func (m *Monitor) warnOnce(text string) {
	text = m.masker.text(text)
	m.mu.Lock()
	known := m.warned[text] || len(m.warned) >= maxWarnings
	if !known {
		m.warned[text] = true
	}
	m.mu.Unlock()
	if !known {
		m.keepError(m.options.Sink.WriteWarning(text))
	}
}

// keepError keeps the first error of the sink.
func (m *Monitor) keepError(err error) {
	if err == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sinkError == nil {
		m.sinkError = err
	}
}

// SinkError returns the first error of the sink, nil if everything was written.
func (m *Monitor) SinkError() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sinkError
}

// InFlight returns the number of requests in flight in the service.
func (m *Monitor) InFlight() int {
	m.requests.mu.Lock()
	defer m.requests.mu.Unlock()
	return len(m.requests.inFlight)
}

// MaskedSecrets returns the number of different secrets that are masked wherever they occur.
func (m *Monitor) MaskedSecrets() int {
	m.masker.mu.RLock()
	defer m.masker.mu.RUnlock()
	return len(m.masker.known)
}
