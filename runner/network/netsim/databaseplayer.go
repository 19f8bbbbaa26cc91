package netsim

import (
	"sonde/assets/wire"
	"sonde/model"
)

// databasePlayer lets the stubs of a database answer the requests on a connection.
type databasePlayer struct {
	c        *conn
	s        *stream
	protocol model.Protocol
	session  databaseSession
}

// databaseSession is the host's side of a connection with a database.
type databaseSession interface {
	Next() (r wire.DatabaseRequest, reply []byte, err error)
	Reply(text string) []byte
	Succeeds(r wire.DatabaseRequest) bool
	Refuse(r wire.DatabaseRequest) []byte
}

// playDatabase answers requests on a connection until the connection ends. The service may use the connection in
// several tests, as with HTTP.
func playDatabase(c *conn, s *stream, protocol model.Protocol) {
	p := &databasePlayer{c: c, s: s, protocol: protocol}
	switch protocol {
	case model.Postgres:
		p.session = wire.NewPostgresSession(s, p.replies)
	case model.MySQL:
		p.session = wire.NewMySQLSession(s, p.replies)
	default:
		p.session = wire.NewRedisSession(s)
	}
	c.change(func() { c.setState(connRequests) })
	for p.step() {
	}
	_ = c.Close()
}

// step reads and answers one request. It reports whether the connection stays open.
func (p *databasePlayer) step() bool {
	r, own, err := p.session.Next()
	if err != nil {
		return false
	}
	if own != nil {
		_, err := p.s.Write(own)
		return err == nil
	}
	p.c.n.pump()
	var d dueAnswer
	p.c.change(func() { d = p.choose(r) })
	defer p.c.change(func() { p.c.unfinished-- })
	return p.perform(d)
}

// replies returns the replies that the stubs may give to a query, whatever its arguments are.
func (p *databasePlayer) replies(query string) (all []string) {
	p.c.n.mu.Lock()
	defer p.c.n.mu.Unlock()
	for _, i := range p.c.stubs(p.protocol) {
		if s := p.c.n.test.stubs[i]; MatchesQuery(s.Match, query) {
			for _, a := range s.AllAnswers() {
				all = append(all, string(a.Content()))
			}
		}
	}
	return all
}

// choose takes the next answer of the first stub that matches a request, and notes the contact. If no stub matches, or
// the script of the stub is at its end, choose returns the reply of databaseSession.Refuse, which is usually an error.
// The caller must hold the mutex.
func (p *databasePlayer) choose(r wire.DatabaseRequest) dueAnswer {
	c, t := p.c, p.c.n.test
	m, nth := c.contact(p.protocol), t.count(p.protocol, c.hosts[0])
	m.Data, m.Request.Body, m.Outcome = []byte(r.Text), excerpt([]byte(r.JSON)), "nothing"
	c.test, c.unfinished = t, c.unfinished+1
	d, found := dueAnswer{test: t}, false
	for _, i := range c.stubs(p.protocol) {
		if !MatchesDatabaseRequest(t.stubs[i].Match, r, nth) {
			continue
		}
		if a, index, ok := t.take(i); ok {
			d.Answer = a.WithContent(p.session.Reply(string(a.Content())))
			m.Stub, m.Answer, m.Outcome, found = i, index, a.Label(p.protocol), true
		}
		break
	}
	if !found {
		if p.session.Succeeds(r) {
			m.Outcome = "answer"
		}
		d.Answer = model.Answer{Bytes: p.session.Refuse(r)}
	}
	d.contact = t.note(m)
	return d
}

// perform gives an answer, and reports whether the connection stays open. If the fault belongs to dials or to TLS,
// such as NetRefuse, perform resets the connection.
func (p *databasePlayer) perform(d dueAnswer) bool {
	data := d.Content()
	switch d.Fault {
	case "", model.NetSlow:
		return d.pause(d.delay(), p.c.done) && d.writePaced(p.s, data, p.c.done) && !d.Close
	case model.NetCut:
		_, _ = p.s.Write(data[:min(len(data), d.After)])
		return false
	case model.NetMute:
		p.c.n.stayMute(d, p.c.done)
	}
	_ = p.c.SetLinger(0)
	return false
}

// databaseOf returns the protocol of the database that the host plays: the first database protocol for which the
// current test has stubs of the host. It returns "" if the host is no database. The caller must hold the mutex.
func databaseOf(c *conn) model.Protocol {
	for _, p := range model.Protocols {
		if p.IsDatabase() && len(c.stubs(p)) > 0 {
			return p
		}
	}
	return ""
}
