package wire

import (
	"errors"
	"fmt"
	"strings"
)

// MySQLResult is the reply to a statement. The reply to a query with several statements, or to the call of a
// procedure, is a list of results.
type MySQLResult struct {
	Columns  []MySQLColumn `json:"columns,omitempty"`
	Rows     [][]any       `json:"rows,omitempty"`     // each value is a text, null, or {"base64": "…"}
	Affected *uint64       `json:"affected,omitempty"` // the number of rows that a statement without columns changed
	ID       uint64        `json:"id,omitempty"`       // the first id that the host generated for a new row
	Warnings int           `json:"warnings,omitempty"` // the number of warnings
	Info     string        `json:"info,omitempty"`     // such as "Rows matched: 1  Changed: 1  Warnings: 0"
	Error    *MySQLError   `json:"error,omitempty"`
}

// MySQLColumn is a column of a result. The numbers are as in the protocol. If Charset is 0, usualCharset returns the
// character set.
type MySQLColumn struct {
	Name     string `json:"name"`
	Type     byte   `json:"type,omitempty"`    // 0 means 253, which is text
	Charset  uint16 `json:"charset,omitempty"` // such as 45 for UTF-8
	Length   uint32 `json:"length,omitempty"`
	Flags    uint16 `json:"flags,omitempty"`
	Decimals byte   `json:"decimals,omitempty"`
}

func (c MySQLColumn) kind() byte {
	if c.Type == 0 {
		return mysqlVarString
	}
	return c.Type
}

func (c MySQLColumn) isUnsigned() bool { return c.Flags&mysqlUnsigned != 0 }

// mysqlUnsigned is the flag of a column of numbers without a sign.
const mysqlUnsigned = 1 << 5

// usualCharset returns the character set that columns of the type usually have: 63, which is none, for numbers and
// times, and 45, which is UTF-8, for other types.
func (c MySQLColumn) usualCharset() uint16 {
	if kind := c.kind(); kind < 15 || kind == 16 || kind == mysqlDecimal {
		return 63
	}
	return 45
}

// MySQLError is an error that the host reports.
type MySQLError struct {
	Code    uint16 `json:"code"`            // such as 1062
	State   string `json:"state,omitempty"` // SQLSTATE, such as 23000; "" means HY000
	Message string `json:"message"`
}

// body returns the body of the packet that reports the error. The SQL state is HY000 (general error) if none is set.
func (e *MySQLError) body() []byte {
	state := e.State
	if state == "" {
		state = "HY000"
	}
	return append(appendMySQLUint([]byte{0xff}, uint64(e.Code), 2), "#"+state+e.Message...)
}

// Error parses a packet that reports an error.
func (p MySQLPacket) Error() (*MySQLError, error) {
	f := newMySQLFields(p.Body)
	f.take(1)
	e := &MySQLError{Code: uint16(f.uint(2))}
	if len(f.rest) > 5 && f.rest[0] == '#' {
		e.State = strings.ToValidUTF8(string(f.take(6)[1:]), "�")
	}
	e.Message = strings.ToValidUTF8(string(f.rest), "�")
	return e, f.err()
}

// The bits of a status.
const (
	mysqlInTransaction = 1 << 0
	mysqlAutocommit    = 1 << 1
	mysqlMoreResults   = 1 << 3
	mysqlCursor        = 1 << 6
)

// MySQLStatus is the status in a packet that ends a result.
type MySQLStatus uint16

// More reports whether the result of another statement follows.
func (s MySQLStatus) More() bool { return s&mysqlMoreResults != 0 }

// HasCursor reports whether the host keeps the rows until the client asks for them.
func (s MySQLStatus) HasCursor() bool { return s&mysqlCursor != 0 }

// AddOK adds the contents of a packet that reports success. To a result with columns it adds only the number of
// warnings.
func (r *MySQLResult) AddOK(p MySQLPacket) (MySQLStatus, error) {
	f := newMySQLFields(p.Body)
	f.take(1)
	affected, id := f.length(), f.length()
	status := MySQLStatus(f.uint(2))
	r.Warnings = int(f.uint(2))
	if len(r.Columns) == 0 {
		r.Affected, r.ID = &affected, id
		info := newMySQLFields(f.rest)
		if text := info.value(); !info.bad { // changes of the session may follow, which are left out
			r.Info = strings.ToValidUTF8(string(text), "�")
		} else {
			r.Info = strings.ToValidUTF8(string(f.rest), "�")
		}
	}
	return status, f.err()
}

// AddEnd adds the contents of a packet that ends columns or rows.
func (r *MySQLResult) AddEnd(p MySQLPacket) (MySQLStatus, error) {
	f := newMySQLFields(p.Body)
	f.take(1)
	r.Warnings = int(f.uint(2))
	return MySQLStatus(f.uint(2)), f.err()
}

