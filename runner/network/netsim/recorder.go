package netsim

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"sonde/model"
	"sonde/runner/network/devca"
)

// RelayOptions configure a Recorder.
type RelayOptions struct {
	// Locations maps the host:port that the service dials, such as "payments.example:443", to
	// the URL to which its traffic is forwarded. The scheme is http, https, tcp or udp.
	Locations map[string]string
	// Allow lists the hosts that are not recorded, as host:port. The port * means any.
	Allow []string
	// Deliver receives each outward call when it is over. It is not called concurrently.
	Deliver func(model.OutwardCall)
	// Note receives texts about traffic that is not recorded, the same text only once, and about locations that cannot
	// be resolved. Note may be nil.
	Note func(string)
	// Trace returns the cause of an outward call (the ID of a request to the service) from the header of the call, ""
	// if the header does not name the cause. Trace is called before the request is sent, and may change the header.
	// Trace may be nil.
	Trace func(header map[string][]string) (cause string)
	// Insecure makes the recorder accept any certificate of a location.
	Insecure bool
	// Roots are the certificate authorities that the recorder trusts when it connects to Locations. nil means the
	// authorities of the system.
	Roots *x509.CertPool
	// MaxBytes is the maximum number of bytes that are kept of a body, and of a conversation; 0
	// means 16 MiB.
	MaxBytes int
}

// Recorder is the network of a service that is recorded. It forwards the traffic of the
// service to the real hosts, and delivers each outward call. PrepareCommand must not be
// called concurrently. The other methods may be called by any goroutine.
type Recorder struct {
	options   RelayOptions
	locations map[string]*url.URL // locations of hosts, by canonical host
	ca        *devca.Authority
	folder    string
	web       *webServer
	listener  *net.TCPListener // the service connects to it instead of the hosts
	run       string           // prefix of the IDs of outward calls

	delivering sync.Mutex
	delivered  int
	noted      map[string]bool

	mu        sync.Mutex
	names     hostNames
	ports     map[int]int
	channel   *channel
	relays    map[uint64]*relayConn // relays by ID, from the service's request for a connection until its end
	arrivals  arrivals
	datagrams map[datagramKey]*datagramExchange
	failures  map[failedDial]*dialFailure
	requests  requestCount // HTTP requests that are being relayed
}

const (
	defaultMaxBytes = 16 << 20
	// maxFlush bounds each of the two waits of Flush.
	maxFlush = 2 * time.Second
)

// NewRecorder returns a Recorder without a process.
func NewRecorder(o RelayOptions) (*Recorder, error) {
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	r := &Recorder{
		options:   o,
		run:       fmt.Sprintf("%x", time.Now().UnixNano()),
		noted:     map[string]bool{},
		ports:     map[int]int{},
		relays:    map[uint64]*relayConn{},
		arrivals:  newArrivals(),
		datagrams: map[datagramKey]*datagramExchange{},
		failures:  map[failedDial]*dialFailure{},
	}
	var err error
	r.locations, err = parseLocations(o.Locations)
	if err != nil {
		return nil, err
	}
	err = r.start()
	if err != nil {
		_ = r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Recorder) start() (err error) {
	r.web = newWebServer(r.serveHTTP)
	r.ca, err = devca.New(authorityName)
	if err != nil {
		return err
	}
	r.folder, err = os.MkdirTemp("", "sonde-record-")
	if err != nil {
		return fmt.Errorf("the recorder needs a folder: %w", err)
	}
	err = os.WriteFile(r.file("ca.pem"), r.ca.PEM, 0o600)
	if err != nil {
		return fmt.Errorf("the recorder's certificate cannot be written: %w", err)
	}
	r.listener, err = net.ListenTCP("tcp4", &net.TCPAddr{IP: loopback})
	if err != nil {
		return fmt.Errorf("no port on loopback for the recorder: %w", err)
	}
	go r.accept()
	return nil
}

func (r *Recorder) file(name string) string { return filepath.Join(r.folder, name) }

// BindPort sets the port (real) at which clients reach a port on which the service is configured to listen. It takes
// effect with the next PrepareCommand.
func (r *Recorder) BindPort(port, real int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ports[port] = real
}

// PrepareCommand makes a command start a new process of the service on the recorder's
// network. It is used like Network.PrepareCommand.
func (r *Recorder) PrepareCommand(c *exec.Cmd) (entered func(started error) error, err error) {
	r.ProcessEnded()
	channel, child, err := newChannel(r.take)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.channel = channel
	table := r.table()
	r.mu.Unlock()
	if err := os.WriteFile(r.file("table"), []byte(table), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("the recorder's table cannot be written: %w", err), child.Close())
	}
	c.Env = append(c.Environ(), "SONDE_NET="+r.file("table"), "SONDE_NET_CTL=3", "SONDE_NET_CA="+r.file("ca.pem"))
	c.ExtraFiles = []*os.File{child}
	return func(started error) error {
		_ = child.Close()
		return started
	}, nil
}

