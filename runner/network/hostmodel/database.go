package hostmodel

import (
	"encoding/json"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/network/dialogue"
)

// This file has the endpoints of databases. With SQL, each query is an endpoint. With Redis, each command with the
// beginning of its key, such as GET with "cart:", is an endpoint. One more endpoint of a database, the definitions,
// is for statements that define tables and the like. The stub of the definitions also makes the host exist as a
// database.

// definitionForm matches statements of SQL that return nothing and that a service sends before it uses tables, such as CREATE
// TABLE. Comments may precede these statements, and so may SET and the beginning of a transaction.
const definitionForm = `(?i)^(\s|;|--.*\n|/\*([^*]|\*+[^*/])*\*+/|(BEGIN|START TRANSACTION|SET [^;]*);)*` +
	`(ALTER|ANALYZE|COMMENT|CREATE|DO|DROP|GRANT|LISTEN|LOCK|NOTIFY|OPTIMIZE|REFRESH|REINDEX|RENAME|REVOKE|TRUNCATE|VACUUM)\b`

var definition = regexp.MustCompile(definitionForm)

// definitions returns the match for the definitions of a database, which are statements such as CREATE TABLE. Redis
// has no definitions. For Redis, the match is PING, the command that tests the connection.
func definitions(p model.Protocol) model.StubMatch {
	if p == model.Redis {
		return model.StubMatch{Equals: "PING"}
	}
	return model.StubMatch{Regexp: definitionForm}
}

// databaseProtocol returns the protocol of the database that the service contacted, "" if the host is not a database.
// Before the search has a stub of the database, the protocol of the contact is TCP. databaseProtocol then recognizes
// the protocol by the first data that the client sent.
func databaseProtocol(c model.Contact) model.Protocol {
	switch {
	case c.Protocol.IsDatabase():
		return c.Protocol
	case c.Protocol != model.TCP || c.Kind != model.ContactMessage || c.Inward || len(c.Data) == 0:
		return ""
	}
	p, _ := dialogue.Detect(c.Data)
	return p
}

// databaseEndpoint returns the endpoint of a contact with a database.
func databaseEndpoint(c model.Contact, p model.Protocol) endpoint {
	e := endpoint{host: c.Host, protocol: p, secure: c.TLS, match: definitions(p)}
	if !c.Protocol.IsDatabase() {
		return e // the definitions, because no request is known yet
	}
	e.command = string(c.Data)
	words := requestWords(c)
	if p == model.Redis && len(words) == 0 {
		command, _, _ := strings.Cut(e.command, " ") // the JSON of a long command is truncated and cannot be decoded
		words = []string{command}
	}
	switch {
	case p == model.Redis:
		e.command = words[0]
		if e.command != "PING" {
			e.match = redisMatch(words)
		}
	case p != model.Redis && !definition.MatchString(e.command):
		request := c.Request.Body
		if !json.Valid(request) {
			request, _ = json.Marshal(map[string]string{"query": string(c.Data)}) // cannot fail
		}
		e.match = model.AnyArguments(request)
		e.command = commandOf(e.match)
	}
	return e
}

// commandOf returns the query that m matches, or the command of Redis that m matches. It returns "" for definitions.
func commandOf(m model.StubMatch) string {
	var r struct{ Command, Query string }
	_ = json.Unmarshal([]byte(m.JSON), &r) // r remains empty if m has no JSON
	switch {
	case r.Command+r.Query != "":
		return r.Command + r.Query
	case m.Regexp == definitionForm || m.Equals != "":
		return ""
	}
	command, _, _ := strings.Cut(strings.TrimPrefix(m.Regexp, "^"), " ")
	return command
}

// requestWords returns the words of a request to a database: for Redis the command and its arguments, for SQL the arguments of
// the query. An argument that is null or not a text is "". If the request is not JSON, requestWords returns nil.
func requestWords(c model.Contact) (words []string) {
	var members map[string]any
	if json.Unmarshal(c.Request.Body, &members) != nil {
		return nil
	}
	if command, ok := members["command"].(string); ok {
		words = append(words, command)
	}
	for i := 1; ; i++ {
		value, has := members[strconv.Itoa(i)]
		if !has {
			return words
		}
		text, _ := value.(string) // "" if the argument is null or not a text
		words = append(words, text)
	}
}

// keySeparators are the characters that separate the parts of a key of Redis, as in "cart:17". The first part is mostly constant.
const keySeparators = ":/|"

// maxConstantKey is the maximum length, in bytes, of a key (or of the beginning of a key) that counts as constant.
const maxConstantKey = 24

// beginningOf returns the first part of a key with its separator, or the key if it has no separator.
func beginningOf(key string) string {
	if i := strings.IndexAny(key, keySeparators); i > 0 {
		return key[:i+1]
	}
	return key
}

// isConstantKey reports whether a key, or the beginning of a key, is most likely constant: it is short, without digits, and
// without characters that are escaped in the text of a request.
func isConstantKey(key string) bool {
	return len(key) <= maxConstantKey && !strings.ContainsAny(key, "0123456789") && strconv.Quote(key) == `"`+key+`"`
}

// redisMatch returns the match of requests with the same command of Redis. If the key, or its beginning, is most likely
// constant, the match also requires this key or this beginning.
func redisMatch(words []string) model.StubMatch {
	members := map[string]string{"command": words[0]}
	if len(words) > 1 {
		switch key := beginningOf(words[1]); {
		case isConstantKey(key) && key != words[1]:
			return model.StubMatch{Regexp: "^" + regexp.QuoteMeta(words[0]) + ` "?` + regexp.QuoteMeta(key)}
		case isConstantKey(key):
			members["1"] = key
		}
	}
	text, _ := json.Marshal(members) // cannot fail
	return model.StubMatch{JSON: string(text)}
}

