package gotest

import (
	"encoding/json"
	"fmt"
	"net"
)

// redis declares how a host answers commands of Redis. The text of says is JSON: "text", 17, null, [1, 2],
// {"status": "OK"} or {"error": "ERR reason"}.
func (h *hosts) redis(host string, rules ...rule) {
	h.database("redis", host, func(_ string, conn net.Conn) databaseSession { return NewRedisSession(conn) }, rules)
}

// postgres declares how a host answers queries of PostgreSQL. The text of says is JSON:
// {"columns": [{"name": "id", "type": 23}], "rows": [["1"], [null]]}, {"tag": "INSERT 0 1"} or
// {"error": {"code": "23505", "message": "reason"}}.
func (h *hosts) postgres(host string, rules ...rule) {
	h.database("postgres", host, func(host string, conn net.Conn) databaseSession {
		return NewPostgresSession(conn, func(query string) []string { return h.repliesTo("postgres", host, query) })
	}, rules)
}

// mysql declares how a host answers queries of MySQL or MariaDB. The text of says is JSON:
// {"columns": [{"name": "id", "type": 3}], "rows": [["1"], [null]]}, {"affected": 1, "id": 17} or
// {"error": {"code": 1062, "state": "23000", "message": "reason"}}.
func (h *hosts) mysql(host string, rules ...rule) {
	h.database("mysql", host, func(host string, conn net.Conn) databaseSession {
		return NewMySQLSession(conn, func(query string) []string { return h.repliesTo("mysql", host, query) })
	}, rules)
}

// repliesTo returns all replies that the stubs of a host may give to a query, whatever the arguments of the query
// are.
func (h *hosts) repliesTo(protocol, host, query string) (all []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.stubsOf(protocol, host) {
		if !s.mayMatch(query) {
			continue
		}
		for _, a := range s.script {
			all = append(all, a.body)
		}
		if s.afterScript != nil {
			all = append(all, s.afterScript.body)
		}
	}
	return all
}

// mayMatch reports whether the query fulfils the stub's conditions with at least some arguments.
func (s *stub) mayMatch(query string) bool {
	for i, w := range s.terms {
		var want struct{ Query *string }
		switch {
		case w.in != "body":
			if !s.conditions[i](message{statement: query}) {
				return false
			}
		case json.Unmarshal([]byte(w.want), &want) == nil && want.Query != nil && *want.Query != query:
			return false
		}
	}
	return true
}

// databaseSession is the host's side of a connection with a database.
type databaseSession interface {
	Next() (r DatabaseRequest, reply []byte, err error)
	Reply(text string) []byte
	Refuse(r DatabaseRequest) []byte
}

// database declares how a host answers the requests of a protocol.
func (h *hosts) database(protocol, host string, open func(host string, conn net.Conn) databaseSession, rules []rule) {
	h.trackCalls()
	h.answerConns(protocol, func(host string, c *countedConn, conn net.Conn) {
		h.mu.Lock()
		c.isDatabase = true
		h.mu.Unlock()
		d := &databaseConn{h, protocol, host, c, conn, open(host, conn)}
		for d.answerNext() {
		}
		conn.Close()
	})
	h.addStub(&stub{protocol: protocol, host: host, open: (*hosts).listenTCP}, rules)
}

// databaseConn is a connection of the service with a database. Several tests may use it.
type databaseConn struct {
	h              *hosts
	protocol, host string
	c              *countedConn
	conn           net.Conn // c or, if c has TLS, its decrypted content
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
