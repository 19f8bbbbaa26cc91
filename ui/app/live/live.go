// Package live serves the page of a search while it runs, on an address of this machine. The page is that of
// sonde report --format html, and follows the search. Without a token it is only for reading.
//
// Pages of other sites must not reach the server through the user's browser. So each request must name the server's
// own address as its host, which excludes names that an attacker lets point to this machine, and must not come from
// another origin. A command needs a token besides, which is in no request that a browser sends by itself.
package live

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"sonde/model"
)

// Search is a running search.
type Search interface {
	Snapshot() model.Snapshot
	Tune(model.TuningChange)
	Pause()
	Resume()
	Stop()
}

// Options are the settings of a server.
type Options struct {
	// Addr is the address to listen on, such as "127.0.0.1:0".
	Addr string
	// Write permits commands by requests that have the token.
	Write bool
	// Page writes the page for a snapshot.
	Page func(model.Snapshot) ([]byte, error)
}

// Server serves the page of a search.
type Server struct {
	options Options
	search  Search
	token   string
	hosts   hosts
	server  *http.Server
	page    pageCache
	clients atomic.Int32 // readers of events
	readers sync.WaitGroup
	ended   chan struct{} // closed when the search has ended
}

// CheckAddr returns an error if a server cannot listen on an address: it needs a host, so that a server is never open to
// other machines by mistake.
func CheckAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || host == "" {
		return fmt.Errorf("%q is no address with a host and a port: give one such as 127.0.0.1:0", addr)
	}
	return nil
}

// Start starts a server.
func Start(search Search, o Options) (*Server, error) {
	if err := CheckAddr(o.Addr); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, err
	}
	s := &Server{options: o, search: search, hosts: newHosts(l.Addr().(*net.TCPAddr)), ended: make(chan struct{})}
	if o.Write {
		s.token = rand.Text()
	}
	s.page.write = o.Page
	s.server = &http.Server{
		Handler:           s.guarded(s.handler()),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	go s.server.Serve(l) //nolint:errcheck // it ends with Close
	return s, nil
}

// URL returns the address of the page. If commands are permitted, the fragment has the token: browsers do not send it.
func (s *Server) URL() string {
	u := "http://" + s.hosts.own + "/"
	if s.token != "" {
		u += "#token=" + s.token
	}
	return u
}

// IsOpen reports whether other machines can reach the server.
func (s *Server) IsOpen() bool { return !s.hosts.loopback }

// The time that readers have at the end to fetch the last page.
const (
	lastEvent = 2 * time.Second
	lastPage  = 1500 * time.Millisecond
)

// Close tells the readers that the search has ended, lets them fetch the last page, and ends the server.
func (s *Server) Close() error {
	reading := s.clients.Load() > 0
	close(s.ended)
	done := make(chan struct{})
	go func() { s.readers.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(lastEvent):
	}
	if reading {
		time.Sleep(lastPage)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := s.server.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return s.server.Close()
}

// pageCache has the newest page, so that many readers do not make it many times.
type pageCache struct {
	write func(model.Snapshot) ([]byte, error)
	mu    sync.Mutex
	made  time.Time
	of    model.RunPhase
	text  []byte
}

// minAge is how old a page must be before it is made again while the search runs.
const minAge = 2 * time.Second

func (c *pageCache) get(snapshot func() model.Snapshot) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := snapshot()
	if c.text != nil && c.of == last.Phase && (time.Since(c.made) < minAge || last.Phase == model.PhaseDone) {
		return c.text, nil
	}
	text, err := c.write(last)
	if err == nil {
		c.text, c.made, c.of = text, time.Now(), last.Phase
	}
	return text, err
}
