package wire

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// RedisSession is the host's side of a connection with Redis. It answers the commands that only set up the
// connection.
type RedisSession struct {
	in          *bufio.Reader
	resp3       bool // the client has asked for version 3 of the protocol
	transaction RedisTransaction
	command     string // the command of the current request
	queues      bool   // no stub answered MULTI: the session itself queues the commands of the transaction
	queued      []any  // the replies to the queued commands
}

// NewRedisSession returns the session of a connection. in is the data of the client.
func NewRedisSession(in io.Reader) *RedisSession { return &RedisSession{in: bufio.NewReader(in)} }

// Next reads a command. If the command sets up the connection, Next returns its reply as the bytes to send;
// otherwise it returns the command.
func (s *RedisSession) Next() (r DatabaseRequest, reply []byte, err error) {
	words, err := ReadRedisCommand(s.in)
	if err != nil {
		return r, nil, err
	}
	if v, setsUp := s.setUp(words); setsUp {
		return r, appendRedis(nil, v, s.resp3), nil
	}
	r = s.transaction.Request(words)
	s.command = r.Command
	return r, nil, nil
}

// Reply returns the bytes of a reply in the notation of ReadRedisReply. The client gets an error if the text is not
// in that notation. If the session queues commands, the client gets the reply later, as a part of the reply to EXEC.
func (s *RedisSession) Reply(text string) []byte {
	v, err := parseRedisReply(text)
	if err != nil {
		v = redisError("the stub's answer is not a reply of Redis: " + err.Error())
	}
	return appendRedis(nil, s.queue(v), s.resp3)
}

// Succeeds reports whether Refuse replies to a command without an error.
func (s *RedisSession) Succeeds(r DatabaseRequest) bool {
	return r.Text == "PING" || r.Command == "MULTI" || s.queues && (r.Command == "EXEC" || r.Command == "DISCARD")
}

// Refuse returns the bytes of the reply to a command that no stub answers. PING, MULTI and, in a transaction, EXEC and
// DISCARD succeed; any other command gets an error. In a transaction the reply to PING and to the other commands is
// QUEUED, and EXEC returns what they would have got.
func (s *RedisSession) Refuse(r DatabaseRequest) []byte {
	switch {
	case r.Text == "PING":
		return appendRedis(nil, s.queue(redisStatus("PONG")), s.resp3)
	case r.Command == "MULTI":
		s.queues, s.queued = true, nil
		return appendRedis(nil, redisStatus("OK"), s.resp3)
	case s.queues && r.Command == "EXEC":
		s.queues = false
		return appendRedis(nil, append([]any{}, s.queued...), s.resp3)
	case s.queues && r.Command == "DISCARD":
		s.queues = false
		return appendRedis(nil, redisStatus("OK"), s.resp3)
	}
	return appendRedis(nil, s.queue(redisError("no stub answers "+r.Text)), s.resp3)
}

// queue returns what the client gets at once. That is the reply v. But if the session queues commands, queue keeps v
// for EXEC, and the client gets the status QUEUED. The reply of a stub to EXEC or DISCARD is sent at once, and ends
// the queueing.
func (s *RedisSession) queue(v any) any {
	switch {
	case !s.queues:
		return v
	case s.command == "EXEC" || s.command == "DISCARD":
		s.queues = false
		return v
	}
	s.queued = append(s.queued, v)
	return redisStatus("QUEUED")
}

func redisStatus(text string) any { return map[string]any{"status": text} }

func redisError(why string) any { return map[string]any{"error": "ERR " + why} }

// RedisSetsUp reports whether a command only sets up a connection.
func RedisSetsUp(words []string) bool {
	switch strings.ToUpper(words[0]) {
	case "HELLO", "AUTH", "CLIENT", "SELECT", "COMMAND", "READONLY", "READWRITE", "RESET", "QUIT":
		return true
	}
	return false
}

