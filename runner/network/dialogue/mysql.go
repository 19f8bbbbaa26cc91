package dialogue

import (
	"bufio"
	"bytes"

	"sonde/assets/wire"
	"sonde/model"
)

// detectMySQL recognizes the first packet of a host with MySQL or MariaDB. It checks the packet's length and number,
// the version of the protocol, and the first byte of the host's version, which is a digit.
func detectMySQL(data []byte) (p model.Protocol, more bool) {
	const start = "\x00\x00\x0a"
	for i, b := range data[min(2, len(data)):min(5, len(data))] {
		if b != start[i] {
			return "", false
		}
	}
	switch {
	case len(data) < 6:
		return "", true
	case data[1] > 1 || data[1] == 0 && data[0] < 30 || data[5] < '0' || data[5] > '9':
		return "", false
	}
	return model.MySQL, false
}

// mysqlParser is the parser of connections in the protocol of MySQL.
type mysqlParser struct {
	client, host bytes.Buffer // data that is not complete yet
	offered      wire.MySQLCapabilities
	capabilities wire.MySQLCapabilities // capabilities of both ends
	greeted      bool
	started      bool // the client has sent the first packet of its log-in
	isReady      bool // the host has accepted the log-in
	statements   *wire.MySQLStatements
	pending      []*mysqlStep // commands that the host has not replied to
}

// mysqlStep is a command to which the host replies.
type mysqlStep struct {
	command   byte
	request   string // the request as JSON
	setsUp    bool
	statement *wire.MySQLStatement // nil for a query of the text protocol
	results   []*wire.MySQLResult
	size      int // size of the rows, in bytes

	part    mysqlPart // the part of the reply to which the next packet belongs
	places  int       // packets that describe parameters and are still to come
	columns int       // packets that describe columns and are still to come
}

// mysqlPart is a part of a reply.
type mysqlPart int

const (
	mysqlFirst   mysqlPart = iota // the first packet of the reply, or of a further result
	mysqlPlaces                   // the packets that describe the parameters of a statement that is prepared
	mysqlColumns                  // the packets that describe the columns of the result
	mysqlRows
)

// isRequest reports whether the Recorder treats the command as a request. The preparation of a statement is a
// request, but it is recorded only if it fails, because the client may never execute the statement.
func (s *mysqlStep) isRequest() bool {
	return s.command == wire.MySQLQuery || s.command == wire.MySQLPrepare || s.command == wire.MySQLExecute
}

func newMySQLParser() *mysqlParser { return &mysqlParser{statements: wire.NewMySQLStatements()} }

func (p *mysqlParser) sent(data []byte) (all []string, err error) {
	p.client.Write(data)
	err = each(&p.client, func(in *bufio.Reader) error {
		m, err := wire.ReadMySQLPacket(in)
		switch {
		case err != nil:
			return err
		case !p.greeted:
			return ErrUnreadable
		case !p.started:
			return p.start(m)
		case !p.isReady || len(p.pending) > 0 && p.pending[0].command == wire.MySQLChangeUser:
			return nil // part of a log-in, which is not recorded
		}
		s, err := p.step(m)
		if s == nil || err != nil {
			return err
		}
		if p.pending = append(p.pending, s); len(p.pending) > maxPending {
			return ErrUnreadable
		}
		switch {
		case s.isRequest() && !s.setsUp && s.command != wire.MySQLPrepare:
			all = append(all, s.request)
		case s.isRequest():
			all = append(all, "")
		}
		return nil
	})
	return all, err
}

// start takes the first packet of the client, which begins the log-in.
func (p *mysqlParser) start(m wire.MySQLPacket) error {
	asked, err := m.LogIn()
	if err != nil {
		return err
	}
	p.started, p.capabilities = true, asked&p.offered
	if asked.Encrypts() || p.capabilities.Compresses() || p.capabilities.OmitsColumns() {
		return ErrUnreadable
	}
	return nil
}

