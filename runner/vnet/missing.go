package vnet

import (
	"net/netip"
	"time"

	"sonde/model"
)

// missKey is a host that could not be reached for a request.
type missKey struct{ host, cause string }

// mostSecond is how long it is waited whether the service reaches a host by another of
// its addresses: it then never knew of the first.
const mostSecond = 500 * time.Millisecond

// missing takes in that a host could not be reached.
func (r *Recorder) missing(l *line, err error) {
	s := l.sent(model.TCP)
	s.At, s.Took, s.Err, s.Cause = l.at, time.Since(l.at), err, l.cause
	if r.alone(l.hosts[0], l.to.Addr()) {
		r.hear(s)
		return
	}
	key := missKey{l.hosts[0], l.cause}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.missed[key] = time.AfterFunc(mostSecond, func() { r.hear(s) })
}

// alone reports whether a host has one address.
func (r *Recorder) alone(host string, at netip.Addr) bool {
	name, _ := split(host)
	r.mu.Lock()
	defer r.mu.Unlock()
	for addr, names := range r.book.names {
		for _, n := range names {
			if n == name && addr != at {
				return false
			}
		}
	}
	return true
}

// reached takes in that a host was.
func (r *Recorder) reached(l *line) {
	key := missKey{l.hosts[0], l.cause}
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.missed[key]; t != nil {
		t.Stop()
		delete(r.missed, key)
	}
}
