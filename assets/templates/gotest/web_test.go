package gotest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// http declares how a host answers requests such as "POST /charges/{id}"; "" for all.
func (h *hosts) http(host, request string, rules ...rule) {
	h.followCalls()
	h.add(&stub{protocol: "http", host: host, request: request, open: (*hosts).served, wants: asking(request)}, rules)
}

// visitor is a connection of an HTTP client.
type visitor struct {
	net.Conn
	test  *testing.T
	asked int // requests of the test
}

// visitorKey is the key of the visitor in a request's context.
type visitorKey struct{}

// served opens the port of a host.
func (h *hosts) served(host string) (addr string, err error) {
	l, err := net.Listen("tcp", h.place(host))
	if err != nil {
		return "", err
	}
	s := &httptest.Server{Config: &http.Server{Handler: h.web(host)}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, visitorKey{}, &visitor{Conn: c})
	}
	speak(s.Config, "SetHTTP1", "SetHTTP2", "SetUnencryptedHTTP2")
	s.Listener = h.entrance(host, l)
	s.Start()
	return s.Listener.Addr().String(), nil
}

// speak sets the protocols of a server. Go before 1.24 has no such setting, and no HTTP/2
// without TLS.
func speak(s *http.Server, protocols ...string) {
	field := reflect.ValueOf(s).Elem().FieldByName("Protocols")
	if !field.IsValid() {
		return
	}
	field.Set(reflect.New(field.Type().Elem()))
	for _, name := range protocols {
		field.MethodByName(name).Call([]reflect.Value{reflect.ValueOf(true)})
	}
}

// entrance is a listener for counted connections.
func (h *hosts) entrance(host string, l net.Listener) net.Listener {
	if h.door != nil {
		return h.door(host, l)
	}
	return entrance{l, h, host}
}

type entrance struct {
	net.Listener
	h    *hosts
	host string
}

func (e entrance) Accept() (net.Conn, error) {
	c, err := e.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return e.h.counted(e.host, c, c.RemoteAddr().String()), nil
}

// asking matches requests by method and path, or by one of them.
func asking(request string) []func(m message) bool {
	if request == "" {
		return nil
	}
	method, path := request, ""
	if i := strings.Index(request, "/"); i >= 0 {
		method, path = strings.TrimSpace(request[:i]), request[i:]
	}
	fits, _ := templated(path)
	return []func(m message) bool{func(m message) bool {
		return (method == "" || m.request.Method == method) && (path == "" || fits.MatchString(m.request.URL.EscapedPath()))
	}}
}

// templated returns a pattern of the paths that match a template, and the names of its parameters.
func templated(path string) (paths *regexp.Regexp, names []string) {
	for _, name := range regexp.MustCompile(`\{([^/]*?)\}`).FindAllStringSubmatch(path, -1) {
		names = append(names, name[1])
	}
	anything := regexp.MustCompile(`\\\{[^/]*?\\\}`).ReplaceAllString(regexp.QuoteMeta(path), `([^/]+)`)
	return regexp.MustCompile("^" + anything + "/?$"), names
}

// web answers the requests to a host.
func (h *hosts) web(host string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		const most = 16 << 20
		body, _ := io.ReadAll(io.LimitReader(r.Body, most))
		again := h.visited(r)
		h.arrives()
		a, ok := h.pick("http", host, message{r, body})
		defer h.given()
		if !ok {
			h.inVain(fmt.Sprintf("http %s %s %s", host, r.Method, r.RequestURI))
			a = answer{say: breaks}
		}
		a.head(w.Header())
		if a.status != 0 {
			w.WriteHeader(a.status)
		}
		a.say(h.webLine(w, r, again), a.body)
		for _, field := range a.trailer {
			name, value := headerField(field)
			w.Header().Set(http.TrailerPrefix+name, value)
		}
	}
}

// visited reports whether the connection of a request had another request in this test.
func (h *hosts) visited(r *http.Request) bool {
	v := r.Context().Value(visitorKey{}).(*visitor)
	h.mu.Lock()
	defer h.mu.Unlock()
	if v.test != h.t {
		v.test, v.asked = h.t, 0
	}
	v.asked++
	return v.asked > 1
}

// head sets the header of an answer.
func (a answer) head(h http.Header) {
	h["Date"] = nil // so that answers are reproducible
	for _, field := range a.header {
		name, value := headerField(field)
		h.Add(name, value)
	}
	if h.Get("Content-Type") == "" && json.Valid([]byte(a.body)) {
		h.Set("Content-Type", "application/json")
	}
	if a.status != http.StatusNoContent && a.status != http.StatusNotModified && a.trailer == nil &&
		h.Get("Content-Length")+h.Get("Transfer-Encoding") == "" {
		h.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
}

// headerField splits "Name: value".
func headerField(text string) (name, value string) {
	name, value, _ = strings.Cut(text, ":")
	return name, strings.TrimSpace(value)
}

// webLine sends the answer to a request. On a connection that had an earlier request it sends
// something before a reset: otherwise clients repeat the request themselves.
func (h *hosts) webLine(w http.ResponseWriter, r *http.Request, again bool) *line {
	h.mu.Lock()
	defer h.mu.Unlock()
	return &line{
		Writer: flushed{w}, left: r.Context().Done(), over: h.over,
		hangUp: func() { panic(http.ErrAbortHandler) },
		breakOff: func() {
			v := r.Context().Value(visitorKey{}).(*visitor)
			if again && r.ProtoMajor == 1 {
				io.WriteString(v.Conn, "HTTP/1.1 200 OK\r\n")
			}
			cutOff(v.Conn)
			panic(http.ErrAbortHandler)
		},
	}
}

// flushed is a writer that sends at once.
type flushed struct{ http.ResponseWriter }

func (f flushed) Write(b []byte) (int, error) {
	n, err := f.ResponseWriter.Write(b)
	if f, ok := f.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
	return n, err
}
