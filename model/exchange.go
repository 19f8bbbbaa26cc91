package model

import (
	"strings"
	"time"
)

// Request is an HTTP request.
type Request struct {
	Op     OpID
	Method string
	// URL is the path and query. It has no scheme and host.
	URL    string
	Header map[string][]string
	Body   []byte
	// Truncated reports whether Body is only the beginning of the sent body.
	Truncated bool
}

// Reply is an HTTP response.
type Reply struct {
	Status int
	Proto  string // such as "HTTP/1.1"
	Header map[string][]string
	// Trailer is the header after the body, nil for none.
	Trailer map[string][]string
	Body    []byte
	// Truncated reports whether Body is only the beginning of the received body.
	Truncated bool
	// Defect is an error in the transmission of the response, nil for none.
	Defect *Defect
}

// Defect is an error in the transmission of a response, such as a body that ends early.
type Defect struct {
	CutShort bool   // the body ended early; false means that its encoding does not match its header
	Text     string // such as "the body ended after 12 of 100 bytes"
}

// Exchange is a request with its reply, or with the error that prevented a reply.
type Exchange struct {
	// Base is the scheme, host and base path before the request's URL.
	Base string
	// At is the time when the request was sent, zero if it was not sent.
	At      time.Time
	Request Request
	Reply   Reply
	Took    time.Duration
	Err     error
	// Details describe how the exchange was transmitted. They are nil unless the client was asked for them.
	Details *TransmissionDetails
}

// TransmissionDetails describe how a request and its reply were transmitted.
type TransmissionDetails struct {
	Timing Timing `json:"timing"`
	// TLS is nil for a connection without TLS.
	TLS  *TLSFacts  `json:"tls,omitempty"`
	Size ReplySizes `json:"size"`
}

// Timing is how long the parts of an exchange took, in their order. A part that did not take place is 0.
type Timing struct {
	// Reused reports whether the connection had served an earlier request. If so, Lookup, Connect and Handshake are 0.
	Reused    bool          `json:"reused,omitempty"`
	Lookup    time.Duration `json:"lookup,omitempty"`     // of the host's name
	Connect   time.Duration `json:"connect,omitempty"`    // of TCP
	Handshake time.Duration `json:"handshake,omitempty"`  // of TLS
	FirstByte time.Duration `json:"first_byte,omitempty"` // from the ready connection to the first byte of the reply
	Body      time.Duration `json:"body,omitempty"`       // from the first byte to the last one
}

// TLSFacts describe a TLS connection and the certificate of the service.
type TLSFacts struct {
	Version string `json:"version"` // such as "TLS 1.3"
	Cipher  string `json:"cipher"`
	// Protocol is what ALPN negotiated, such as "h2", or "" for nothing.
	Protocol string    `json:"protocol,omitempty"`
	Subject  string    `json:"subject"`
	Names    []string  `json:"names,omitempty"` // the hosts for which the certificate is valid, a few of them
	Issuer   string    `json:"issuer"`
	Expires  time.Time `json:"expires"`
	// Verified reports whether a trusted authority vouches for the certificate. It is false if the client accepts any
	// certificate.
	Verified bool `json:"verified"`
}

// ReplySizes are the sizes of a reply in bytes.
type ReplySizes struct {
	// Header is the size of the status line and the headers in the form of HTTP/1.1.
	Header int64 `json:"header"`
	// Encoded is the size of the body before it was decoded. Encoding is its encoding, such as "gzip", or "" if the
	// body was not decoded.
	Encoded  int64  `json:"encoded"`
	Encoding string `json:"encoding,omitempty"`
}

// PlayedTest is a test with one exchange for each call, in order. If the test was played several times, the exchanges
// are those of the play by which it was judged.
type PlayedTest struct {
	Test      Test
	Exchanges []Exchange
}

// Excerpt returns the beginning of a body, safe to print on one line: at most 160 characters, with one
// space for each run of white space.
func Excerpt(body []byte) string {
	const most = 160
	if len(body) == 0 {
		return ""
	}
	runes := []rune(strings.Join(strings.Fields(Printable(string(body[:min(len(body), 4*most)]), 4*most)), " "))
	return string(runes[:min(len(runes), most)])
}

// Printable returns the beginning of a text, at most the given number of bytes, with a space for each
// control character and without invalid UTF-8.
func Printable(text string, most int) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text[:min(len(text), most)], ""))
}
