package search_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/search"

	"github.com/google/go-cmp/cmp"
)

// nasty is a faulty way of answering. The client must handle it without failing.
type nasty struct {
	name   string
	answer http.HandlerFunc
	status int    // expected status; 0 for no answer
	oracle string // oracle that reports the answer, "" for none
	takes  bool   // each call takes as long as the time-out
}

// hijacked returns a handler that writes to the connection instead of answering by HTTP.
func hijacked(answer func(net.Conn)) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		answer(conn)
	}
}

// whole returns a handler that answers with a JSON body.
func whole(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, body)
	}
}

func endless(conn net.Conn, head, part string) {
	for _, err := io.WriteString(conn, head); err == nil; _, err = io.WriteString(conn, part) {
	}
}

func zipped(size int) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(bytes.Repeat([]byte(" "), 1<<20))
	w.Close()
	return strings.Repeat(b.String(), size>>20)
}

func nasties() []nasty {
	bomb := zipped(512 << 20)
	return []nasty{
		{name: "closes mid-answer", answer: hijacked(func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"id\":")
		}), status: 200, oracle: "answer-cut-short", takes: false},
		{name: "closes before it answers", answer: hijacked(func(net.Conn) {}), status: 0, oracle: "no-answer", takes: false},
		{name: "100 MB", answer: func(w http.ResponseWriter, _ *http.Request) {
			part := bytes.Repeat([]byte("x"), 1<<20)
			for range 100 {
				if _, err := w.Write(part); err != nil {
					return
				}
			}
		}, status: 200, oracle: "undeclared-content-type", takes: false},
		{name: "an answer that drips without end", answer: func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				io.WriteString(w, " ")
				http.NewResponseController(w).Flush()
				time.Sleep(time.Millisecond)
			}
		}, status: 200, oracle: "undeclared-content-type", takes: true},
		{
			name:   "never answers",
			answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			status: 0,
			oracle: "no-answer",
			takes:  true,
		},
		{
			name:   "no HTTP",
			answer: hijacked(func(c net.Conn) { io.WriteString(c, "SSH-2.0-OpenSSH\r\n\r\n") }),
			status: 0,
			oracle: "no-answer",
			takes:  false,
		},
		{
			name:   "a broken status line",
			answer: hijacked(func(c net.Conn) { io.WriteString(c, "HTTP/1.1 ok OK\r\n\r\n") }),
			status: 0,
			oracle: "no-answer",
			takes:  false,
		},
		{name: "a broken chunk", answer: hijacked(func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n")
		}), status: 200, oracle: "answer-cut-short", takes: false},
		{name: "gzip bomb", answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, bomb)
		}, status: 200, oracle: "", takes: false},
		{name: "wrong content type", answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json; charset=;;")
			io.WriteString(w, "<html>\x1b[2J")
		}, status: 200, oracle: "schema", takes: false},
		{name: "invalid UTF-8", answer: whole("{\"id\":\"\xff\xfe\xc3(\"}"), status: 200, oracle: "wrong-encoding", takes: false},
		{
			name:   "JSON of depth 100,000",
			answer: whole(strings.Repeat(`{"id":[`, 50_000) + strings.Repeat("]}", 50_000)),
			status: 200,
			oracle: "",
			takes:  false,
		},
		{name: "huge headers", answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Huge", strings.Repeat("x", 1<<20))
		}, status: 0, oracle: "no-answer", takes: false},
		{name: "many cookies", answer: func(w http.ResponseWriter, r *http.Request) {
			if len(r.Cookies()) > 0 {
				w.WriteHeader(http.StatusTeapot)
			}
			for i := range 1000 {
				http.SetCookie(w, &http.Cookie{Name: fmt.Sprint("c", i), Value: strings.Repeat("v", 100)})
			}
			whole("{}")(w, r)
		}, status: 200, oracle: "", takes: false},
		{
			name:   "a redirect loop",
			answer: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) },
			status: 302,
			oracle: "undeclared-status",
			takes:  false,
		},
		{
			name:   "1xx without end",
			answer: hijacked(func(c net.Conn) { endless(c, "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") }),
			status: 0,
			oracle: "no-answer",
			takes:  false,
		},
		{
			name:   "a header without end",
			answer: hijacked(func(c net.Conn) { endless(c, "HTTP/1.1 200 OK\r\n", "X: "+strings.Repeat("y", 1000)+"\r\n") }),
			status: 0,
			oracle: "no-answer",
			takes:  false,
		},
		{name: "a switch of protocols", answer: hijacked(func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
			time.Sleep(time.Second)
		}), status: 101, oracle: "undeclared-status", takes: false},
		{name: "another message each time", answer: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(500)
			io.WriteString(w, strings.Repeat(fmt.Sprintln(time.Now().UnixNano(), "went wrong"), 10_000))
		}, status: 500, oracle: "server-error", takes: false},
	}
}

// hostile is a plan for the service of things with the additional operation GET /nasty, whose answers are faulty.
func hostile(url string, calls int) model.Plan {
	p := plan(url, calls)
	object := &model.Schema{Type: "object", Properties: []model.Property{{Name: "id", Schema: &model.Schema{}}}}
	p.Spec.Operations = append(p.Spec.Operations, &model.Operation{
		ID: "GET /nasty", Method: "GET", Path: "/nasty",
		Responses: []model.Response{{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: object}}}},
	})
	p.Templates = append(p.Templates, model.Template{Steps: []model.TemplateStep{{Op: "GET /nasty", Min: 1, Max: 1}}, Weight: 1})
	return p
}

