package vnet

import (
	"errors"
	"net/netip"
	"sync"
	"time"

	"sonde/model"
)

// gramKey is to whom a socket of the service speaks.
type gramKey struct {
	socket uint64
	to     netip.AddrPort
}

// gram is a datagram, and what came for it.
type gram struct {
	r     *Recorder
	key   gramKey
	sent  model.Sent // the mutex of the recorder guards it
	timer *time.Timer
	once  sync.Once
}

// datagram takes in what the service tells of its datagrams.
func (r *Recorder) datagram(e event) {
	key := gramKey{e.number(0), e.place(1)}
	switch e.kind {
	case "said":
		r.says(key, cause(e.field(2)), e.bytes(3)).timer.Reset(mostUnanswered)
	case "came":
		r.answers(key, e.bytes(3))
	case "failed":
		r.fails(key, cause(e.field(2)), errors.New(model.Printable(e.field(3), 300)))
	case "shut":
		r.shut(e.number(0))
	}
}

// says begins with a datagram, which ends the one before.
func (r *Recorder) says(key gramKey, cause string, words []byte) *gram {
	r.end(key)
	g := &gram{r: r, key: key}
	g.timer = time.AfterFunc(time.Hour, g.end)
	r.mu.Lock()
	defer r.mu.Unlock()
	hosts := r.book.hosts(key.to)
	g.sent = model.Sent{Host: hosts[0], Protocol: model.UDP, Turns: []model.Said{{Words: words}}, Cause: cause}
	g.sent.At = time.Now()
	g.sent.Name = named(hosts[0], r.place(hosts))
	r.grams[key] = g
	return g
}

// answers takes in a datagram that came: from whom one was sent to, or else, as of a
// name for many, for the one that was sent last.
func (r *Recorder) answers(key gramKey, words []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.grams[key]
	for _, other := range r.grams {
		if r.grams[key] == nil && other.key.socket == key.socket && (g == nil || other.sent.At.After(g.sent.At)) {
			g = other
		}
	}
	if g == nil {
		return
	}
	if last := &g.sent.Turns[len(g.sent.Turns)-1]; last.Answer == nil {
		last.Answer = words
	} else {
		g.sent.Turns = append(g.sent.Turns, model.Said{Answer: words})
	}
}

// fails takes in that a datagram came to nobody.
func (r *Recorder) fails(key gramKey, cause string, err error) {
	r.mu.Lock()
	g := r.grams[key]
	r.mu.Unlock()
	if g == nil {
		g = r.says(key, cause, nil)
	}
	r.mu.Lock()
	g.sent.Err = err
	r.mu.Unlock()
	g.end()
}

// shut takes in that a socket is closed.
func (r *Recorder) shut(socket uint64) {
	r.mu.Lock()
	var all []*gram
	for key, g := range r.grams {
		if key.socket == socket {
			all = append(all, g)
		}
	}
	r.mu.Unlock()
	for _, g := range all {
		g.end()
	}
}

func (r *Recorder) end(key gramKey) {
	r.mu.Lock()
	g := r.grams[key]
	r.mu.Unlock()
	if g != nil {
		g.end()
	}
}

// end hands a datagram over.
func (g *gram) end() {
	g.once.Do(func() {
		g.timer.Stop()
		g.r.mu.Lock()
		if g.r.grams[g.key] == g {
			delete(g.r.grams, g.key)
		}
		s := g.sent
		g.r.mu.Unlock()
		s.Took = time.Since(s.At)
		g.r.hear(s)
	})
}
