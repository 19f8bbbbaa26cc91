package gotest

import (
	"net/url"
	"strings"
)

// dns declares how lookups of a name are answered.
func (h *hosts) dns(name string, rules ...rule) {
	s := &stub{protocol: "dns", host: name}
	s.tableLines = s.dnsLines
	h.addStub(s, rules)
}

// dnsLines returns the lines of the network's table for a name. The lines have an answer for each lookup in the
// script.
func (s *stub) dnsLines() []string {
	script := append([]answer(nil), s.script...)
	switch {
	case s.afterScript != nil:
		script = append(script, *s.afterScript)
	case !s.isRepeated && len(script) > 1: // the name is unknown after the script
		script = append(script, answer{failure: "nxdomain"})
	}
	var all []string
	for i, a := range script {
		if i > 0 {
			all = append(all, "then "+url.PathEscape(s.host))
		}
		all = append(all, a.dnsLines(s.host)...)
	}
	if s.isRepeated && len(script) > 1 {
		all = append(all, "again "+url.PathEscape(s.host))
	}
	return all
}

// dnsLines returns the lines for one lookup.
func (a answer) dnsLines(name string) []string {
	name = url.PathEscape(name)
	switch {
	case a.failure == "ETIMEDOUT":
		return []string{"dnsfail " + name + " timeout"}
	case a.failure != "":
		return []string{"dnsfail " + name + " " + a.failure}
	case len(a.records) == 0:
		return []string{"dns " + name + " NONE"}
	}
	var all []string
	for _, r := range a.records {
		kind, value, _ := strings.Cut(r, " ")
		if value == "" {
			value = "-" // nothing
		}
		all = append(all, "dns "+name+" "+kind+" "+url.PathEscape(value))
	}
	return all
}