// ColumnCount parses the first packet of a result with rows, and returns the number of columns. known reports whether
// no descriptions of the columns follow, because the host described them when it prepared the statement.
func (p MySQLPacket) ColumnCount(c MySQLCapabilities) (n int, known bool, err error) {
	f := newMySQLFields(p.Body)
	count := f.length()
	if c.has(mariaDBCache) {
		known = f.byte() == 0
	}
	if count == 0 || count > maxMySQLColumns {
		f.bad = true
	}
	return int(count), known, f.err()
}

// Prepared parses the first packet of the reply to the preparation of a statement. It returns the statement's number,
// and how many columns and parameters the statement has.
func (p MySQLPacket) Prepared() (id uint32, columns, places int, err error) {
	f := newMySQLFields(p.Body)
	f.bad = f.byte() != 0
	id, columns, places = uint32(f.uint(4)), int(f.uint(2)), int(f.uint(2))
	return id, columns, places, f.err()
}

// maxMySQLColumns is the maximum number of columns of a result.
const maxMySQLColumns = 4096

// Column parses a packet that describes a column.
func (p MySQLPacket) Column(c MySQLCapabilities) (column MySQLColumn, err error) {
	f := newMySQLFields(p.Body)
	for i := 0; i < 4; i++ {
		f.value() // the catalogue, the schema, and the table
	}
	column.Name = strings.ToValidUTF8(string(f.value()), "�")
	f.value()
	if c.has(mariaDBMetadata) {
		f.value()
	}
	fixed := newMySQLFields(f.value())
	column.Charset, column.Length, column.Type = uint16(fixed.uint(2)), uint32(fixed.uint(4)), fixed.byte()
	column.Flags, column.Decimals = uint16(fixed.uint(2)), fixed.byte()
	if column.Charset == column.usualCharset() {
		column.Charset = 0
	}
	f.bad = f.bad || fixed.bad
	return column, f.err()
}

// Row parses a row. If isBinary is true, the row is in the form that prepared statements have; otherwise it is in the
// text protocol.
func (p MySQLPacket) Row(columns []MySQLColumn, isBinary bool) (row []any, err error) {
	f := newMySQLFields(p.Body)
	row = make([]any, len(columns))
	if !isBinary {
		for i := range columns {
			if len(f.rest) > 0 && f.rest[0] == 0xfb {
				f.take(1)
				continue
			}
			row[i] = textToJSON(f.value())
		}
		return row, f.err()
	}
	f.take(1)
	nulls := f.take((len(columns) + 9) / 8)
	for i, c := range columns {
		if !f.bad && nulls[(i+2)/8]&(1<<((i+2)%8)) == 0 {
			row[i] = f.binaryValue(c)
		}
	}
	return row, f.err()
}

// body returns the body of the packet that describes the column. The schema and the table are empty.
func (c MySQLColumn) body() []byte {
	charset := c.Charset
	if charset == 0 {
		charset = c.usualCharset()
	}
	b := []byte("\x03def\x00\x00\x00")
	b = append(appendMySQLValue(b, []byte(c.Name)), 0, 12)
	b = appendMySQLUint(appendMySQLUint(b, uint64(charset), 2), uint64(c.Length), 4)
	return append(appendMySQLUint(append(b, c.kind()), uint64(c.Flags), 2), c.Decimals, 0, 0)
}

// row returns the body of the packet with a row. If isBinary is true, the row is in the form that prepared statements
// have.
func (r *MySQLResult) row(values []any, isBinary bool) (b []byte, err error) {
	nulls := make([]byte, (len(values)+9)/8)
	for i, v := range values {
		if v == nil {
			nulls[(i+2)/8] |= 1 << ((i + 2) % 8)
			if !isBinary {
				b = append(b, 0xfb)
			}
			continue
		}
		data, isText, err := textFromJSON(v)
		if err == nil && isText && isBinary {
			b, err = r.Columns[i].binary(b, string(data))
		} else {
			b = appendMySQLValue(b, data)
		}
		if err != nil {
			return nil, err
		}
	}
	if isBinary {
		b = append(append([]byte{0}, nulls...), b...)
	}
	return b, nil
}

// MySQLJSON returns results as JSON. One result is an object, several results are a list.
func MySQLJSON(all []*MySQLResult) string { return resultsJSON(all) }

// check returns an error if the result is not complete.
func (r *MySQLResult) check() error {
	switch {
	case r == nil:
		return errors.New("it is null")
	case len(r.Columns) > maxMySQLColumns:
		return errors.New("it has too many columns")
	case r.Affected == nil && r.Error == nil && len(r.Columns) == 0:
		return errors.New("it has neither columns, the number of affected rows nor an error")
	case r.Error != nil && (r.Error.Code == 0 || r.Error.State != "" && len(r.Error.State) != 5):
		return fmt.Errorf("%d and %.20q are not a code and a state of five letters", r.Error.Code, r.Error.State)
	}
	return checkRows(r.Rows, len(r.Columns))
}
