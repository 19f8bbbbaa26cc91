// Package wiretest makes messages of the protocols of databases, for tests.
package wiretest

import "encoding/binary"

// Replies returns a function that returns the reply to a query, if there is one.
func Replies(answers map[string]string) func(query string) []string {
	return func(query string) (all []string) {
		if reply := answers[query]; reply != "" {
			all = append(all, reply)
		}
		return all
	}
}

// Postgres returns a message of PostgreSQL. Each field is a text with its own end, or a number of two bytes.
func Postgres(kind byte, fields ...any) string {
	body := ""
	for _, field := range fields {
		switch v := field.(type) {
		case string:
			body += v
		case int:
			body += string(binary.BigEndian.AppendUint16(nil, uint16(v)))
		}
	}
	text := string(binary.BigEndian.AppendUint32(nil, uint32(len(body)+4))) + body
	if kind != 0 {
		text = string(kind) + text
	}
	return text
}

// PostgresValue returns a value of PostgreSQL after its length.
func PostgresValue(text string) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(text)))) + text
}

// MySQL returns packets of MySQL, whose numbers begin with sequence.
func MySQL(sequence byte, bodies ...string) (text string) {
	for i, body := range bodies {
		header := binary.LittleEndian.AppendUint32(nil, uint32(len(body))|uint32(sequence+byte(i))<<24)
		text += string(header) + body
	}
	return text
}

// MySQLValue returns a value of MySQL after its length, which is at most 250.
func MySQLValue(text string) string { return string([]byte{byte(len(text))}) + text }

// MySQLColumn returns the description of a column of a type.
func MySQLColumn(name string, kind byte) string {
	return "\x03def\x00\x00\x00" + MySQLValue(name) + "\x00\x0c\x2d\x00\x0b\x00\x00\x00" + string([]byte{kind}) + "\x00\x00\x00\x00\x00"
}
