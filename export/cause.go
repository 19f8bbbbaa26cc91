package export

import (
	"fmt"
	"strings"

	"sonde/model"
)

// misdeed is what a host does that a service should be able to live with.
type misdeed struct {
	host string
	// does is it in words, and short for a name: "resets", "isMute".
	does, short string
}

// misdeeds are those of NetFaults.
var misdeeds = map[model.NetFault]misdeed{
	model.NetRefuse:        {host: "", does: "refuses", short: "Refuses"},
	model.NetUnreachable:   {host: "", does: "is unreachable", short: "IsUnreachable"},
	model.NetTimeout:       {host: "", does: "times out", short: "TimesOut"},
	model.NetReset:         {host: "", does: "resets", short: "Resets"},
	model.NetCut:           {host: "", does: "is cut off", short: "IsCutOff"},
	model.NetSlow:          {host: "", does: "is slow", short: "IsSlow"},
	model.NetMute:          {host: "", does: "is mute", short: "IsMute"},
	model.NetWrongTLS:      {host: "", does: "has the wrong certificate", short: "HasWrongTLS"},
	model.NetTruncatedJSON: {host: "", does: "truncates its JSON", short: "TruncatesJSON"},
	model.NetNXDomain:      {host: "", does: "is unknown", short: "IsUnknown"},
}

// mostMisdeeds is how many a name tells.
const mostMisdeeds = 2

// misdeedsOf returns the first faults and failures in a test's stubs, one a host, if the
// service fails in the end.
func misdeedsOf(t model.Test) []misdeed {
	if t.Calls[last(t)].Status < 500 {
		return nil
	}
	var all []misdeed
	known := map[string]bool{}
	for _, s := range t.Stubs {
		if m, ok := misdeedOf(s); ok && !known[s.Host] && len(all) < mostMisdeeds {
			known[s.Host] = true
			all = append(all, m)
		}
	}
	return all
}

func misdeedOf(s model.Stub) (misdeed, bool) {
	for _, a := range s.Answers {
		m, ok := misdeeds[a.Fault]
		if a.Fault == "" && a.Status >= 400 {
			m, ok = misdeed{does: fmt.Sprintf("answers %d", a.Status), short: fmt.Sprintf("Answers%d", a.Status)}, true
		}
		if ok {
			m.host = s.Host
			return m, true
		}
	}
	return misdeed{}, false
}

// whenName returns how a test's name goes on: "_WhenPaymentsResets".
func whenName(t model.Test) string {
	var all []string
	for _, m := range misdeedsOf(t) {
		all = append(all, short(words(hostName(m.host)))+m.short)
	}
	if len(all) == 0 {
		return ""
	}
	return "_When" + strings.Join(all, "And")
}

// whenComment says what a test with misdeeds shows.
func whenComment(t model.Test) string {
	var all []string
	for _, m := range misdeedsOf(t) {
		all = append(all, remark(bare(m.host), 60)+" "+m.does)
	}
	if len(all) == 0 {
		return ""
	}
	c := t.Calls[last(t)]
	return fmt.Sprintf("//\n// %s answers %d when %s.\n", remark(string(c.Op), 80), c.Status, strings.Join(all, " and "))
}

// bare returns a host without its port.
func bare(host string) string {
	if i := strings.LastIndexByte(host, ':'); i > 0 {
		return host[:i]
	}
	return host
}
