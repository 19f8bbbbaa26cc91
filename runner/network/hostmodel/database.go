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

// This file has the endpoints of databases. Each query is an endpoint, and so is each command of Redis with the beginning of
// its key. Another endpoint, the definitions, is for statements that define tables and the like; its stub also makes
// the host exist as a database.

// definitionForm matches statements of SQL that return nothing and that a service sends before it uses tables. Statements that
// set up or begin something may precede them.
const definitionForm = `(?i)^(\s|;|--.*\n|/\*([^*]|\*+[^*/])*\*+/|(BEGIN|START TRANSACTION|SET [^;]*);)*` +
	`(ALTER|ANALYZE|COMMENT|CREATE|DO|DROP|GRANT|LISTEN|LOCK|NOTIFY|OPTIMIZE|REFRESH|REINDEX|RENAME|REVOKE|TRUNCATE|VACUUM)\b`

var definition = regexp.MustCompile(definitionForm)

// definitions returns the match of the definitions of a database. For Redis, it matches the command that tests the connection.
func definitions(p model.Protocol) model.StubMatch {
	if p == model.Redis {
		return model.StubMatch{Equals: "PING"}
	}
	return model.StubMatch{Regexp: definitionForm}
}

// databaseProtocol returns the protocol of the database that a contact is with, "" for none. A connection on which a
// search has no stub of a database yet has the data with which the client of a database begins.
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
		return e // of the connection, as no request is known
	}
	e.command = string(c.Data)
	words := requestWords(c)
	if p == model.Redis && len(words) == 0 {
		command, _, _ := strings.Cut(e.command, " ") // the JSON of a long command is cut
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
			request, _ = json.Marshal(map[string]string{"query": string(c.Data)}) // a text can be encoded
		}
		e.match = model.AnyArguments(request)
		e.command = commandOf(e.match)
	}
	return e
}

// commandOf returns the query of a match of queries, or the command of a match of commands. It returns "" for definitions.
func commandOf(m model.StubMatch) string {
	var r struct{ Command, Query string }
	_ = json.Unmarshal([]byte(m.JSON), &r) // another text has no query
	switch {
	case r.Command+r.Query != "":
		return r.Command + r.Query
	case m.Regexp == definitionForm || m.Equals != "":
		return ""
	}
	command, _, _ := strings.Cut(strings.TrimPrefix(m.Regexp, "^"), " ")
	return command
}

// requestWords returns the command of Redis in a contact with its arguments, or the arguments of a query: "" for one that
// is null or no text.
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
		text, _ := value.(string) // an argument that is null, or no text, has no word
		words = append(words, text)
	}
}

// keySeparators separate the parts of keys of Redis. The first part is mostly constant.
const keySeparators = ":/|"

// maxConstantKey is the length up to which a key, or its beginning, may be constant.
const maxConstantKey = 24

// beginningOf returns the first part of a key with its separator, or the key if it has no separator.
func beginningOf(key string) string {
	if i := strings.IndexAny(key, keySeparators); i > 0 {
		return key[:i+1]
	}
	return key
}

// isConstantKey reports whether a key, or its beginning, has no value in it. Requests have other keys in quotes.
func isConstantKey(key string) bool {
	return len(key) <= maxConstantKey && !strings.ContainsAny(key, "0123456789") && strconv.Quote(key) == `"`+key+`"`
}

// redisMatch returns the match of a command of Redis and of keys that begin in the same way, or of the command with any
// key.
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
	text, _ := json.Marshal(members) // texts can be encoded
	return model.StubMatch{JSON: string(text)}
}

// isDefinitions reports whether the endpoint is the definitions of a database.
func (e *endpoint) isDefinitions() bool {
	own := definitions(e.protocol)
	return e.protocol.IsDatabase() && e.match.Regexp == own.Regexp && e.match.Equals == own.Equals && e.match.JSON == ""
}

// endsTransaction matches statements and commands that begin or end a transaction. They succeed without a stub.
var endsTransaction = regexp.MustCompile(`(?i)^\s*(BEGIN|START TRANSACTION|COMMIT|END|EXEC)\b[^;]*;?\s*$`)

// isTransaction reports whether the endpoint is that of requests which begin or end a transaction. Its stubs make them fail.
func (e *endpoint) isTransaction() bool {
	return e.protocol.IsDatabase() && endsTransaction.MatchString(e.command)
}

// unplayedSQL and unplayedRedis match requests for which a search has no stubs: they succeed without one and failures reveal
// nothing, or the host would send more than a reply.
var (
	unplayedSQL   = regexp.MustCompile(`(?i)^\s*(ROLLBACK|ABORT|SAVEPOINT|RELEASE|COPY|SET|RESET|DEALLOCATE)\b`)
	unplayedRedis = regexp.MustCompile(`^(MULTI|DISCARD|[PS]?(UN)?SUBSCRIBE|MONITOR|P?SYNC)\b`)
)

// isPlayed reports whether a search has stubs of a request to a database. It returns true for other endpoints.
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

// learnArguments records the arguments of a request to a database: rows often have them.
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

// setDatabase records that a host is a database: its other endpoints vanish, and the connection endpoint gets the protocol.
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

// withExisting adds the endpoints whose stubs make hosts exist to endpoints of these hosts: the definitions of databases that do not
// exist without a stub, and the other methods of hosts of gRPC. All operations that use such a host need it to exist.
func (s *endpointSet) withExisting(used []*endpoint) []*endpoint {
	for _, e := range s.all {
		needed := func(u *endpoint) bool { return u.host == e.host && (e.grpc || u.protocol == "" && u.refused) }
		if (e.isDefinitions() || e.makesExist()) && !slices.Contains(used, e) && slices.ContainsFunc(used, needed) {
			used = append(used, e)
		}
	}
	return used
}

// staysReachable reports whether an endpoint is the connections to a database or a host of gRPC, or a lookup of its addresses. A search
// has no new stubs of these: services keep connections to such a host, and often remember for some time that they could not connect,
// so that later tests would fail, too.
func (s *endpointSet) staysReachable(e *endpoint) bool {
	if e.isConnection() {
		return e.grpc || e.hostProtocol.IsDatabase()
	}
	return e.protocol == model.DNS && e.resolves() && slices.ContainsFunc(s.all, func(other *endpoint) bool {
		name, _, err := net.SplitHostPort(other.host)
		return err == nil && name == e.host && other.isConnection() && s.staysReachable(other)
	})
}

// watches reports whether the service sends the command of Redis by which a transaction may fail without an error.
func (s *endpointSet) watches(host string) bool {
	return slices.ContainsFunc(s.all, func(e *endpoint) bool { return e.host == host && strings.EqualFold(e.command, "WATCH") })
}

// requestCount returns the number of endpoints of a database.
func (s *endpointSet) requestCount(host string) (n int) {
	for _, e := range s.all {
		if e.host == host && e.protocol.IsDatabase() {
			n++
		}
	}
	return n
}