// setUp returns the reply to a command that sets up the connection, false for any other command.
func (s *RedisSession) setUp(words []string) (v any, ok bool) {
	upper := strings.ToUpper(strings.Join(words, " "))
	switch {
	case !RedisSetsUp(words):
		return nil, false
	case strings.HasPrefix(upper, "HELLO"):
		return s.hello(words), true
	case strings.HasPrefix(upper, "COMMAND"):
		return []any{}, true
	case upper == "CLIENT ID":
		return json.Number("1"), true
	case strings.HasPrefix(upper, "CLIENT MAINT_NOTIFICATIONS"), strings.HasPrefix(upper, "CLIENT TRACKING ON"):
		return redisError("unknown subcommand"), true
	case upper == "RESET":
		s.queues, s.queued, s.transaction = false, nil, RedisTransaction{}
		return redisStatus("RESET"), true
	}
	return redisStatus("OK"), true
}

// hello answers the command HELLO, which chooses version 2 or 3 of the protocol.
func (s *RedisSession) hello(words []string) any {
	version := "2"
	if s.resp3 {
		version = "3"
	}
	if len(words) > 1 {
		version = words[1]
	}
	if version != "2" && version != "3" {
		return map[string]any{"error": "NOPROTO unsupported protocol version"}
	}
	s.resp3 = version == "3"
	about := []any{
		"server", "redis", "version", "7.0.0", "proto", json.Number(version), "id", json.Number("1"), "mode", "standalone",
		"role", "master", "modules",
		[]any{},
	}
	return map[string]any{"map": about}
}

// RedisTransaction has the commands that a client has sent since MULTI.
type RedisTransaction struct {
	isOpen bool
	queued []any
	size   int // the size of the queued commands as JSON, in bytes
}

// maxRedisQueued is the maximum size of the commands in the request of EXEC, in bytes. The request of a larger
// transaction does not have the commands.
const maxRedisQueued = 64 << 10

// Request returns the next command of the client as a request. The request of EXEC contains the queued commands: EXEC
// has no arguments, so without the commands all transactions would have the same request.
func (t *RedisTransaction) Request(words []string) DatabaseRequest {
	r, members := newRedisRequest(words)
	switch {
	case r.Command == "MULTI":
		*t = RedisTransaction{isOpen: true}
	case r.Command == "EXEC" && t.isOpen:
		if t.size <= maxRedisQueued {
			members["queued"] = append([]any{}, t.queued...)
			r.JSON = encodeJSON(members)
		}
		*t = RedisTransaction{}
	case r.Command == "DISCARD":
		*t = RedisTransaction{}
	case t.isOpen && t.size <= maxRedisQueued:
		t.size += len(r.JSON)
		t.queued = append(t.queued, members)
	}
	return r
}

// newRedisRequest returns a command as a request, and the members of its JSON.
func newRedisRequest(words []string) (DatabaseRequest, map[string]any) {
	command := strings.ToUpper(words[0])
	members, text := map[string]any{"command": command}, command
	for i, word := range words[1:] {
		members[strconv.Itoa(i+1)] = printableRedis(word)
		if word == "" || strings.ContainsAny(word, " \"\\") || strconv.Quote(word) != `"`+word+`"` {
			word = strconv.Quote(word)
		}
		text += " " + word
	}
	return DatabaseRequest{Command: command, Text: text, JSON: encodeJSON(members)}, members
}

// printableRedis returns s if it is valid UTF-8. Otherwise it returns \x and the bytes of s in hexadecimal form.
func printableRedis(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return `\x` + hex.EncodeToString([]byte(s))
}

// Bounds of what is read from a connection with Redis.
const (
	maxRedisData  = 8 << 20 // bytes of a command, or of a reply
	maxRedisDepth = 32
)

// errRedis reports data that is not in the protocol of Redis, or exceeds its bounds.
var errRedis = errors.New("not in the protocol of Redis")

// redisReader reads a value.
type redisReader struct {
	in   *bufio.Reader
	left int // bytes that may still be read
}

