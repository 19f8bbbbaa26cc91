package main

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"sonde/runner/testdata/services/serve"
)

// order is a list of domains to look up on one connection.
type order struct {
	Domains []string `json:"domains"`
}

// tally is the result of an order.
type tally struct {
	Taken    int    `json:"taken"`
	Free     int    `json:"free"`
	Reserved int    `json:"reserved"`
	First    string `json:"first"` // the domain that expires first
	Polite   bool   `json:"polite"`
}

func (r *registry) bulk(c *serve.Call) (serve.Answer, error) {
	var o order
	if err := c.Decode(&o); err != nil {
		return serve.Answer{}, err
	}
	if len(o.Domains) < 1 || len(o.Domains) > 5 {
		return serve.Answer{}, serve.Refuse(http.StatusBadRequest, "domains: must be 1 to 5")
	}
	t, err := r.open(c.Context(), r.server)
	if err != nil {
		return serve.Answer{}, err
	}
	defer t.Close()
	if err := t.begin(); err != nil {
		return serve.Answer{}, err
	}
	var sum tally
	for _, d := range o.Domains {
		if err := sum.ask(t, d); err != nil {
			return serve.Answer{}, err
		}
	}
	t.say("end")
	last, _ := t.hear()
	sum.Polite = strings.HasPrefix(last, "bye")
	return serve.OK(sum)
}

// begin waits until the server is ready for more than one question.
func (t *talk) begin() error {
	t.say("begin")
	for {
		line, err := t.hear()
		switch {
		case errors.Is(err, io.EOF):
			return strange("the server knows no bulk mode")
		case err != nil:
			return err
		case strings.HasPrefix(line, "bulk mode"):
			return nil
		case strings.HasPrefix(line, "denied"):
			return serve.Refuse(http.StatusServiceUnavailable, "the server lets nobody ask so much")
		case !strings.HasPrefix(line, "#"):
			return strange("the server greets with %.30q", line)
		}
	}
}

// ask asks for one domain. An answer is such as "sonde.example | taken | 2031-01-02".
func (s *tally) ask(t *talk, domain string) error {
	name, err := nameOf(domain)
	if err != nil {
		return err
	}
	t.say(name)
	line, err := t.hear()
	if errors.Is(err, io.EOF) {
		return strange("the server hangs up before %s", name)
	}
	if err != nil {
		return err
	}
	parts := strings.Split(line, " | ")
	if len(parts) < 2 || parts[0] != name {
		return strange("the server answers %.60q", line)
	}
	switch parts[1] {
	case "taken":
		s.Taken++
		if last := parts[len(parts)-1]; len(parts) > 2 && (s.First == "" || last < s.First) {
			s.First = last
		}
	case "free":
		s.Free++
	case "reserved":
		s.Reserved++
	default:
		return strange("%s is %.20q", name, parts[1])
	}
	return nil
}
