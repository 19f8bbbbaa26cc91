package wire

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// PostgresSession is the host's side of a connection with PostgreSQL. It answers the messages that only set up the
// connection.
type PostgresSession struct {
	in         *bufio.Reader
	lookup     func(query string) (replies []string)
	statements *PostgresStatements
	started    bool
	status     byte   // the status of the transaction: I outside of a transaction, T within one, E after an error in one
	skips      bool   // an error was reported: messages are ignored until Sync
	current    string // the query of the current request
	isSimple   bool   // the current request was sent by the simple protocol

	ahead     *PostgresMessage // a message that was read, but is not answered yet; nil for none
	described *PostgresPortal  // a portal whose description will come with the rows; nil for none
	portal    *PostgresPortal  // the portal of the current request; nil for none
}

// NewPostgresSession returns the session of a connection. in is the data of the client. lookup returns all replies
// that a query may get, whatever its arguments are, in the notation of Reply. The session needs them because a client
// asks for the types of parameters and columns before it sends the arguments.
func NewPostgresSession(in io.Reader, lookup func(query string) (replies []string)) *PostgresSession {
	return &PostgresSession{in: bufio.NewReader(in), lookup: lookup, statements: NewPostgresStatements(), status: 'I'}
}

// Next reads messages until it returns one of these: a request, which the caller answers by Reply or Refuse; bytes to
// send to the client, after which the caller calls Next again; or an error, after which the connection must end. The
// error is io.EOF if the client has ended the connection.
func (s *PostgresSession) Next() (r DatabaseRequest, reply []byte, err error) {
	for reply == nil && r.JSON == "" && err == nil {
		if !s.started {
			reply, err = s.start()
			continue
		}
		m := s.ahead
		s.ahead = nil
		if m == nil {
			read, err := ReadPostgresMessage(s.in, false)
			if err != nil {
				return r, nil, err
			}
			m = &read
		}
		r, reply, err = s.handle(*m)
	}
	return r, reply, err
}

// start handles a message before the connection has started.
func (s *PostgresSession) start() (reply []byte, err error) {
	m, err := ReadPostgresMessage(s.in, true)
	if err != nil {
		return nil, err
	}
	start, err := m.Start()
	switch {
	case err != nil:
		return nil, err
	case start.Cancels:
		return nil, io.EOF
	case start.Encrypts:
		return []byte("N"), nil
	}
	s.started = true
	if start.version != 3<<16 {
		reply = appendPostgres(reply, 'v', int32(3<<16), int32(0))
	}
	reply = appendPostgres(reply, 'R', int32(0))
	for _, setting := range [][2]string{
		{"server_version", "15.0"},
		{"server_encoding", "UTF8"},
		{"client_encoding", "UTF8"},
		{"DateStyle", "ISO, MDY"},
		{"TimeZone", "UTC"},
		{"IntervalStyle", "postgres"},
		{"integer_datetimes", "on"},
		{"standard_conforming_strings", "on"},
		{"in_hot_standby", "off"},
		{"default_transaction_read_only", "off"},
		{"session_authorization", start.settings["user"]},
	} {
		reply = appendPostgres(reply, 'S', setting[0], setting[1])
	}
	return s.ready(appendPostgres(reply, 'K', int32(1), int32(1))), nil
}

// ready appends the message that the host is ready for the next query.
func (s *PostgresSession) ready(b []byte) []byte { return appendPostgres(b, 'Z', s.status) }

