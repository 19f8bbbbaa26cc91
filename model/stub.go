package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Protocol is a network protocol.
type Protocol string

// The protocols of stubs. HTTP includes HTTPS: a host uses TLS if the service starts a handshake.
const (
	HTTP Protocol = "http"
	TCP  Protocol = "tcp"
	UDP  Protocol = "udp"
	DNS  Protocol = "dns"
	// Redis is for commands of Redis. A connection carries many commands, and stubs answer each command separately.
	Redis Protocol = "redis"
	// Postgres is for queries to PostgreSQL. Stubs answer each query separately.
	Postgres Protocol = "postgres"
	// MySQL is for queries to MySQL or MariaDB. Stubs answer each query separately.
	MySQL Protocol = "mysql"
	// Environment is for the resources of the service's machine that the service uses: the hostname, the network
	// interfaces, ports and files. The host of a stub is a resource, such as HostnameResource. The stub determines
	// what the service finds there.
	Environment Protocol = "environment"
)

// Protocols lists the protocols of stubs.
var Protocols = []Protocol{HTTP, TCP, UDP, DNS, Redis, Postgres, MySQL, Environment}

// IsDatabase reports whether the protocol belongs to a database. Its messages are then pairs of a request and a reply,
// both as JSON.
func (p Protocol) IsDatabase() bool { return p == Redis || p == Postgres || p == MySQL }

// Stub describes how a host of the virtual network answers. Recorded answers, answers that the search
// invents and faults that the user injects are all stubs. The first stub that matches a message answers it.
type Stub struct {
	// Host depends on the protocol and the direction:
	//   - DNS: a name without a port
	//   - environment: a resource, such as "hostname" or "7000/tcp"
	//   - inward: a port of the service, as in ":7000", or AnyPort
	//   - otherwise: a name or an address with a port, as in "payments.example:443", "198.18.0.7:43" or "[2001:db8::1]:80"
	Host     string   `json:"host"`
	Protocol Protocol `json:"protocol"`
	// Inward reports whether the host connects to the service, by TCP or UDP. The host waits until the
	// service listens on the port.
	Inward bool      `json:"inward,omitempty"`
	Match  StubMatch `json:"match,omitzero"`
	// Background reports whether the stub answers calls that no request causes, such as calls at the start of the
	// service. Tests of recorded exchanges do not compare or count such calls.
	Background bool `json:"background,omitempty"`
	// Prologue has the messages that the service and the host exchange once at the beginning of each TCP connection,
	// before all other answers of the host. If several stubs of a host have a prologue, the first one is used.
	Prologue []PrologueStep `json:"prologue,omitempty"`
	// AnyConnection makes a TCP stub continue its Answers from one connection to the next. It is for a service that
	// may use one connection for several calls.
	AnyConnection bool `json:"any_connection,omitempty"`
	// Answers are given in order, one each time that the stub matches. Without AnyConnection, each TCP connection
	// starts with the first answer. On a connection, the host gives the next answer when the service waits for data,
	// or when Match matches the data since the last answer.
	Answers []Answer `json:"answers"`
	// Repeat and Else say what the host does after the last answer:
	//   - If Repeat is set, the host starts again with the first answer.
	//   - Otherwise, if Else is set, the host gives the answer Else each time.
	//   - Otherwise, if the stub has a single answer and is neither for TCP nor inward, the host repeats this answer.
	//   - Otherwise the host sends nothing more.
	Repeat bool    `json:"repeat,omitempty"`
	Else   *Answer `json:"else,omitempty"`
}

// PrologueStep is a message of the service at the beginning of a TCP connection, and the host's answer.
type PrologueStep struct {
	// Request is what the service sends, "" if the host sends first. The host answers as soon as the service has sent
	// Request. If the service sends other data, and no stub matches the data, the host answers when the service waits
	// for data. RequestBytes replaces Request for data that is not UTF-8.
	Request      string `json:"request,omitempty"`
	RequestBytes []byte `json:"request_bytes,omitempty"`
	// Body is the host's answer. Bytes replaces Body for data that is not UTF-8.
	Body  string `json:"body,omitempty"`
	Bytes []byte `json:"bytes,omitempty"`
}

// NewPrologueStep returns the step for a message and its answer.
func NewPrologueStep(request, answer []byte) PrologueStep {
	q, a := Answer{}.WithContent(request), Answer{}.WithContent(answer)
	return PrologueStep{Request: q.Body, RequestBytes: q.Bytes, Body: a.Body, Bytes: a.Bytes}
}

