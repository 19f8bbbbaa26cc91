package model

import (
	"strings"
	"time"
)

// Request is a message to a service.
type Request struct {
	Op     OpID
	Method string
	// URL is the path and query, without scheme and host.
	URL    string
	Header map[string][]string
	Body   []byte
	// Truncated tells that more left than is here.
	Truncated bool
}

// Reply is a service's answer.
type Reply struct {
	Status int
	Proto  string // such as "HTTP/1.1"
	Header map[string][]string
	Body   []byte
	// Truncated tells that more came than is here.
	Truncated bool
	// Defect is what is wrong with how it was sent, nil for nothing.
	Defect *Defect
}

// Defect is what is wrong with how an answer was sent, whatever it says.
type Defect struct {
	CutShort bool   // else it is not encoded as its header says
	Text     string // such as "the body ended after 12 of 100 bytes"
}

// Exchange is one pair of messages with a service. Err says why there is no
// reply.
type Exchange struct {
	// Base is the scheme, host and base path that the request's URL stands
	// behind.
	Base string
	// At is when it left, zero where it never did.
	At      time.Time
	Request Request
	Reply   Reply
	Took    time.Duration
	Err     error
}

// PlayedTest is a test with what was sent and answered when it was judged, an
// exchange for each of its calls.
type PlayedTest struct {
	Test      Test
	Exchanges []Exchange
}

// Excerpt is the start of what a service says, safe to print on one line.
func Excerpt(body []byte) string {
	const most = 160
	if len(body) == 0 {
		return ""
	}
	runes := []rune(strings.Join(strings.Fields(Printable(string(body[:min(len(body), 4*most)]), 4*most)), " "))
	return string(runes[:min(len(runes), most)])
}

// Printable is the start of a text from outside, of so many bytes at most, with a
// blank for each control character.
func Printable(text string, most int) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text[:min(len(text), most)], ""))
}
