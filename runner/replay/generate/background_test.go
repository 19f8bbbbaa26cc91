package generate_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/replay/generate"
)

// timeline is a recording to which events are added, by their time since the beginning of the recording.
type timeline struct {
	model.Recording
	begin time.Time
}

func newTimeline() *timeline {
	return &timeline{begin: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Recording: model.Recording{BaseURL: "http://a"}}
}

// request adds a request that takes 5 ms, and the outward calls that it causes. after is the time since the
// beginning.
func (l *timeline) request(after time.Duration, method, url, said string, calls ...model.OutwardCall) {
	x := served(method, url, "", 200, said, calls...)
	x.ID, x.At, x.Took = fmt.Sprintf("%032x", len(l.Served)+1), l.begin.Add(after), 5*time.Millisecond
	for i := range x.OutwardCalls {
		x.OutwardCalls[i].At, x.OutwardCalls[i].Took, x.OutwardCalls[i].CauseID = x.At.Add(time.Millisecond), time.Millisecond, x.ID
	}
	l.Served = append(l.Served, x)
}

// call adds an outward call that no request caused. after is the time since the beginning.
func (l *timeline) call(after time.Duration, o model.OutwardCall) {
	o.At, o.Took, o.Attribution = l.begin.Add(after), time.Millisecond, ""
	l.Unattributed = append(l.Unattributed, o)
}

// serially returns a call that was attributed because requests came one at a time.
func serially(o model.OutwardCall) model.OutwardCall {
	o.Attribution = model.AttributedBySerial
	return o
}

// expectedHosts returns the hosts of the expected calls of a test.
func expectedHosts(test model.Test) (hosts []string) {
	for _, w := range test.Mock.ExpectedCalls {
		hosts = append(hosts, test.Stubs[w.Stub].Host)
	}
	return hosts
}

// A call at the start of the service becomes a stub of all tests. If requests make calls of the same kind later, those
// calls belong to the requests.
func TestCallsAtStart(t *testing.T) {
	l := newTimeline()
	for i, said := range []string{`{"v":0}`, `{"v":1}`, `{"v":1}`} {
		l.call(time.Duration(i)*10*time.Millisecond, sentTo("config.example:80", "GET", "/config", "", 200, said))
	}
	l.request(time.Second, "GET", "/a", `{"v":1}`)
	l.request(2*time.Second, "POST", "/reload", `{"v":2}`, serially(sentTo("config.example:80", "GET", "/config", "", 200, `{"v":2}`)))
	l.request(4*time.Second, "GET", "/a", `{"v":2,"reloaded":true}`)
	s := generate.Tests(l.Recording, spec("GET /a", "POST /reload"), generate.Options{})
	if len(s.Background) != 1 || s.BackgroundCalls != 3 || s.Strays != 0 {
		t.Fatalf("%d stubs, %d calls, %d strays", len(s.Background), s.BackgroundCalls, s.Strays)
	}
	stub := s.Background[0]
	if stub.Match.Path != "/config" || !stub.Background || len(stub.Answers) != 2 || stub.Answers[0].Body != `{"v":0}` ||
		stub.Else == nil || stub.Else.Body != `{"v":1}` {
		t.Errorf("the stub is %+v", stub)
	}
	for _, test := range s.Tests {
		if test.Mock.Await > 0 {
			t.Errorf("%s waits for a call that the service makes at its start only", test.Mock.About)
		}
	}
	if got := expectedHosts(of(t, s, "POST /reload", 200)); !slices.Equal(got, []string{"config.example:80"}) {
		t.Errorf("the request for the settings calls %q", got)
	}
	if test := of(t, s, "GET /a", 200); len(test.Stubs) != 0 || !test.Mock.WithoutCalls || test.Mock.Uncertain || test.Mock.Await != 0 {
		t.Errorf("the first test has %+v and %+v", test.Stubs, test.Mock)
	}
}

