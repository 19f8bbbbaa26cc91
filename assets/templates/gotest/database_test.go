package gotest

import (
	"fmt"
	"net"
)

// redis declares how a host answers commands of Redis. says answers with JSON: "text", 17, null, [1, 2],
// {"status": "OK"} or {"error": "ERR reason"}.
func (h *hosts) redis(host string, rules ...rule) {
	h.database("redis", host, func(conn net.Conn) databaseSession { return NewRedisSession(conn) }, rules)
}

// databaseSession is the host's side of a connection with a database.
type databaseSession interface {
	Next() (r DatabaseRequest, reply []byte, err error)
	Reply(text string) []byte
	Refuse(r DatabaseRequest) []byte
}

// database declares how a host answers the requests of a protocol.
func (h *hosts) database(protocol, host string, open func(conn net.Conn) databaseSession, rules []rule) {
	h.trackCalls()
	h.answerConns(protocol, func(host string, c *countedConn, conn net.Conn) {
		h.mu.Lock()
		c.isDatabase = true
		h.mu.Unlock()
		d := &databaseConn{h, protocol, host, c, conn, open(conn)}
		for d.answerNext() {
		}
		conn.Close()
	})
	h.addStub(&stub{protocol: protocol, host: host, open: (*hosts).listenTCP}, rules)
}

// databaseConn is a connection of the service with a database. It may last for several tests.
type databaseConn struct {
	h              *hosts
	protocol, host string
	c              *countedConn
	conn           net.Conn // c, or the content of its TLS
	session        databaseSession
}

// answerNext answers one request, and reports whether the connection stays open.
func (d *databaseConn) answerNext() bool {
	r, reply, err := d.session.Next()
	if err != nil {
		return false
	}
	if reply != nil {
		_, err := d.conn.Write(reply)
		return err == nil
	}
	d.h.awaitEarlierDatagrams()
	a, ok := d.h.takeAnswer(d.protocol, d.host, message{data: []byte(r.JSON), command: r.Command, statement: r.Text})
	defer d.h.answerSent()
	if !ok {
		d.h.addUnanswered(fmt.Sprintf("%s %s %s", d.protocol, d.host, r.Text))
		_, err := d.conn.Write(d.session.Refuse(r))
		return err == nil
	}
	open := true
	w := &answerWriter{Writer: d.conn, connClosed: d.c.closed, testDone: d.h.currentTestDone()}
	w.closeConn, w.resetConn = func() { open = false }, func() { open = false; resetConn(d.conn) }
	a.send(w, string(d.session.Reply(a.body)))
	return open
}

// currentTestDone returns the channel that is closed when the running test ends.
func (h *hosts) currentTestDone() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.testDone
}
