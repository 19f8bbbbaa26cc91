package main

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"sonde/runner/testdata/services/serve"
)

// domainName matches the names of domains.
var domainName = regexp.MustCompile(`^[a-z0-9-]{1,30}(\.[a-z0-9-]{1,30}){1,3}$`)

func nameOf(text string) (string, error) {
	name := strings.ToLower(text)
	if !domainName.MatchString(name) {
		return "", serve.Refuse(http.StatusBadRequest, "domain: must be such as sonde.example")
	}
	return name, nil
}

func (r *registry) domain(c *serve.Call) (serve.Answer, error) {
	name, err := nameOf(c.PathValue("domain"))
	if err != nil {
		return serve.Answer{}, err
	}
	rec, err := r.lookup(c, name)
	if err != nil {
		return serve.Answer{}, err
	}
	return serve.OK(rec)
}

// expiry answers with how long a domain remains registered.
func (r *registry) expiry(c *serve.Call) (serve.Answer, error) {
	q := c.Query()
	on := q.Date("on", true)
	if q.Err != nil {
		return serve.Answer{}, q.Err
	}
	name, err := nameOf(c.PathValue("domain"))
	if err != nil {
		return serve.Answer{}, err
	}
	rec, err := r.lookup(c, name)
	if err != nil {
		return serve.Answer{}, err
	}
	// F02: some domains never expire, and have no date of expiry.
	c.Fault("F02", rec.Expires == nil)
	left := days(rec.Expires.Sub(on))
	said := map[string]any{"state": rec.state(left), "days": left}
	if rec.Created != nil {
		// F03: the domain was created and expires on the same day, so that its life is 0 days.
		life := days(rec.Expires.Sub(*rec.Created))
		c.Fault("F03", life == 0)
		said["used"] = 100 * days(on.Sub(*rec.Created)) / life
	}
	return serve.OK(said)
}

func days(d time.Duration) int { return int(d / (24 * time.Hour)) }

// state returns the state of a domain with some days left.
func (r record) state(left int) string {
	switch {
	case slices.Contains(r.States, "redemptionPeriod"):
		return "redemption"
	case slices.Contains(r.States, "pendingDelete"):
		return "dropped"
	case left < 0:
		return "expired"
	case left < 30:
		return "soon"
	case slices.Contains(r.States, "clientHold"), slices.Contains(r.States, "serverHold"):
		return "on hold"
	}
	return "fine"
}
