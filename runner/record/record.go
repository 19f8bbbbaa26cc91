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
	"sonde/runner/client"
)

// Options say what to stand before and behind of. The zero value listens nowhere.
type Options struct {
	Spec *model.Spec
	Out  []Way // where the service turns to
	// Serial lets one request in at a time.
	Serial bool
	// Choice and Sampling say what is kept of what passes.
	Choice   Choice
	Sampling Sampling
	// Masks say what is not written down as it is, and Callers whose requests are seen.
	Masks   Masks
	Callers *client.Callers
	// Insecure takes any certificate of what is behind.
	Insecure bool
	// TLS is how TLS is spoken with the service, and without its certificates with
	// others; nil is the usual way.
	TLS *tls.Config
	// Sink takes what passes. It is used by several goroutines.
	Sink Sink

	read func() time.Time // the machine's clock, nil for time.Now
}

// raw relays what is no HTTP.
type raw interface {
	// settled tells what was sent for a request that has its answer.
	settled(*visit)
	close()
}

// Sink takes what passes: a codec.Recorder.
type Sink interface {
	Served(model.Served) error
	Sent(model.Sent) error
	Note(string) error
}

// Monitor stands before a service and behind it, from New until Close.
type Monitor struct {
	options   Options
	clock     clock
	book      *book
	router    *route.Router
	transport transport // to what the service turns to
	inward    transport // to the service
	masker    *masker
	sampler   *sampler
	turn      chan struct{}
	servers   []*http.Server
	at        []Listening
	raw       []raw // those that relay no HTTP
	serving   sync.WaitGroup
	over      sync.Once

	mu      sync.Mutex
	table   *table
	noted   map[string]bool
	failure error
	sending int
	idle    chan struct{} // closed when nothing is sent any more
}

// Listening is where the monitor stands.
type Listening struct {
	Addr   string // on which it listens
	Way           // of which To is nil for the proxy
	Inward bool
}

// New begins to listen where the service turns to. An error names the address that is
// not to be had.
func New(o Options) (*Monitor, error) {
	c := newClock(o.read)
	m := &Monitor{
		options: o, clock: c, book: newBook(c, o.Serial), router: route.New(o.Spec), transport: newTransport(o.secure(false)), inward: newTransport(o.secure(true)), table: newTable(), masker: newMasker(o.Masks), sampler: newSampler(o.Sampling),
		turn: make(chan struct{}, 1), noted: map[string]bool{},
	}
	for _, w := range o.Out {
		if err := m.standBehind(w); err != nil {
			m.Close()
			return nil, err
		}
	}
	return m, nil
}

// StandBefore begins to listen for the service. It is for before the first request.
func (m *Monitor) StandBefore(w Way) error {
	return m.serve(w, true, func(string) http.Handler {
		return &front{m: m, base: w.To.String(), relay: newRelay(w.To, false, m.inward)}
	})
}

func (m *Monitor) standBehind(w Way) error {
	switch w.To.Scheme {
	case "tcp":
		return m.standTCP(w)
	case "udp":
		return m.standUDP(w)
	}
	return m.serve(w, false, func(addr string) http.Handler {
		return &behind{m: m, host: addr, relay: newRelay(w.To, true, m.transport)}
	})
}

// serve serves HTTP on a way's address.
func (m *Monitor) serve(w Way, inward bool, handler func(addr string) http.Handler) error {
	l, err := net.Listen("tcp", w.Addr)
	if err != nil {
		return busy(w.Addr, err)
	}
	addr := l.Addr().String()
	s := newServer(handler(addr))
	m.servers = append(m.servers, s)
	m.at = append(m.at, Listening{Addr: addr, Way: w, Inward: inward})
	m.serving.Go(func() { _ = s.Serve(l) }) // it ends when it is closed
	return nil
}

func busy(addr string, err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return fmt.Errorf("nobody can listen on %q: %w: name another address; port 0 takes a free one", addr, err)
}

// Listening are the addresses on which the monitor listens.
func (m *Monitor) Listening() []Listening { return m.at }

