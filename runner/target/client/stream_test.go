package client_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
)

// stream plays the test carts and returns the stream that it opens. The context of the test has ended then.
func stream(t *testing.T, c *client.Client, webSocket bool, user string) client.Stream {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	observed, o := client.Observe(ctx, webSocket)
	_, results := c.PlayTest(observed, spec, model.Test{Calls: []model.Call{{Op: "GET /big", User: user}}})
	cancel()
	s := o.Stream()
	if s == nil {
		t.Fatalf("got %+v, want a stream", results)
	}
	t.Cleanup(s.Close)
	if x := results[0].Exchange; x.Err != nil || x.Details == nil || len(x.Reply.Body) > 0 {
		t.Errorf("the exchange is %+v", x)
	}
	return s
}

// events starts a service with a stream of events, which a function writes.
func events(t *testing.T, write func(w http.ResponseWriter, r *http.Request)) string {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		write(w, r)
	}))
	s.Config.ErrorLog = quiet
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// all reads a stream to its end.
func all(t *testing.T, s client.Stream) (messages []model.StreamMessage, end *model.StreamEnd) {
	t.Helper()
	for range 10_000 {
		m, end := s.Next()
		if end != nil {
			return messages, end
		}
		messages = append(messages, m)
	}
	t.Fatal("the stream does not end")
	return nil, nil
}

// Events arrive one by one, also after the timeout of the client and after the end of the test's context.
func TestEventStream(t *testing.T) {
	next := make(chan string)
	base := events(t, func(w http.ResponseWriter, _ *http.Request) {
		for text := range next {
			fmt.Fprint(w, text)
			w.(http.Flusher).Flush()
		}
	})
	const timeout = 100 * time.Millisecond
	s := stream(t, open(t, base, client.Options{Timeout: timeout}), false, "")
	for _, c := range []struct {
		text string
		want model.StreamMessage
	}{
		{"data: one\n\n", model.StreamMessage{Data: []byte("one"), Size: 3}},
		{
			": a comment\n\nevent: paid\nid: 7\ndata:{\ndata:}\n\n",
			model.StreamMessage{Event: "paid", ID: "7", Data: []byte("{\n}"), Size: 3},
		},
		{"event: empty\n\ndata\n\n", model.StreamMessage{}},
	} {
		next <- c.text
		got, end := s.Next()
		if end != nil || got.At.IsZero() || string(got.Data) != string(c.want.Data) || got.Event != c.want.Event || got.ID != c.want.ID ||
			got.Size != c.want.Size {
			t.Errorf("after %q: got %+v and %+v, want %+v", c.text, got, end, c.want)
		}
		time.Sleep(timeout)
	}
	if err := s.Send("x"); !errors.Is(err, client.ErrOneWay) {
		t.Errorf("got %v, want that nothing can be sent", err)
	}
	close(next)
	if _, end := s.Next(); end == nil || !end.Regular || end.Stopped {
		t.Errorf("got %+v, want a regular end", end)
	}
	if s.Kind() != model.EventStream || s.Received() < 60 {
		t.Errorf("%s, %d bytes", s.Kind(), s.Received())
	}
}

// A stream that the user closes ends, although the service would send events for ever.
func TestEndlessEventStream(t *testing.T) {
	gone := make(chan struct{})
	base := events(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		for r.Context().Err() == nil {
			fmt.Fprint(w, "data: x\n\n")
		}
	})
	s := stream(t, open(t, base, client.Options{}), false, "")
	for range 1000 {
		if m, end := s.Next(); end != nil || string(m.Data) != "x" {
			t.Fatalf("got %q, %+v", m.Data, end)
		}
	}
	s.Close()
	for {
		if _, end := s.Next(); end != nil {
			if !end.Stopped {
				t.Errorf("got %+v, want that the user stopped it", end)
			}
			break
		}
	}
	<-gone
}

