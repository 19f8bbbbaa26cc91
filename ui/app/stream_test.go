package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/specfile"
	"sonde/ui/app/usecase"

	"github.com/gorilla/websocket"
)

const streamSpec = `{"openapi":"3.0.3","info":{"title":"Live","version":"1"},"paths":{
	"/events":{"get":{"responses":{"200":{"description":"x","content":{"text/event-stream":{}}}}}},
	"/chat":{"get":{"responses":{"101":{"description":"x"}}}},
	"/plain":{"get":{"responses":{"200":{"description":"x"}}}}
}}`

// streaming returns a workspace with a service that has streams. Its events end when the test ends.
func streaming(t *testing.T) *Workspace {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := 0; r.Context().Err() == nil; i++ {
			fmt.Fprintf(w, "data: %d %s\n\n", i, strings.Repeat("x", 1000))
			w.(http.Flusher).Flush()
		}
	})
	mux.HandleFunc("GET /chat", func(w http.ResponseWriter, r *http.Request) {
		conn, err := new(websocket.Upgrader).Upgrade(w, r, nil)
		if err != nil {
			return // the upgrader has answered
		}
		defer conn.Close()
		for {
			kind, data, err := conn.ReadMessage()
			if err != nil || conn.WriteMessage(kind, data) != nil {
				return
			}
		}
	})
	mux.HandleFunc("GET /plain", func(http.ResponseWriter, *http.Request) {})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	path := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(path, []byte(streamSpec), 0o600); err != nil {
		t.Fatal(err)
	}
	w := New(t.Context(), Options{Specs: &specfile.Loader{}, Source: path, URL: s.URL})
	t.Cleanup(w.Close)
	if _, err := w.Load(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	return w
}

func handMade(op model.OpID) model.Test {
	return model.Test{Origin: model.OriginManual, Calls: []model.Call{{Op: op}}}
}

// awaited reads a stream until a condition holds.
func awaited(t *testing.T, s usecase.Stream, holds func(usecase.StreamProgress) bool) usecase.StreamProgress {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if p := s.Progress(); holds(p) {
			return p
		}
	}
	t.Fatalf("it never holds, the end is %+v", s.Progress().End)
	return usecase.StreamProgress{}
}

// A stream of events stays open after the request, and only its newest events are kept. The service can be called
// meanwhile.
func TestEventsAreFollowed(t *testing.T) {
	w := streaming(t)
	sent, err := w.manual.send(t.Context(), handMade("GET /events"), usecase.Surroundings{})
	if err != nil || sent.Stream == nil || sent.Exchanges[0].Details == nil {
		t.Fatalf("sent %+v, error %v", sent, err)
	}
	defer sent.Stream.Stop()
	all := awaited(t, sent.Stream, func(p usecase.StreamProgress) bool { return p.Total > 2*maxStreamMessages })
	if n := len(all.Messages); n > maxStreamMessages || sent.Stream.Kind() != model.EventStream || all.End != nil {
		t.Errorf("%d messages are kept of %s, end %+v", n, sent.Stream.Kind(), all.End)
	}
	first := string(all.Messages[0].Data)
	if want := fmt.Sprintf("%d ", all.Total-len(all.Messages)); !strings.HasPrefix(first, want) {
		t.Errorf("the first message begins with %.20q, want %q", first, want)
	}
	answered(t, w, handMade("GET /plain"), 200)
	sent.Stream.Stop()
	if p := awaited(t, sent.Stream, func(p usecase.StreamProgress) bool { return p.End != nil }); !p.End.Stopped {
		t.Errorf("the end is %+v", p.End)
	}
}

// The messages of a WebSocket are kept in both directions. The stream ends with the workspace.
func TestWebSocketIsFollowed(t *testing.T) {
	w := streaming(t)
	sent, err := w.manual.openWebSocket(t.Context(), handMade("GET /chat"), usecase.Surroundings{})
	if err != nil || sent.Stream == nil || sent.Exchanges[0].Reply.Status != 101 {
		t.Fatalf("sent %+v, error %v", sent, err)
	}
	if err := sent.Stream.Send("hello"); err != nil {
		t.Fatal(err)
	}
	all := awaited(t, sent.Stream, func(p usecase.StreamProgress) bool { return p.Total == 2 })
	if own := all.Messages[0]; string(own.Data) != "hello" || string(all.Messages[1].Data) != "hello" || own.Sent == all.Messages[1].Sent {
		t.Errorf("got %+v", all.Messages)
	}
	w.Close()
	if p := awaited(t, sent.Stream, func(p usecase.StreamProgress) bool { return p.End != nil }); !p.End.Stopped {
		t.Errorf("the end is %+v", p.End)
	}
	if err := sent.Stream.Send("late"); err == nil {
		t.Error("a message was sent after the end")
	}
}

// Large messages are dropped when they exceed the limit of bytes.
func TestFollowedBytesAreBounded(t *testing.T) {
	f := &followedStream{}
	for range 3 * maxStreamBytes >> 16 {
		f.add(model.StreamMessage{Data: make([]byte, 1<<16)})
	}
	if f.bytes > maxStreamBytes || len(f.kept) != maxStreamBytes>>16 || f.total != 3*maxStreamBytes>>16 {
		t.Errorf("%d messages of %d bytes are kept, of %d", len(f.kept), f.bytes, f.total)
	}
}