// step decodes a command of the client. It returns nil, nil for a command without a reply.
func (p *mysqlParser) step(m wire.MySQLPacket) (s *mysqlStep, err error) {
	if m.Sequence != 0 || len(m.Body) == 0 {
		return nil, ErrUnreadable // not a command; for example, the client sends a file
	}
	s = &mysqlStep{command: m.Kind()}
	switch s.command {
	case wire.MySQLQuery:
		query, err := m.Query(p.capabilities)
		s.request, s.setsUp = wire.NewMySQLRequest(query).JSON, wire.MySQLSetsUp(query)
		return s, err
	case wire.MySQLPrepare:
		s.statement = wire.NewMySQLStatement(string(m.Body[1:]))
		s.request = wire.NewQueryRequest(s.statement.Query).JSON
		p.statements.SetLast(s.statement)
	case wire.MySQLExecute:
		var r wire.DatabaseRequest
		if s.statement, r, err = p.statements.Execute(m, p.capabilities); err == nil {
			s.request, s.setsUp = r.JSON, wire.MySQLSetsUp(s.statement.Query)
		}
	case wire.MySQLSendData:
		return nil, p.statements.AddData(m)
	case wire.MySQLClose:
		p.statements.Close(m)
		return nil, nil
	case wire.MySQLQuit:
		return nil, nil
	case wire.MySQLResetValues:
		err = p.statements.Reset(m)
	case wire.MySQLReset, wire.MySQLChangeUser:
		p.statements = wire.NewMySQLStatements()
	case wire.MySQLDatabase, wire.MySQLPing, wire.MySQLStatistics, wire.MySQLOption:
	default:
		return nil, ErrUnreadable // a command of another kind, such as a replication or reading rows through a cursor
	}
	return s, err
}

func (p *mysqlParser) answered(data []byte) (all []answer, err error) {
	p.host.Write(data)
	err = each(&p.host, func(in *bufio.Reader) error {
		m, err := wire.ReadMySQLPacket(in)
		switch {
		case err != nil:
			return err
		case !p.greeted:
			p.greeted = true
			p.offered, err = m.Greeting()
			return err
		case !p.isReady:
			p.isReady = p.started && m.Kind() == 0
			return nil
		case len(p.pending) == 0:
			return nil // a packet without a request, such as the reason why the host closes the connection
		}
		s := p.pending[0]
		isOver, err := p.take(s, m)
		if !isOver || err != nil {
			return err
		}
		p.pending = p.pending[1:]
		if s.isRequest() {
			all = append(all, s.answer())
		}
		return nil
	})
	return all, err
}

// answer returns the reply to the command, in the form that the Recorder needs.
func (s *mysqlStep) answer() answer {
	if s.setsUp || len(s.results) == 0 {
		return answer{leftOut: true}
	}
	return answer{request: s.request, reply: wire.MySQLJSON(s.results)}
}

// The first byte of a packet from the host says what the packet is.
const (
	mysqlOK    = 0x00
	mysqlFile  = 0xfb // the host asks for a file
	mysqlEnd   = 0xfe
	mysqlError = 0xff
)

// take takes a packet of the host that belongs to the reply to a command. It reports whether the packet completes the
// reply.
func (p *mysqlParser) take(s *mysqlStep, m wire.MySQLPacket) (isOver bool, err error) {
	switch {
	case s.command == wire.MySQLStatistics:
		return true, nil
	case s.command == wire.MySQLChangeUser:
		return m.Kind() == mysqlOK || m.Kind() == mysqlError, nil
	case !s.isRequest():
		return true, nil
	case m.Kind() == mysqlError && (s.part == mysqlFirst || s.part == mysqlRows):
		return true, s.fail(m)
	}
	switch s.part {
	case mysqlFirst:
		if s.command == wire.MySQLPrepare {
			return p.prepare(s, m)
		}
		return p.begin(s, m)
	case mysqlPlaces:
		s.places--
		return s.advance(), nil
	case mysqlColumns:
		return p.addColumn(s, m)
	}
	return p.addRow(s, m)
}

