package wire

import (
	"errors"
	"strconv"
)

// MySQLStatement is a prepared statement.
type MySQLStatement struct {
	Query   string
	Columns []MySQLColumn // the columns of the statement's rows
	places  int           // the number of the statement's parameters
	types   []MySQLColumn // the types of the parameters, as the client sent them last
	long    map[int][]byte
	size    int
}

// NewMySQLStatement returns the statement that is prepared from this query.
func NewMySQLStatement(query string) *MySQLStatement {
	return &MySQLStatement{Query: query, places: mysqlPlaces(query), size: len(query)}
}

// MySQLStatements has the prepared statements of a connection, by their numbers.
type MySQLStatements struct {
	all  map[uint32]*MySQLStatement
	last *MySQLStatement
	size int
}

// NewMySQLStatements returns the prepared statements of a new connection: none.
func NewMySQLStatements() *MySQLStatements {
	return &MySQLStatements{all: map[uint32]*MySQLStatement{}}
}

// errNoMySQLStatement reports that no statement has the number in a packet.
var errNoMySQLStatement = errors.New("unknown prepared statement")

// SetLast sets the statement that was prepared last. A client that does not know the statement's number yet can use
// the number 0xffffffff instead.
func (s *MySQLStatements) SetLast(m *MySQLStatement) { s.last = m }

// Add adds a statement with a number. It replaces an earlier statement with this number.
func (s *MySQLStatements) Add(id uint32, m *MySQLStatement) error {
	s.remove(id)
	s.all[id], s.size = m, s.size+m.size
	return s.checkSize()
}

// checkSize returns an error if the statements have more than maxStatements bytes, or are more than 100,000.
func (s *MySQLStatements) checkSize() error {
	if s.size > maxStatements || len(s.all) > 100_000 {
		return errMySQL
	}
	return nil
}

func (s *MySQLStatements) remove(id uint32) {
	if old := s.all[id]; old != nil {
		s.size -= old.size
		delete(s.all, id)
	}
}

// Close removes the statement that the packet names by its number.
func (s *MySQLStatements) Close(p MySQLPacket) {
	f := newMySQLFields(p.Body)
	f.take(1)
	s.remove(uint32(f.uint(4)))
}

// of returns the statement that a packet names, and the fields after the statement's number.
func (s *MySQLStatements) of(p MySQLPacket) (*MySQLStatement, mysqlFields, error) {
	f := newMySQLFields(p.Body)
	f.take(1)
	id := uint32(f.uint(4))
	m := s.all[id]
	if id == 1<<32-1 {
		m = s.last
	}
	switch {
	case f.bad:
		return nil, f, errMySQL
	case m == nil:
		return nil, f, errNoMySQLStatement
	}
	return m, f, nil
}

// Reset removes the values that AddData added to the statement of a packet.
func (s *MySQLStatements) Reset(p MySQLPacket) error {
	m, _, err := s.of(p)
	if err == nil {
		s.resetLong(m)
	}
	return err
}

func (s *MySQLStatements) resetLong(m *MySQLStatement) {
	for _, data := range m.long {
		s.size, m.size = s.size-len(data), m.size-len(data)
	}
	m.long = nil
}

// AddData adds a part of the value of a parameter, which the packet sends before the statement is executed.
func (s *MySQLStatements) AddData(p MySQLPacket) error {
	m, f, err := s.of(p)
	if err != nil {
		return err
	}
	i := int(f.uint(2))
	if f.bad || i >= m.places {
		return errMySQL
	}
	if m.long == nil {
		m.long = map[int][]byte{}
	}
	m.long[i] = append(m.long[i], f.rest...)
	m.size, s.size = m.size+len(f.rest), s.size+len(f.rest)
	return s.checkSize()
}

// Execute returns the statement that a packet executes, and the request. It removes the values that AddData added to
// the statement.
func (s *MySQLStatements) Execute(p MySQLPacket, c MySQLCapabilities) (*MySQLStatement, DatabaseRequest, error) {
	m, f, err := s.of(p)
	if err != nil {
		return nil, DatabaseRequest{}, err
	}
	flags := f.byte()
	f.take(4)
	n := m.places
	named := c.has(mysqlAttributes)
	if named && flags&8 != 0 {
		n = f.places()
	}
	arguments := map[string]any{}
	if n > 0 {
		var values []any
		m.types, values = f.parameters(n, m.types, named, m.long)
		for i := 0; i < len(values) && i < m.places; i++ {
			arguments[strconv.Itoa(i+1)] = values[i]
		}
	}
	s.resetLong(m)
	return m, newQueryRequest(m.Query, arguments), f.err()
}

// Query returns the text of a query of the text protocol.
func (p MySQLPacket) Query(c MySQLCapabilities) (string, error) {
	f := newMySQLFields(p.Body)
	f.take(1)
	if c.has(mysqlAttributes) {
		n := f.places()
		f.length() // the number of sets, which is 1
		if n > 0 {
			f.parameters(n, nil, true, nil)
		}
	}
	return string(f.rest), f.err()
}

// places returns the number of parameters that follow. Each parameter takes at least one bit of the packet.
func (f *mysqlFields) places() int {
	n := f.length()
	if n > uint64(len(f.rest))*8 {
		f.bad = true
		return 0
	}
	return int(n)
}

// parameters reads the values of n parameters. If the packet has no types of the parameters, their types are those in
// known. long has the values that the client sent before, by the index of the parameter. named says whether the
// parameters have names, which parameters skips.
func (f *mysqlFields) parameters(n int, known []MySQLColumn, named bool, long map[int][]byte) (types []MySQLColumn, values []any) {
	nulls, types := f.take((n+7)/8), known
	if f.byte() == 1 {
		types = nil
		for i := 0; i < n && !f.bad; i++ {
			c := MySQLColumn{Type: f.byte()}
			if f.byte()&0x80 != 0 {
				c.Flags = mysqlUnsigned
			}
			if named {
				f.value()
			}
			types = append(types, c)
		}
	}
	if f.bad = f.bad || len(types) != n; f.bad {
		return known, nil
	}
	for i, c := range types {
		var v any
		if data, ok := long[i]; ok {
			v = textToJSON(append([]byte{}, data...))
		} else if nulls[i/8]&(1<<(i%8)) == 0 {
			v = f.binaryValue(c)
		}
		values = append(values, v)
	}
	return types, values
}