// isDefinitions reports whether the endpoint is for the definitions of a database, which are statements such as
// CREATE TABLE.
func (e *endpoint) isDefinitions() bool {
	own := definitions(e.protocol)
	return e.protocol.IsDatabase() && e.match.Regexp == own.Regexp && e.match.Equals == own.Equals && e.match.JSON == ""
}

// transactionCommand matches statements and commands that begin or end a transaction. Without a stub, such a request succeeds.
var transactionCommand = regexp.MustCompile(`(?i)^\s*(BEGIN|START TRANSACTION|COMMIT|END|EXEC)\b[^;]*;?\s*$`)

// isTransaction reports whether the endpoint is for a request that begins or ends a transaction. The stubs of such an endpoint
// make the request fail.
func (e *endpoint) isTransaction() bool {
	return e.protocol.IsDatabase() && transactionCommand.MatchString(e.command)
}

// unplayedSQL and unplayedRedis match requests for which a search makes no stubs. Most of them succeed without a stub, and
// their failure would reveal nothing. For the others, such as MONITOR, a host would have to send more than one reply.
var (
	unplayedSQL   = regexp.MustCompile(`(?i)^\s*(ROLLBACK|ABORT|SAVEPOINT|RELEASE|COPY|SET|RESET|DEALLOCATE)\b`)
	unplayedRedis = regexp.MustCompile(`^(MULTI|DISCARD|[PS]?(UN)?SUBSCRIBE|MONITOR|P?SYNC)\b`)
)

// isPlayed reports whether a search makes stubs for the request of a database endpoint. It returns true for other endpoints.
func (e *endpoint) isPlayed() bool {
	switch {
	case e.protocol == model.Redis:
		return !unplayedRedis.MatchString(e.command)
	case e.protocol.IsDatabase():
		return !unplayedSQL.MatchString(e.command)
	}
	return true
}

// Bounds of the arguments of requests that are kept for an endpoint.
const (
	maxArguments      = 12
	maxArgumentLength = 200
	maxRedisWords     = 64
)

// learnArguments records the arguments of a request to a database, because replies often contain them.
func (e *endpoint) learnArguments(c model.Contact) {
	if !c.Protocol.IsDatabase() {
		return
	}
	words := requestWords(c)
	if c.Protocol == model.Redis {
		e.words = words[:min(len(words), maxRedisWords)]
	}
	for i, word := range words {
		isCommand := i == 0 && c.Protocol == model.Redis
		if !isCommand && word != "" && len(word) <= maxArgumentLength && !slices.Contains(e.arguments, word) {
			e.arguments = append(e.arguments[max(0, len(e.arguments)-maxArguments+1):len(e.arguments):len(e.arguments)], word)
		}
	}
}

// setDatabase records that a host is a database. It sets the protocol of the host's connection endpoint, removes the
// host's endpoints of TCP and HTTP, and adds the endpoint for definitions such as CREATE TABLE.
func (s *endpointSet) setDatabase(observed endpoint) {
	connection := s.get(endpoint{host: observed.host}, nil)
	connection.secure = connection.secure || observed.secure
	if connection.hostProtocol == observed.protocol {
		return
	}
	connection.hostProtocol = observed.protocol
	s.all = slices.DeleteFunc(s.all, func(e *endpoint) bool {
		return e.host == observed.host && !e.inward && (e.protocol == model.TCP || e.protocol == model.HTTP)
	})
	s.get(endpoint{host: observed.host, protocol: observed.protocol, match: definitions(observed.protocol)}, nil)
}

// withExisting adds endpoints to used: those whose stubs make the hosts of the used endpoints exist. For a host of
// gRPC, this is the endpoint for all methods without an endpoint of their own. For a database that refused a connection
// because it had no stub, it is the endpoint for definitions such as CREATE TABLE.
func (s *endpointSet) withExisting(used []*endpoint) []*endpoint {
	for _, e := range s.all {
		needed := func(u *endpoint) bool { return u.host == e.host && (e.grpc || u.protocol == "" && u.refused) }
		if (e.isDefinitions() || e.makesExist()) && !slices.Contains(used, e) && slices.ContainsFunc(used, needed) {
			used = append(used, e)
		}
	}
	return used
}

// staysReachable reports whether an endpoint is a connection endpoint of a database or of a gRPC host, or the lookup of
// the addresses of such a host. A search adds no stubs for these endpoints, because a service often remembers for some
// time that it could not connect to such a host. Later tests would then fail, too.
func (s *endpointSet) staysReachable(e *endpoint) bool {
	if e.isConnection() {
		return e.grpc || e.hostProtocol.IsDatabase()
	}
	return e.protocol == model.DNS && e.resolves() && slices.ContainsFunc(s.all, func(other *endpoint) bool {
		name, _, err := net.SplitHostPort(other.host)
		return err == nil && name == e.host && other.isConnection() && s.staysReachable(other)
	})
}

// watches reports whether the service sends WATCH to a host. After WATCH, a transaction of Redis may fail without an error.
func (s *endpointSet) watches(host string) bool {
	return slices.ContainsFunc(s.all, func(e *endpoint) bool { return e.host == host && strings.EqualFold(e.command, "WATCH") })
}

// requestCount returns the number of endpoints of the database at a host.
func (s *endpointSet) requestCount(host string) (n int) {
	for _, e := range s.all {
		if e.host == host && e.protocol.IsDatabase() {
			n++
		}
	}
	return n
}
