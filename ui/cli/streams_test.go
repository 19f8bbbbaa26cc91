package cli_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sonde/ui/tty"

	"github.com/gorilla/websocket"
)

const liveSpec = `{"openapi":"3.0.3","info":{"title":"Live feeds","version":"1"},"paths":{
	"/events":{"get":{"responses":{"200":{"description":"x","content":{"text/event-stream":{}}}}}},
	"/chat":{"get":{"responses":{"101":{"description":"x"}}}},
	"/item":{"get":{"responses":{"200":{"description":"x"}}}}
}}`

// liveService starts a service over TLS: with 1,000 events a second that never end, a WebSocket that repeats each message
// and ends after "bye", and an item that changes with each request.
func liveService(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := 1; r.Context().Err() == nil; i++ {
			fmt.Fprintf(w, "event: tick\ndata: {\"number\":%d}\n\n", i)
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	})
	mux.HandleFunc("GET /chat", func(w http.ResponseWriter, r *http.Request) {
		conn, err := new(websocket.Upgrader).Upgrade(w, r, nil)
		if err != nil {
			return // the upgrader has answered
		}
		defer conn.Close()
		for {
			kind, text, err := conn.ReadMessage()
			switch {
			case err != nil:
				return
			case string(text) == "bye":
				conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(4001, "farewell"))
				return
			}
			conn.WriteMessage(kind, append([]byte("re: "), text...))
		}
	})
	sent := 0
	mux.HandleFunc("GET /item", func(w http.ResponseWriter, _ *http.Request) {
		sent++
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":7,"version":%d}`, sent)
	})
	s := httptest.NewUnstartedServer(mux)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// live runs Sonde in a terminal for the service, and waits for its operations.
func live(t *testing.T, dir, url string) *tty.Session {
	t.Helper()
	s := in(t, dir, "live.json", "--url", url, "--insecure")
	wait(t, s, "Live feeds")
	wait(t, s, "3 groups")
	return s
}

// ctrlU removes the text of a field.
const ctrlU = "\x15"

// byHand opens the form for an operation.
func byHand(t *testing.T, s *tty.Session, path string) {
	t.Helper()
	keys(t, s, "/", "to the list", ctrlU, "/ filter", path, "/ "+path, enter, "⏎ open", enter, "r send", "r", "send GET /"+path)
}

// back leaves what a text belongs to by the key esc.
func back(t *testing.T, s *tty.Session, text string) {
	t.Helper()
	if err := s.Type(esc); err != nil {
		t.Fatal(err)
	}
	waitUntilGone(t, s, text)
}

// The user follows events, writes messages, compares answers, and finds the requests again in the next session.
func TestRequestsByHandOfALiveService(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "live.json"), []byte(liveSpec), 0o600); err != nil {
		t.Fatal(err)
	}
	service := liveService(t)
	s := live(t, dir, service.URL)
	byHand(t, s, "events")
	keys(t, s, "r", "server-sent events ● live", "", `tick  {"number":`)
	waitUntilGone(t, s, "Content-Type") // the list follows the events
	keys(t, s, "v", "⏎ show the message", enter, `"number": `)
	back(t, s, `"number": `)
	back(t, s, "● live")
	wait(t, s, "server-sent events ended")
	back(t, s, "send GET")

	byHand(t, s, "chat")
	keys(t, s, "r", "WebSocket ● live", "m", "esc to the messages")
	keys(t, s, "hello", "hello", enter, "re: hello", "bye", "bye", enter, "with code 4001: farewell")
	back(t, s, "send GET")

	byHand(t, s, "item")
	keys(t, s, "r", `"version": 1`, "", "first byte", "", "TLS 1.3", "", "△ not verified", "r", `"version": 2`)
	keys(t, s, "D", "≠ /version  1 → 2")
	back(t, s, "Differences")
	keys(t, s, "H", "History · 4 requests")
	back(t, s, "History")
	back(t, s, "send GET")
	leave(t, s)

	s = live(t, dir, service.URL)
	byHand(t, s, "chat")
	keys(t, s, "H", "History · 4 requests", enter, "pseudonyms take the place of secrets", "", `"version": 2`, "r", "send GET /item")
	keys(t, s, "r", `"version": 3`)
	back(t, s, "send GET")
	leave(t, s)
}
