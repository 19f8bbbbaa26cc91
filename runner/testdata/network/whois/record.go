package main

import (
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"sonde/runner/testdata/services/serve"
)

// record has what a server knows about a domain.
type record struct {
	Domain    string     `json:"domain"`
	Registrar string     `json:"registrar"`
	Created   *time.Time `json:"created,omitempty"`
	Expires   *time.Time `json:"expires,omitempty"`
	States    []string   `json:"states"`
	Servers   []string   `json:"servers"`
	Signed    bool       `json:"signed"`
	Asked     int        `json:"asked"`

	referral string // the server that knows more
}

// mostReferrals is the largest number of referrals.
const mostReferrals = 2

// lookup asks servers until one does not refer to another server.
func (r *registry) lookup(c *serve.Call, domain string) (record, error) {
	server, asked := r.server, map[string]bool{}
	for !asked[server] {
		asked[server] = true
		if len(asked) > 1+mostReferrals {
			return record{}, strange("the servers refer too often")
		}
		lines, err := r.ask(c.Context(), server, domain)
		if err != nil {
			return record{}, err
		}
		rec := record{Domain: domain, States: []string{}, Servers: []string{}, Asked: len(asked)}
		for _, line := range lines {
			if err := rec.take(c, line); err != nil {
				return record{}, err
			}
		}
		if rec.referral == "" {
			return rec, nil
		}
		server = withPort(rec.referral)
	}
	return record{}, strange("the servers refer to each other")
}

// withPort returns a server with the default port if it has none.
func withPort(server string) string {
	if _, _, err := net.SplitHostPort(server); err == nil {
		return server
	}
	return net.JoinHostPort(server, "43")
}

// take parses one line of an answer.
func (r *record) take(c *serve.Call, line string) error {
	low := strings.ToLower(line)
	switch {
	case line == "", line[0] == '%', line[0] == '#', strings.HasPrefix(line, ">>>"):
		return nil // a comment
	case strings.HasPrefix(low, "no match"), strings.HasPrefix(low, "not found"):
		return serve.Missing("domain")
	case strings.Contains(low, "limit exceeded"):
		return serve.Refuse(http.StatusServiceUnavailable, "the server wants no more questions")
	}
	parts := strings.SplitN(line, ":", 2)
	// F01: a line that is neither a comment nor a field.
	c.Fault("F01", len(parts) < 2)
	return r.field(strings.ToLower(strings.TrimSpace(parts[0])), strings.TrimSpace(parts[1]))
}

func (r *record) field(name, value string) (err error) {
	switch name {
	case "domain name", "domain":
		if !strings.EqualFold(value, r.Domain) {
			return strange("the server talks of %.60q", value)
		}
	case "registrar", "sponsoring registrar":
		r.Registrar = value
	case "creation date", "created":
		r.Created, err = date(value)
	case "registry expiry date", "expires", "paid-till":
		r.Expires, err = date(value)
	case "domain status", "status":
		state, _, _ := strings.Cut(value, " ") // drops the URL that explains the state
		r.States = append(r.States, state)
	case "name server", "nserver":
		if server := strings.ToLower(value); !slices.Contains(r.Servers, server) {
			r.Servers = append(r.Servers, server)
		}
	case "dnssec":
		r.Signed = value == "signedDelegation" || value == "yes"
	case "refer", "whois server", "registrar whois server":
		r.referral = value
	}
	return err
}

// layouts are the formats in which registries write dates.
var layouts = []string{time.RFC3339, time.DateOnly, "02-Jan-2006", "2006.01.02"}

func date(text string) (*time.Time, error) {
	for _, l := range layouts {
		if day, err := time.Parse(l, text); err == nil {
			return &day, nil
		}
	}
	return nil, strange("the server has a date %.30q", text)
}