// handle handles a message of a connection that has started.
func (s *PostgresSession) handle(m PostgresMessage) (r DatabaseRequest, reply []byte, err error) {
	if p := s.described; p != nil && !s.executes(m, p) {
		s.described, s.ahead = nil, &m
		return s.describe(p.Statement, p)
	}
	switch {
	case m.Kind == 'X':
		return r, nil, io.EOF
	case m.Kind == 'S':
		s.skips = false
		return r, s.ready(nil), nil
	case s.skips || m.Kind == 'H':
		return r, nil, nil
	}
	switch m.Kind {
	case 'Q':
		return s.query(m)
	case 'P':
		_, err = s.statements.Parse(m)
		reply = appendPostgres(nil, '1')
	case 'B':
		err = s.statements.Bind(m)
		reply = appendPostgres(nil, '2')
	case 'C':
		s.statements.Close(m)
		reply = appendPostgres(nil, '3')
	case 'D':
		statement, portal, err := s.statements.Described(m)
		if err != nil {
			return s.failed(err)
		}
		if portal != nil {
			s.described = portal
			return r, nil, nil
		}
		return s.describe(statement, nil)
	case 'E':
		return s.execute(m)
	default:
		err = errPostgres
	}
	if err != nil {
		return s.failed(err)
	}
	return r, reply, nil
}

// executes reports whether a message executes a portal.
func (s *PostgresSession) executes(m PostgresMessage, p *PostgresPortal) bool {
	if m.Kind != 'E' {
		return false
	}
	executed, _ := s.statements.Executed(m)
	return executed == p
}

// failed handles an error in a message about statements. If the statement or portal does not exist, it returns a
// reply that says so. It returns any other error, which ends the connection.
func (s *PostgresSession) failed(err error) (r DatabaseRequest, reply []byte, _ error) {
	switch {
	case errors.Is(err, errNoPostgresStatement):
		return r, s.fail("26000", err.Error()), nil
	case errors.Is(err, errNoPostgresPortal):
		return r, s.fail("34000", err.Error()), nil
	}
	return r, nil, err
}

// fail returns the messages that report an error with this code, an SQLSTATE, and this reason.
func (s *PostgresSession) fail(code, why string) []byte {
	return s.end((&PostgresError{Code: code, Message: why}).message(), true)
}

// end completes a reply. failed says whether the reply reports an error. In the simple protocol, end appends the
// message that the host is ready. Otherwise the client asks for that message by Sync; after an error, the session
// ignores the messages before Sync.
func (s *PostgresSession) end(reply []byte, failed bool) []byte {
	if failed && s.status == 'T' {
		s.status = 'E'
	}
	if s.isSimple {
		return s.ready(reply)
	}
	s.skips = failed
	return reply
}

// query handles a query of the simple protocol. If the query only sets up the connection, it returns the reply.
// Otherwise it returns the query as a request.
func (s *PostgresSession) query(m PostgresMessage) (r DatabaseRequest, reply []byte, err error) {
	f := newPostgresFields(m.Body)
	query := f.text()
	if f.bad {
		return r, nil, errPostgres
	}
	s.isSimple, s.portal, s.current = true, nil, query
	if PostgresSetsUp(query) {
		return r, s.setUp(query), nil
	}
	return NewQueryRequest(query), nil, nil
}

// setUp replies to a query that sets up the connection.
func (s *PostgresSession) setUp(query string) []byte {
	if tag := postgresDefaultTag(query); tag != "" {
		return s.end(appendPostgres(nil, 'C', tag), false)
	}
	return s.end(appendPostgres(nil, 'I'), false)
}

// execute handles a message Execute of the extended protocol, like query.
func (s *PostgresSession) execute(m PostgresMessage) (r DatabaseRequest, reply []byte, err error) {
	s.isSimple = false
	if s.portal, err = s.statements.Executed(m); err != nil {
		return s.failed(err)
	}
	s.current = s.portal.Statement.Query
	if PostgresSetsUp(s.current) {
		if s.described != nil {
			reply = appendPostgres(nil, 'n')
		}
		s.described = nil
		return r, append(reply, s.setUp(s.current)...), nil
	}
	return s.portal.Request, nil, nil
}