// Sent returns what the service sends in the step.
func (s PrologueStep) Sent() []byte { return Answer{Body: s.Request, Bytes: s.RequestBytes}.Content() }

// Answer returns what the host answers in the step.
func (s PrologueStep) Answer() Answer { return Answer{Body: s.Body, Bytes: s.Bytes} }

// AnyPort is the host of an inward stub that connects to any port on which the service starts
// to listen during a call.
const AnyPort = ":0"

// StubMatch has the conditions under which a stub matches a message. The zero value matches all messages.
type StubMatch struct {
	// Method, Path, Query and Header are for HTTP. JSON is for HTTP and databases. Path is a template such as
	// "/charges/{id}". A request may have more query parameters and headers than these.
	Method string            `json:"method,omitempty"`
	Path   string            `json:"path,omitempty"`
	Query  map[string]string `json:"query,omitempty"`
	Header map[string]string `json:"header,omitempty"`
	// JSON is a JSON value that the body must contain. The objects of the body may have additional members;
	// everything else must be equal. For a database, the body is the request as JSON. A request to Redis is an object
	// with the command, and with the arguments by number: {"command": "GET", "1": "cart:17"}. A request to PostgreSQL
	// or MySQL has no member "command"; its member "query" has the text of the query.
	JSON string `json:"json,omitempty"`
	// Equals, Prefix and Regexp are conditions on the text of a message: the data that the service sent by TCP or
	// UDP, a command of Redis in the form "GET cart:17", or a query.
	Equals string `json:"equals,omitempty"`
	Prefix string `json:"prefix,omitempty"`
	Regexp string `json:"regexp,omitempty"`
	// Nth is the number of the connection (TCP), datagram (UDP) or request (HTTP, databases) to the host
	// in the test, from 1; 0 means any.
	Nth int `json:"nth,omitempty"`
}

// Command returns the command that a request to a database must have to match, "" if any command matches.
func (m StubMatch) Command() string { return DatabaseCommand([]byte(m.JSON)) }

// Answer is one answer of a host: a reply, a fault, or nothing.
type Answer struct {
	// Status, Header and Trailer are for HTTP; status 0 means 200.
	Status  int          `json:"status,omitempty"`
	Header  HeaderFields `json:"header,omitempty"`
	Trailer HeaderFields `json:"trailer,omitempty"`
	// Body is the data of the answer. Bytes replaces Body for data that is not UTF-8. For Redis, Body is the reply as
	// JSON, such as "text", 17, null, [1, 2], {"status": "OK"} or {"error": "ERR reason"}. For PostgreSQL see
	// wire.PostgresResult, for MySQL see wire.MySQLResult, for the environment see HostnameResource and
	// InterfacesResource.
	Body  string `json:"body,omitempty"`
	Bytes []byte `json:"bytes,omitempty"`
	// Records are for DNS.
	Records []DNSRecord `json:"records,omitempty"`
	// Close closes a TCP connection after the data.
	Close bool     `json:"close,omitempty"`
	Fault NetFault `json:"fault,omitempty"`
	// After is the number of bytes of the body that are sent before the fault NetCut or NetStall occurs. For
	// NetNoSpace, it is the number of bytes that can be written to a file.
	After int `json:"after,omitempty"`
	// Latency, in milliseconds, and Rate, in bytes a second, are for the fault NetSlow.
	Latency int `json:"latency,omitempty"`
	Rate    int `json:"rate,omitempty"`
}

// DNSRecord is a DNS record. Type is A, AAAA, CNAME, MX, TXT, SRV, NS or PTR. Value is written as in a zone file:
// "198.18.0.7", "10 mail.example", "1 5 443 a.example".
type DNSRecord struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// NetFault is a fault of a host or of the network.
type NetFault string

