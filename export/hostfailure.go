package export

import (
	"fmt"
	"strings"

	"sonde/model"
)

// hostFailure is a failure of a host around the service.
type hostFailure struct {
	host string
	// text is the predicate of a sentence about the host, such as "resets". suffix ends the name of a test: "Resets".
	text, suffix string
}

// netFailures describe the faults of stubs.
var netFailures = map[model.NetFault]hostFailure{
	model.NetRefuse:        {text: "refuses", suffix: "Refuses"},
	model.NetUnreachable:   {text: "is unreachable", suffix: "IsUnreachable"},
	model.NetTimeout:       {text: "times out", suffix: "TimesOut"},
	model.NetReset:         {text: "resets", suffix: "Resets"},
	model.NetCut:           {text: "is cut off", suffix: "IsCutOff"},
	model.NetSlow:          {text: "is slow", suffix: "IsSlow"},
	model.NetMute:          {text: "is mute", suffix: "IsMute"},
	model.NetStall:         {text: "stalls", suffix: "Stalls"},
	model.NetWrongTLS:      {text: "has the wrong certificate", suffix: "HasWrongTLS"},
	model.NetExpiredTLS:    {text: "has an expired certificate", suffix: "HasExpiredCertificate"},
	model.NetUntrustedTLS:  {text: "has a certificate of an unknown authority", suffix: "HasUnknownAuthority"},
	model.NetTruncatedJSON: {text: "truncates its JSON", suffix: "TruncatesJSON"},
	model.NetNXDomain:      {text: "is unknown", suffix: "IsUnknown"},
	model.NetServFail:      {text: "cannot be looked up", suffix: "CannotBeLookedUp"},

	model.NetAddressInUse:     {text: "is in use", suffix: "IsInUse"},
	model.NetPermissionDenied: {text: "is forbidden", suffix: "IsForbidden"},
	model.NetNoSpace:          {text: "has no space", suffix: "HasNoSpace"},
	model.NetNoSuchFile:       {text: "is missing", suffix: "IsMissing"},
	model.NetIOError:          {text: "cannot be read or written", suffix: "IsUnreadable"},
}

// maxFailures is the maximum number of failures in a name.
const maxFailures = 2

// failuresOf returns the first failure of each host, at most maxFailures, for a test whose last answer is a
// server error.
func failuresOf(t model.Test) []hostFailure {
	if t.Calls[last(t)].Status < 500 {
		return nil
	}
	var all []hostFailure
	known := map[string]bool{}
	for _, s := range t.Stubs {
		if f, ok := failureOf(s); ok && !known[s.Host] && len(all) < maxFailures {
			known[s.Host] = true
			all = append(all, f)
		}
	}
	return all
}

// failureOf returns the first failure of a stub: a network fault, or an error status. It returns false if
// there is none.
func failureOf(s model.Stub) (hostFailure, bool) {
	for _, a := range s.Answers {
		f, ok := netFailures[a.Fault]
		if a.Fault == "" && a.Status >= 400 {
			f, ok = hostFailure{text: fmt.Sprintf("answers %d", a.Status), suffix: fmt.Sprintf("Answers%d", a.Status)}, true
		}
		if ok {
			f.host = s.Host
			return f, true
		}
	}
	return hostFailure{}, false
}

// whenName returns the suffix of a test's name for the failures of hosts: "_WhenPaymentsResets", or "".
func whenName(t model.Test) string {
	var all []string
	for _, f := range failuresOf(t) {
		all = append(all, nameOf(words(hostLabel(f.host)))+f.suffix)
	}
	if len(all) == 0 {
		return ""
	}
	return "_When" + strings.Join(all, "And")
}

// whenComment returns the comment on the failures of hosts in a test, "" if there are none.
func whenComment(t model.Test) string {
	var all []string
	for _, f := range failuresOf(t) {
		all = append(all, remark(withoutPort(f.host), 60)+" "+f.text)
	}
	if len(all) == 0 {
		return ""
	}
	c := t.Calls[last(t)]
	return fmt.Sprintf("//\n// %s answers %d when %s.\n", remark(string(c.Op), 80), c.Status, strings.Join(all, " and "))
}

// withoutPort returns a host without its port, if it has one.
func withoutPort(host string) string {
	if i := strings.LastIndexByte(host, ':'); i > 0 {
		return host[:i]
	}
	return host
}