// ProcessEnded detaches the process of the service, which has ended, and calls Flush.
func (r *Recorder) ProcessEnded() {
	r.mu.Lock()
	c := r.channel
	r.channel = nil
	r.mu.Unlock()
	if c != nil {
		c.pump()
		c.close()
	}
	r.Flush()
}

// Close ends the recorder. It first calls ProcessEnded.
func (r *Recorder) Close() error {
	r.ProcessEnded()
	r.mu.Lock()
	r.arrivals.close()
	r.mu.Unlock()
	if r.listener != nil {
		_ = r.listener.Close()
	}
	r.web.close()
	if r.folder == "" {
		return nil
	}
	return os.RemoveAll(r.folder)
}

// Flush ends all connections, and delivers the outward calls on them. It first reads what the service sent before the
// call of Flush. Flush also delivers datagrams and failed dials. It waits for at most twice maxFlush.
func (r *Recorder) Flush() {
	r.pump() // the service reports a connection before it sends data on it
	r.mu.Lock()
	relays := slices.Collect(maps.Values(r.relays))
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), maxFlush)
	defer cancel()
	var ending sync.WaitGroup
	for _, l := range relays {
		ending.Go(func() {
			l.drain(ctx)
			l.end(nil)
		})
	}
	ending.Wait()
	r.requests.wait(maxFlush)
	r.mu.Lock()
	datagrams := slices.Collect(maps.Values(r.datagrams))
	failures := slices.Collect(maps.Values(r.failures))
	r.mu.Unlock()
	for _, d := range datagrams {
		d.end()
	}
	for _, f := range failures {
		f.deliver()
	}
}

// deliver gives an outward call an ID, and passes it to RelayOptions.Deliver.
func (r *Recorder) deliver(s model.OutwardCall) {
	r.delivering.Lock()
	defer r.delivering.Unlock()
	r.delivered++
	s.ID = fmt.Sprintf("%s-%d", r.run, r.delivered)
	if s.CauseID != "" && s.Attribution == "" {
		s.Attribution = model.AttributedByContext
	}
	r.options.Deliver(s)
}

// note passes a text to RelayOptions.Note, the same text only once, and at most maxContacts texts.
func (r *Recorder) note(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	r.delivering.Lock()
	defer r.delivering.Unlock()
	if !r.noted[text] && len(r.noted) < maxContacts {
		r.noted[text] = true
		r.options.Note(text)
	}
}

func (r *Recorder) currentChannel() *channel {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.channel
}

// pump handles the events that the service has reported so far.
func (r *Recorder) pump() {
	if c := r.currentChannel(); c != nil {
		c.pump()
	}
}

// command sends a command to the service, if a process is attached.
func (r *Recorder) command(format string, a ...any) {
	if c := r.currentChannel(); c != nil {
		_ = c.write(fmt.Sprintf(format, a...)) // fails only if the service has ended
	}
}

