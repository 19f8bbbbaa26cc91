package record

import (
	"io"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"testing"

	"sonde/model"
)

// fakeProbes are the probes of a service that runs in the process of the test.
type fakeProbes struct {
	mu      sync.Mutex
	covered map[uint8]model.TargetSet
}

// run covers a target for a request with a tag.
func (p *fakeProbes) run(tag uint8, target int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	set := p.covered[tag]
	set.Add(target)
	p.covered[tag] = set
}

// take returns the targets that were covered since the last call.
func (p *fakeProbes) take() map[uint8]model.TargetSet {
	p.mu.Lock()
	defer p.mu.Unlock()
	covered := p.covered
	p.covered = map[uint8]model.TargetSet{}
	return covered
}

// ranCode is the code that the service ran for a request, according to the recording.
type ranCode struct {
	targets  []int
	byOthers bool
}

// recordTwo records four requests: one to /alone, one to /long, one to /short while the one to /long is in progress,
// and another one to /alone. It returns the recorded code of each path. tagged says whether the service knows for
// which request it runs code.
func recordTwo(t *testing.T, tagged bool) map[string]ranCode {
	probes := fakeProbes{covered: map[uint8]model.TargetSet{}}
	probes.run(unknownTag, 0) // the service starts
	arrived, goOn := make(chan bool), make(chan bool)
	s := monitor(t, Options{TakeCovered: probes.take}, nil, func([]string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			tag := uint8(unknownTag)
			if tagged {
				tag = tagOf(&trackedRequest{id: traceIDs(r.Header)[0]})
			}
			switch r.URL.Path {
			case "/alone":
				probes.run(tag, 1)
				if tagged {
					probes.run(unknownTag, 6) // a timer, before the service knew the request
				}
			case "/long":
				probes.run(tag, 2)
				arrived <- true
				<-goOn
				probes.run(tag, 4)
			case "/short":
				probes.run(tag, 3)
			}
			io.WriteString(w, "{}")
		})
	})
	client := clientFor(t)
	call(t, client, "GET", s.in+"/alone", "")
	probes.run(unknownTag, 5) // the service works in the background
	var long sync.WaitGroup
	long.Go(func() { call(t, client, "GET", s.in+"/long", "") })
	<-arrived
	call(t, client, "GET", s.in+"/short", "")
	goOn <- true
	long.Wait()
	call(t, client, "GET", s.in+"/alone", "")
	served, _, _ := s.sink.all()
	if len(served) != 4 {
		t.Fatalf("%d served", len(served))
	}
	all := map[string]ranCode{}
	for _, x := range served {
		all[x.Request.URL] = ranCode{slices.Collect(x.Covered.All()), x.CoveredByOthers}
	}
	return all
}

// Each request has the targets that were covered for it. If the service does not know for which request it runs code,
// a request has all targets that were covered while it was in progress. Two requests that overlap then share the
// targets of the overlap, and byOthers is true for both. Targets that are covered while no request is in progress
// belong to no request.
func TestCoverage(t *testing.T) {
	alone := ranCode{targets: []int{1}}
	for tagged, want := range map[bool]map[string]ranCode{
		true:  {"/alone": alone, "/long": {targets: []int{2, 4}}, "/short": {targets: []int{3}}},
		false: {"/alone": alone, "/long": {[]int{2, 3, 4}, true}, "/short": {[]int{3}, true}},
	} {
		if got := recordTwo(t, tagged); !reflect.DeepEqual(got, want) {
			t.Errorf("tagged %t: got %+v, want %+v", tagged, got, want)
		}
	}
}

// If two requests have the same tag, each has the targets of both, and byOthers is true for both. A request with
// another tag is not affected.
func TestCoverageOfSameTag(t *testing.T) {
	covered := map[uint8]model.TargetSet{}
	c := newCoverageTracker(func() map[uint8]model.TargetSet { return covered })
	long, other, short := &trackedRequest{id: newID(3)}, &trackedRequest{id: newID(4)}, &trackedRequest{id: newID(3 + 254)}
	for _, r := range []*trackedRequest{long, other, short} {
		c.begin(r)
	}
	for _, r := range []*trackedRequest{long, other} {
		set := model.TargetSet{}
		set.Add(int(tagOf(r)))
		covered[tagOf(r)] = set
	}
	wants := map[*trackedRequest]ranCode{long: {[]int{4}, true}, other: {[]int{5}, false}, short: {[]int{4}, true}}
	for r, want := range wants {
		set, byOthers := c.end(r)
		covered = map[uint8]model.TargetSet{}
		if got := slices.Collect(set.All()); !slices.Equal(got, want.targets) || byOthers != want.byOthers {
			t.Errorf("request %s: got %v, by others %t, want %+v", r.id[28:], got, byOthers, want)
		}
	}
}

// If a service has no probes, or does not use them, it is not known what a request covered.
func TestCoverageIsUnknown(t *testing.T) {
	unused := func() map[uint8]model.TargetSet { return nil }
	for name, take := range map[string]func() map[uint8]model.TargetSet{"no probes": nil, "unused": unused} {
		s := monitor(t, Options{TakeCovered: take}, nil, func([]string) http.Handler {
			return http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
		})
		call(t, clientFor(t), "GET", s.in+"/orders/1", "")
		if served, _, _ := s.sink.all(); len(served) != 1 || served[0].Covered != nil {
			t.Errorf("%s: got %+v", name, served)
		}
	}
}
