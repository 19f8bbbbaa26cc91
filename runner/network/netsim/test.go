package netsim

import (
	"slices"
	"sync"
	"time"

	"sonde/model"
)

// test is what the network knows of one test: how far the scripts of its stubs are, and
// what the service did. The mutex of the network guards it.
type test struct {
	stubs    []model.Stub // the test's own, then those of the whole run
	given    []int        // answers given of each stub's script
	counts   map[string]int
	dials    map[endpoint]*dialScript
	lookups  map[string]int    // of each name
	called   map[int]bool      // inward stubs whose connection was opened
	admitted int               // how many of the stubs may call the service
	mute     map[int]time.Time // since when the service waits for a mute host, by contact
	call     int               // that is in flight, or was last; -1 before the first
	busy     bool              // a call is in flight
	log      contactLog

	end  sync.Once
	over chan struct{} // closed when it ends
}

func newTest(stubs []model.Stub) *test {
	return &test{
		stubs:   stubs,
		given:   make([]int, len(stubs)),
		counts:  map[string]int{},
		dials:   map[endpoint]*dialScript{},
		lookups: map[string]int{},
		called:  map[int]bool{},
		mute:    map[int]time.Time{},
		call:    -1,
		over:    make(chan struct{}),
	}
}

// note adds a contact of the call in flight to the log, and returns its index.
func (t *test) note(c model.Contact) int {
	c.Call = t.call
	return t.log.add(c)
}

// noteUnstubbed adds a contact that no stub answered.
func (t *test) noteUnstubbed(kind model.ContactKind, network, host, outcome string, data []byte) {
	t.note(model.Contact{
		Kind:     kind,
		Protocol: model.Protocol(network),
		Host:     host,
		Data:     data,
		Stub:     -1,
		Answer:   -1,
		Outcome:  outcome,
	})
}

// finish releases all who wait for the end of the test.
func (t *test) finish() { t.end.Do(func() { close(t.over) }) }

// count counts a message or connection of a host, and returns how many there were.
func (t *test) count(p model.Protocol, host string) int {
	key := string(p) + " " + host
	t.counts[key]++
	return t.counts[key]
}

// stubsFor returns the indexes of the stubs that a host has for a protocol, by any of its
// names.
func (t *test) stubsFor(p model.Protocol, hosts []string) []int {
	var all []int
	for i, s := range t.stubs {
		if s.Protocol == p && !s.Inward && slices.Contains(hosts, canonicalHost(s.Host)) {
			all = append(all, i)
		}
	}
	return all
}

// hasInward reports whether some host calls the service.
func (t *test) hasInward() bool {
	return slices.ContainsFunc(t.stubs, func(s model.Stub) bool { return s.Inward })
}

// peek returns the next answer of a stub's script. With TCP each connection has the
// script to itself.
func (t *test) peek(stub int) (model.Answer, int, bool) {
	if t.stubs[stub].Protocol == model.TCP {
		return ScriptedAnswer(t.stubs[stub], 0)
	}
	return ScriptedAnswer(t.stubs[stub], t.given[stub])
}

// take takes the next answer of a stub's script.
func (t *test) take(stub int) (model.Answer, int, bool) {
	a, index, ok := t.peek(stub)
	if ok {
		t.given[stub]++
	}
	return a, index, ok
}

// hasMore reports whether an inward stub has another datagram.
func (t *test) hasMore(stub int) bool {
	_, _, ok := t.peek(stub)
	return ok && t.given[stub] < maxAnswers
}

// hasCounters reports whether the service counts something in the test's table, which has
// to start over in each test.
func (t *test) hasCounters() bool {
	for _, d := range t.dials {
		if !d.single() {
			return true
		}
	}
	return slices.ContainsFunc(t.stubs, func(s model.Stub) bool {
		return s.Protocol == model.DNS && len(s.Answers) > 1
	})
}

// lookupAnswer completes the contact of the nth lookup of a name with the stub that
// answered it.
func (t *test) lookupAnswer(m *model.Contact, nth int) {
	i, has := newZone(t.stubs).scripts[m.Host]
	if !has || m.Outcome == "real" {
		return
	}
	if a, index, ok := ScriptedAnswer(t.stubs[i], nth); ok {
		m.Stub, m.Answer = i, index
		if a.Fault != "" {
			m.Outcome = string(a.Fault)
		}
	}
}

// endMute records how long the service has waited for a mute host.
func (t *test) endMute(contact int) {
	if began, is := t.mute[contact]; is {
		t.log.setTook(contact, int(time.Since(began).Milliseconds()))
		delete(t.mute, contact)
	}
}

// close ends the test: its log is complete.
func (t *test) close() {
	for contact := range t.mute {
		t.endMute(contact)
	}
	t.log.ended, t.busy = true, false
	t.finish()
}
