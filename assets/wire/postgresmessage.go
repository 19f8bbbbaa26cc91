package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// PostgresMessage is a message of PostgreSQL.
type PostgresMessage struct {
	Kind byte // 0 for the first messages of a client, which have no kind
	Body []byte
}

// errPostgres reports data that is not in the protocol of PostgreSQL, or exceeds its bounds.
var errPostgres = errors.New("not in the protocol of PostgreSQL")

// ReadPostgresMessage reads a message. first is true for the messages of a client until the connection has started.
func ReadPostgresMessage(in *bufio.Reader, first bool) (m PostgresMessage, err error) {
	if !first {
		if m.Kind, err = in.ReadByte(); err != nil {
			return m, err
		}
	}
	length := make([]byte, 4)
	if n, err := io.ReadFull(in, length); err != nil {
		if first && n == 0 {
			return m, err
		}
		return m, unexpectedEnd(err)
	}
	n := binary.BigEndian.Uint32(length)
	if n < 4 || n > maxDatabaseData {
		return m, errPostgres
	}
	m.Body, err = readBody(in, int(n)-4)
	return m, err
}

// The codes of first messages. Other codes are versions of the protocol.
const postgresCancel, postgresTLS, postgresGSS = 80877102, 80877103, 80877104

// PostgresStart is the first message of a client.
type PostgresStart struct {
	Encrypts bool // the client asks for an encrypted connection
	Cancels  bool // the client cancels a request on another connection
	version  int
	settings map[string]string // settings such as the user, by name
}

// Replicates reports whether the client asks for the replication protocol, which sends changes as a stream.
func (s PostgresStart) Replicates() bool {
	v := s.settings["replication"]
	return v != "" && v != "false" && v != "off" && v != "no" && v != "0"
}

// Start parses the first message of a client. It returns an error if the version of the protocol is not 3.
func (m PostgresMessage) Start() (s PostgresStart, err error) {
	f := newPostgresFields(m.Body)
	s.version, s.settings = f.int32(), map[string]string{}
	s.Cancels, s.Encrypts = s.version == postgresCancel, s.version == postgresTLS || s.version == postgresGSS
	if s.Cancels || s.Encrypts {
		return s, f.err()
	}
	if s.version>>16 != 3 {
		return s, errPostgres
	}
	for name := f.text(); name != "" && f.err() == nil; name = f.text() {
		s.settings[name] = f.text()
	}
	return s, f.err()
}

// postgresFields reads the fields of a message.
type postgresFields struct{ messageFields }

func newPostgresFields(b []byte) postgresFields { return postgresFields{messageFields{rest: b}} }

func (f *postgresFields) err() error {
	if f.bad {
		return errPostgres
	}
	return nil
}

func (f *postgresFields) int16() int {
	if b := f.take(2); b != nil {
		return int(int16(binary.BigEndian.Uint16(b)))
	}
	return 0
}

// count returns the number of the values that follow. Each value takes at least size bytes. If the message is too
// short for that many values, count returns 0.
func (f *postgresFields) count(size int) int {
	b := f.take(2)
	if b == nil {
		return 0
	}
	n := int(binary.BigEndian.Uint16(b))
	f.bad = n*size > len(f.rest)
	if f.bad {
		return 0
	}
	return n
}

func (f *postgresFields) int32() int {
	if b := f.take(4); b != nil {
		return int(int32(binary.BigEndian.Uint32(b)))
	}
	return 0
}

// value returns a value that follows its length, nil for null.
func (f *postgresFields) value() []byte {
	n := f.int32()
	if n == -1 || f.bad {
		return nil
	}
	return f.take(n)
}

// appendPostgres appends a message with fields of the types byte, int16, int32, string with a zero byte as its end, and
// []byte.
func appendPostgres(b []byte, kind byte, fields ...any) []byte {
	b = append(b, kind, 0, 0, 0, 0)
	start := len(b) - 4
	for _, field := range fields {
		switch v := field.(type) {
		case byte:
			b = append(b, v)
		case int16:
			b = append(b, byte(v>>8), byte(v))
		case int32:
			b = appendPostgresInt32(b, v)
		case string:
			b = append(append(b, v...), 0)
		case []byte:
			b = append(b, v...)
		}
	}
	binary.BigEndian.PutUint32(b[start:], uint32(len(b)-start))
	return b
}

func appendPostgresInt32(b []byte, n int32) []byte {
	return append(b, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
}

// appendPostgresValue appends the length of a value, and the value. nil is null.
func appendPostgresValue(b, value []byte) []byte {
	if value == nil {
		return appendPostgresInt32(b, -1)
	}
	return append(appendPostgresInt32(b, int32(len(value))), value...)
}
