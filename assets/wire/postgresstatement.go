package wire

import (
	"errors"
	"strconv"
)

// PostgresStatement is a prepared statement.
type PostgresStatement struct {
	Query      string
	Parameters []int32 // the types of the parameters; 0 if the type is not known
	Columns    []PostgresColumn
}

// PostgresPortal is a prepared statement with values for its parameters.
type PostgresPortal struct {
	Statement *PostgresStatement
	Request   DatabaseRequest
	Formats   PostgresFormats // the formats of the columns
}

// PostgresStatements has the prepared statements and portals of a connection, by their names.
type PostgresStatements struct {
	statements map[string]*PostgresStatement
	portals    map[string]*PostgresPortal
	size       int // the size of the queries, arguments and names, in bytes
}

// Errors of messages that name a prepared statement or a portal.
var (
	errNoPostgresStatement = errors.New("the prepared statement does not exist")
	errNoPostgresPortal    = errors.New("the portal does not exist")
)

// NewPostgresStatements returns the statements of a connection that has just started.
func NewPostgresStatements() *PostgresStatements {
	return &PostgresStatements{statements: map[string]*PostgresStatement{}, portals: map[string]*PostgresPortal{}}
}

// Parse adds the statement that a message Parse prepares, and returns it. It replaces one of the same name.
func (s *PostgresStatements) Parse(m PostgresMessage) (*PostgresStatement, error) {
	f := newPostgresFields(m.Body)
	name, p := f.text(), &PostgresStatement{Query: f.text()}
	for n := f.count(4); n > 0; n-- {
		p.Parameters = append(p.Parameters, int32(f.int32()))
	}
	if f.bad {
		return nil, errPostgres
	}
	if old := s.statements[name]; old != nil {
		s.size -= len(old.Query)
	}
	s.statements[name], s.size = p, s.size+len(p.Query)+len(name)
	return p, s.checkSize()
}

// checkSize returns an error if the statements and portals have more than maxStatements bytes, or are more than
// 100,000.
func (s *PostgresStatements) checkSize() error {
	if s.size > maxStatements || len(s.statements)+len(s.portals) > 100_000 {
		return errPostgres
	}
	return nil
}

// Bind adds the portal that a message Bind creates: a prepared statement with arguments. It returns an error if there
// is no such statement.
func (s *PostgresStatements) Bind(m PostgresMessage) error {
	f := newPostgresFields(m.Body)
	name := f.text()
	statement := s.statements[f.text()]
	if statement == nil {
		return errNoPostgresStatement
	}
	formats := f.formats()
	arguments := map[string]any{}
	for i, n := 0, f.count(4); i < n; i++ {
		oid := int32(0)
		if i < len(statement.Parameters) {
			oid = statement.Parameters[i]
		}
		arguments[strconv.Itoa(i+1)] = postgresToJSON(oid, formats.isBinary(i), f.value())
	}
	p := &PostgresPortal{Statement: statement, Formats: f.formats(), Request: newQueryRequest(statement.Query, arguments)}
	if f.bad {
		return errPostgres
	}
	if old := s.portals[name]; old != nil {
		s.size -= len(old.Request.JSON)
	}
	s.portals[name], s.size = p, s.size+len(p.Request.JSON)+len(name)
	return s.checkSize()
}

// formats reads a list of formats, with its length before it.
func (f *postgresFields) formats() (all PostgresFormats) {
	for n := f.count(2); n > 0; n-- {
		all = append(all, f.int16())
	}
	return all
}

// Described returns the statement that a message Describe or Execute is about. It also returns the portal, or nil if
// the message describes the statement itself.
func (s *PostgresStatements) Described(m PostgresMessage) (statement *PostgresStatement, portal *PostgresPortal, err error) {
	f := newPostgresFields(m.Body)
	kind := byte('P')
	if m.Kind != 'E' {
		kind = f.byte()
	}
	name := f.text()
	switch {
	case f.bad || kind != 'S' && kind != 'P':
		return nil, nil, errPostgres
	case kind == 'S' && s.statements[name] == nil:
		return nil, nil, errNoPostgresStatement
	case kind == 'S':
		return s.statements[name], nil, nil
	case s.portals[name] == nil:
		return nil, nil, errNoPostgresPortal
	}
	return s.portals[name].Statement, s.portals[name], nil
}

// Executed returns the portal that a message Execute names, or an error if there is none.
func (s *PostgresStatements) Executed(m PostgresMessage) (*PostgresPortal, error) {
	_, portal, err := s.Described(m)
	return portal, err
}

// Close removes the statement or portal that a message Close names.
func (s *PostgresStatements) Close(m PostgresMessage) {
	f := newPostgresFields(m.Body)
	kind, name := f.byte(), f.text()
	if old := s.statements[name]; kind == 'S' && old != nil {
		s.size -= len(old.Query) + len(name)
		delete(s.statements, name)
	}
	if old := s.portals[name]; kind == 'P' && old != nil {
		s.size -= len(old.Request.JSON) + len(name)
		delete(s.portals, name)
	}
}

// PostgresSetsUp reports whether a query only sets up a connection, or tests that it is open.
func PostgresSetsUp(query string) bool {
	word, isOne := sqlWord(query)
	switch word {
	case "SET", "RESET", "DISCARD", "DEALLOCATE":
		return isOne
	case "":
		return sqlIsEmpty(query)
	}
	return false
}

// postgresDefaultTag returns the tag of the reply to a query that needs no stub, "" for any other query.
func postgresDefaultTag(query string) string {
	word, isOne := sqlWord(query)
	switch {
	case !isOne:
	case word == "SET" || word == "RESET" || word == "DISCARD" || word == "DEALLOCATE":
		return word
	case word == "END":
		return "COMMIT"
	case word == "ABORT":
		return "ROLLBACK"
	}
	return sqlTransaction(query)
}