// fail adds the error with which the host replied to the results of the command.
func (s *mysqlStep) fail(m wire.MySQLPacket) error {
	why, err := m.Error()
	if s.part == mysqlFirst {
		s.results = append(s.results, &wire.MySQLResult{})
	}
	s.results[len(s.results)-1].Error = why
	return err
}

// begin takes the first packet of a result.
func (p *mysqlParser) begin(s *mysqlStep, m wire.MySQLPacket) (isOver bool, err error) {
	r := &wire.MySQLResult{}
	if s.results = append(s.results, r); len(s.results) > maxPending {
		return false, ErrUnreadable
	}
	switch m.Kind() {
	case mysqlOK:
		status, err := r.AddOK(m)
		return !status.More(), err
	case mysqlFile:
		return false, ErrUnreadable
	}
	n, known, err := m.ColumnCount(p.capabilities)
	if err != nil {
		return false, err
	}
	s.columns = p.packets(n)
	if known {
		if s.statement == nil || len(s.statement.Columns) != n {
			return false, ErrUnreadable
		}
		r.Columns, s.columns = s.statement.Columns, s.columns-n
	}
	return s.advance(), nil
}

// packets returns the number of packets that describe n columns or parameters. With some capabilities, one more packet
// ends the descriptions.
func (p *mysqlParser) packets(n int) int {
	if n > 0 && !p.capabilities.NoEOF() {
		n++
	}
	return n
}

// advance sets s.part to the next part of the reply. It reports whether the reply is complete.
func (s *mysqlStep) advance() (isOver bool) {
	switch {
	case s.places > 0:
		s.part = mysqlPlaces
	case s.columns > 0:
		s.part = mysqlColumns
	default:
		s.part = mysqlRows
		return s.command == wire.MySQLPrepare
	}
	return false
}

// prepare takes the first packet of the reply to the preparation of a statement.
func (p *mysqlParser) prepare(s *mysqlStep, m wire.MySQLPacket) (isOver bool, err error) {
	id, columns, places, err := m.Prepared()
	if err != nil {
		return false, err
	}
	s.columns, s.places = p.packets(columns), p.packets(places)
	return s.advance(), p.statements.Add(id, s.statement)
}

// addColumn takes a packet that describes a column, or that ends the descriptions.
func (p *mysqlParser) addColumn(s *mysqlStep, m wire.MySQLPacket) (isOver bool, err error) {
	if s.columns--; s.columns == 0 && !p.capabilities.NoEOF() {
		status, err := new(wire.MySQLResult).AddEnd(m)
		if status.HasCursor() {
			return false, ErrUnreadable
		}
		return s.advance(), err
	}
	column, err := m.Column(p.capabilities)
	if s.command == wire.MySQLPrepare {
		s.statement.Columns = append(s.statement.Columns, column)
	} else {
		r := s.results[len(s.results)-1]
		if r.Columns = append(r.Columns, column); s.statement != nil && len(s.results) == 1 {
			s.statement.Columns = r.Columns
		}
	}
	return s.advance(), err
}

// addRow takes a packet with a row, or the packet that ends the rows.
func (p *mysqlParser) addRow(s *mysqlStep, m wire.MySQLPacket) (isOver bool, err error) {
	r := s.results[len(s.results)-1]
	if m.Kind() == mysqlEnd {
		end := r.AddEnd
		if p.capabilities.NoEOF() {
			end = r.AddOK
		}
		status, err := end(m)
		if status.HasCursor() {
			return false, ErrUnreadable
		}
		s.part = mysqlFirst
		return !status.More(), err
	}
	row, err := m.Row(r.Columns, s.statement != nil)
	r.Rows = append(r.Rows, row)
	if s.size += len(m.Body) + len(row); s.size > maxReply {
		return false, ErrUnreadable
	}
	return false, err
}
