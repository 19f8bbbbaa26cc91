package vnet

import (
	"slices"
	"sync"
	"time"

	"sonde/model"
)

// test is what the network knows of one test. The mutex of the network guards it.
type test struct {
	stubs    []model.Stub // the test's own, then those of the whole run
	given    []int        // how many answers of each stub's script were given
	said     map[string]int
	dials    map[way]*dials
	names    map[string]int    // how often each was looked up
	begun    map[int]bool      // inward stubs whose connection was admitted
	admitted int               // how many of the stubs may speak first
	mute     map[int]time.Time // since when hosts are that the service waits for, by contact
	call     int
	busy     bool // a call is in flight
	log      log

	end  sync.Once
	over chan struct{} // closed when it ends
}

func newTest(stubs []model.Stub) *test {
	return &test{
		stubs: stubs, given: make([]int, len(stubs)), said: map[string]int{}, dials: map[way]*dials{}, names: map[string]int{}, begun: map[int]bool{},
		mute: map[int]time.Time{},
		call: -1, over: make(chan struct{}),
	}
}

// note writes down a contact of the call that is in flight.
func (t *test) note(c model.Contact) int {
	c.Call = t.call
	return t.log.add(c)
}

// finish lets go of all who wait for the test.
func (t *test) finish() { t.end.Do(func() { close(t.over) }) }

// count tells how many of a protocol's messages or connections a host has had, this
// one included.
func (t *test) count(p model.Protocol, host string) int {
	key := string(p) + " " + host
	t.said[key]++
	return t.said[key]
}

// of returns the stubs that a host has for a protocol, by whichever of its names.
func (t *test) of(p model.Protocol, hosts []string) []int {
	var all []int
	for i, s := range t.stubs {
		if s.Protocol == p && !s.Inward && slices.Contains(hosts, same(s.Host)) {
			all = append(all, i)
		}
	}
	return all
}

// next is the answer that a stub's script has next. Of TCP each connection has the
// script for itself.
func (t *test) next(stub int) (model.Answer, int, bool) {
	if t.stubs[stub].Protocol == model.TCP {
		return Turn(t.stubs[stub], 0)
	}
	return Turn(t.stubs[stub], t.given[stub])
}

// turn takes the next answer of a stub's script.
func (t *test) turn(stub int) (model.Answer, int, bool) {
	a, index, ok := t.next(stub)
	if ok {
		t.given[stub]++
	}
	return a, index, ok
}
