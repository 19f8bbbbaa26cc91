package wire

import (
	"bufio"
	"errors"
	"io"
	"regexp"
)

// The commands of a client that a session knows.
const (
	MySQLQuit        = 0x01
	MySQLDatabase    = 0x02
	MySQLQuery       = 0x03
	MySQLStatistics  = 0x09
	MySQLPing        = 0x0e
	MySQLChangeUser  = 0x11
	MySQLPrepare     = 0x16
	MySQLExecute     = 0x17
	MySQLSendData    = 0x18
	MySQLClose       = 0x19
	MySQLResetValues = 0x1a
	MySQLOption      = 0x1b
	MySQLReset       = 0x1f
)

// mysqlVersion is the version of MySQL that a session reports.
const mysqlVersion = "8.0.36"

// mysqlOffered are the capabilities that a session offers. TLS, compression and MariaDB's own capabilities are not among
// them. mysqlNoEOF is not either, so a packet ends the descriptions of the columns.
const mysqlOffered = mysqlLongPassword | 1<<1 | 1<<2 | mysqlConnectWithDB | mysqlProtocol41 | 1<<13 | mysqlSecure | 1<<16 | 1<<17 | 1<<18 |
	mysqlPlugins | 1<<20 | mysqlLengthAuth

// mysqlSHA2 is a method of log-ins in which the host says that it knows the password before it accepts.
const mysqlSHA2 = "caching_sha2_password"

// MySQLSession is the host's side of a connection with MySQL or MariaDB. It sends the first packet, and answers the packets
// that only set up the connection.
type MySQLSession struct {
	in         *bufio.Reader
	lookup     func(query string) (replies []string)
	statements *MySQLStatements
	greeted    bool
	loggedIn   bool
	sequence   byte // the number of the next packet
	nextID     uint32
	status     uint16
	current    string // the query of the current request
	isBinary   bool   // the current request executes or prepares a statement
}

// NewMySQLSession returns the session of a connection. in is the data of the client. lookup returns all replies that
// a query may get, whatever its arguments are, in the notation of Reply. The session needs them because a client asks
// for the columns of a statement before it sends the arguments.
func NewMySQLSession(in io.Reader, lookup func(query string) (replies []string)) *MySQLSession {
	return &MySQLSession{in: bufio.NewReader(in), lookup: lookup, statements: NewMySQLStatements(), status: mysqlAutocommit}
}

// Next reads packets until it returns one of these: a request, which the caller answers by Reply or Refuse; bytes to
// send to the client, after which the caller calls Next again; or an error, after which the connection must end. The
// error is io.EOF if the client has ended the connection.
func (s *MySQLSession) Next() (r DatabaseRequest, reply []byte, err error) {
	if !s.greeted {
		s.greeted = true
		return r, s.packet(nil, mysqlGreeting()), nil
	}
	for reply == nil && r.JSON == "" && err == nil {
		var p MySQLPacket
		if p, err = ReadMySQLPacket(s.in); err != nil {
			break
		}
		s.sequence = p.Sequence + 1
		if s.loggedIn {
			r, reply, err = s.handle(p)
		} else {
			reply, err = s.logIn(p)
		}
	}
	return r, reply, err
}

// mysqlGreeting returns the body of the first packet that the host sends, which offers its version and capabilities.
func mysqlGreeting() []byte {
	b := append([]byte{10}, mysqlVersion...)
	b = append(appendMySQLUint(append(b, 0), 1, 4), "saltsalt\x00"...)
	b = append(appendMySQLUint(b, mysqlOffered&0xffff, 2), 45, mysqlAutocommit, 0)
	b = append(appendMySQLUint(b, mysqlOffered>>16, 2), 21)
	b = append(b, make([]byte, 10)...)
	return append(b, "saltsaltsalt\x00mysql_native_password\x00"...)
}

// logIn accepts any user and password. It returns an error if the client wants encryption or compression.
func (s *MySQLSession) logIn(p MySQLPacket) (reply []byte, err error) {
	l, err := p.logIn()
	if err != nil || l.capabilities.Encrypts() || l.capabilities.Compresses() {
		return nil, errMySQL
	}
	s.loggedIn = true
	if l.plugin == mysqlSHA2 && len(l.proof) > 1 {
		reply = s.packet(reply, []byte{1, 3})
	}
	return s.ok(reply), nil
}

// packet appends to b a packet with this body and the next sequence number.
func (s *MySQLSession) packet(b, body []byte) []byte { return appendMySQL(b, &s.sequence, body) }