// Whatever a service answers, the run continues to its end, keeps its tests, reports the fault, and needs little
// memory.
func TestHostileServices(t *testing.T) {
	if testing.Short() {
		t.Skip("its services and specs are hostile: left out by -short")
	}
	const calls = 60
	for _, n := range nasties() {
		t.Run(n.name, func(t *testing.T) {
			if n.takes {
				skipInShort(t, "waits for time-outs")
			}
			url := alongside(t, n.answer)
			var saved []model.Test
			highest := tracker(t)
			p := hostile(url, calls)
			if n.takes {
				p.Timeout = 100 * time.Millisecond
			}
			got := start(t, p, search.Sink{SaveTests: func(all []model.Test) error { saved = all; return nil }}).Wait()
			if got.Err != nil || got.Summary.Calls < calls-1 {
				t.Fatalf("ended after %d calls: %v", got.Summary.Calls, got.Err)
			}
			if grown := highest(); grown > 64<<20 {
				t.Errorf("the heap grew by %d MB", grown>>20)
			}
			if !keepsFor(saved, "POST /things 201") || !keepsFor(saved, "GET /things/{id} 200") {
				t.Errorf("a test of the healthy operations is lost: %d are kept", len(saved))
			}
			seen := got.Grid["GET /nasty"]
			if n.status > 0 && (seen[n.status] == 0 || len(seen) > 1) || n.status == 0 && (len(seen) > 0 || got.Summary.Unanswered == 0) {
				t.Errorf("statuses %v, %d unanswered (%s), want only %d", seen, got.Summary.Unanswered, got.Summary.NoAnswer, n.status)
			}
			if found := noticed(got, "GET /nasty"); n.oracle != strings.Join(found, " ") {
				t.Errorf("noticed %q, want %q", found, n.oracle)
			}
		})
	}
}

// alongside serves things, and one path with a nasty handler.
func alongside(t *testing.T, answer http.HandlerFunc) string {
	healthy := &things{sizes: map[string]int{}}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/nasty" {
			answer(w, r)
			return
		}
		healthy.ServeHTTP(w, r)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

func keepsFor(tests []model.Test, target string) bool {
	return slices.ContainsFunc(tests, func(t model.Test) bool { return slices.Contains(t.Covers, target) })
}

// noticed returns the oracles that an operation violates, sorted.
func noticed(s model.Snapshot, op model.OpID) []string {
	var all []string
	for _, f := range s.Faults {
		if f.Op == op && !slices.Contains(all, f.Oracle) {
			all = append(all, f.Oracle)
		}
	}
	slices.Sort(all)
	return all
}

// tracker starts to measure the size of the heap. The returned function ends this, and returns the maximum growth of the
// heap in bytes.
func tracker(t *testing.T) (highest func() uint64) {
	percent := debug.SetGCPercent(100) // as in the app
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	runtime.GC()
	first := heap()
	var most atomic.Uint64
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			most.Store(max(most.Load(), heap()))
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return func() uint64 {
		cancel()
		<-done
		return max(most.Load(), first) - first
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A run calls a service more slowly if the service answers 429. The result is the same each time, and all requests
// count.
func TestServiceThatIsCalledTooOften(t *testing.T) {
	var suites [2][]model.Test
	for i := range suites {
		asked, refused := 0, 0
		healthy := &things{sizes: map[string]int{}}
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			if asked%7 == 0 {
				refused++
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			healthy.ServeHTTP(w, r)
		}))
		got := start(t, plan(s.URL, 200), search.Sink{}).Wait()
		s.Close()
		suites[i] = got.Tests
		if got.Err != nil || asked > 200 || got.Summary.Calls != asked || refused < 20 {
			t.Errorf("%d requests arrived, %d refused, the summary says %d: %v", asked, refused, got.Summary.Calls, got.Err)
		}
		for op, counts := range got.Grid {
			if counts[http.StatusTooManyRequests] > 1 { // the budget may end before the last call is repeated
				t.Errorf("%s: %v", op, counts)
			}
		}
		if !slices.ContainsFunc(got.Summary.Warnings, func(w model.Warning) bool { return w.Kind == model.WarnRate }) {
			t.Errorf("no warning of the rate: %+v", got.Summary.Warnings)
		}
	}
	if diff := cmp.Diff(suites[0], suites[1]); diff != "" {
		t.Errorf("two runs differ: %s", diff)
	}
}

// Over TLS and HTTP/2 a run finds the same as over HTTP.
func TestHTTP2(t *testing.T) {
	var runs [2][]model.Test
	for i, secure := range []bool{false, true} {
		s := httptest.NewUnstartedServer(&things{sizes: map[string]int{}})
		s.EnableHTTP2 = secure
		if secure {
			s.StartTLS()
		} else {
			s.Start()
		}
		p := plan(s.URL, 200)
		p.Insecure = secure
		got := start(t, p, search.Sink{}).Wait()
		s.Close()
		runs[i] = got.Tests
		if got.Err != nil || len(got.Tests) == 0 {
			t.Errorf("%d tests kept: %v", len(got.Tests), got.Err)
		}
	}
	if diff := cmp.Diff(runs[0], runs[1]); diff != "" {
		t.Errorf("HTTP/2 differs: %s", diff)
	}
}
