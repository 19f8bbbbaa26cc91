package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// MySQLPacket is a packet of MySQL or MariaDB.
type MySQLPacket struct {
	Sequence byte // 0 for the first packet of a command
	Body     []byte
}

// errMySQL reports data that is not in the protocol of MySQL, or exceeds its bounds.
var errMySQL = errors.New("not in the protocol of MySQL")

// maxMySQLPacket is the size from which on a message is divided into several packets.
const maxMySQLPacket = 1<<24 - 1

// ReadMySQLPacket reads a packet. It returns an error if the packet is larger than maxDatabaseData. This includes
// each message that is divided into several packets, because its first packet has maxMySQLPacket bytes.
func ReadMySQLPacket(in *bufio.Reader) (p MySQLPacket, err error) {
	header := make([]byte, 4)
	if n, err := io.ReadFull(in, header); err != nil {
		if n == 0 {
			return p, err
		}
		return p, unexpectedEnd(err)
	}
	n := int(header[0]) | int(header[1])<<8 | int(header[2])<<16
	if n > maxDatabaseData {
		return p, errMySQL
	}
	p.Sequence = header[3]
	p.Body, err = readBody(in, n)
	return p, err
}

// Kind returns the first byte of the packet, which tells the kinds of packets apart. It returns 0 if the packet is
// empty.
func (p MySQLPacket) Kind() byte {
	if len(p.Body) == 0 {
		return 0
	}
	return p.Body[0]
}

// mysqlFields reads the fields of a packet.
type mysqlFields struct{ messageFields }

func newMySQLFields(b []byte) mysqlFields { return mysqlFields{messageFields{rest: b}} }

func (f *mysqlFields) err() error {
	if f.bad {
		return errMySQL
	}
	return nil
}

// uint returns a number of size bytes, the least significant byte first.
func (f *mysqlFields) uint(size int) (n uint64) {
	for i, b := range f.take(size) {
		n |= uint64(b) << (8 * i)
	}
	return n
}

// length returns a number whose size depends on its first byte.
func (f *mysqlFields) length() uint64 {
	switch first := f.byte(); first {
	case 0xfc:
		return f.uint(2)
	case 0xfd:
		return f.uint(3)
	case 0xfe:
		return f.uint(8)
	case 0xfb, 0xff:
		f.bad = true
		return 0
	default:
		return uint64(first)
	}
}

// value returns bytes that follow their length. The result is never nil.
func (f *mysqlFields) value() []byte {
	n := f.length()
	if n > uint64(len(f.rest)) {
		f.bad = true
		return []byte{}
	}
	return append([]byte{}, f.take(int(n))...)
}

// The capabilities of a client and a host that change the form of packets. mariaDBMetadata and the capabilities after
// it exist only in MariaDB.
const (
	mysqlLongPassword  = 1 << 0 // if it is set, MariaDB's own capabilities are not used
	mysqlConnectWithDB = 1 << 3
	mysqlCompress      = 1 << 5
	mysqlProtocol41    = 1 << 9
	mysqlTLS           = 1 << 11
	mysqlSecure        = 1 << 15
	mysqlPlugins       = 1 << 19
	mysqlLengthAuth    = 1 << 21
	mysqlNoEOF         = 1 << 24
	mysqlNoMetadata    = 1 << 25
	mysqlZstd          = 1 << 26
	mysqlAttributes    = 1 << 27
	mariaDBMetadata    = 1 << 35
	mariaDBCache       = 1 << 36
)

// MySQLCapabilities are the capabilities of a client or a host.
type MySQLCapabilities uint64

func (c MySQLCapabilities) has(flag MySQLCapabilities) bool { return c&flag != 0 }

// Encrypts reports whether the client asks for TLS.
func (c MySQLCapabilities) Encrypts() bool { return c.has(mysqlTLS) }

// Compresses reports whether the client asks for compressed packets.
func (c MySQLCapabilities) Compresses() bool { return c.has(mysqlCompress | mysqlZstd) }

