package wire

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// PostgresResult is the reply to a statement. The reply to a query with several statements is a list of results.
type PostgresResult struct {
	Parameters []int32          `json:"parameters,omitempty"` // the types of the parameters, by number
	Columns    []PostgresColumn `json:"columns,omitempty"`
	Rows       [][]any          `json:"rows,omitempty"`      // each value is a text, null, or {"base64": "…"}
	Tag        string           `json:"tag,omitempty"`       // such as "INSERT 0 1"; "" means "SELECT 2" for two rows
	Suspended  bool             `json:"suspended,omitempty"` // there are more rows, for which the client may ask
	Error      *PostgresError   `json:"error,omitempty"`
}

// PostgresColumn is a column of a result.
type PostgresColumn struct {
	Name string `json:"name"`
	Type int32  `json:"type,omitempty"` // the number of the type; 0 means 25, which is text
}

func (c PostgresColumn) oid() int32 {
	if c.Type == 0 {
		return 25
	}
	return c.Type
}

// PostgresError is an error that the host reports.
type PostgresError struct {
	Code       string `json:"code"` // SQLSTATE, such as 23505
	Message    string `json:"message"`
	Detail     string `json:"detail,omitempty"`
	Hint       string `json:"hint,omitempty"`
	Schema     string `json:"schema,omitempty"`
	Table      string `json:"table,omitempty"`
	Column     string `json:"column,omitempty"`
	Constraint string `json:"constraint,omitempty"`
}

// fields returns the fields of the error by their letters in the protocol.
func (e *PostgresError) fields() map[byte]*string {
	return map[byte]*string{
		'C': &e.Code, 'M': &e.Message, 'D': &e.Detail, 'H': &e.Hint, 's': &e.Schema, 't': &e.Table, 'c': &e.Column, 'n': &e.Constraint,
	}
}

// message returns the message that reports the error.
func (e *PostgresError) message() []byte {
	fields := []any{byte('S'), "ERROR", byte('V'), "ERROR"}
	known := e.fields()
	for _, letter := range []byte("CMDHstcn") {
		if text := *known[letter]; text != "" {
			fields = append(fields, letter, strings.ReplaceAll(text, "\x00", ""))
		}
	}
	return appendPostgres(nil, 'E', append(fields, byte(0))...)
}

// Error parses a message that reports an error.
func (m PostgresMessage) Error() (*PostgresError, error) {
	e := &PostgresError{}
	known, f := e.fields(), newPostgresFields(m.Body)
	for letter := f.byte(); letter != 0; letter = f.byte() {
		if text := f.text(); known[letter] != nil {
			*known[letter] = strings.ToValidUTF8(text, "�")
		}
	}
	return e, f.err()
}

// Columns parses a message that describes rows.
func (m PostgresMessage) Columns() (all []PostgresColumn, err error) {
	f := newPostgresFields(m.Body)
	for n := f.count(19); n > 0; n-- {
		c := PostgresColumn{Name: strings.ToValidUTF8(f.text(), "�")}
		f.take(6) // the table
		c.Type = int32(f.int32())
		f.take(8) // the size, and the format
		all = append(all, c)
	}
	return all, f.err()
}

// Parameters parses a message that describes the parameters of a statement.
func (m PostgresMessage) Parameters() (all []int32, err error) {
	f := newPostgresFields(m.Body)
	for n := f.count(4); n > 0; n-- {
		all = append(all, int32(f.int32()))
	}
	return all, f.err()
}

// Text returns the text of a message that starts with a text, such as CommandComplete.
func (m PostgresMessage) Text() (string, error) {
	f := newPostgresFields(m.Body)
	text := f.text()
	return strings.ToValidUTF8(text, "�"), f.err()
}

// Row parses a row. formats are the formats of the columns, for which the client asked by Bind.
func (m PostgresMessage) Row(columns []PostgresColumn, formats PostgresFormats) (row []any, err error) {
	f := newPostgresFields(m.Body)
	row = []any{}
	for i, n := 0, f.count(4); i < n; i++ {
		oid := int32(25)
		if i < len(columns) {
			oid = columns[i].oid()
		}
		row = append(row, postgresToJSON(oid, formats.isBinary(i), f.value()))
	}
	return row, f.err()
}

// PostgresFormats are the formats of values: 0 is text, 1 is binary. A list with one format is for all values. Values
// without a format are text.
type PostgresFormats []int

func (f PostgresFormats) isBinary(i int) bool {
	switch {
	case len(f) == 1:
		i = 0
	case i >= len(f):
		return false
	}
	return f[i] == 1
}

// describe returns the message that describes the rows of the result.
func (r *PostgresResult) describe(formats PostgresFormats) []byte {
	if len(r.Columns) == 0 {
		return appendPostgres(nil, 'n')
	}
	fields := []any{int16(len(r.Columns))}
	for i, c := range r.Columns {
		format := int16(0)
		if formats.isBinary(i) {
			format = 1
		}
		name := strings.ReplaceAll(c.Name, "\x00", "")
		fields = append(fields, name, int32(0), int16(0), c.oid(), postgresSize(c.oid()), int32(-1), format)
	}
	return appendPostgres(nil, 'T', fields...)
}

// encode returns the messages with the rows and the end of the result.
func (r *PostgresResult) encode(formats PostgresFormats) (b []byte, err error) {
	for _, row := range r.Rows {
		body := []byte{}
		for i, v := range row {
			value, err := postgresFromJSON(r.Columns[i].oid(), formats.isBinary(i), v)
			if err != nil {
				return nil, err
			}
			body = appendPostgresValue(body, value)
		}
		b = appendPostgres(b, 'D', int16(len(row)), body)
	}
	switch {
	case r.Error != nil:
		return append(b, r.Error.message()...), nil
	case r.Suspended:
		return appendPostgres(b, 's'), nil
	}
	return appendPostgres(b, 'C', r.tag()), nil
}

func (r *PostgresResult) tag() string {
	if r.Tag == "" {
		return "SELECT " + strconv.Itoa(len(r.Rows))
	}
	return strings.ReplaceAll(r.Tag, "\x00", "")
}

// PostgresJSON returns results as JSON. One result is an object, several results are a list.
func PostgresJSON(all []*PostgresResult) string { return resultsJSON(all) }

// check returns an error if the result is not complete.
func (r *PostgresResult) check() error {
	switch {
	case r == nil:
		return errors.New("it is null")
	case len(r.Columns) > 1600 || len(r.Parameters) > 65535:
		return errors.New("it has too many columns or parameters")
	case r.Tag == "" && r.Error == nil && len(r.Columns) == 0 && !r.Suspended:
		return errors.New("it has neither columns, a tag nor an error")
	case r.Error != nil && len(r.Error.Code) != 5:
		return fmt.Errorf("%.20q is not a code of five letters", r.Error.Code)
	}
	return checkRows(r.Rows, len(r.Columns))
}
