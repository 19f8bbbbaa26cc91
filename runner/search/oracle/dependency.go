package oracle

import (
	"cmp"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// Bounds of what a service may do while a host outside misbehaves.
const (
	longWait       = 4900 // milliseconds for a host that is mute, which then gives up: who waits so long has set no time-out of use
	maxTriesOfHost = 20   // of one host in one call
)

// hostFaults says in words what a host outside does, by the outcome of a contact.
var hostFaults = map[string]string{
	string(model.NetRefuse): "refuses", "refused": "refuses", string(model.NetReset): "resets", string(model.NetCut): "breaks off",
	string(model.NetSlow): "is slow", string(model.NetMute): "is mute", string(model.NetWrongTLS): "shows a wrong certificate",
	string(model.NetTruncatedJSON): "sends half of its JSON", string(model.NetNXDomain): "has no address",
	string(model.NetTimeout): "times out", string(model.NetUnreachable): "cannot be reached",
}

// hostFault says how the host of a contact misbehaved, "" where it did not.
func hostFault(c model.Contact) string {
	if does := hostFaults[c.Outcome]; does != "" {
		return printableHost(c.Host) + " " + does
	}
	if status, err := strconv.Atoi(c.Outcome); err == nil && status >= 500 {
		return fmt.Sprintf("%s answers %d", printableHost(c.Host), status)
	}
	return ""
}

// printableHost is a host's name, which the service may have made up, safe to print.
func printableHost(host string) string { return model.Printable(host, 255) }

// contactsDuring are the contacts during one call.
func (p *playedTest) contactsDuring(call int) (all []model.Contact) {
	for _, c := range p.contacts {
		if c.Call == call {
			all = append(all, c)
		}
	}
	return all
}

// hostFailure is the first host that misbehaved during a call, and how; "" where none did.
func (p *playedTest) hostFailure(call int) string {
	for _, c := range p.contactsDuring(call) {
		if does := hostFault(c); does != "" {
			return does
		}
	}
	return ""
}

// addDependencyError reports a server error during which a host misbehaved.
func (v *verdict) addDependencyError(i int, cause string, r model.Reply) {
	v.add(Finding{
		Oracle: dependency, Call: i, Expected: "an answer below 500, or 502, 503 or 504",
		Actual:    model.Excerpt(append([]byte("when "+cause+": "), r.Body...)),
		Signature: fmt.Sprintf("%d when %s", r.Status, cause),
	})
}

// judgeDependencies judges what the service did with other hosts during a call.
func (v *verdict) judgeDependencies(i int) {
	for _, c := range v.contactsDuring(i) {
		if c.Outcome == string(model.NetMute) && c.Took >= longWait {
			v.add(Finding{
				Oracle:    noTimeout,
				Call:      i,
				Expected:  "to stop waiting some time",
				Actual:    fmt.Sprintf("it waited for %s, which is mute, until that broke off", printableHost(c.Host)),
				Signature: c.Host,
			})
		}
	}
	for _, c := range retriedTooOften(v.contactsDuring(i)) {
		v.add(Finding{
			Oracle:    endlessRetries,
			Call:      i,
			Expected:  fmt.Sprintf("at most %d tries", maxTriesOfHost),
			Actual:    fmt.Sprintf("it turned to %s again and again in one call", cmp.Or(hostFault(c), printableHost(c.Host))),
			Signature: c.Host,
		})
	}
}

// retriedTooOften are the contacts of a call with which a host was tried once too often.
func retriedTooOften(contacts []model.Contact) (all []model.Contact) {
	tries := map[string]int{}
	for _, c := range contacts {
		if c.Kind != model.ContactMessage && c.Kind != model.ContactDial {
			continue
		}
		tries[c.Host]++
		if tries[c.Host] == maxTriesOfHost+1 {
			all = append(all, c)
		}
	}
	return all
}

// HasEndlessRetries reports whether the service tried a host in a call without bound: what it says
// then depends on when its time is up.
func HasEndlessRetries(contacts []model.Contact, call int) bool {
	return len(retriedTooOften((&playedTest{contacts: contacts}).contactsDuring(call))) > 0
}

// judgeLeaks judges whether an error tells the client of a host that only the service
// knows.
func (v *verdict) judgeLeaks(i int) {
	reply := v.exchanges[i].Reply
	if reply.Status < 400 {
		return
	}
	body := string(reply.Body)
	for _, c := range v.contactsDuring(i) {
		if v.passesOn(i, c) {
			v.add(Finding{
				Oracle: leakedError, Call: i, Expected: "an error of the service's own, without what " + printableHost(c.Host) + " answered",
				Actual: model.Excerpt(reply.Body), Signature: c.Host + " body",
			})
			return
		}
		name, _, err := net.SplitHostPort(c.Host)
		if err != nil {
			name = c.Host
		}
		if hostFault(c) != "" && name != "" && (strings.Contains(body, name) ||
			strings.Contains(body, "dial tcp") || strings.Contains(body, "read tcp")) {
			v.add(Finding{
				Oracle:    leakedError,
				Call:      i,
				Expected:  "an error of the service's own",
				Actual:    model.Excerpt(reply.Body),
				Signature: c.Host,
			})
			return
		}
	}
}

// passesOn reports whether an error repeats what a host answered that failed, or that
// the service cannot make use of. A refusal (4xx) may be meant for the client.
func (p *playedTest) passesOn(i int, c model.Contact) bool {
	said := p.said(c)
	status, err := strconv.Atoi(c.Outcome)
	if len(said) == 0 || err == nil && status/100 == 4 {
		return false
	}
	reply, request := string(p.exchanges[i].Reply.Body), p.exchanges[i].Request
	sent := request.URL + string(request.Body)
	return slices.ContainsFunc(distinctive(said), func(part string) bool {
		in := func(text string) bool {
			return slices.ContainsFunc(spellings(part), func(s string) bool { return strings.Contains(text, s) })
		}
		return in(reply) && !in(sent)
	})
}

// said is what the stub of a contact answered.
func (p *playedTest) said(c model.Contact) string {
	if c.Stub < 0 || c.Stub >= len(p.test.Stubs) {
		return ""
	}
	switch s := p.test.Stubs[c.Stub]; {
	case c.Answer >= 0 && c.Answer < len(s.Answers):
		return s.Answers[c.Answer].Body
	case s.Else != nil:
		return s.Else.Body
	}
	return ""
}

// longPassage is how many bytes in a row hardly two services say by chance.
const longPassage = 48

// token is a part of a text that looks like an id, a key or a code.
var token = regexp.MustCompile(`[A-Za-z0-9_-]{10,}`)

// dated finds dates, which the service may write by itself.
var dated = regexp.MustCompile(`\d{4}-\d\d-\d\d`)

// distinctive returns parts of a text that no other text has by chance: its
// beginning if that is long, and what looks like ids.
func distinctive(text string) []string {
	text = strings.TrimSpace(text)
	var parts []string
	if len(text) >= longPassage {
		parts = append(parts, strings.ToValidUTF8(text[:longPassage], ""))
	}
	for _, word := range token.FindAllString(text[:min(len(text), maxRead)], maxChecks) {
		mixed := strings.ContainsAny(word, "0123456789") && strings.ContainsAny(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz")
		if mixed && !dated.MatchString(word) {
			parts = append(parts, word)
		}
	}
	return parts
}