// ReadRedisCommand reads a command: an array of strings, of which the first is not empty. It returns an error for
// other data, and for a command of more than maxRedisData bytes.
func ReadRedisCommand(in *bufio.Reader) ([]string, error) {
	r := &redisReader{in, maxRedisData}
	line, err := r.line()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(line[1:])
	if err != nil || line[0] != '*' || n < 1 || n > maxRedisData/4 {
		return nil, errRedis
	}
	var words []string
	for i := 0; i < n; i++ {
		if line, err = r.line(); err != nil {
			return nil, err
		}
		if line[0] != '$' {
			return nil, errRedis
		}
		word, err := r.bulk(line[1:])
		if err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	if words[0] == "" {
		return nil, errRedis
	}
	return words, nil
}

// ReadRedisReply reads a reply, and returns it as JSON:
//
//	"text", 17, true, null, [1, 2]              values
//	{"status": "OK"}, {"error": "ERR reason"}   a status, an error
//	{"map": ["key", 1, "other key", 2]}         also "set" and "push"
//	{"double": "1.5"}, {"big": "12"}, {"verbatim": "txt:text"}, {"hex": "ff00"}
func ReadRedisReply(in *bufio.Reader) (string, error) {
	r := &redisReader{in, maxRedisData}
	v, err := r.value(0)
	if err != nil {
		return "", err
	}
	return encodeJSON(v), nil
}

// line reads a line of at least one byte, without its end.
func (r *redisReader) line() (string, error) {
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		line = append(line, part...)
		r.left -= len(part)
		switch {
		case r.left < 0:
			return "", errRedis
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0:
			return "", io.ErrUnexpectedEOF
		case err != nil:
			return "", err
		case len(line) < 3 || line[len(line)-2] != '\r':
			return "", errRedis
		}
		return string(line[:len(line)-2]), nil
	}
}

// bulk reads a string, and the end of line after it. length is the length of the string, in decimal digits.
func (r *redisReader) bulk(length string) (string, error) {
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 || n > r.left-2 {
		return "", errRedis
	}
	r.left -= n + 2
	b := make([]byte, n+2)
	if _, err := io.ReadFull(r.in, b); err != nil {
		return "", unexpectedEnd(err)
	}
	if string(b[n:]) != "\r\n" {
		return "", errRedis
	}
	return string(b[:n]), nil
}

// value reads a value of a reply. depth is the number of arrays and other aggregates around it.
func (r *redisReader) value(depth int) (any, error) {
	line, err := r.line()
	if err != nil {
		return nil, err
	}
	kind, rest := line[0], line[1:]
	one := func(name string) (any, error) { return map[string]any{name: printableRedis(rest)}, nil }
	switch kind {
	case '+':
		return one("status")
	case '-':
		return one("error")
	case ',':
		return one("double")
	case '(':
		return one("big")
	case '_':
		return nil, nil
	case '#':
		return rest == "t", nil
	case ':':
		if _, err := strconv.ParseInt(rest, 10, 64); err != nil {
			return nil, errRedis
		}
		return json.Number(strings.TrimPrefix(rest, "+")), nil
	case '$', '=', '!':
		return r.text(kind, rest)
	}
	return r.list(kind, rest, depth)
}

// text reads a value that is a text. length is the length of the text, in decimal digits; -1 means null.
func (r *redisReader) text(kind byte, length string) (any, error) {
	if length == "-1" {
		return nil, nil
	}
	text, err := r.bulk(length)
	switch {
	case err != nil:
		return nil, err
	case kind == '=':
		return map[string]any{"verbatim": printableRedis(text)}, nil
	case kind == '!':
		return map[string]any{"error": printableRedis(text)}, nil
	case !utf8.ValidString(text):
		return map[string]any{"hex": hex.EncodeToString([]byte(text))}, nil
	}
	return text, nil
}

// redisLists has the kinds of lists other than arrays. It maps the first byte of a list to the name in the notation of
// ReadRedisReply. Attributes are skipped, so they have no notation.
var redisLists = map[byte]string{'%': "map", '~': "set", '>': "push", '|': "attributes"}

// list reads a list of values. length is the number of its values or pairs, in decimal digits; -1 means null.
func (r *redisReader) list(kind byte, length string, depth int) (any, error) {
	name := redisLists[kind]
	if length == "-1" {
		return nil, nil
	}
	n, err := strconv.Atoi(length)
	if err != nil || kind != '*' && name == "" || n < 0 || n > r.left || depth > maxRedisDepth {
		return nil, errRedis
	}
	if kind == '%' || kind == '|' {
		n *= 2
	}
	all := []any{}
	for i := 0; i < n; i++ {
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, unexpectedEnd(err)
		}
		all = append(all, v)
	}
	switch name {
	case "":
		return all, nil
	case "attributes":
		return r.value(depth + 1) // attributes describe the value that follows
	}
	return map[string]any{name: all}, nil
}

