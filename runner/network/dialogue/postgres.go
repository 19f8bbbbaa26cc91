package dialogue

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"slices"

	"sonde/assets/wire"
	"sonde/model"
)

// detectPostgres recognizes the first message of a client of PostgreSQL. It checks the length of the message, and the
// code after the length: a version of the protocol, or a request for encryption.
func detectPostgres(data []byte) (p model.Protocol, more bool) {
	known := false
	for _, code := range []string{"\x00\x03\x00", "\x04\xd2\x16"} {
		n := min(len(data), 4+len(code))
		known = known || n <= 4 || string(data[4:n]) == code[:n-4]
	}
	switch {
	case len(data) > 0 && data[0] != 0, len(data) > 1 && data[1] != 0, !known:
		return "", false
	case len(data) < 8:
		return "", true
	}
	if n, code := binary.BigEndian.Uint32(data), data[7]; n < 8 || data[5] != 3 && (code < 0x2e || code > 0x30) {
		return "", false
	}
	return model.Postgres, false
}

// postgresParser is the parser of connections in the protocol of PostgreSQL.
type postgresParser struct {
	client, host bytes.Buffer // data that is not complete yet
	started      bool         // the client has sent the message that starts the connection
	encrypts     bool         // the next byte of the host says whether it encrypts the connection
	isReady      bool         // the host has accepted the connection
	statements   *wire.PostgresStatements
	pending      []*postgresStep // messages of the client that the host has not replied to
	skips        bool            // after an error, the host leaves out messages until Sync
	results      []*wire.PostgresResult
	current      *wire.PostgresResult // the result that is not complete yet, nil for none
	size         int                  // size of the rows of the reply, in bytes
}

// postgresStep is a message of the client to which the host replies.
type postgresStep struct {
	kind      byte
	statement *wire.PostgresStatement
	portal    *wire.PostgresPortal // nil for a Describe of a statement
	request   string               // the request as JSON
	setsUp    bool
}

// isRequest reports whether the Recorder treats the message as a request. A Parse is a request, but it is recorded
// only if it fails, because the client may never execute the statement.
func (s *postgresStep) isRequest() bool { return s.kind == 'P' || s.executes() }

func (s *postgresStep) executes() bool { return s.kind == 'E' || s.kind == 'Q' }

func newPostgresParser() *postgresParser {
	return &postgresParser{statements: wire.NewPostgresStatements()}
}

func (p *postgresParser) sent(data []byte) (all []string, err error) {
	p.client.Write(data)
	err = each(&p.client, func(in *bufio.Reader) error {
		m, err := wire.ReadPostgresMessage(in, !p.started)
		if err != nil {
			return err
		}
		if !p.started {
			return p.start(m)
		}
		s, err := p.step(m)
		if s == nil || err != nil {
			return err
		}
		if p.skips = p.skips && s.kind != 'S'; p.skips {
			return nil
		}
		if p.pending = append(p.pending, s); len(p.pending) > maxPending {
			return ErrUnreadable
		}
		switch {
		case s.executes() && !s.setsUp:
			all = append(all, s.request)
		case s.isRequest():
			all = append(all, "")
		}
		return nil
	})
	return all, err
}

// start takes a message that the client sends before the connection has started.
func (p *postgresParser) start(m wire.PostgresMessage) error {
	start, err := m.Start()
	if err != nil || start.Replicates() {
		return ErrUnreadable
	}
	p.encrypts, p.started = start.Encrypts, !start.Encrypts
	return nil
}

// step decodes a message of the client. It returns nil, nil for a message without a reply, and for a log-in, which is
// not recorded.
func (p *postgresParser) step(m wire.PostgresMessage) (s *postgresStep, err error) {
	s = &postgresStep{kind: m.Kind}
	switch m.Kind {
	case 'p', 'H', 'X':
		return nil, nil
	case 'Q':
		query, err := m.Text()
		s.request, s.setsUp = wire.NewQueryRequest(query).JSON, wire.PostgresSetsUp(query)
		return s, err
	case 'P':
		if s.statement, err = p.statements.Parse(m); err == nil {
			s.request = wire.NewQueryRequest(s.statement.Query).JSON
		}
	case 'B':
		err = p.statements.Bind(m)
	case 'D':
		s.statement, s.portal, err = p.statements.Described(m)
	case 'E':
		if s.portal, err = p.statements.Executed(m); err == nil {
			s.statement, s.request = s.portal.Statement, s.portal.Request.JSON
			s.setsUp = wire.PostgresSetsUp(s.statement.Query)
		}
	case 'C':
		p.statements.Close(m)
	case 'S':
	default:
		return nil, ErrUnreadable // a copy, or a call of a function
	}
	return s, err
}

func (p *postgresParser) answered(data []byte) (all []answer, err error) {
	p.host.Write(data)
	err = each(&p.host, func(in *bufio.Reader) error {
		if p.encrypts {
			p.encrypts = false
			if b, _ := in.ReadByte(); b != 'N' {
				return ErrUnreadable
			}
			return nil
		}
		m, err := wire.ReadPostgresMessage(in, false)
		switch {
		case err != nil:
			return err
		case !p.isReady:
			p.isReady = m.Kind == 'Z'
			return nil
		case len(p.pending) == 0:
			return nil
		}
		more, err := p.take(p.pending[0], m)
		all = append(all, more...)
		return err
	})
	return all, err
}

