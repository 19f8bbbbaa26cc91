package model

import (
	"cmp"
	"fmt"
	"net"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Protocol is what two ends of a connection speak.
type Protocol string

// The protocols of stubs. HTTP is spoken with TLS where the service begins with
// that.
const (
	HTTP Protocol = "http"
	TCP  Protocol = "tcp"
	UDP  Protocol = "udp"
	DNS  Protocol = "dns"
)

// Stub is what one host of the virtual network answers. What was recorded, what the
// search invented and a fault that a person injects are all stubs. Of those that
// match, the first answers.
type Stub struct {
	// Host is a name or an address, behind which there is a port but for DNS:
	// "payments.example:443", "198.18.0.7:43", "[2001:db8::1]:80". Of an inward stub
	// it is the service's own port, as in ":7000", or ":0" for any on which it begins to
	// listen during a call.
	Host     string   `json:"host"`
	Protocol Protocol `json:"protocol"`
	// Inward tells that the host speaks first, by TCP or UDP, to a port on which the
	// service listens. What it says is kept until the service does.
	Inward bool      `json:"inward,omitempty"`
	Match  StubMatch `json:"match,omitzero"`
	// Answers is a script: the first is given the first time that the stub matches,
	// and so on. A TCP connection has the script for itself, of which each answer is
	// given when the service waits, or when Match holds of what it said since the
	// one before.
	Answers []Answer `json:"answers"`
	// Repeat begins the script anew at its end, and Else is given behind it. With
	// neither, the last answer of a script with one answer stays, but not for TCP and
	// of a host that speaks first; else nothing comes any more.
	Repeat bool    `json:"repeat,omitempty"`
	Else   *Answer `json:"else,omitempty"`
}

// AnyPort is the host of an inward stub that speaks to any port on which the service
// begins to listen during a call.
const AnyPort = ":0"

// StubMatch says of which messages a stub takes notice. The zero value is all.
type StubMatch struct {
	// Method, Path, Query, Header and JSON are of HTTP. Path is a template such as
	// "/charges/{id}"; the other parts need to be among what is sent.
	Method string            `json:"method,omitempty"`
	Path   string            `json:"path,omitempty"`
	Query  map[string]string `json:"query,omitempty"`
	Header map[string]string `json:"header,omitempty"`
	// JSON is what the body must hold: of objects the members that are named.
	JSON string `json:"json,omitempty"`
	// Equals, Prefix and Regexp are of the bytes that came by TCP or UDP.
	Equals string `json:"equals,omitempty"`
	Prefix string `json:"prefix,omitempty"`
	Regexp string `json:"regexp,omitempty"`
	// Nth is which of the test's connections to the host (TCP), datagrams (UDP) or
	// requests (HTTP) is meant, from 1; 0 is any.
	Nth int `json:"nth,omitempty"`
}

// Answer is what a host does once: a reply, a fault, or nothing.
type Answer struct {
	// Status, Header and Trailer are of HTTP; a status of 0 is 200.
	Status  int               `json:"status,omitempty"`
	Header  map[string]string `json:"header,omitempty"`
	Trailer map[string]string `json:"trailer,omitempty"`
	// Body is what is said, and Bytes is it where that is no UTF-8.
	Body  string `json:"body,omitempty"`
	Bytes []byte `json:"bytes,omitempty"`
	// Records are of DNS.
	Records []DNSRecord `json:"records,omitempty"`
	// Close ends a TCP connection behind what is said.
	Close bool     `json:"close,omitempty"`
	Fault NetFault `json:"fault,omitempty"`
	// After is how many bytes of the body come before the fault NetCut.
	After int `json:"after,omitempty"`
	// Latency, in milliseconds, and Rate, in bytes a second, are of the fault NetSlow.
	Latency int `json:"latency,omitempty"`
	Rate    int `json:"rate,omitempty"`
}

// DNSRecord is one of DNS: Type is A, AAAA, CNAME, MX, TXT, SRV, NS or PTR, and Value as
// zone files have it: "198.18.0.7", "10 mail.example", "1 5 443 a.example".
type DNSRecord struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// NetFault is how a host misbehaves.
type NetFault string

// The faults of hosts.
const (
	NetRefuse        NetFault = "refuse"         // nobody listens
	NetUnreachable   NetFault = "unreachable"    // no way leads there
	NetTimeout       NetFault = "timeout"        // the connection does not come about, or the name is not found, in time; said at once
	NetReset         NetFault = "reset"          // the connection breaks when the host is spoken to
	NetCut           NetFault = "cut"            // it breaks behind After bytes of the body
	NetSlow          NetFault = "slow"           // the reply comes late, or byte by byte
	NetMute          NetFault = "mute"           // the connection stays open, and nothing comes
	NetWrongTLS      NetFault = "wrong-tls"      // the certificate is another host's
	NetTruncatedJSON NetFault = "truncated-json" // the body ends in its middle, and its length is right
	NetNXDomain      NetFault = "nxdomain"       // there is no such name
)

// NetFaults are all faults, and the protocols that know them.
var NetFaults = map[NetFault][]Protocol{
	NetRefuse: {HTTP, TCP, UDP}, NetUnreachable: {HTTP, TCP, UDP}, NetTimeout: {HTTP, TCP, DNS}, NetReset: {HTTP, TCP}, NetCut: {HTTP, TCP},
	NetSlow: {HTTP, TCP, UDP}, NetMute: {HTTP, TCP, UDP}, NetWrongTLS: {HTTP, TCP}, NetTruncatedJSON: {HTTP}, NetNXDomain: {DNS},
}

// Content is what the answer says, whichever way it is written.
func (a Answer) Content() []byte {
	if len(a.Bytes) > 0 {
		return a.Bytes
	}
	return []byte(a.Body)
}

// WithContent is the answer with what it says.
func (a Answer) WithContent(what []byte) Answer {
	a.Body, a.Bytes = "", nil
	if utf8.Valid(what) {
		a.Body = string(what)
	} else {
		a.Bytes = what
	}
	return a
}

// Label is the answer in a word: its fault, its status, or "answer".
func (a Answer) Label(p Protocol) string {
	switch {
	case a.Fault != "":
		return string(a.Fault)
	case p == HTTP:
		return strconv.Itoa(cmp.Or(a.Status, 200))
	case len(a.Content()) == 0 && len(a.Records) == 0:
		return "nothing"
	}
	return "answer"
}

// Replaces reports whether the stub stands for the same messages as another one, in
// whose place it can be put.
func (s Stub) Replaces(other Stub) bool {
	return s.HostKey() == other.HostKey() && s.Match.Method == other.Match.Method && s.Match.Path == other.Match.Path
}

// AllAnswers are all answers of a stub in their order, Else behind the others.
func (s Stub) AllAnswers() []Answer {
	if s.Else == nil {
		return s.Answers
	}
	return append(slices.Clip(s.Answers), *s.Else)
}

// Validate returns what is wrong with a stub, in one line.
func (s Stub) Validate() error {
	if err := s.place(); err != nil {
		return err
	}
	if err := CheckRegexp(s.Match.Regexp); err != nil {
		return fmt.Errorf("regexp of the stub of %.60q: %w", s.Host, err)
	}
	if len(s.AllAnswers()) == 0 {
		return fmt.Errorf("the stub of %.60q has no answers: give it one, or the fault mute", s.Host)
	}
	for _, a := range s.AllAnswers() {
		if err := s.knows(a); err != nil {
			return err
		}
	}
	return nil
}

// place checks where a stub is.
func (s Stub) place() error {
	if !slices.Contains([]Protocol{HTTP, TCP, UDP, DNS}, s.Protocol) {
		return fmt.Errorf("protocol %.20q of the stub of %.60q is none: say http, tcp, udp or dns", s.Protocol, s.Host)
	}
	if s.Inward && s.Protocol != TCP && s.Protocol != UDP {
		return fmt.Errorf("the stub of %.60q cannot be inward: only tcp and udp can", s.Host)
	}
	if s.Protocol == DNS {
		if s.Host == "" {
			return fmt.Errorf("a stub of dns needs a host: the name that is looked up")
		}
		return nil
	}
	host, port, err := net.SplitHostPort(s.Host)
	if n, bad := strconv.Atoi(port); err != nil || bad != nil || n < 0 || n > 65535 || !s.Inward && (n == 0 || host == "") {
		return fmt.Errorf("host %.60q of a stub is not like \"payments.example:443\"", s.Host)
	}
	return nil
}

// knows checks that an answer is one of the stub's protocol.
func (s Stub) knows(a Answer) error {
	protocols, known := NetFaults[a.Fault]
	switch {
	case a.Fault != "" && !known:
		return fmt.Errorf(
			"fault %.20q of the stub of %.60q is none: say refuse, unreachable, timeout, reset, cut, slow, mute, wrong-tls, truncated-json or nxdomain",
			a.Fault, s.Host,
		)
	case a.Fault != "" && !slices.Contains(protocols, s.Protocol):
		return fmt.Errorf("the stub of %.60q speaks %s, which has no fault %q", s.Host, s.Protocol, a.Fault)
	case a.Status != 0 && (a.Status < 200 || a.Status > 599):
		return fmt.Errorf("status %d of the stub of %.60q is none of an answer: say 200 to 599", a.Status, s.Host)
	case a.Latency < 0 || a.Rate < 0 || a.After < 0:
		return fmt.Errorf("the stub of %.60q has a number below 0", s.Host)
	}
	return nil
}