// ok appends a packet that reports success with no changed rows.
func (s *MySQLSession) ok(b []byte) []byte {
	zero := uint64(0)
	return s.packet(b, s.okBody(&MySQLResult{Affected: &zero}, s.status))
}

func (s *MySQLSession) okBody(r *MySQLResult, status uint16) []byte {
	b := appendMySQLLength(appendMySQLLength([]byte{0}, *r.Affected), r.ID)
	b = appendMySQLUint(appendMySQLUint(b, uint64(status), 2), uint64(r.Warnings), 2)
	if r.Info != "" {
		b = appendMySQLValue(b, []byte(r.Info))
	}
	return b
}

// end appends a packet that ends columns or rows.
func (s *MySQLSession) end(b []byte, warnings int, status uint16) []byte {
	return s.packet(b, appendMySQLUint(appendMySQLUint([]byte{0xfe}, uint64(warnings), 2), uint64(status), 2))
}

// handle handles a command.
func (s *MySQLSession) handle(p MySQLPacket) (r DatabaseRequest, reply []byte, err error) {
	switch p.Kind() {
	case MySQLQuit:
		err = io.EOF
	case MySQLDatabase, MySQLPing:
		reply = s.ok(nil)
	case MySQLReset, MySQLChangeUser:
		s.statements, s.status = NewMySQLStatements(), mysqlAutocommit
		reply = s.ok(nil)
	case MySQLOption:
		reply = s.end(nil, 0, s.status)
	case MySQLStatistics:
		reply = s.packet(nil, []byte("Uptime: 1"))
	case MySQLQuery:
		return s.query(p)
	case MySQLPrepare:
		return s.prepare(p)
	case MySQLExecute:
		return s.execute(p)
	case MySQLSendData:
		err = s.statements.AddData(p)
	case MySQLClose:
		s.statements.Close(p)
	case MySQLResetValues:
		if err = s.statements.Reset(p); err == nil {
			reply = s.ok(nil)
		}
	default:
		return r, s.fail(1047, "08S01", "unknown command"), nil
	}
	return s.failed(reply, err)
}

// failed handles an error in a packet about a statement. If the statement does not exist, it returns a reply that says
// so. It returns any other error, which ends the connection. Without an error, it returns its first argument.
func (s *MySQLSession) failed(reply []byte, err error) (r DatabaseRequest, _ []byte, _ error) {
	if errors.Is(err, errNoMySQLStatement) {
		return r, s.fail(1243, "", err.Error()), nil
	}
	return r, reply, err
}

// fail returns a packet that reports an error.
func (s *MySQLSession) fail(code uint16, state, why string) []byte {
	return s.packet(nil, (&MySQLError{Code: code, State: state, Message: why}).body())
}

// query handles a query of the text protocol. If the query only sets up the connection, it returns the reply.
// Otherwise it returns the query as a request.
func (s *MySQLSession) query(p MySQLPacket) (r DatabaseRequest, reply []byte, err error) {
	query, err := p.Query(0)
	if s.current, s.isBinary = query, false; MySQLSetsUp(query) || err != nil {
		return r, s.setUp(), err
	}
	return NewMySQLRequest(query), nil, nil
}

var mysqlSetAutocommit = regexp.MustCompile(`(?i)\bautocommit\s*:?=\s*(0|OFF|FALSE)?`)

// setUp replies to a query that sets up the connection.
func (s *MySQLSession) setUp() []byte {
	if mysqlVariables.MatchString(s.current) {
		reply, _ := s.encode(nil, mysqlSettingsResult(s.current), false) // cannot fail: the values have the types of the columns
		return reply
	}
	if m := mysqlSetAutocommit.FindStringSubmatch(s.current); m != nil {
		s.status |= mysqlAutocommit
		if m[1] != "" {
			s.status &^= mysqlAutocommit
		}
	}
	return s.ok(nil)
}