// The faults that an answer of a stub can have.
const (
	NetRefuse        NetFault = "refuse"         // the connection is refused
	NetUnreachable   NetFault = "unreachable"    // there is no route to the host
	NetTimeout       NetFault = "timeout"        // connecting or looking up the name fails with a timeout, but at once
	NetReset         NetFault = "reset"          // the connection is reset when the service sends something
	NetCut           NetFault = "cut"            // the connection is closed after After bytes of the body
	NetSlow          NetFault = "slow"           // the reply is late or slow
	NetMute          NetFault = "mute"           // the connection stays open, and the host sends nothing
	NetStall         NetFault = "stall"          // the host stops after After bytes of the body, and the connection stays open
	NetWrongTLS      NetFault = "wrong-tls"      // the certificate is for another host
	NetExpiredTLS    NetFault = "expired-tls"    // the certificate has expired
	NetUntrustedTLS  NetFault = "untrusted-tls"  // an unknown authority has signed the certificate
	NetTruncatedJSON NetFault = "truncated-json" // the body is cut in the middle, and Content-Length has the shorter length
	NetNXDomain      NetFault = "nxdomain"       // the name does not exist
	NetServFail      NetFault = "servfail"       // the name server fails: clients may try again later

	NetAddressInUse     NetFault = "address-in-use"    // another program listens on the port (EADDRINUSE)
	NetPermissionDenied NetFault = "permission-denied" // the service may not use the resource (EACCES)
	NetNoSpace          NetFault = "no-space"          // the disk is full after After bytes were written to the file (ENOSPC)
	NetNoSuchFile       NetFault = "no-such-file"      // the file, or its folder, does not exist (ENOENT)
	NetIOError          NetFault = "io-error"          // the content of the file cannot be read or written (EIO)
)

// NetFaults lists all faults with the protocols that can have them.
var NetFaults = map[NetFault][]Protocol{
	NetRefuse:        {HTTP, TCP, UDP, Redis, Postgres, MySQL},
	NetUnreachable:   {HTTP, TCP, UDP, Redis, Postgres, MySQL},
	NetTimeout:       {HTTP, TCP, DNS, Redis, Postgres, MySQL},
	NetReset:         {HTTP, TCP, Redis, Postgres, MySQL},
	NetCut:           {HTTP, TCP, Redis, Postgres, MySQL},
	NetSlow:          {HTTP, TCP, UDP, Redis, Postgres, MySQL},
	NetMute:          {HTTP, TCP, UDP, Redis, Postgres, MySQL},
	NetStall:         {HTTP, TCP},
	NetWrongTLS:      {HTTP, TCP, Redis, Postgres},
	NetExpiredTLS:    {HTTP, TCP, Redis, Postgres},
	NetUntrustedTLS:  {HTTP, TCP, Redis, Postgres},
	NetTruncatedJSON: {HTTP},
	NetNXDomain:      {DNS},
	NetServFail:      {DNS},

	NetAddressInUse:     {Environment},
	NetPermissionDenied: {Environment},
	NetNoSpace:          {Environment},
	NetNoSuchFile:       {Environment},
	NetIOError:          {Environment},
}

// IsSilent reports whether the fault makes a service wait for a host that sends nothing more.
func (f NetFault) IsSilent() bool { return f == NetMute || f == NetStall }

// IsOfCertificate reports whether the fault is a wrong certificate of the host. Such a fault has an effect only on
// connections with TLS.
func (f NetFault) IsOfCertificate() bool {
	return f == NetWrongTLS || f == NetExpiredTLS || f == NetUntrustedTLS
}

// Content returns the data of the answer: Bytes or, if they are empty, Body.
func (a Answer) Content() []byte {
	if len(a.Bytes) > 0 {
		return a.Bytes
	}
	return []byte(a.Body)
}

// WithContent returns the answer with other data. It is kept as Body if it is valid UTF-8, and as Bytes otherwise.
func (a Answer) WithContent(data []byte) Answer {
	a.Body, a.Bytes = "", nil
	if utf8.Valid(data) {
		a.Body = string(data)
	} else {
		a.Bytes = data
	}
	return a
}

// Outcomes of answers of gRPC.
const (
	GRPCOutcome = "grpc " // followed by a status that is not 0
	GRPCUnknown = "grpc without a status"
)

// IsGRPC reports whether the answer belongs to gRPC: it has status 200 and the content type of gRPC.
func (a Answer) IsGRPC() bool {
	return cmp.Or(a.Status, 200) == 200 && strings.HasPrefix(a.Header.value("Content-Type"), "application/grpc")
}

// Label returns a word for the answer: the fault, the HTTP status, "answer" or "nothing". For the environment, an
// empty answer has the label OutcomeWorks. For an answer of gRPC, Label returns the status of gRPC unless this is 0,
// as in "grpc 5". If the status of gRPC is missing, Label returns GRPCUnknown.
func (a Answer) Label(p Protocol) string {
	switch {
	case a.Fault != "":
		return string(a.Fault)
	case p == HTTP && a.IsGRPC():
		status := cmp.Or(a.Header.value("Grpc-Status"), a.Trailer.value("Grpc-Status"))
		switch status {
		case "0":
			return "200"
		case "":
			return GRPCUnknown
		}
		return GRPCOutcome + status
	case p == HTTP:
		return strconv.Itoa(cmp.Or(a.Status, 200))
	case len(a.Content()) > 0:
	case p == Environment:
		return OutcomeWorks
	case len(a.Records) == 0:
		return "nothing"
	}
	return "answer"
}

