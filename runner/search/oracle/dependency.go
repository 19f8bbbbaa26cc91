package oracle

import (
	"cmp"
	"fmt"
	"net"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// Limits of what a service may do while another host misbehaves.
const (
	// longWait is how many milliseconds a service may wait for a mute host. The host closes the connection shortly
	// after this time, so a service that waits this long has no useful time-out.
	longWait       = 4900
	maxTriesOfHost = 20 // contacts with one host during one call
)

// hostFaults maps the outcome of a contact to a description of how the host misbehaved, or of what a resource of the
// environment lacked.
var hostFaults = map[string]string{
	"refused":                      "refuses",
	string(model.NetRefuse):        "refuses",
	string(model.NetUnreachable):   "cannot be reached",
	string(model.NetTimeout):       "times out",
	string(model.NetReset):         "resets",
	string(model.NetCut):           "breaks off",
	string(model.NetSlow):          "is slow",
	string(model.NetMute):          "is mute",
	string(model.NetStall):         "stops in the middle",
	string(model.NetWrongTLS):      "shows a wrong certificate",
	string(model.NetExpiredTLS):    "shows an expired certificate",
	string(model.NetUntrustedTLS):  "shows a certificate of an unknown authority",
	string(model.NetTruncatedJSON): "sends half of its JSON",
	string(model.NetNXDomain):      "has no address",
	string(model.NetServFail):      "cannot be looked up",
	model.GRPCUnknown:              "ends without a status",

	string(model.NetAddressInUse):     "is in use",
	string(model.NetPermissionDenied): "may not be used",
	string(model.NetNoSpace):          "has no space left",
	string(model.NetNoSuchFile):       "does not exist",
	string(model.NetIOError):          "cannot be read or written",
}

// hostFault describes how the host of a contact misbehaved, "" if it did not.
func hostFault(c model.Contact) string {
	if does := hostFaults[c.Outcome]; does != "" {
		return hostSubject(c) + " " + does
	}
	if status, err := strconv.Atoi(c.Outcome); err == nil && status >= 500 {
		return fmt.Sprintf("%s answers %d", printableHost(c.Host), status)
	}
	if code, ok := strings.CutPrefix(c.Outcome, model.GRPCOutcome); ok && !refusesCall(c) {
		return fmt.Sprintf("%s answers with status %s of gRPC", printableHost(c.Host), model.Printable(code, 10))
	}
	return ""
}

// refusals are the gRPC status codes that correspond to an HTTP status of 4xx (google/rpc/code.proto): invalid
// argument, not found, already exists, permission denied, resource exhausted, failed precondition, aborted, out of
// range, unauthenticated. Such an error may be meant for the client.
var refusals = []string{"3", "5", "6", "7", "8", "9", "10", "11", "16"}

// refusesCall reports whether a contact is a gRPC call whose status corresponds to an HTTP status of 4xx.
func refusesCall(c model.Contact) bool {
	code, ok := strings.CutPrefix(c.Outcome, model.GRPCOutcome)
	return ok && slices.Contains(refusals, code)
}

// hostSubject names the host of a contact, or the resource of the environment, as the subject of a sentence.
func hostSubject(c model.Contact) string {
	host := printableHost(c.Host)
	switch {
	case c.Kind == model.ContactUse && model.ResourceHasValue(c.Host):
		return "the machine's " + host
	case c.Kind == model.ContactUse && model.IsFileResource(c.Host):
		return "file " + host
	case c.Kind == model.ContactUse:
		return "port " + host
	}
	return host
}

// withResources returns the contacts. If a stub answered the use of a file, the contact gets the resource of the stub
// in place of the name of the file. Faults that differ only in the name of a file are therefore one fault.
func withResources(test model.Test, contacts []model.Contact) []model.Contact {
	all := slices.Clone(contacts)
	for i, c := range all {
		if c.Kind == model.ContactUse && c.Stub >= 0 && c.Stub < len(test.Stubs) {
			all[i].Host = test.Stubs[c.Stub].Host
		}
	}
	return all
}

// printableHost returns a host name that is safe to print. The service may have called a host with any
// name.
func printableHost(host string) string { return model.Printable(host, 255) }

// contactsDuring returns the contacts during one call.
func (p *playedTest) contactsDuring(call int) (all []model.Contact) {
	for _, c := range p.contacts {
		if c.Call == call {
			all = append(all, c)
		}
	}
	return all
}

// hostFailure describes the first host that misbehaved during a call, "" if none did.
func (p *playedTest) hostFailure(call int) string {
	for _, c := range p.contactsDuring(call) {
		if does := hostFault(c); does != "" {
			return does
		}
		if p.failsAsDatabase(c) {
			return printableHost(c.Host) + " reports an error"
		}
	}
	return ""
}

// rememberedRefusal describes a host to which a connection failed during an earlier call, if the service may remember
// this failure. Clients of gRPC and circuit breakers remember such a host, and fail without another attempt to
// connect. Two conditions must hold, otherwise rememberedRefusal returns "":
//   - The service contacted no host during the given call.
//   - The answer to the given call has a status of a gateway, or the same status as the answer to the earlier call.
func (p *playedTest) rememberedRefusal(call int) string {
	if len(p.contactsDuring(call)) > 0 {
		return ""
	}
	reply := p.exchanges[call].Reply
	for _, c := range p.contacts {
		isEarlier := c.Kind == model.ContactDial && c.Call >= 0 && c.Call < call && c.Call < len(p.exchanges)
		if isEarlier && (reply.IsRightServerError(false, true) || p.exchanges[c.Call].Reply.Status == reply.Status) {
			if does := hostFault(c); does != "" {
				return does
			}
		}
	}
	return ""
}

// addDependencyError adds a finding for a server error that occurred while a host misbehaved. cause
// describes what the host did.
func (e *examination) addDependencyError(i int, cause string, r model.Reply) {
	e.add(Finding{
		Oracle: dependency, Call: i, Expected: "an answer below 500, or 502, 503 or 504",
		Actual:    model.Excerpt(append([]byte("when "+cause+": "), r.Body...)),
		Signature: fmt.Sprintf("%d when %s", r.Status, e.sentValuesOf(i).mask(cause)),
	})
}

// examineDependencies checks how the service dealt with other hosts during a call.
func (e *examination) examineDependencies(i int) {
	for _, c := range e.contactsDuring(i) {
		if fault := model.NetFault(c.Outcome); fault.IsSilent() && c.Took >= longWait {
			e.add(Finding{
				Oracle:    noTimeout,
				Call:      i,
				Expected:  "to stop waiting at some point",
				Actual:    fmt.Sprintf("it waited until the host hung up: %s", hostFault(c)),
				Signature: e.hostSignature(i, c),
			})
		}
	}
	for _, c := range retriedTooOften(e.contactsDuring(i)) {
		e.add(Finding{
			Oracle:    endlessRetries,
			Call:      i,
			Expected:  fmt.Sprintf("at most %d tries", maxTriesOfHost),
			Actual:    fmt.Sprintf("it contacted %s again and again in one call", cmp.Or(hostFault(c), printableHost(c.Host))),
			Signature: e.hostSignature(i, c),
		})
	}
}

// hostSignature returns the host of a contact, with the values that the test sent masked. If a client can name
// the host in a request, faults with different host names are therefore one fault.
func (e *examination) hostSignature(i int, c model.Contact) string {
	return e.sentValuesOf(i).mask(c.Host)
}

// retriedTooOften returns, for each host that was contacted too often, the first contact over the limit. For a
// database, it counts equal requests instead of all contacts.
func retriedTooOften(contacts []model.Contact) (all []model.Contact) {
	tries := map[string]int{}
	for _, c := range contacts {
		if c.Kind != model.ContactMessage && c.Kind != model.ContactDial {
			continue
		}
		key := c.Host
		if c.Protocol.IsDatabase() {
			key += " " + string(c.Request.Body) // one call may send many queries, with other arguments each
		}
		tries[key]++
		if tries[key] == maxTriesOfHost+1 {
			all = append(all, c)
		}
	}
	return all
}

// HasEndlessRetries reports whether the service contacted a host more than maxTriesOfHost times during a call.
// The answer to such a call depends on timing.
func HasEndlessRetries(contacts []model.Contact, call int) bool {
	return len(retriedTooOften((&playedTest{contacts: contacts}).contactsDuring(call))) > 0
}

// examineLeaks checks that an error message does not leak facts about hosts. The message must not repeat the answer
// of a host, name a misbehaving host, or describe the failed connection to it.
func (e *examination) examineLeaks(i int) {
	reply := e.exchanges[i].Reply
	if reply.Status < 400 {
		return
	}
	for _, c := range e.contactsDuring(i) {
		if e.repeatsHostAnswer(i, c) {
			e.add(Finding{
				Oracle: leakedError, Call: i, Expected: "an error of the service itself, without the answer of " + printableHost(c.Host),
				Actual: model.Excerpt(reply.Body), Signature: e.hostSignature(i, c) + " body",
			})
			return
		}
		if hostFault(c) != "" && e.leaksFailure(i, c) {
			e.add(Finding{
				Oracle:    leakedError,
				Call:      i,
				Expected:  "an error of the service itself",
				Actual:    model.Excerpt(reply.Body),
				Signature: e.hostSignature(i, c),
			})
			return
		}
	}
}

// leaksFailure reports whether an error message shows the failure of a contact: the name of the host or of the file,
// or an error of package net.
func (p *playedTest) leaksFailure(i int, c model.Contact) bool {
	if c.Kind == model.ContactUse {
		return p.leaksPath(i, strings.TrimPrefix(c.Path(), "./")) // other resources than files have no name that is a secret
	}
	name, _, err := net.SplitHostPort(c.Host)
	if err != nil {
		name = c.Host
	}
	body := string(p.exchanges[i].Reply.Body)
	return p.leaksName(i, name) || strings.Contains(body, "dial tcp") || strings.Contains(body, "read tcp")
}

// leaksPath reports whether an error message contains the path of a file that the request does not contain. A short
// name, such as "data", may be a word of the message. It therefore counts only if it is in the form of an
// fs.PathError.
func (p *playedTest) leaksPath(i int, name string) bool {
	if !p.leaksName(i, name) {
		return false
	}
	body := string(p.exchanges[i].Reply.Body)
	isDistinct := strings.Contains(strings.Trim(name, "/"), "/") || path.Ext(name) != ""
	return isDistinct || strings.Contains(body, " "+name+": ") || strings.Contains(body, "/"+name+": ")
}

// leaksName reports whether an error message contains the name of a host that the request does not contain.
func (p *playedTest) leaksName(i int, name string) bool {
	x := p.exchanges[i]
	return name != "" && strings.Contains(string(x.Reply.Body), name) && !strings.Contains(x.Request.URL+string(x.Request.Body), name)
}

// repeatsHostAnswer reports whether an error message repeats the answer of a host. It ignores refusals (4xx)
// of a host, because they may be meant for the client, and parts of the answer that the request contained.
func (p *playedTest) repeatsHostAnswer(i int, c model.Contact) bool {
	if c.Kind == model.ContactUse {
		return false // the service may show the name of its machine
	}
	answer := p.stubAnswer(c)
	status, err := strconv.Atoi(c.Outcome)
	if len(answer) == 0 || err == nil && status/100 == 4 || refusesCall(c) || p.refusesInput(c) {
		return false
	}
	reply, request := string(p.exchanges[i].Reply.Body), p.exchanges[i].Request
	sent := request.URL + string(request.Body)
	return slices.ContainsFunc(distinctive(answer), func(part string) bool {
		in := func(text string) bool {
			return slices.ContainsFunc(spellings(part), func(s string) bool { return strings.Contains(text, s) })
		}
		return in(reply) && !in(sent)
	})
}

// stubAnswer returns the body with which a stub answered in a contact, "" if none did.
func (p *playedTest) stubAnswer(c model.Contact) string {
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

// longPassage is the length in bytes of a passage that two texts do not have in common by chance.
const longPassage = 48

// codeForm matches a part of a text that may be an id, a key or a code.
var codeForm = regexp.MustCompile(`[A-Za-z0-9_-]{10,}`)

// dateForm matches a date. The service may write dates itself.
var dateForm = regexp.MustCompile(`\d{4}-\d\d-\d\d`)

// distinctive returns the parts of a text that another text hardly contains by chance: the beginning of a long text,
// and words that look like ids.
func distinctive(text string) []string {
	text = strings.TrimSpace(text)
	var parts []string
	if len(text) >= longPassage {
		parts = append(parts, strings.ToValidUTF8(text[:longPassage], ""))
	}
	for _, word := range codeForm.FindAllString(text[:min(len(text), maxRead)], maxChecks) {
		const letters = "abcdefghijklmnopqrstuvwxyz"
		mixed := strings.ContainsAny(word, "0123456789") && strings.ContainsAny(strings.ToLower(word), letters)
		if mixed && !dateForm.MatchString(word) {
			parts = append(parts, word)
		}
	}
	return parts
}