// prepare handles the preparation of a statement. If the query needs a stub and lookup returns no reply, prepare
// returns the query as a request, so that the caller refuses it.
func (s *MySQLSession) prepare(p MySQLPacket) (r DatabaseRequest, reply []byte, err error) {
	m := NewMySQLStatement(string(p.Body[1:]))
	replies := s.lookup(m.Query)
	s.current, s.isBinary = m.Query, true
	if len(replies) == 0 && !MySQLSetsUp(m.Query) && sqlTransaction(m.Query) == "" {
		return NewQueryRequest(m.Query), nil, nil
	}
	for _, text := range replies {
		if all, err := parseResults[*MySQLResult](text); err == nil && len(m.Columns) == 0 && len(all) > 0 {
			m.Columns = all[0].Columns
		}
	}
	s.nextID++
	s.statements.SetLast(m)
	if err := s.statements.Add(s.nextID, m); err != nil {
		return r, nil, err
	}
	places := m.places
	if places > 1<<16-1 {
		return r, s.fail(1390, "", "prepared statement contains too many placeholders"), nil
	}
	b := appendMySQLUint(appendMySQLUint([]byte{0}, uint64(s.nextID), 4), uint64(len(m.Columns)), 2)
	reply = s.packet(nil, append(appendMySQLUint(b, uint64(places), 2), 0, 0, 0))
	parameters := make([]MySQLColumn, places)
	for i := range parameters {
		parameters[i].Name = "?"
	}
	return r, s.columns(s.columns(reply, parameters), m.Columns), nil
}

// columns appends the packets that describe columns, if there are any.
func (s *MySQLSession) columns(b []byte, all []MySQLColumn) []byte {
	for _, c := range all {
		b = s.packet(b, c.body())
	}
	if len(all) > 0 {
		b = s.end(b, 0, s.status)
	}
	return b
}

// execute handles the execution of a prepared statement, like query.
func (s *MySQLSession) execute(p MySQLPacket) (r DatabaseRequest, reply []byte, err error) {
	m, r, err := s.statements.Execute(p, 0)
	if err != nil {
		return s.failed(nil, err)
	}
	if s.current, s.isBinary = m.Query, true; MySQLSetsUp(m.Query) {
		return DatabaseRequest{}, s.setUp(), nil
	}
	return r, nil, nil
}

// Reply returns the bytes of a reply. text is a MySQLResult as JSON, or a list of results for a query of several
// statements. If text is anything else, the client gets an error.
func (s *MySQLSession) Reply(text string) []byte {
	all, err := parseResults[*MySQLResult](text)
	if err == nil && len(all) == 0 {
		err = errMySQL
	}
	var reply []byte
	before := s.sequence
	for i, r := range all {
		if err == nil {
			reply, err = s.encode(reply, r, i < len(all)-1)
		}
		if r != nil && r.Error != nil {
			break
		}
	}
	if err != nil {
		s.sequence = before
		return s.fail(1105, "", "the stub's answer is not a reply of MySQL: "+err.Error())
	}
	return reply
}

// encode appends the packets of r, which is a result of the current request. more says whether another result
// follows.
func (s *MySQLSession) encode(b []byte, r *MySQLResult, more bool) ([]byte, error) {
	if r.Error == nil {
		s.changeStatus()
	}
	status := s.status
	if more {
		status |= mysqlMoreResults
	}
	if len(r.Columns) > 0 {
		b = s.columns(s.packet(b, appendMySQLLength(nil, uint64(len(r.Columns)))), r.Columns)
		for _, values := range r.Rows {
			row, err := r.row(values, s.isBinary)
			if err != nil {
				return nil, err
			}
			b = s.packet(b, row)
		}
	}
	switch {
	case r.Error != nil:
		return s.packet(b, r.Error.body()), nil
	case len(r.Columns) > 0:
		return s.end(b, r.Warnings, status), nil
	}
	return s.packet(b, s.okBody(r, status)), nil
}

// changeStatus changes the status of the transaction after a statement.
func (s *MySQLSession) changeStatus() {
	switch sqlTransaction(s.current) {
	case "BEGIN", "START TRANSACTION":
		s.status |= mysqlInTransaction
	case "COMMIT":
		s.status &^= mysqlInTransaction
	case "ROLLBACK":
		if !sqlToSavepoint.MatchString(s.current) {
			s.status &^= mysqlInTransaction
		}
	}
}

// Succeeds reports whether Refuse replies to a request without an error.
func (s *MySQLSession) Succeeds(r DatabaseRequest) bool { return sqlTransaction(r.Text) != "" }

// Refuse returns the bytes of the reply to a request that no stub answers. A statement that begins or ends a
// transaction succeeds; any other request gets an error.
func (s *MySQLSession) Refuse(r DatabaseRequest) []byte {
	if s.Succeeds(r) {
		s.changeStatus()
		return s.ok(nil)
	}
	return s.fail(1105, "", "no stub answers "+r.Command)
}
