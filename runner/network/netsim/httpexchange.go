package netsim

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"

	"sonde/assets/wire"
	"sonde/model"
)

// httpExchange is one HTTP request with its answer.
type httpExchange struct {
	http.ResponseWriter
	dueAnswer
	r      *http.Request
	s      *stream
	reused bool // the test had an earlier request on the connection
}

// serveHTTP answers one request.
func serveHTTP(w http.ResponseWriter, r *http.Request) {
	x := &httpExchange{ResponseWriter: w, r: r, s: r.Context().Value(streamKey{}).(*stream)}
	if x.s.c.proxied != nil && !x.routeToHost() {
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(maxStalled))
	c, request := x.s.c, readRequest(r)
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	c.n.pump()
	c.change(func() { x.choose(request) })
	defer c.change(func() { c.unfinished-- })
	x.perform()
}

// readRequest reads a request, with at most maxBody bytes of its body. If the body has messages of gRPC, readRequest
// converts the messages to JSON.
func readRequest(r *http.Request) model.Request {
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxBody)) // an incomplete body is kept
	if wire.IsGRPC(r.Header.Get("Content-Type")) {
		if text, ok := wire.GRPCToJSON(body); ok {
			body = []byte(text)
		}
	}
	return model.Request{Method: r.Method, URL: r.URL.RequestURI(), Header: r.Header, Body: body}
}

// choose takes the next answer of the first stub that matches the request, and notes the contact.
// If there is no answer, the fault is NetReset. The caller must hold the mutex.
func (x *httpExchange) choose(request model.Request) {
	c, t := x.s.c, x.s.c.n.test
	hosts := c.requestHosts(x.r.Host)
	m, nth := c.contact(model.HTTP), t.count(model.HTTP, hosts[0])
	m.Host, m.Request, m.Outcome = hosts[0], excerptOf(request), "nothing"
	if c.test != t {
		c.requests = 0
	}
	x.test, x.Fault, x.reused = t, model.NetReset, c.requests > 0
	c.test, c.unfinished, c.requests = t, c.unfinished+1, c.requests+1
	for _, i := range t.stubsFor(model.HTTP, hosts) {
		if !MatchesRequest(t.stubs[i].Match, request, nth) {
			continue
		}
		if a, index, ok := t.take(i); ok {
			x.Answer, m.Stub, m.Answer, m.Outcome = a, i, index, a.Label(model.HTTP)
		}
		break
	}
	x.contact = t.note(m)
	if x.r.ProtoMajor == 1 {
		c.processed = c.received
	}
}

// excerptOf returns a request with the part of its body that a contact keeps.
func excerptOf(r model.Request) model.Request {
	r.Truncated = len(r.Body) > maxKept
	r.Body = excerpt(r.Body)
	return r
}

// perform gives the answer. For NetReset, and for a fault that belongs to dials or to TLS, it breaks the connection,
// which is already open.
func (x *httpExchange) perform() {
	data := x.encodedBody()
	switch x.Fault {
	case "", model.NetSlow:
		x.reply(data, len(data))
	case model.NetTruncatedJSON:
		data = truncateJSON(data)
		x.reply(data, len(data))
	case model.NetCut:
		x.reply(data[:min(len(data), x.After)], len(data))
		panic(http.ErrAbortHandler)
	case model.NetStall:
		sent := data[:min(len(data), x.After)]
		x.reply(sent, max(len(data), len(sent)+1))
		x.s.c.n.stayMute(x.dueAnswer, x.r.Context().Done())
		panic(http.ErrAbortHandler)
	case model.NetMute:
		x.s.c.n.stayMute(x.dueAnswer, x.r.Context().Done())
		x.abort()
	default:
		x.abort()
	}
}

// encodedBody returns the body of the answer as it is sent. In an answer of gRPC, encodedBody converts JSON to
// messages.
func (x *httpExchange) encodedBody() []byte {
	data := x.Content()
	if wire.IsGRPC(http.Header(x.Answer.Header).Get("Content-Type")) {
		if body, ok := wire.GRPCFromJSON(data); ok {
			return body
		}
	}
	return data
}

// truncateJSON returns the first half of a JSON text, or "{" if the text is shorter than 2 bytes.
func truncateJSON(data []byte) []byte {
	if len(data) < 2 {
		return []byte("{")
	}
	return data[:len(data)/2]
}

// abort breaks the connection. Clients repeat a request by themselves if a connection that they have used before
// breaks without a status line. So if an HTTP/1 connection had an earlier request in the test, abort first sends a
// status line. The first request of a test gets no status line, even on a connection that was kept from an earlier
// test.
func (x *httpExchange) abort() {
	if x.reused && x.r.ProtoMajor == 1 {
		_, _ = io.WriteString(x.s, "HTTP/1.1 200 OK\r\n")
	}
	x.s.c.kill()
	panic(http.ErrAbortHandler)
}

// reply sends the answer with data as its body. size is the declared length of the body.
func (x *httpExchange) reply(data []byte, size int) {
	if !x.pause(x.delay(), x.r.Context().Done()) {
		x.abort()
	}
	x.writeHeader(data, size)
	status := x.Status
	if status == 0 {
		status = http.StatusOK
	}
	x.WriteHeader(status)
	if hasBody(status) && !x.writePaced(x, data, x.r.Context().Done()) && x.Fault == model.NetSlow {
		x.abort()
	}
	for name, values := range x.Trailer {
		for _, value := range values {
			x.Header().Add(http.TrailerPrefix+name, value)
		}
	}
	if size > 0 || x.r.ProtoMajor == 1 { // in HTTP/2, the end of an empty body must come with the header: clients of gRPC require it
		_ = http.NewResponseController(x.ResponseWriter).Flush()
	}
}

// Write writes to the response. With the fault NetSlow it flushes each time.
func (x *httpExchange) Write(b []byte) (int, error) {
	n, err := x.ResponseWriter.Write(b)
	if err == nil && x.Fault == model.NetSlow {
		err = http.NewResponseController(x.ResponseWriter).Flush()
	}
	return n, err
}

func (x *httpExchange) writeHeader(data []byte, size int) {
	h := x.Header()
	h["Date"] = nil // it would differ each time that the test is played
	for name, values := range x.Answer.Header {
		h.Del(name)
		for _, value := range values {
			h.Add(name, value)
		}
	}
	if h.Get("Content-Type") == "" && json.Valid(data) {
		h.Set("Content-Type", "application/json")
	}
	if hasBody(x.Status) && len(x.Trailer) == 0 && h.Get("Content-Length") == "" && h.Get("Transfer-Encoding") == "" {
		h.Set("Content-Length", strconv.Itoa(size))
	}
}

// hasBody reports whether answers with a status have a body.
func hasBody(status int) bool {
	return status != http.StatusNoContent && status != http.StatusNotModified
}
