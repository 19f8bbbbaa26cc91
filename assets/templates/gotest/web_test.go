package gotest

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
)

// http has a host answer requests such as "POST /charges/{id}"; "" is all.
func (h *hosts) http(host, request string, rules ...rule) {
	h.add(&stub{protocol: "http", host: host, open: (*hosts).served, wants: asking(request)}, rules)
}

// served opens a host's port.
func (h *hosts) served(host string) (addr string, err error) {
	s := httptest.NewUnstartedServer(h.web(host))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	if h.door != nil {
		s.Listener = h.door(host, s.Listener)
	}
	s.Start()
	return s.Listener.Addr().String(), nil
}

// asking tells requests by method and path, or by one of them.
func asking(request string) []func(m message) bool {
	method, path := request, ""
	if i := strings.Index(request, "/"); i >= 0 {
		method, path = strings.TrimSpace(request[:i]), request[i:]
	}
	anything := regexp.MustCompile(`\\\{[^/]*?\\\}`).ReplaceAllString(regexp.QuoteMeta(path), `[^/]+`)
	fits := regexp.MustCompile("^" + anything + "/?$")
	return []func(m message) bool{func(m message) bool {
		return (method == "" || m.request.Method == method) && (path == "" || fits.MatchString(m.request.URL.EscapedPath()))
	}}
}

// web answers the requests to a host. Each has a connection of its own, so that no
// test sees those of the one before.
func (h *hosts) web(host string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		const most = 1 << 20
		body, _ := io.ReadAll(io.LimitReader(r.Body, most))
		a, ok := h.pick("http", host, message{r, body})
		if !ok {
			h.inVain(fmt.Sprintf("http %s %s %s", host, r.Method, r.RequestURI))
			a = answer{say: breaks}
		}
		a.head(w.Header())
		if a.status != 0 {
			w.WriteHeader(a.status)
		}
		a.say(webLine(w, r), a.body)
		for _, field := range a.trailer {
			name, value := headerField(field)
			w.Header().Set(http.TrailerPrefix+name, value)
		}
	}
}

// head prepares the header of an answer.
func (a answer) head(h http.Header) {
	h["Date"] = nil // the same test, the same answer
	for _, field := range a.header {
		name, value := headerField(field)
		h.Add(name, value)
	}
	if h.Get("Content-Type") == "" && json.Valid([]byte(a.body)) {
		h.Set("Content-Type", "application/json")
	}
	if a.status != http.StatusNoContent && a.status != http.StatusNotModified && a.trailer == nil && h.Get("Content-Length") == "" {
		h.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
}

// headerField splits "Name: value".
func headerField(text string) (name, value string) {
	name, value, _ = strings.Cut(text, ":")
	return name, strings.TrimSpace(value)
}

// webLine is where a request is answered.
func webLine(w http.ResponseWriter, r *http.Request) *line {
	return &line{
		Writer: flushed{w}, left: r.Context().Done(),
		hangUp: func() { panic(http.ErrAbortHandler) },
		breakOff: func() {
			if h, ok := w.(http.Hijacker); ok { // not with HTTP/2, whose stream is reset
				if c, _, err := h.Hijack(); err == nil {
					cutOff(c)
				}
			}
			panic(http.ErrAbortHandler)
		},
	}
}

// flushed sends at once what is written.
type flushed struct{ http.ResponseWriter }

func (f flushed) Write(b []byte) (int, error) {
	n, err := f.ResponseWriter.Write(b)
	if f, ok := f.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
	return n, err
}