// postgresReplies maps the kind of each message of the host to the kinds of the client's messages to which the host may
// reply with it.
var postgresReplies = map[byte]string{
	'1': "P", '2': "B", '3': "C", 't': "D", 'T': "DQ", 'n': "D", 'D': "EQ", 'C': "EQ", 'I': "EQ", 's': "E", 'E': "PBDEQCS", 'Z': "QS",
	'S': "", 'N': "", 'A': "", // they come at any time
}

// take takes a message of the host. s is the message of the client to which the host replies. take returns the replies
// that the message completes.
func (p *postgresParser) take(s *postgresStep, m wire.PostgresMessage) (all []answer, err error) {
	of, known := postgresReplies[m.Kind]
	switch {
	case !known || of != "" && !bytes.Contains([]byte(of), []byte{s.kind}):
		return nil, ErrUnreadable // a message that does not fit the step, such as one of a COPY
	case of == "":
		return nil, nil
	}
	switch m.Kind {
	case '1', '2', '3':
		return p.next(), nil
	case 't':
		s.statement.Parameters, err = m.Parameters()
	case 'T', 'n':
		return p.describe(s, m)
	case 'D':
		err = p.addRow(s, m)
	case 'C', 'I', 's':
		return p.complete(s, m)
	case 'E':
		return p.fail(s, m)
	case 'Z':
		return p.next(), nil
	}
	return nil, err
}

// next completes the reply to the first message that waits for a reply. It returns nil if that message is not a
// request.
func (p *postgresParser) next() (all []answer) {
	s := p.pending[0]
	p.pending = p.pending[1:]
	if s.isRequest() {
		all = []answer{{leftOut: len(p.results) == 0}}
		if len(p.results) > 0 {
			all[0].reply = wire.PostgresJSON(p.results)
		}
	}
	p.results, p.current, p.size = nil, nil, 0
	return all
}

// describe takes the description of rows.
func (p *postgresParser) describe(s *postgresStep, m wire.PostgresMessage) (all []answer, err error) {
	var columns []wire.PostgresColumn
	if m.Kind == 'T' {
		columns, err = m.Columns()
	}
	if s.kind == 'Q' {
		p.result(s).Columns = columns
		return nil, err
	}
	s.statement.Columns = columns
	return p.next(), err
}

// result returns the current result, which is not complete yet. It begins a new result if there is none.
func (p *postgresParser) result(s *postgresStep) *wire.PostgresResult {
	if p.current == nil {
		p.current = &wire.PostgresResult{}
		if s.statement != nil {
			p.current.Parameters, p.current.Columns = s.statement.Parameters, s.statement.Columns
		}
		p.results = append(p.results, p.current)
	}
	return p.current
}

func (p *postgresParser) addRow(s *postgresStep, m wire.PostgresMessage) error {
	var formats wire.PostgresFormats
	if s.portal != nil {
		formats = s.portal.Formats
	}
	r := p.result(s)
	row, err := m.Row(r.Columns, formats)
	r.Rows = append(r.Rows, row)
	if p.size += len(m.Body) + 5; p.size > maxReply || len(row) != len(r.Columns) {
		return ErrUnreadable
	}
	return err
}

// complete takes a message that ends a result, and completes the result.
func (p *postgresParser) complete(s *postgresStep, m wire.PostgresMessage) (all []answer, err error) {
	r := p.result(s)
	switch m.Kind {
	case 'C':
		r.Tag, err = m.Text()
	case 's':
		r.Suspended = true
	}
	p.current = nil
	if s.kind == 'E' {
		return p.next(), err
	}
	return nil, err
}

// fail takes an error message of the host. After an error in the reply to any message but a Query, the host ignores
// the messages of the client until Sync. The error is then the reply to one request before Sync: to the first that
// executes a statement, or else to the first Parse. The other requests before Sync are left out.
func (p *postgresParser) fail(s *postgresStep, m wire.PostgresMessage) (all []answer, err error) {
	why, err := m.Error()
	if s.kind == 'Q' {
		p.result(s).Error, p.current = why, nil
		return nil, err
	}
	n := slices.IndexFunc(p.pending, func(s *postgresStep) bool { return s.kind == 'S' })
	if n < 0 {
		n, p.skips = len(p.pending), true
	}
	failed := slices.IndexFunc(p.pending[:n], (*postgresStep).executes)
	if failed < 0 {
		failed = slices.IndexFunc(p.pending[:n], (*postgresStep).isRequest)
	}
	for i, s := range p.pending[:n] {
		switch {
		case i == failed:
			p.result(s).Error = why
			all = append(all, answer{request: s.request, reply: wire.PostgresJSON(p.results)})
			if s.setsUp {
				all[len(all)-1] = answer{leftOut: true}
			}
		case s.isRequest():
			all = append(all, answer{leftOut: true})
		}
	}
	p.pending = p.pending[n:]
	p.results, p.current, p.size = nil, nil, 0
	return all, err
}
