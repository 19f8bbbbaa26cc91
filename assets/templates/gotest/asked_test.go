package gotest

import (
	"net"
	"net/http"
	"sort"
	"strings"
	"testing"
	"time"
)

// ask is an outward call of the service: a request, a connection, a datagram, or a failed
// attempt to reach a host.
type ask struct {
	protocol, host string // protocol is "refused" if the host was not reached
	start          time.Time
	request        *http.Request // of HTTP, with its body
	body           []byte
	turns          []string // messages of TCP, each sent after an answer, or of UDP
	by             any
	answers        int // the number of answers before its last message, for TCP
	places         map[any]bool
}

// ledger has the outward calls of the service in the running test. The mutex of the hosts
// guards it.
type ledger struct {
	*mimicry
	h      *hosts
	all    []*ask
	misses []difference
	wants  []outward // outward calls that the test has wanted so far
	limit  time.Time // when waiting ends, zero before the first wait
}

// asked is the ledger of the running test.
var asked *ledger

// mimics begins a test of a recorded exchange, in which hosts note the calls that they get.
func (h *hosts) mimics(t *testing.T, what recorded) {
	t.Helper()
	l := &ledger{h: h, mimicry: mimics(t, what)}
	asked = l
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.catchUp == nil {
		h.catchUp = h.postman()
	}
	h.heard, h.missed, l.arrange = l.hear, l.miss, l.arranged
	t.Cleanup(l.close)
}

// hear records a message of the service.
func (l *ledger) hear(protocol, host string, by any, m message) {
	a := &ask{protocol: protocol, host: host, start: time.Now(), request: m.request, body: m.data, by: by}
	switch protocol {
	case "tcp":
		l.hearTalk(a, by.(*talk), m.data)
		return
	case "udp":
		a.turns = []string{string(m.data)}
	case "refused":
		if l.triesOn(host, by) {
			return
		}
		a.places = map[any]bool{by: true}
	}
	l.all = append(l.all, a)
}

// hearTalk records a connection of the service, or a message on one. It ignores connections to the service.
func (l *ledger) hearTalk(a *ask, t *talk, data []byte) {
	known := l.talkOf(t)
	switch {
	case strings.HasPrefix(a.host, ":"):
	case data == nil:
		a.start = t.c.began
		l.all = append(l.all, a)
	case known != nil:
		known.says(string(data), t.turns)
	}
}

func (l *ledger) talkOf(t *talk) *ask {
	for _, a := range l.all {
		if a.by == any(t) {
			return a
		}
	}
	return nil
}

// says appends to the message that follows a number of answers.
func (a *ask) says(text string, answers int) {
	if len(a.turns) == 0 && answers > 0 {
		a.turns = []string{""} // the host sent first
	}
	if len(a.turns) == 0 || answers > a.answers {
		a.turns = append(a.turns, "")
	}
	a.turns[len(a.turns)-1] += text
	a.answers = answers
}

// triesOn reports whether the service tries another address of a host next.
func (l *ledger) triesOn(host string, place any) bool {
	if len(l.all) == 0 {
		return false
	}
	last := l.all[len(l.all)-1]
	if last.protocol != "refused" || last.host != host || last.places[place] {
		return false
	}
	last.places[place] = true
	return true
}

// since returns the outward calls of the call under test so far, in their order.
func (l *ledger) since() []*ask {
	l.h.mu.Lock()
	defer l.h.mu.Unlock()
	var all []*ask
	for _, a := range l.all {
		if !a.start.Before(l.acted) {
			copied := *a
			copied.turns = append([]string(nil), a.turns...)
			all = append(all, &copied)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].start.Before(all[j].start) })
	return all
}

func (l *ledger) count() int {
	l.h.mu.Lock()
	defer l.h.mu.Unlock()
	return len(l.all)
}

// arranged waits for the outward calls that were recorded before the call under test.
func (l *ledger) arranged() {
	for limit := time.Now().Add(longest); l.count() < l.before && time.Now().Before(limit); {
		time.Sleep(time.Millisecond)
	}
}

const (
	// longest is how long a test waits for outward calls after the answer.
	longest = time.Second
	// settling is the time without a further call after which no more calls are expected.
	settling = 50 * time.Millisecond
)

// await waits for a condition. While fewer outward calls arrived than were recorded, it waits up to longest.
// After that it waits only for calls that may still arrive.
func (l *ledger) await(so func() bool) {
	if l.limit.IsZero() {
		l.limit = time.Now().Add(longest)
	}
	var enough time.Time
	for ; !so(); time.Sleep(time.Millisecond) {
		now := time.Now()
		switch {
		case now.After(l.limit), !enough.IsZero() && now.After(enough):
			return
		case enough.IsZero() && len(l.since()) >= l.within:
			enough = now.Add(settling)
		}
	}
}

// close waits for outward calls that would disturb the next test, and reports those that
// no stub matched.
func (l *ledger) close() {
	if !l.acted.IsZero() {
		l.await(func() bool { return len(l.since()) >= l.within })
	}
	l.h.mu.Lock()
	misses := l.misses
	l.h.mu.Unlock()
	oracle := "po"
	if l.acted.IsZero() {
		oracle = "setup"
	}
	l.differ(oracle, -1, "no stub fits: ", misses)
}

// postman returns a function that waits until all earlier datagrams have arrived: it sends
// marks after them and waits for these.
func (h *hosts) postman() func() {
	u, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return nil
	}
	arrivals := make(chan struct{}, 1<<10)
	h.marks.Lock()
	defer h.marks.Unlock()
	h.sift = func(from net.Addr) bool {
		if from == nil || from.String() != u.LocalAddr().String() {
			return false
		}
		arrivals <- struct{}{}
		return true
	}
	turn := make(chan bool, 1)
	return func() {
		turn <- true
		defer func() { <-turn }()
		h.marks.Lock()
		ports := append([]net.Addr(nil), h.ports...)
		h.marks.Unlock()
		for _, port := range ports {
			if _, err := u.WriteTo([]byte("mark"), port); err == nil {
				happens(arrivals, settling)
			}
		}
	}
}
