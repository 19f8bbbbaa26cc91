package vnet

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"sonde/model"
	"sonde/runner/authority"
)

// Relay says how a service with a network built in is recorded: what it sends goes on
// to the hosts that it turned to.
type Relay struct {
	// To are hosts that are really elsewhere: where the service turns to, as in
	// "payments.example:443", and the URL of the place: http, https, tcp or udp.
	To map[string]string
	// Allow are the host:port that are left alone; a port of * is any.
	Allow []string
	// Heard is given what the service sent when that is over, one after the other.
	Heard func(model.Sent)
	// Note is told what is not recorded, once; nil tells nobody.
	Note func(string)
	// Trace finds in the header of what is about to be sent for which request it is, ""
	// where that does not tell, and may change the header; nil finds nothing.
	Trace func(header map[string][]string) (cause string)
	// Insecure takes any certificate of the places.
	Insecure bool
	// Roots are the authorities that are trusted for the places; nil are the system's.
	Roots *x509.CertPool
	// Most is how much is kept of a body, and of what is said on a connection; 0 is 16 MiB.
	Most int
}

// Recorder is the network of a service while that is recorded. Enter is for one caller,
// all else may be called by any.
type Recorder struct {
	relay  Relay
	places map[string]*url.URL // by host as it is compared
	ca     *authority.Authority
	folder string
	web    *web
	door   *net.TCPListener
	run    string // is in the ID of all that is heard

	hearing sync.Mutex

	mu      sync.Mutex
	book    book
	bound   map[int]int
	channel *channel
	lines   map[uint64]*line // that wait for the service, or are open
	arrived map[netip.AddrPort]*net.TCPConn
	claimed map[netip.AddrPort]*line
	grams   map[gramKey]*gram
	missed  map[missKey]*time.Timer
	noted   map[string]bool
	heard   int
	closed  bool
}

const mostHeard = 16 << 20

// Record returns a network on which a service is recorded.
func Record(o Relay) (*Recorder, error) {
	if o.Most == 0 {
		o.Most = mostHeard
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	r := &Recorder{
		relay: o, run: fmt.Sprintf("%x", time.Now().UnixNano()), bound: map[int]int{}, lines: map[uint64]*line{}, arrived: map[netip.AddrPort]*net.TCPConn{},
		claimed: map[netip.AddrPort]*line{}, grams: map[gramKey]*gram{}, missed: map[missKey]*time.Timer{}, noted: map[string]bool{},
	}
	var err error
	r.places, err = placesOf(o.To)
	if err != nil {
		return nil, err
	}
	err = r.open()
	if err != nil {
		_ = r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Recorder) open() (err error) {
	r.web = newWeb(r.fetch)
	r.ca, err = authority.New(hostsName)
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
	r.door, err = net.ListenTCP("tcp4", &net.TCPAddr{IP: loopback})
	if err != nil {
		return fmt.Errorf("no port on loopback for the recorder: %w", err)
	}
	go r.accept()
	return nil
}

func (r *Recorder) file(name string) string { return filepath.Join(r.folder, name) }

// Bind says where a port really is on which the service is told to listen. It holds
// from the next Enter on.
func (r *Recorder) Bind(port, real int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bound[port] = real
}

// Enter lets a command that is about to start be a new process of the service, as that
// of a Network does.
func (r *Recorder) Enter(c *exec.Cmd) (entered func(started error) error, err error) {
	r.Leave()
	ch, child, err := newChannel(r.event)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.channel = ch
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

// Leave forgets the process of the service, which has ended.
func (r *Recorder) Leave() {
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

// Close ends what goes on, and hands over what was heard of it.
func (r *Recorder) Close() error {
	r.Leave()
	r.mu.Lock()
	r.closed = true
	for _, c := range r.arrived {
		_ = c.Close()
	}
	r.mu.Unlock()
	if r.door != nil {
		_ = r.door.Close()
	}
	r.web.close()
	if r.folder == "" {
		return nil
	}
	return os.RemoveAll(r.folder)
}

// Flush ends all connections, and hands over what was said on them.
func (r *Recorder) Flush() {
	r.mu.Lock()
	var lines []*line
	for _, l := range r.lines {
		lines = append(lines, l)
	}
	var grams []*gram
	for _, g := range r.grams {
		grams = append(grams, g)
	}
	r.mu.Unlock()
	for _, l := range lines {
		l.end(nil)
	}
	for _, g := range grams {
		g.end()
	}
}

// hear hands over something that is over.
func (r *Recorder) hear(s model.Sent) {
	r.hearing.Lock()
	defer r.hearing.Unlock()
	r.heard++
	s.ID = fmt.Sprintf("%s-%d", r.run, r.heard)
	if s.Cause != "" && s.How == "" {
		s.How = model.ByContext
	}
	r.relay.Heard(s)
}

// note tells once that something is not recorded.
func (r *Recorder) note(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	r.hearing.Lock()
	defer r.hearing.Unlock()
	if !r.noted[text] && len(r.noted) < mostContacts {
		r.noted[text] = true
		r.relay.Note(text)
	}
}

// pump takes what the service has told so far.
func (r *Recorder) pump() {
	r.mu.Lock()
	c := r.channel
	r.mu.Unlock()
	if c != nil {
		c.pump()
	}
}