// describe handles a message Describe. If the query needs a stub and lookup returns no reply, describe returns the
// query as a request, so that the caller refuses it.
func (s *PostgresSession) describe(p *PostgresStatement, portal *PostgresPortal) (r DatabaseRequest, reply []byte, err error) {
	s.isSimple, s.portal, s.current = false, portal, p.Query
	found, replies := &PostgresResult{}, s.lookup(p.Query)
	if len(replies) == 0 && !PostgresSetsUp(p.Query) && postgresDefaultTag(p.Query) == "" {
		return NewQueryRequest(p.Query), nil, nil
	}
	for _, text := range replies {
		all, err := parseResults[*PostgresResult](text)
		if err == nil && len(all) == 1 && (len(found.Columns) == 0 || len(all[0].Columns) > 0 && len(found.Parameters) == 0) {
			found = all[0]
		}
	}
	if portal != nil {
		return r, found.describe(portal.Formats), nil
	}
	types := found.Parameters
	if types == nil {
		types = postgresParameters(p)
	}
	p.Parameters = types // the client will send arguments of these types
	fields := []any{int16(len(types))}
	for _, oid := range types {
		fields = append(fields, oid)
	}
	return r, append(appendPostgres(nil, 't', fields...), found.describe(nil)...), nil
}

var postgresParameter = regexp.MustCompile(`\$\d{1,5}`)

// postgresParameters returns the types of the parameters of a statement. The type is 0 for a parameter whose type the
// client did not give.
func postgresParameters(p *PostgresStatement) []int32 {
	types := append([]int32{}, p.Parameters...)
	for _, name := range postgresParameter.FindAllString(p.Query, -1) {
		n, _ := strconv.Atoi(name[1:])
		for len(types) < n && n < 1<<15 {
			types = append(types, 0)
		}
	}
	return types
}

// Reply returns the bytes of a reply. text is a PostgresResult as JSON, or a list of results for a query of several
// statements. If text is anything else, the client gets an error.
func (s *PostgresSession) Reply(text string) []byte {
	all, err := parseResults[*PostgresResult](text)
	if err == nil && len(all) != 1 && !s.isSimple {
		err = errPostgres
	}
	var reply []byte
	failed := false
	for _, r := range all {
		var part []byte
		if err == nil && !failed {
			part, err = s.encode(r)
			reply, failed = append(reply, part...), r.Error != nil
		}
	}
	s.described = nil
	if err != nil {
		return s.fail("XX000", "the stub's answer is not a reply of PostgreSQL: "+err.Error())
	}
	return s.end(reply, failed)
}

// encode returns the messages of r, which is a result of the current request.
func (s *PostgresSession) encode(r *PostgresResult) (b []byte, err error) {
	var formats PostgresFormats
	if s.portal != nil {
		formats = s.portal.Formats
	}
	if s.isSimple && len(r.Columns) > 0 || s.described != nil && (r.Error == nil || len(r.Columns) > 0) {
		b = r.describe(formats)
	}
	rows, err := r.encode(formats)
	if err != nil {
		return nil, err
	}
	s.changeStatus(r)
	return append(b, rows...), nil
}

// changeStatus changes the status of the transaction after a result.
func (s *PostgresSession) changeStatus(r *PostgresResult) {
	if r.Error != nil {
		return
	}
	switch strings.ToUpper(r.Tag) {
	case "BEGIN", "START TRANSACTION":
		s.status = 'T'
	case "COMMIT":
		s.status = 'I'
	case "ROLLBACK":
		s.status = 'I'
		if sqlToSavepoint.MatchString(s.current) {
			s.status = 'T'
		}
	}
}

// Succeeds reports whether Refuse replies to a request without an error.
func (s *PostgresSession) Succeeds(r DatabaseRequest) bool { return postgresDefaultTag(r.Text) != "" }

// Refuse returns the bytes of the reply to a request that no stub answers. A statement that begins or ends a
// transaction succeeds; any other request gets an error.
func (s *PostgresSession) Refuse(r DatabaseRequest) []byte {
	if tag := postgresDefaultTag(r.Text); tag != "" {
		if tag == "COMMIT" && s.status == 'E' {
			tag = "ROLLBACK" // as after any error in a transaction
		}
		return s.Reply(encodeJSON(&PostgresResult{Tag: tag}))
	}
	s.described = nil
	return s.fail("XX000", "no stub answers "+r.Command)
}
