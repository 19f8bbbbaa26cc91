package vnet

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
)

// visit is one request and its answer.
type visit struct {
	http.ResponseWriter
	r *http.Request
	s *stream
	due
	reused bool // the connection had a request of the test before
}

// answer answers one request.
func answer(w http.ResponseWriter, r *http.Request) {
	v := &visit{ResponseWriter: w, r: r, s: r.Context().Value(streamKey{}).(*stream)}
	if v.s.c.proxied != nil && !v.passes() {
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(mostSilent))
	c, asked := v.s.c, request(r)
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	c.n.pump()
	c.change(func() { v.choose(asked) })
	defer c.change(func() { c.owed-- })
	v.perform()
}

// request reads a request as far as one is read.
func request(r *http.Request) model.Request {
	body, _ := io.ReadAll(io.LimitReader(r.Body, mostBody)) // one that breaks off is what it is
	return model.Request{Method: r.Method, URL: r.URL.RequestURI(), Header: r.Header, Body: body}
}

// choose takes the next answer of the first stub that the request fits.
func (v *visit) choose(asked model.Request) {
	c, t := v.s.c, v.s.c.n.test
	hosts := c.called(v.r.Host)
	m, nth := c.contact(model.HTTP), t.count(model.HTTP, hosts[0])
	m.Host, m.Request, m.Outcome = hosts[0], kept(asked), "nothing"
	if c.test != t {
		c.asked = 0
	}
	v.test, v.Fault, v.reused = t, model.NetReset, c.asked > 0
	c.test, c.owed, c.asked = t, c.owed+1, c.asked+1
	for _, i := range t.of(model.HTTP, hosts) {
		if !Fits(t.stubs[i].Match, asked, nth) {
			continue
		}
		if a, index, ok := t.turn(i); ok {
			v.Answer, m.Stub, m.Answer, m.Outcome = a, i, index, a.Label(model.HTTP)
		}
		break
	}
	v.contact = t.note(m)
	if v.r.ProtoMajor == 1 {
		c.heard = c.taken
	}
}

// kept is what a contact has of a request.
func kept(r model.Request) model.Request {
	r.Truncated = len(r.Body) > mostKept
	r.Body = excerpt(r.Body)
	return r
}

// perform does what the answer is. A fault of dials breaks the connection, as that is
// there already.
func (v *visit) perform() {
	says := v.Said()
	switch v.Fault {
	case "", model.NetSlow:
		v.reply(says, len(says))
	case model.NetTruncatedJSON:
		says = truncated(says)
		v.reply(says, len(says))
	case model.NetCut:
		v.reply(says[:min(len(says), v.After)], len(says))
		panic(http.ErrAbortHandler)
	case model.NetMute:
		v.s.c.n.mute(v.due, v.r.Context().Done())
		v.abort()
	default:
		v.abort()
	}
}

// truncated is the beginning of JSON.
func truncated(says []byte) []byte {
	if len(says) < 2 {
		return []byte("{")
	}
	return says[:len(says)/2]
}

// abort breaks the connection. Something is said first on one that had requests
// before, as clients otherwise ask again on another by themselves. What comes of the
// test's first does not depend on the tests before.
func (v *visit) abort() {
	if v.reused && v.r.ProtoMajor == 1 {
		_, _ = io.WriteString(v.s, "HTTP/1.1 200 OK\r\n")
	}
	v.s.c.kill()
	panic(http.ErrAbortHandler)
}

// reply says what is to be said, of a body that is said to have a size.
func (v *visit) reply(says []byte, size int) {
	if !v.pause(v.late(), v.r.Context().Done()) {
		v.abort()
	}
	v.head(says, size)
	status := v.Status
	if status == 0 {
		status = http.StatusOK
	}
	v.WriteHeader(status)
	if bodied(status) && !pace(v, says, v.due, v.r.Context().Done()) && v.Fault == model.NetSlow {
		v.abort()
	}
	for name, value := range v.Trailer {
		v.Header().Set(http.TrailerPrefix+name, value)
	}
	_ = http.NewResponseController(v.ResponseWriter).Flush()
}

// Write sends at once what is said slowly.
func (v *visit) Write(b []byte) (int, error) {
	n, err := v.ResponseWriter.Write(b)
	if err == nil && v.Fault == model.NetSlow {
		err = http.NewResponseController(v.ResponseWriter).Flush()
	}
	return n, err
}

func (v *visit) head(says []byte, size int) {
	h := v.Header()
	h["Date"] = nil // the same test, the same answer
	for name, value := range v.Answer.Header {
		h.Set(name, value)
	}
	if h.Get("Content-Type") == "" && json.Valid(says) {
		h.Set("Content-Type", "application/json")
	}
	if bodied(v.Status) && len(v.Trailer) == 0 && h.Get("Content-Length") == "" && h.Get("Transfer-Encoding") == "" {
		h.Set("Content-Length", strconv.Itoa(size))
	}
}

// bodied reports whether an answer of a status has a body.
func bodied(status int) bool {
	return status != http.StatusNoContent && status != http.StatusNotModified
}

// called are what stubs may call the host that a request asks for: of the names of the
// connection's address the one in the request, if it is there.
func (c *conn) called(host string) []string {
	if _, _, err := net.SplitHostPort(host); err != nil {
		host = net.JoinHostPort(strings.Trim(host, "[]"), strconv.Itoa(int(c.way.to.Port())))
	}
	host = same(host)
	if slices.Contains(c.hosts, host) {
		return []string{host, c.way.to.String()}
	}
	return c.hosts
}