// lastWords is how long what is under way may still take when the monitor is closed.
const lastWords = 2 * time.Second

// Close ends the listening, what is under way after a while.
func (m *Monitor) Close() { m.over.Do(m.close) }

func (m *Monitor) close() {
	ctx, cancel := context.WithTimeout(context.Background(), lastWords)
	defer cancel()
	for _, s := range m.servers {
		if s.Shutdown(ctx) != nil {
			s.Close()
		}
	}
	for _, r := range m.raw {
		r.close()
	}
	m.serving.Wait()
	m.transport.close()
	m.inward.close()
}

// enter waits until a request may come in, and returns how it leaves.
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
		m.settle()
		<-m.turn
	}, nil
}

// settled is how long the next request waits at most for what the last one still sends.
const settled = time.Second

// settle waits until nothing is sent any more.
func (m *Monitor) settle() {
	m.mu.Lock()
	idle := m.idle
	m.mu.Unlock()
	if idle != nil {
		select {
		case <-idle:
		case <-time.After(settled):
		}
	}
}

// going notes that something is being sent until done is called.
func (m *Monitor) going() (done func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sending++
	if m.idle == nil {
		m.idle = make(chan struct{})
	}
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.sending--
		if m.sending == 0 {
			close(m.idle)
			m.idle = nil
		}
	}
}

// served tells of a request that has its answer, or will have none.
func (m *Monitor) served(v *visit, x model.Exchange, early *masked, r *http.Request) {
	for _, r := range m.raw { // what was sent before the answer has come, too
		if u, ok := r.(*relayUDP); ok {
			u.drain()
		}
		r.settled(v)
	}
	m.book.end(v)
	found, ok := m.router.Find(x.Request.Method, x.Request.URL)
	if ok {
		x.Request.Op = found.Op.ID
	}
	s := model.Served{ID: v.id, User: m.options.Callers.Of(x.Request), Session: m.session(x.Request.Header, r)}
	m.options.Callers.Learn(x)
	s.Exchange = m.masker.exchange(x, early)
	calls := m.table.served(v, s.Exchange)
	keep := m.options.Choice.op(x.Request.Op) && m.sampler.keeps(found.Op, s.Exchange, calls)
	held := m.table.decide(v, keep)
	if !keep {
		return
	}
	for _, out := range held {
		m.failed(m.options.Sink.Sent(out))
	}
	m.failed(m.options.Sink.Served(s))
}

// sent tells of what the service sent, of which the request may be masked already.
func (m *Monitor) sent(v *visit, how model.Cause, s model.Sent, early *masked) {
	if !m.options.Choice.sent(s) {
		return
	}
	s.ID, s.How = newID(0)[:16], how
	if v != nil {
		s.Cause = v.id
	}
	s.Exchange, s.Turns = m.masker.exchange(s.Exchange, early), m.masker.turns(s.Turns)
	if m.table.sent(v, s, m.options.Sampling.all() && m.options.Choice.Ops == nil) {
		m.failed(m.options.Sink.Sent(s))
	}
}

// session is a pseudonym of the credential that a request carries, or of its connection.
func (m *Monitor) session(h http.Header, r *http.Request) string {
	for _, name := range []string{"Authorization", "X-Api-Key", "Cookie"} {
		if v := first(h, name); v != "" {
			return m.masker.name("s-", name+v)
		}
	}
	return m.masker.name("c-", r.RemoteAddr)
}

// mostNoted is how many things are noted: what passes says what they are.
const mostNoted = 1000

// once notes something the first time that it happens.
func (m *Monitor) once(text string) {
	text = m.masker.text(text)
	m.mu.Lock()
	known := m.noted[text] || len(m.noted) >= mostNoted
	if !known {
		m.noted[text] = true
	}
	m.mu.Unlock()
	if !known {
		m.failed(m.options.Sink.Note(text))
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

// Err is why something that passed could not be kept, nil where all was.
func (m *Monitor) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failure
}