// OmitsColumns reports whether a result may come without the packets that describe its columns.
func (c MySQLCapabilities) OmitsColumns() bool { return c.has(mysqlNoMetadata) }

// NoEOF reports whether the packet that ends the columns is left out.
func (c MySQLCapabilities) NoEOF() bool { return c.has(mysqlNoEOF) }

// Greeting parses the first packet that a host sends, and returns the capabilities that it offers.
func (p MySQLPacket) Greeting() (MySQLCapabilities, error) {
	f := newMySQLFields(p.Body)
	if f.byte() != 10 {
		return 0, errMySQL
	}
	f.text()  // the version
	f.take(4) // the number of the connection
	f.take(9) // data for the log-in
	c := f.uint(2)
	if len(f.rest) > 0 {
		f.take(3) // the character set, and the status
		c |= f.uint(2) << 16
		f.take(7)
		if extended := f.uint(4); c&mysqlLongPassword == 0 {
			c |= extended << 32
		}
	}
	return MySQLCapabilities(c), f.err()
}

// mysqlLogIn is the first packet of a client.
type mysqlLogIn struct {
	capabilities MySQLCapabilities
	proof        []byte // the proof that the client knows the password
	plugin       string // the method of the proof, "" if it is not given
}

// LogIn returns the capabilities in the first packet of a client.
func (p MySQLPacket) LogIn() (MySQLCapabilities, error) {
	l, err := p.logIn()
	return l.capabilities, err
}

func (p MySQLPacket) logIn() (l mysqlLogIn, err error) {
	f := newMySQLFields(p.Body)
	c := f.uint(4)
	f.take(5 + 19) // the maximum size of a packet, and the character set
	if extended := f.uint(4); c&mysqlLongPassword == 0 {
		c |= extended << 32
	}
	l.capabilities = MySQLCapabilities(c)
	if c&mysqlProtocol41 == 0 {
		return l, errMySQL
	}
	if l.capabilities.Encrypts() {
		return l, f.err()
	}
	f.text() // the user
	switch {
	case c&mysqlLengthAuth != 0:
		l.proof = f.value()
	case c&mysqlSecure != 0:
		l.proof = f.take(int(f.byte()))
	default:
		l.proof = []byte(f.text())
	}
	if c&mysqlConnectWithDB != 0 && len(f.rest) > 0 {
		f.text()
	}
	if c&mysqlPlugins != 0 && len(f.rest) > 0 {
		l.plugin = f.text()
	}
	return l, f.err()
}

// appendMySQL appends a message as one or more packets. *sequence is the number of the first packet; appendMySQL sets
// it to the number of the next packet.
func appendMySQL(b []byte, sequence *byte, body []byte) []byte {
	for {
		n := len(body)
		if n > maxMySQLPacket {
			n = maxMySQLPacket
		}
		b = append(b, byte(n), byte(n>>8), byte(n>>16), *sequence)
		b = append(b, body[:n]...)
		body = body[n:]
		*sequence++
		if n < maxMySQLPacket {
			return b
		}
	}
}

// appendMySQLUint appends a number as size bytes, the least significant byte first.
func appendMySQLUint(b []byte, n uint64, size int) []byte {
	little := make([]byte, 8)
	binary.LittleEndian.PutUint64(little, n)
	return append(b, little[:size]...)
}

// appendMySQLLength appends a number whose size depends on its first byte.
func appendMySQLLength(b []byte, n uint64) []byte {
	switch {
	case n < 0xfb:
		return append(b, byte(n))
	case n < 1<<16:
		return appendMySQLUint(append(b, 0xfc), n, 2)
	case n < 1<<24:
		return appendMySQLUint(append(b, 0xfd), n, 3)
	}
	return appendMySQLUint(append(b, 0xfe), n, 8)
}

// appendMySQLValue appends the length of a value, and the value.
func appendMySQLValue(b, value []byte) []byte {
	return append(appendMySQLLength(b, uint64(len(value))), value...)
}