// If calls of a timer come during requests by chance, they belong to no request. If they come during the requests of an
// operation more often than by chance, they belong to these requests.
func TestCallsOfTimer(t *testing.T) {
	rates := func(n int) model.OutwardCall {
		return sentTo("bank.example:80", "GET", "/rates", "", 200, fmt.Sprintf(`{"n":%d}`, n))
	}
	l := newTimeline()
	for i := range 100 {
		at := time.Duration(i) * 200 * time.Millisecond
		switch i % 10 {
		case 5: // by chance during one of ten requests
			l.request(at, "GET", fmt.Sprint("/prices/", i), `{"p":1}`, serially(rates(i/30)))
		case 7:
			l.request(at+100*time.Millisecond, "POST", "/rates", `{"ok":true}`, serially(rates(i/30)))
			fallthrough
		default:
			l.call(at, rates(i/30))
		}
		if i%10 != 5 {
			l.request(at+50*time.Millisecond, "GET", fmt.Sprint("/prices/", i), `{"p":1}`)
		}
	}
	l.request(20*time.Second, "GET", "/prices/100", `{"p":1,"last":true}`)
	s := generate.Tests(l.Recording, spec("GET /prices/{n}", "POST /rates"), generate.Options{})
	if len(s.Background) != 1 || s.BackgroundCalls != 100 {
		t.Fatalf("%d stubs, %d calls", len(s.Background), s.BackgroundCalls)
	}
	for _, test := range s.Tests {
		calls := len(expectedHosts(test))
		if own := test.Calls[test.Mock.Call].Op == "POST /rates"; own != (calls == 1) || test.Mock.Uncertain {
			t.Errorf("%s calls %d times, uncertain %v", test.Mock.About, calls, test.Mock.Uncertain)
		}
	}
	last := s.Tests[len(s.Tests)-1]
	if len(last.Stubs) != 1 || !last.Stubs[0].Background || last.Stubs[0].Answers[0].Body != `{"n":3}` ||
		last.Mock.Await < 2500 || last.Mock.Await > 2700 {
		t.Errorf("the last test has the stubs %+v and waits for %d ms", last.Stubs, last.Mock.Await)
	}
}

// A timer asks a host for news, and makes a second call to read the news only if there are any. A test does not wait
// for this second call, because there may be no news in the test. A test does wait for calls of another, slower
// timer. They also follow calls of the first timer, but at regular intervals.
func TestTestsDoNotWaitForCallsThatFollow(t *testing.T) {
	for name, c := range map[string]struct {
		isRead func(i int) bool
		await  bool
	}{
		"changes": {func(i int) bool { return i == 7 || i == 8 || i == 20 }, false},
		"turns":   {func(i int) bool { return i%3 == 1 }, true},
	} {
		l := newTimeline()
		l.Ready = l.begin
		for i := range 30 {
			at := time.Duration(i) * time.Second
			if c.isRead(i) {
				l.call(at+5*time.Millisecond, sentTo("store.example:80", "GET", "/items", "", 200, fmt.Sprintf(`{"n":%d}`, i)))
			}
			l.call(at, sentTo("store.example:80", "GET", "/changes", "", 200, `[]`))
		}
		l.request(29500*time.Millisecond, "GET", "/a", `{}`)
		s := generate.Tests(l.Recording, spec("GET /a"), generate.Options{})
		test := of(t, s, "GET /a", 200)
		if len(test.Stubs) != 1 || test.Stubs[0].Match.Path != "/items" {
			t.Fatalf("%s: the stubs are %+v", name, test.Stubs)
		}
		if got := test.Mock.Await > 0; got != c.await {
			t.Errorf("%s: the test waits: %v, want %v", name, got, c.await)
		}
	}
}

