package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
)

// asking is a service that answers the first calls with 429.
type asking struct {
	refusals int
	answer   func(w http.ResponseWriter)

	mu    sync.Mutex
	times []time.Time
}

func (a *asking) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.times = append(a.times, time.Now())
	if len(a.times) <= a.refusals {
		a.answer(w)
	}
}

func ask(t *testing.T, refusals, status int, headers ...string) (*asking, string) {
	a := &asking{refusals: refusals, answer: func(w http.ResponseWriter) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
	}}
	s := httptest.NewServer(a)
	t.Cleanup(s.Close)
	return a, s.URL
}

func TestRetryAfterRefusal(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits: left out by -short")
	}
	t.Parallel() // the test waits for real time
	date := func(after time.Duration) string { return time.Now().UTC().Add(after).Format(http.TimeFormat) }
	for _, c := range []struct {
		name     string
		refusals int
		status   int
		headers  []string
		want     int           // status of the last answer
		sent     int           // number of requests
		atLeast  time.Duration // least time from the first request to the last
	}{
		{"once, for a second", 1, 429, []string{"Retry-After", "1"}, 200, 2, time.Second},
		{
			"until a date, by the service's clock", 1, 429,
			[]string{"Date", "Mon, 02 Jan 2006 15:04:05 GMT", "Retry-After", "Mon, 02 Jan 2006 15:04:06 GMT"},
			200,
			2, time.Second,
		},
		{"until a date that has passed", 1, 503, []string{"Retry-After", date(-time.Hour)}, 200, 2, 0},
		{"without a time", 2, 429, nil, 200, 3, 600 * time.Millisecond},
		{"in words", 1, 429, []string{"Retry-After", "soon"}, 200, 2, 200 * time.Millisecond},
		{"always", 100, 429, []string{"Retry-After", "0"}, 429, 4, 0},
		{"for an hour", 100, 429, []string{"Retry-After", "3600"}, 429, 1, 0},
		{"for more seconds than there are", 100, 429, []string{"Retry-After", "99999999999999999999"}, 429, 4, time.Second},
		{"503 that says when", 1, 503, []string{"Retry-After", "0"}, 200, 2, 0},
		{"503 that does not", 1, 503, nil, 503, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, url := ask(t, c.refusals, c.status, c.headers...)
			taken := 0
			pace := client.NewPacer(0)
			x := get(open(t, url, client.Options{Pacer: pace, TakeBudget: func() bool { taken++; return true }}))
			if x.Reply.Status != c.want || x.Err != nil {
				t.Errorf("status %d, error %v, want %d", x.Reply.Status, x.Err, c.want)
			}
			if len(a.times) != c.sent || taken != c.sent {
				t.Fatalf("%d requests arrived and %d were counted, want %d", len(a.times), taken, c.sent)
			}
			if took := a.times[c.sent-1].Sub(a.times[0]); took < c.atLeast {
				t.Errorf("the last came after %v, want at least %v", took, c.atLeast)
			}
			if want := min(c.refusals, c.sent); c.status == 429 && pace.RefusedCount() != want {
				t.Errorf("%d refusals were counted, want %d", pace.RefusedCount(), want)
			}
		})
	}
}

// If the retries of a request did not help, later requests of the same operation are sent only once each. This ends
// with the first answer that asks for no retry.
func TestNoRetryAfterVainRetries(t *testing.T) {
	a, url := ask(t, 5, 429, "Retry-After", "0")
	c := open(t, url, client.Options{})
	for i, want := range []struct{ status, sent int }{{429, 4}, {429, 5}, {200, 6}} {
		if x := get(c); x.Reply.Status != want.status || len(a.times) != want.sent {
			t.Errorf("call %d: status %d after %d requests, want %+v", i, x.Reply.Status, len(a.times), want)
		}
	}
	a.refusals = len(a.times) + 2
	if x := get(c); x.Reply.Status != 200 {
		t.Errorf("after it got through once: status %d", x.Reply.Status)
	}
}

func TestRetriesEndWithBudgetAndContext(t *testing.T) {
	a, url := ask(t, 100, 429, "Retry-After", "0")
	left := 2
	x := get(open(t, url, client.Options{TakeBudget: func() bool { left--; return left >= 0 }}))
	if x.Reply.Status != 429 || x.Err != nil || len(a.times) != 2 {
		t.Errorf("status %d, error %v, %d requests, want the 429 after 2", x.Reply.Status, x.Err, len(a.times))
	}
	a, url = ask(t, 1, 429, "Retry-After", "20")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	pace := client.NewPacer(0)
	go func() { // the context ends during the pause
		for pace.RefusedCount() == 0 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	x = open(t, url, client.Options{Pacer: pace}).Send(ctx, model.Request{Method: "GET", URL: "/x"})
	if x.Reply.Status != 429 || len(a.times) != 1 {
		t.Errorf("status %d after %d requests, want the 429 after the first", x.Reply.Status, len(a.times))
	}
}

func TestProbeDoesNotWait(t *testing.T) {
	a, url := ask(t, 100, 503, "Retry-After", "20")
	x := open(t, url, client.Options{}).SendOnce(context.Background(), model.Request{Method: "GET", URL: "/x"})
	if x.Reply.Status != 503 || len(a.times) != 1 {
		t.Errorf("status %d after %d requests", x.Reply.Status, len(a.times))
	}
}

// Clients that share a pacer together keep its rate, and all of them pause if the service asks for
// that.
func TestPacerIsSharedByClients(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits")
	}
	t.Parallel() // the test waits for real time
	a, url := ask(t, 0, 0)
	pace := client.NewPacer(50)
	began := time.Now() // the first request may arrive late, but no request may arrive early
	var all sync.WaitGroup
	for range 4 {
		c := open(t, url, client.Options{Pacer: pace})
		all.Go(func() {
			for range 5 {
				get(c)
			}
		})
	}
	all.Wait()
	if took := a.times[19].Sub(began); took < 19*time.Second/50 {
		t.Errorf("20 requests took %v at 50 a second", took)
	}

	b, busy := ask(t, 1, 429, "Retry-After", "1")
	pace = client.NewPacer(0)
	one, two := open(t, busy, client.Options{Pacer: pace}), open(t, busy, client.Options{Pacer: pace})
	all.Go(func() { get(one) })
	for pace.RefusedCount() == 0 {
		time.Sleep(time.Millisecond)
	}
	get(two)
	all.Wait()
	if rest := b.times[1].Sub(b.times[0]); rest < time.Second {
		t.Errorf("a client called after %v, though the service asked for 1 s", rest)
	}
}

// Waiting for the pacer does not count as time of the call, and ends with the context.
func TestWaitingForThePacer(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits")
	}
	t.Parallel() // the test waits for real time
	_, url := ask(t, 0, 0)
	c := open(t, url, client.Options{Pacer: client.NewPacer(.5), Timeout: time.Second})
	get(c)
	if x := get(c); x.Reply.Status != 200 || x.Took > time.Second {
		t.Errorf("status %d, error %v, took %v", x.Reply.Status, x.Err, x.Took)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if x := c.Send(ctx, model.Request{Method: "GET", URL: "/x"}); !errors.Is(x.Err, context.DeadlineExceeded) {
		t.Errorf("error %v", x.Err)
	}
}
