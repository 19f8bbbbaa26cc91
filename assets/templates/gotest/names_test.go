package gotest

import (
	"net/url"
	"strings"
)

// dns declares the records of a name.
func (h *hosts) dns(name string, rules ...rule) {
	s := &stub{protocol: "dns", host: name}
	s.lines = s.nameLines
	h.add(s, rules)
}

// nameLines returns the lines of the table for a name, those of each lookup of a script.
func (s *stub) nameLines() []string {
	script := append([]answer(nil), s.script...)
	switch {
	case s.rest != nil:
		script = append(script, *s.rest)
	case !s.repeats && len(script) > 1: // the script has ended
		script = append(script, answer{fate: "nxdomain"})
	}
	var all []string
	for i, a := range script {
		if i > 0 {
			all = append(all, "then "+url.PathEscape(s.host))
		}
		all = append(all, a.nameLines(s.host)...)
	}
	if s.repeats && len(script) > 1 {
		all = append(all, "again "+url.PathEscape(s.host))
	}
	return all
}

// nameLines returns the lines for one lookup.
func (a answer) nameLines(name string) []string {
	name = url.PathEscape(name)
	switch {
	case a.fate == "ETIMEDOUT":
		return []string{"dnsfail " + name + " timeout"}
	case a.fate != "":
		return []string{"dnsfail " + name + " " + a.fate}
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