// Replaces reports whether the stub replaces another stub. Both must have the same host, method and path and, for
// databases, the same command.
func (s Stub) Replaces(other Stub) bool {
	return s.HostKey() == other.HostKey() && s.Match.Method == other.Match.Method && s.Match.Path == other.Match.Path &&
		(!s.Protocol.IsDatabase() || s.Match.Command() == other.Match.Command())
}

// AllAnswers returns Answers, followed by Else if Else is set.
func (s Stub) AllAnswers() []Answer {
	if s.Else == nil {
		return s.Answers
	}
	return append(slices.Clip(s.Answers), *s.Else)
}

// Validate returns an error of one line if the stub is not valid.
func (s Stub) Validate() error {
	if err := s.validateHost(); err != nil {
		return err
	}
	if err := CheckRegexp(s.Match.Regexp); err != nil {
		return fmt.Errorf("regexp of the stub of %.60q: %w", s.Host, err)
	}
	if (len(s.Prologue) > 0 || s.AnyConnection) && (s.Protocol != TCP || s.Inward) {
		return fmt.Errorf("the stub of %.60q has a prologue or any_connection: only tcp has them, and no inward stub", s.Host)
	}
	if len(s.AllAnswers()) == 0 && len(s.Prologue) == 0 {
		return fmt.Errorf("the stub of %.60q has no answers: give it one, or the fault mute", s.Host)
	}
	if s.Protocol == Environment && s.Match.String() != "" {
		return fmt.Errorf("the stub of %.60q has a match: what the service uses of its environment has none", s.Host)
	}
	for _, a := range s.AllAnswers() {
		if err := s.validateAnswer(a); err != nil {
			return err
		}
	}
	return nil
}

// validateHost checks the protocol and the host.
func (s Stub) validateHost() error {
	if !slices.Contains(Protocols, s.Protocol) {
		const known = "http, tcp, udp, dns, redis, postgres, mysql or environment"
		return fmt.Errorf("protocol %.20q of the stub of %.60q is unknown: use %s", s.Protocol, s.Host, known)
	}
	if s.Inward && s.Protocol != TCP && s.Protocol != UDP {
		return fmt.Errorf("the stub of %.60q cannot be inward: only tcp and udp can", s.Host)
	}
	switch {
	case s.Protocol == DNS && s.Host == "":
		return fmt.Errorf("a stub of dns needs a host: the name that is looked up")
	case s.Protocol == DNS:
		return nil
	case s.Protocol == Environment:
		return validateResource(s.Host)
	}
	host, port, err := net.SplitHostPort(s.Host)
	if n, bad := strconv.Atoi(port); err != nil || bad != nil || n < 0 || n > 65535 || !s.Inward && (n == 0 || host == "") {
		return fmt.Errorf("host %.60q of a stub is not like \"payments.example:443\"", s.Host)
	}
	return nil
}

// validateAnswer checks that the answer is possible in the stub's protocol.
func (s Stub) validateAnswer(a Answer) error {
	protocols, known := NetFaults[a.Fault]
	switch {
	case a.Fault != "" && !known:
		return fmt.Errorf(
			"fault %.20q of the stub of %.60q is unknown: use refuse, unreachable, timeout, reset, cut, slow, mute, stall, "+
				"wrong-tls, expired-tls, untrusted-tls, truncated-json, nxdomain, servfail, address-in-use, "+
				"permission-denied, no-space, no-such-file or io-error",
			a.Fault, s.Host,
		)
	case a.Fault != "" && !slices.Contains(protocols, s.Protocol):
		return fmt.Errorf("the stub of %.60q uses %s, which has no fault %q", s.Host, s.Protocol, a.Fault)
	case a.Status != 0 && (a.Status < 200 || a.Status > 599):
		return fmt.Errorf("status %d of the stub of %.60q is not allowed: use 200 to 599", a.Status, s.Host)
	case s.Protocol.IsDatabase() && (a.Fault == "" || a.Fault == NetSlow || a.Fault == NetCut) && !json.Valid(a.Content()):
		return fmt.Errorf("body %.40q of the stub of %.60q is not JSON, as an answer of %s must be", a.Content(), s.Host, s.Protocol)
	case a.Latency < 0 || a.Rate < 0 || a.After < 0:
		return fmt.Errorf("the stub of %.60q has a negative latency, rate or after", s.Host)
	case s.Protocol == Environment:
		return s.validateUse(a)
	}
	return nil
}