// A stub for transactions of a timer does not answer the transactions that requests cause, because these have other
// commands.
func TestTransactionsOfTimer(t *testing.T) {
	exec := func(queued, reply string) model.OutwardCall {
		return model.OutwardCall{
			Host: "store.example:6379", Protocol: model.Redis,
			Messages: []model.MessagePair{{Request: []byte(`{"command":"EXEC","queued":` + queued + `}`), Answer: []byte(reply)}},
		}
	}
	l := newTimeline()
	l.Ready = l.begin
	for i := range 12 { // more than the requests that have stubs of their own
		get := fmt.Sprintf(`{"command":"GET","1":"item:%d"}`, i)
		l.call(time.Duration(i)*time.Second, exec(`[`+get+`,{"command":"PING"}]`, fmt.Sprintf(`["%d",{"status":"PONG"}]`, i)))
		l.call(time.Duration(i)*time.Second+500*time.Millisecond, exec(`[`+get+`]`, fmt.Sprintf(`["%d"]`, i)))
	}
	l.request(13*time.Second, "GET", "/a", `{}`)
	s := generate.Tests(l.Recording, spec("GET /a"), generate.Options{})
	var got []string
	for _, stub := range s.Background {
		got = append(got, stub.Match.JSON)
	}
	want := []string{
		`{"command":"EXEC","queued":[{"command":"GET"},{"command":"PING"}]}`, `{"command":"EXEC","queued":[{"command":"GET"}]}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("the stubs match %q, want %q", got, want)
	}
}

// If the only request of an operation was in progress when a call came, both chance and the request may explain the
// call, and its cause is uncertain.
func TestCallOfTimerOrRequest(t *testing.T) {
	l := newTimeline()
	rates := sentTo("bank.example:80", "GET", "/rates", "", 200, `{"n":1}`)
	for i := range 20 {
		l.call(time.Duration(i)*200*time.Millisecond, rates)
	}
	l.request(3900*time.Millisecond, "GET", "/a", `{}`, serially(rates))
	l.request(4050*time.Millisecond, "GET", "/b", `{}`)
	s := generate.Tests(l.Recording, spec("GET /a", "GET /b"), generate.Options{})
	if a, b := of(t, s, "GET /a", 200), of(t, s, "GET /b", 200); !a.Mock.Uncertain || b.Mock.Uncertain {
		t.Errorf("uncertain %v and %v", a.Mock.Uncertain, b.Mock.Uncertain)
	}
}

// With status 304 (Not Modified), a host confirms its earlier answer. The service then stays in the state of that
// earlier answer. A stub delays its answers to a long poll, except for the first one.
func TestConditionalAndLongPolls(t *testing.T) {
	l := newTimeline()
	config := func(status int, said string) model.OutwardCall {
		return sentTo("config.example:80", "GET", "/config", "", status, said)
	}
	l.call(0, config(200, `{"v":1}`))
	for i := 1; i < 60; i++ {
		at := time.Duration(i) * 100 * time.Millisecond
		if i == 50 {
			l.call(at, config(200, `{"v":2}`))
		} else {
			l.call(at, config(304, ""))
		}
		l.call(time.Duration(i)*800*time.Millisecond, sentTo("events.example:80", "GET", "/events", "", 204, ""))
		l.Unattributed[len(l.Unattributed)-1].Took = 790 * time.Millisecond
	}
	l.request(2*time.Second, "GET", "/a", `{"v":1}`)
	l.request(7*time.Second, "GET", "/b", `{"v":2}`)
	s := generate.Tests(l.Recording, spec("GET /a", "GET /b"), generate.Options{})
	if test := of(t, s, "GET /a", 200); len(test.Stubs) != 0 {
		t.Errorf("the first test has %+v", test.Stubs)
	}
	test := of(t, s, "GET /b", 200)
	if len(test.Stubs) != 1 || len(test.Stubs[0].Answers) != 2 || test.Stubs[0].Answers[0].Body != `{"v":2}` || test.Stubs[0].Else == nil ||
		test.Stubs[0].Else.Status != 304 {
		t.Errorf("the second test has %+v", test.Stubs)
	}
	events := s.Background[slices.IndexFunc(s.Background, func(s model.Stub) bool { return s.Match.Path == "/events" })]
	if len(events.Answers) != 1 || events.Answers[0].Fault != "" || events.Else == nil || events.Else.Latency != 790 {
		t.Errorf("the stub of the long poll is %+v", events)
	}
}

// If the answers to polls differed before the service was ready, it is not known which of these answers the service
// got last before a test begins. So a test has a stub of its own with the last answer.
func TestStateBeforeReady(t *testing.T) {
	l := newTimeline()
	for i := range 20 {
		l.call(time.Duration(i)*100*time.Millisecond, sentTo("a.example:80", "GET", "/v", "", 200, fmt.Sprint(min(i, 2))))
	}
	l.Ready = l.begin.Add(250 * time.Millisecond)
	l.request(time.Second, "GET", "/a", `2`)
	s := generate.Tests(l.Recording, spec("GET /a"), generate.Options{})
	if stub := s.Background[0]; len(stub.Answers) != 3 || stub.Else == nil || stub.Else.Body != "2" {
		t.Errorf("at the start: %+v", stub)
	}
	if test := of(t, s, "GET /a", 200); len(test.Stubs) != 1 || test.Stubs[0].Answers[0].Body != "2" || test.Mock.Await == 0 {
		t.Errorf("in the test: %+v, %+v", test.Stubs, test.Mock)
	}
}

// A script has a limited number of answers. A longer script keeps only its first and last answers.
func TestScriptIsBounded(t *testing.T) {
	l := newTimeline()
	for i := range 1000 {
		l.call(time.Duration(i)*time.Millisecond, sentTo("a.example:80", "GET", "/n", "", 200, fmt.Sprint(i)))
	}
	l.request(5*time.Second, "GET", "/a", `{}`)
	stub := generate.Tests(l.Recording, spec("GET /a"), generate.Options{}).Background[0]
	if n := len(stub.Answers); n != 20 || stub.Answers[0].Body != "0" || stub.Answers[n-1].Body != "999" || stub.Else.Body != "999" {
		t.Errorf("%d answers, %+v", n, stub)
	}
}

// Different requests of one kind with different answers get stubs of their own.
func TestDifferentCallsAtStart(t *testing.T) {
	l := newTimeline()
	l.call(0, sentTo("config.example:80", "GET", "/config?name=a", "", 200, `1`))
	l.call(time.Millisecond, sentTo("config.example:80", "GET", "/config?name=b", "", 200, `2`))
	l.call(2*time.Millisecond, sentTo("config.example:80", "POST", "/instances", `{"started":"2026-03-01T12:00:00Z"}`, 201, ``))
	l.request(time.Second, "GET", "/a", `{}`)
	var got []string
	for _, s := range generate.Tests(l.Recording, spec("GET /a"), generate.Options{}).Background {
		got = append(got, fmt.Sprintf("%s %s %v %d", s.Match.Method, s.Match.Path, s.Match.Query, len(s.Answers)))
	}
	want := []string{"GET /config map[name:a] 1", "GET /config map[name:b] 1", "GET /config map[] 2", "POST /instances map[] 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
