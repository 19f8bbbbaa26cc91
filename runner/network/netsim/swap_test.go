//go:build unix

package netsim_test

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
)

// When the test changes, requests on kept connections do not fail, and do not get answers of an earlier test. With
// HTTP the service need not report waits.
func TestSwap(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits: left out by -short")
	}
	for name, more := range map[string][]model.Stub{
		"http":            nil,
		"https":           nil,
		"http beside TCP": {raw("a.example:443", model.Answer{Body: "hello"})},
	} {
		t.Run(name, func(t *testing.T) {
			scheme, _, _ := strings.Cut(name, " ")
			n, s := start(t, netsim.Options{})
			c := s.client()
			dials := 0
			for i := range 1000 {
				want := fmt.Sprint("answer ", i)
				play(t, n, append([]model.Stub{web("a.example:443", model.Answer{Body: want})}, more...)...)
				r, err := c.Post(scheme+"://a.example:443/", "text/plain", strings.NewReader("x"))
				if err != nil {
					t.Fatalf("test %d: %v", i, err)
				}
				body, err := io.ReadAll(r.Body)
				r.Body.Close()
				if string(body) != want || err != nil {
					t.Fatalf("test %d: got %q, %v", i, body, err)
				}
				contacts := n.EndTest()
				if last := contacts[len(contacts)-1]; last.Kind != model.ContactMessage || last.Outcome != "200" ||
					last.Call != 0 {
					t.Fatalf("test %d: got\n%s", i, contactText(contacts))
				}
				for _, c := range contacts {
					if c.Kind == model.ContactDial {
						dials++
					}
				}
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if dials > 2 || s.waited > 0 {
				t.Errorf("it dialed %d times, and told of %d waits", dials, s.waited)
			}
		})
	}
}

// A host without a stub refuses, even if the service has kept a connection to it. A wait for a mute
// host ends with the test.
func TestLeftovers(t *testing.T) {
	n, s := start(t, netsim.Options{})
	c := s.client()
	for range 20 {
		play(t, n, web("a.example:80", model.Answer{Body: "x"}))
		if got, err := get(c, "http://a.example/"); got != "200 x" || err != nil {
			t.Fatal(got, err)
		}
		n.EndTest()
		play(t, n)
		if _, err := s.client().Post("http://a.example/", "", nil); err == nil ||
			!strings.Contains(err.Error(), "no such host") {
			t.Fatal(err)
		}
		if _, err := c.Post("http://a.example/", "", nil); err == nil ||
			!strings.Contains(err.Error(), "no such host") {
			t.Fatal(err)
		}
		n.EndTest()
	}

	play(t, n, web("a.example:80", model.Answer{Fault: model.NetMute}))
	done := make(chan error)
	go func() { _, err := get(c, "http://a.example/"); done <- err }()
	awaitMute(t, n)
	n.EndTest()
	play(t, n, web("a.example:80", model.Answer{Body: "new"}))
	if err := <-done; err == nil {
		t.Error("the request of the test before got an answer")
	}
	expect(t, n)
}

// A contact reports how long the service waited for a mute host: until it gave up, or until the test
// ended.
func TestMute(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits")
	}
	n, s := start(t, netsim.Options{})
	c := s.client()
	for range 5 {
		play(t, n, web("a.example:80", model.Answer{Fault: model.NetMute}))
		if err := abandon(t, n, c, "http://a.example/"); err == nil {
			t.Fatal("it speaks")
		}
		contacts := n.EndTest()
		if last := contacts[len(contacts)-1]; last.Outcome != "mute" || last.Took < 50 {
			t.Fatalf("got %+v", last)
		}
	}

	play(t, n, raw("a.example:7", model.Answer{Fault: model.NetMute}))
	raw, err := s.dial("tcp", "a.example:7")
	if err != nil {
		t.Fatal(err)
	}
	go talk(t, raw, "")
	awaitMute(t, n)
	time.Sleep(20 * time.Millisecond) // the wait that the contact reports
	contacts := n.EndTest()
	if last := contacts[len(contacts)-1]; last.Outcome != "mute" || last.Took == 0 {
		t.Errorf("got %+v", last)
	}
}

// Four services at once, each with its own network, have the same outcomes.
func TestParallel(t *testing.T) {
	var wg sync.WaitGroup
	tests := 50
	if testing.Short() {
		tests = 5
	}
	results := make([]string, 4)
	for i := range results {
		n, s := start(t, netsim.Options{ResolveAnyName: true})
		wg.Go(func() {
			for k := range tests {
				status := 200 + k
				if err := n.BeginTest([]model.Stub{
					web("a.example:80", model.Answer{Status: status}),
					raw("b.example:7", model.Answer{Body: "x\n"}),
				}); err != nil {
					t.Error(err)
					return
				}
				n.BeginCall(0)
				c := s.client()
				if _, err := get(c, "http://a.example/"); err != nil {
					t.Error(err)
				}
				b, err := s.dial("tcp", "b.example:7")
				if err != nil {
					t.Error(err)
					return
				}
				_, err = talk(t, b, ">go\n", "", "")
				if _, err2 := s.dial("tcp", "c.example:9"); err == nil || err2 == nil {
					t.Error("it should be an error")
				}
				results[i] += contactText(n.EndTest())
				c.CloseIdleConnections()
			}
		})
	}
	wg.Wait()
	for i := range results {
		if results[i] != results[0] {
			t.Errorf("network %d did\n%s\nnetwork 0\n%s", i, results[i], results[0])
		}
	}
}
