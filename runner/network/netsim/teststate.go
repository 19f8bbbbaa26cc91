package netsim

import (
	"slices"
	"sync"
	"time"

	"sonde/model"
)

// testState is the state of one test: the stubs, how many of its answers each stub has given, and the
// contacts of the service. The mutex of the network guards it.
type testState struct {
	stubs    []model.Stub   // the test's own stubs, then the permanent stubs
	own      int            // number of the test's own stubs
	restored bool           // the test's own stubs of the environment are no longer in effect
	answered []int          // number of answers given, by stub
	counts   map[string]int // messages and connections, by the key that count makes
	dials    map[endpoint]*dialScript
	lookups  map[string]int    // number of lookups, by name; with paired questions also by type and name
	called   map[int]bool      // inward TCP stubs whose host has called
	admitted int               // how many stubs, from the first on, may call the service
	mute     map[int]time.Time // when the service began to wait for a mute host, by contact
	uses     map[useKey]int    // the indexes of the contacts with the environment, -1 for those that were dropped
	call     int               // index of the current or last call; -1 before the first
	busy     bool              // a call is in flight
	log      contactLog

	end   sync.Once
	ended chan struct{} // closed when the test ends
}

func newTest(stubs []model.Stub, observe func(model.Contact)) *testState {
	return &testState{
		stubs:    stubs,
		answered: make([]int, len(stubs)),
		counts:   map[string]int{},
		dials:    map[endpoint]*dialScript{},
		lookups:  map[string]int{},
		called:   map[int]bool{},
		mute:     map[int]time.Time{},
		uses:     map[useKey]int{},
		call:     -1,
		log:      contactLog{observe: observe},
		ended:    make(chan struct{}),
	}
}

// continueBackground makes the scripts of permanent background stubs continue where the previous test left them.
// permanent is the number of permanent stubs, which are the last stubs of both tests.
func (t *testState) continueBackground(before *testState, permanent int) {
	for i := range permanent {
		at := len(t.stubs) - permanent + i
		if t.stubs[at].Background {
			t.answered[at] = before.answered[len(before.stubs)-permanent+i]
		}
	}
}

// restartBackground makes the scripts of background stubs start over.
func (t *testState) restartBackground() {
	for i, s := range t.stubs {
		if s.Background {
			t.answered[i] = 0
		}
	}
}

// note adds a contact of the current call to the log. It returns the index of the contact, or
// -1 if the log dropped it.
func (t *testState) note(c model.Contact) int {
	c.Call = t.call
	return t.log.add(c)
}

// noteUnstubbed adds a contact without a stub to the log.
func (t *testState) noteUnstubbed(kind model.ContactKind, network, host, outcome string, data []byte) {
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

// finish closes t.ended.
func (t *testState) finish() { t.end.Do(func() { close(t.ended) }) }

// count counts a message or connection to a host. It returns their number so far.
func (t *testState) count(p model.Protocol, host string) int {
	key := string(p) + " " + host
	t.counts[key]++
	return t.counts[key]
}

// stubsFor returns the indexes of the stubs for a protocol and a host with the given names. It skips inward stubs.
func (t *testState) stubsFor(p model.Protocol, hosts []string) []int {
	var all []int
	for i, s := range t.stubs {
		if s.Protocol == p && !s.Inward && slices.Contains(hosts, canonicalHost(s.Host)) {
			all = append(all, i)
		}
	}
	return all
}

// hasInward reports whether the test has inward stubs.
func (t *testState) hasInward() bool {
	return slices.ContainsFunc(t.stubs, func(s model.Stub) bool { return s.Inward })
}

// peek returns the next answer of a stub and its index. It returns false if the script is at
// its end. For a TCP stub it returns the first answer, because each connection begins the
// script anew.
func (t *testState) peek(stub int) (model.Answer, int, bool) {
	if t.stubs[stub].Protocol == model.TCP {
		return ScriptedAnswer(t.stubs[stub], 0)
	}
	return ScriptedAnswer(t.stubs[stub], t.answered[stub])
}

// take returns what peek returns, and advances the stub's script if there is an answer.
func (t *testState) take(stub int) (model.Answer, int, bool) {
	a, index, ok := t.peek(stub)
	if ok {
		t.answered[stub]++
	}
	return a, index, ok
}

// hasMore reports whether an inward UDP stub has another datagram.
func (t *testState) hasMore(stub int) bool {
	_, _, ok := t.peek(stub)
	return ok && t.answered[stub] < maxAnswers
}

// environment returns the stubs of the environment that are in effect.
func (t *testState) environment() (all []model.Stub) {
	for i, s := range t.stubs {
		if s.Protocol == model.Environment && (i >= t.own || !t.restored) {
			all = append(all, s)
		}
	}
	return all
}

// endEnvironment ends the effect of the test's own stubs of the environment. It reports whether the test has such stubs.
func (t *testState) endEnvironment() bool {
	before := len(t.environment())
	t.restored = true
	return len(t.environment()) < before
}

// hasCounters reports whether the test's table has scripts of dials, names or the environment. The service
// counts their steps, and only a new table makes the counts start over.
func (t *testState) hasCounters() bool {
	for _, d := range t.dials {
		if !d.single() {
			return true
		}
	}
	counts := func(s model.Stub) bool { return s.Protocol == model.DNS && len(s.AllAnswers()) > 1 }
	return slices.ContainsFunc(t.stubs, counts) || slices.ContainsFunc(t.environment(), countsUses)
}

// lookupAnswer completes the contact of the nth lookup of a name, from 0, with the DNS stub
// that answered it, if any.
func (t *testState) lookupAnswer(m *model.Contact, nth int) {
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

// endMute records how long the service has waited for the mute host of a contact.
func (t *testState) endMute(contact int) {
	if began, is := t.mute[contact]; is {
		t.log.setTook(contact, int(time.Since(began).Milliseconds()))
		delete(t.mute, contact)
	}
}

// close ends the test and its log.
func (t *testState) close() {
	for contact := range t.mute {
		t.endMute(contact)
	}
	t.log.ended, t.busy = true, false
	t.finish()
}