// parseRedisReply parses a reply in the notation of ReadRedisReply.
func parseRedisReply(text string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err = d.Decode(&v); err != nil || d.More() {
		return nil, fmt.Errorf("%.40q is not JSON", text)
	}
	return v, checkRedis(v)
}

// checkRedis returns an error if a value is not in the notation of ReadRedisReply.
func checkRedis(v any) error {
	switch v := v.(type) {
	case json.Number:
		if _, err := v.Int64(); err != nil {
			return fmt.Errorf("%s is not an integer", v)
		}
	case []any:
		for _, item := range v {
			if err := checkRedis(item); err != nil {
				return err
			}
		}
	case map[string]any:
		return checkRedisObject(v)
	}
	return nil
}

func checkRedisObject(object map[string]any) error {
	for name, v := range object {
		list, isList := v.([]any)
		text, isText := v.(string)
		_, err := hex.DecodeString(text)
		switch {
		case len(object) > 1:
		case isText && (name == "status" || name == "error" || name == "double" || name == "big" || name == "verbatim"):
			return nil
		case isText && name == "hex" && err == nil:
			return nil
		case isList && (name == "set" || name == "push" || name == "map" && len(list)%2 == 0):
			return checkRedis(list)
		}
	}
	return fmt.Errorf("%.40q is none of the objects that represent replies", encodeJSON(object))
}

// appendRedis appends the bytes of a value that checkRedis permits. resp3 says whether the client uses version 3 of
// the protocol. Version 2 has fewer types, so values of other types are converted.
func appendRedis(b []byte, v any, resp3 bool) []byte {
	switch v := v.(type) {
	case string:
		return appendRedisText(b, '$', v)
	case json.Number:
		return append(b, ":"+string(v)+"\r\n"...)
	case []any:
		return appendRedisList(b, '*', len(v), v, resp3)
	case bool:
		if resp3 {
			return append(b, "#"+fmt.Sprint(v)[:1]+"\r\n"...)
		} else if v {
			return append(b, ":1\r\n"...)
		}
		return append(b, ":0\r\n"...)
	case map[string]any:
		for name, inner := range v {
			return appendRedisObject(b, name, inner, resp3)
		}
	}
	if resp3 {
		return append(b, "_\r\n"...)
	}
	return append(b, "$-1\r\n"...)
}

func appendRedisText(b []byte, kind byte, text string) []byte {
	return append(append(append(b, kind), strconv.Itoa(len(text))+"\r\n"+text...), "\r\n"...)
}

func appendRedisList(b []byte, kind byte, n int, list []any, resp3 bool) []byte {
	b = append(append(b, kind), strconv.Itoa(n)+"\r\n"...)
	for _, item := range list {
		b = appendRedis(b, item, resp3)
	}
	return b
}

// appendRedisObject appends the value of an object with one member.
func appendRedisObject(b []byte, name string, v any, resp3 bool) []byte {
	list, _ := v.([]any)
	text, _ := v.(string)
	line := strings.NewReplacer("\r", " ", "\n", " ").Replace(text)
	switch {
	case name == "status":
		return append(b, "+"+line+"\r\n"...)
	case name == "error":
		return append(b, "-"+line+"\r\n"...)
	case name == "hex":
		data, _ := hex.DecodeString(text)
		return appendRedisText(b, '$', string(data))
	case name == "map" && resp3:
		return appendRedisList(b, '%', len(list)/2, list, resp3)
	case name == "set" && resp3:
		return appendRedisList(b, '~', len(list), list, resp3)
	case name == "push" && resp3:
		return appendRedisList(b, '>', len(list), list, resp3)
	case list != nil:
		return appendRedisList(b, '*', len(list), list, resp3)
	case name == "double" && resp3:
		return append(b, ","+line+"\r\n"...)
	case name == "big" && resp3:
		return append(b, "("+line+"\r\n"...)
	case name == "verbatim" && resp3:
		return appendRedisText(b, '=', text)
	case name == "verbatim" && len(text) >= 4:
		text = text[4:] // removes the format, such as "txt:"
	}
	return appendRedisText(b, '$', text)
}