// take handles an event of the service.
func (r *Recorder) take(e event) {
	switch e := e.(type) {
	case lookupEvent:
		r.lookedUp(e)
	case askEvent:
		r.asked(e)
	case dropEvent:
		r.dropped(e)
	case openedEvent:
		r.opened(e)
	case wroteEvent:
		r.wrote(e)
	case answeredEvent:
		r.answered(e.request)
	case sentDatagramEvent:
		r.beginDatagram(e.key, e.cause, e.data).timer.Reset(maxUnansweredFor)
	case receivedDatagramEvent:
		r.receivedDatagram(e.key, e.data)
	case failedDatagramEvent:
		r.failedDatagram(e)
	case closedSocketEvent:
		r.closedSocket(e.socket)
	case execEvent:
		r.note("the service started %s: what that sends is not recorded", model.Printable(e.program, 200))
	}
}

func (r *Recorder) lookedUp(e lookupEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, addr := range e.addresses {
		r.names.add(e.name, addr)
	}
}

// wrote handles the report of which request to the service caused the bytes that the service writes on a connection.
func (r *Recorder) wrote(e wroteEvent) {
	r.mu.Lock()
	l := r.relays[e.id]
	r.mu.Unlock()
	if l != nil {
		l.setCause(e.from, e.cause)
	}
}

// answered handles the report that the service has answered a request. It ends the conversations and
// datagram exchanges for that request as soon as they are quiet.
func (r *Recorder) answered(request string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.relays {
		go l.settle(request)
	}
	for _, d := range r.datagrams {
		if d.sent.CauseID == request {
			d.timer.Reset(quietAfterAnswer)
		}
	}
}

// failedDial identifies a dialFailure: the host, and the request that caused the dial.
type failedDial struct{ host, cause string }

// dialFailure is a failed dial that is not delivered yet, because the service may still reach
// the host at another address.
type dialFailure struct {
	r     *Recorder
	key   failedDial
	sent  model.OutwardCall
	timer *time.Timer
}

// deliver delivers the failure, unless it was delivered, withdrawn or replaced.
func (f *dialFailure) deliver() {
	if f.r.withdraw(f) {
		f.r.deliver(f.sent)
	}
}

// withdraw removes a failure. It returns false if the failure was removed or replaced before.
func (r *Recorder) withdraw(f *dialFailure) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failures[f.key] != f {
		return false
	}
	f.timer.Stop()
	delete(r.failures, f.key)
	return true
}

// secondAddressWait is how long the recorder waits after a failed dial for the service to
// reach another address of the host. If the service does, the failure is not delivered.
const secondAddressWait = 500 * time.Millisecond

// dialFailed records that a dial failed. It delivers the failure at once, or after
// secondAddressWait if the host has another address.
func (r *Recorder) dialFailed(l *relayConn, err error) {
	s := l.newSent(model.TCP)
	s.At, s.Took, s.Err, s.CauseID = l.at, time.Since(l.at), err, l.cause
	name, _ := splitHost(l.hosts[0])
	r.mu.Lock()
	hasOther := r.names.hasOther(name, l.to.Addr())
	if hasOther {
		f := &dialFailure{r: r, key: failedDial{host: l.hosts[0], cause: l.cause}, sent: s}
		if before := r.failures[f.key]; before != nil {
			before.timer.Stop()
		}
		r.failures[f.key] = f
		f.timer = time.AfterFunc(secondAddressWait, f.deliver)
	}
	r.mu.Unlock()
	if !hasOther {
		r.deliver(s)
	}
}

// dialSucceeded withdraws the failure of an earlier dial to the same host for the same request.
func (r *Recorder) dialSucceeded(l *relayConn) {
	r.mu.Lock()
	f := r.failures[failedDial{host: l.hosts[0], cause: l.cause}]
	r.mu.Unlock()
	if f != nil {
		r.withdraw(f)
	}
}