func TestHostileEventStreams(t *testing.T) {
	const giant = 300 << 10
	for _, c := range []struct {
		name, text string
		sizes      []int64
		regular    bool
	}{
		{"a giant event", "data: " + strings.Repeat("x", giant) + "\n\ndata: y\n\n", []int64{giant, 1}, true},
		{"a giant event of many lines", strings.Repeat("data: x\n", giant/2) + "\n", []int64{giant - 1}, true},
		{"a line that does not end", "data: " + strings.Repeat("x", giant), nil, false},
		{"an event that does not end", "data: x\n", nil, false},
		{"a giant name", "event: " + strings.Repeat("x", giant) + "\ndata: y\n\n", []int64{1}, true},
		{"a byte order mark and all line ends", "\ufeffdata: a\r\n\r\ndata: b\r\rdata: c\n\n", []int64{1, 1, 1}, true},
		{"no events", "<html>\n\n\n", nil, true},
		{"nothing", "", nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := events(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, c.text) })
			messages, end := all(t, stream(t, open(t, base, client.Options{}), false, ""))
			var sizes []int64
			for _, m := range messages {
				sizes = append(sizes, m.Size)
				if len(m.Data) > 64<<10 || len(m.Event) > 1<<10 {
					t.Errorf("%d bytes are kept, and a name of %d bytes", len(m.Data), len(m.Event))
				}
			}
			if fmt.Sprint(sizes) != fmt.Sprint(c.sizes) || end.Regular != c.regular || (end.Text == "") != c.regular {
				t.Errorf("got events of %v bytes and %+v, want %v bytes", sizes, end, c.sizes)
			}
		})
	}
}

// A service that breaks the connection ends the stream with a reason.
func TestBrokenEventStream(t *testing.T) {
	base := events(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "data: x\n\n")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	messages, end := all(t, stream(t, open(t, base, client.Options{}), false, ""))
	if len(messages) != 1 || end.Regular || end.Text != "the connection broke" {
		t.Errorf("got %d events and %+v", len(messages), end)
	}
}

func TestCompressedEventStream(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		for range 3 {
			io.WriteString(z, "data: x\n\n")
			z.Flush()
			w.(http.Flusher).Flush()
		}
	}))
	defer s.Close()
	if messages, end := all(t, stream(t, open(t, s.URL, client.Options{}), false, "")); len(messages) != 3 || !end.Regular {
		t.Errorf("got %d events and %+v", len(messages), end)
	}
}

// Secrets of users are masked in events.
func TestEventsAreMasked(t *testing.T) {
	base := events(t, func(w http.ResponseWriter, r *http.Request) {
		secret := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		fmt.Fprintf(w, "event: %s\ndata: {\"token\":\"%s\"}\n\n", secret, secret)
	})
	t.Setenv("SONDE_TEST_TOKEN", "Bearer hush-hush")
	c := open(t, base, client.Options{Users: []model.User{{Name: "ann", Header: "authorization", Env: "SONDE_TEST_TOKEN"}}})
	messages, _ := all(t, stream(t, c, false, "ann"))
	if len(messages) != 1 || string(messages[0].Data) != `{"token":"***"}` || messages[0].Event != "***" {
		t.Errorf("got %+v", messages)
	}
}

// Only the last call of a test opens a stream. The events of an earlier call are its body.
func TestOnlyTheLastCallStreams(t *testing.T) {
	base := events(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "data: x\n\n") })
	ctx, o := client.Observe(t.Context(), false)
	_, results := open(t, base, client.Options{}).PlayTest(ctx, spec, model.Test{Calls: []model.Call{{Op: "GET /away"}, {Op: "GET /big"}}})
	if len(results) != 2 || string(results[0].Exchange.Reply.Body) != "data: x\n\n" || o.Stream() == nil {
		t.Fatalf("got %+v and stream %v", results, o.Stream())
	}
	o.Stream().Close()
}

// A search reads a stream like any other answer.
func TestStreamsInASearch(t *testing.T) {
	base := events(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "data: x\n\n") })
	_, results := open(t, base, client.Options{}).PlayTest(t.Context(), spec, carts)
	if got := string(results[0].Exchange.Reply.Body); got != "data: x\n\n" {
		t.Errorf("got the body %q", got)
	}
}
