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

// http declares how a host answers requests such as "POST /charges/{id}". "" means all requests.
func (h *hosts) http(host, request string, rules ...rule) {
	h.trackCalls()
	conditions := requestConditions(request)
	h.addStub(&stub{protocol: "http", host: host, request: request, open: (*hosts).listenHTTP, conditions: conditions}, rules)
}

// clientConn is a connection of an HTTP client.
type clientConn struct {
	net.Conn
	test     *testing.T
	requests int // the number of requests in the test
}

// clientConnKey is the key of the clientConn in a request's context.
type clientConnKey struct{}

// listenHTTP opens the port of a host.
func (h *hosts) listenHTTP(host string) (addr string, err error) {
	return h.serveHTTP(host, h.countConns)
}

// serveHTTP opens the port of a host. It serves HTTP on the connections that the listener of filter accepts.
func (h *hosts) serveHTTP(host string, filter func(host string, l net.Listener) net.Listener) (addr string, err error) {
	l, err := net.Listen("tcp", h.listenAddr(host))
	if err != nil {
		return "", err
	}
	s := &httptest.Server{Config: &http.Server{Handler: h.httpHandler(host)}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, clientConnKey{}, &clientConn{Conn: c})
	}
	setProtocols(s.Config, "SetHTTP1", "SetHTTP2", "SetUnencryptedHTTP2")
	s.Listener = filter(host, l)
	s.Start()
	return s.Listener.Addr().String(), nil
}

// setProtocols sets the protocols of a server. It does nothing with Go before 1.24, which has no such setting, and no
// HTTP/2 without TLS.
func setProtocols(s *http.Server, protocols ...string) {
	field := reflect.ValueOf(s).Elem().FieldByName("Protocols")
	if !field.IsValid() {
		return
	}
	field.Set(reflect.New(field.Type().Elem()))
	for _, name := range protocols {
		field.MethodByName(name).Call([]reflect.Value{reflect.ValueOf(true)})
	}
}

// countConns returns a listener that counts the connections to a host.
func (h *hosts) countConns(host string, l net.Listener) net.Listener {
	if h.httpListener != nil {
		return h.httpListener(host, l)
	}
	return countingListener{l, h, host}
}

type countingListener struct {
	net.Listener
	h    *hosts
	host string
}

func (l countingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.h.addConn(l.host, c, c.RemoteAddr().String()), nil
}

// requestConditions returns the condition that a request has a method and a path, such as "POST /charges/{id}". The
// method or the path may be missing. "" has no condition.
func requestConditions(request string) []func(m message) bool {
	if request == "" {
		return nil
	}
	method, path := request, ""
	if i := strings.Index(request, "/"); i >= 0 {
		method, path = strings.TrimSpace(request[:i]), request[i:]
	}
	paths, _ := pathPattern(path)
	return []func(m message) bool{func(m message) bool {
		return (method == "" || m.request.Method == method) && (path == "" || paths.MatchString(m.request.URL.EscapedPath()))
	}}
}

// pathPattern returns a pattern that matches the paths of a template, and the names of the template's parameters.
func pathPattern(path string) (paths *regexp.Regexp, names []string) {
	for _, name := range regexp.MustCompile(`\{([^/]*?)\}`).FindAllStringSubmatch(path, -1) {
		names = append(names, name[1])
	}
	anything := regexp.MustCompile(`\\\{[^/]*?\\\}`).ReplaceAllString(regexp.QuoteMeta(path), `([^/]+)`)
	return regexp.MustCompile("^" + anything + "/?$"), names
}

// httpHandler returns the handler of the requests to a host.
func (h *hosts) httpHandler(host string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		const maxBody = 16 << 20
		body, _ := io.ReadAll(io.LimitReader(r.Body, maxBody))
		if IsGRPC(r.Header.Get("Content-Type")) {
			if text, ok := GRPCToJSON(body); ok {
				body = []byte(text)
			}
		}
		reused := h.hadRequest(r)
		h.awaitEarlierDatagrams()
		a, ok := h.takeAnswer("http", host, message{request: r, data: body})
		defer h.answerSent()
		if !ok {
			h.addUnanswered(fmt.Sprintf("http %s %s %s", host, r.Method, r.RequestURI))
			a = answer{send: sendReset}
		}
		a.encodeGRPC()
		a.setHeader(w.Header())
		if a.status != 0 {
			w.WriteHeader(a.status)
		}
		a.send(h.httpWriter(w, r, reused, a.body == ""), a.body)
		for _, field := range a.trailer {
			name, value := splitHeaderField(field)
			w.Header().Add(http.TrailerPrefix+name, value)
		}
	}
}

// hadRequest counts a request, and reports whether the connection had an earlier request in this test.
func (h *hosts) hadRequest(r *http.Request) bool {
	v := r.Context().Value(clientConnKey{}).(*clientConn)
	h.mu.Lock()
	defer h.mu.Unlock()
	if v.test != h.t {
		v.test, v.requests = h.t, 0
	}
	v.requests++
	return v.requests > 1
}

// encodeGRPC replaces JSON in the body by messages of gRPC, if the answer is an answer of gRPC.
func (a *answer) encodeGRPC() {
	for _, field := range a.header {
		if name, value := splitHeaderField(field); strings.EqualFold(name, "Content-Type") && IsGRPC(value) {
			if body, ok := GRPCFromJSON([]byte(a.body)); ok {
				a.body = string(body)
			}
		}
	}
}

// setHeader sets the header of an answer.
func (a answer) setHeader(h http.Header) {
	h["Date"] = nil // so that answers are reproducible
	for _, field := range a.header {
		name, value := splitHeaderField(field)
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

// splitHeaderField splits a header field such as "Accept: text/html" into its name and its value.
func splitHeaderField(text string) (name, value string) {
	name, value, _ = strings.Cut(text, ":")
	return name, strings.TrimSpace(value)
}

// httpWriter returns the writer of the answer to a request. On a connection that had an earlier request, the writer
// sends a part of an answer before it resets the connection: otherwise the client would repeat the request by itself.
func (h *hosts) httpWriter(w http.ResponseWriter, r *http.Request, reused, isEmpty bool) *answerWriter {
	h.mu.Lock()
	defer h.mu.Unlock()
	return &answerWriter{
		Writer: flushWriter{w, isEmpty && r.ProtoMajor == 2}, connClosed: r.Context().Done(), testDone: h.testDone,
		closeConn: func() { panic(http.ErrAbortHandler) },
		resetConn: func() {
			v := r.Context().Value(clientConnKey{}).(*clientConn)
			if reused && r.ProtoMajor == 1 {
				io.WriteString(v.Conn, "HTTP/1.1 200 OK\r\n")
			}
			resetConn(v.Conn)
			panic(http.ErrAbortHandler)
		},
	}
}

// flushWriter is a writer that sends at once, unless endsWithHeader is set. An answer of HTTP/2 without a body must
// end with its header, because clients of gRPC require this.
type flushWriter struct {
	http.ResponseWriter
	endsWithHeader bool
}

func (f flushWriter) Write(b []byte) (int, error) {
	n, err := f.ResponseWriter.Write(b)
	if flusher, ok := f.ResponseWriter.(http.Flusher); ok && !f.endsWithHeader {
		flusher.Flush()
	}
	return n, err
}
