package gotest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// miss answers a message that no stub matches. In a test with one oracle it gives the answer of the nearest
// stub of the same operation, so that only this oracle can fail.
func (l *ledger) miss(protocol, host string, by any, m message) (answer, bool) {
	s, differences := l.nearest(protocol, host, m)
	switch alone := len(strings.Fields(l.oracles)) == 1; {
	case alone && s == nil:
		return answer{}, false
	case alone:
		n := s.given - 1
		if t, ok := by.(*talk); ok {
			n = t.turns
		} else if s.nth != 0 || len(differences) > 0 {
			n = s.given
			s.given++
		}
		return s.answerOf(n)
	}
	l.misses = append(l.misses, missing(protocol, host, m, s, differences)...)
	if protocol != "http" {
		return answer{}, false
	}
	return answer{
		status: http.StatusNotImplemented,
		header: []string{"Content-Type: text/plain"},
		body:   "no stub of the test fits\n",
		say:    whole,
	}, true
}

// answerOf returns an answer of a script, the last one if the script has ended.
func (s *stub) answerOf(n int) (answer, bool) {
	if a, ok := s.turn(n); ok || len(s.script) == 0 {
		return a, ok
	}
	return s.script[len(s.script)-1], true
}

// nearest returns the stub of an operation whose conditions a message violates least. Among equal stubs it
// prefers one that has answers left.
func (l *ledger) nearest(protocol, host string, m message) (best *stub, least []difference) {
	for _, s := range l.h.of(protocol, host) {
		if protocol == "http" && s.request != "" && !asking(s.request)[0](m) {
			continue
		}
		differences := s.differences(m)
		fresh := best != nil && len(differences) == len(least) && s.given < len(s.script) && best.given >= len(best.script)
		if best == nil || len(differences) < len(least) || fresh {
			best, least = s, differences
		}
	}
	return best, least
}

// differences returns how a message violates the conditions of a stub.
func (s *stub) differences(m message) []difference {
	var all []difference
	for _, w := range s.terms {
		switch w.in {
		case "query":
			all = append(all, among("query", w, m.request.URL.Query()[w.name])...)
		case "header":
			all = append(all, among("header", w, m.request.Header.Values(w.name))...)
		case "body":
			all = append(all, bodyLacks(w.want, m.data)...)
		default:
			all = append(all, compareMessage(w, string(m.data))...)
		}
	}
	return all
}

// among returns a difference unless the wanted value is among several.
func among(in string, w term, values []string) []difference {
	if contains(values, w.want) {
		return nil
	}
	return compareValues(in, w.name, values, exactly(w.want))
}

// bodyLacks returns the parts of a JSON value that a body does not have.
func bodyLacks(want string, body []byte) []difference {
	if !json.Valid(body) {
		return compareBody(body, want, nil)
	}
	wanted, _ := decode(want)
	got, _ := decode(string(body))
	c := comparison{lax: true}
	c.compare("", wanted, got)
	return c.all
}

// compareMessage compares a message of TCP or UDP.
func compareMessage(w term, text string) []difference {
	fits := map[string]func() bool{
		"is":      func() bool { return text == w.want },
		"begins":  func() bool { return strings.HasPrefix(text, w.want) },
		"matches": func() bool { return regexp.MustCompile(w.want).MatchString(text) },
	}[w.name]
	if fits() {
		return nil
	}
	words := fmt.Sprintf("what %s %q", w.name, w.want)
	return []difference{differing("said", "", matcher{words: words}, json.RawMessage(encode(text)))}
}

// missing describes a message that no stub matches. differences are those from the conditions of s, the nearest
// stub.
func missing(protocol, host string, m message, s *stub, differences []difference) []difference {
	a := &ask{protocol: protocol, host: host, request: m.request}
	switch {
	case s == nil:
		return []difference{{In: "calls", Got: json.RawMessage(encode(a.String())), What: a.String() + ", which was not recorded"}}
	case len(differences) == 0:
		return []difference{{In: "calls", Got: json.RawMessage(encode(a.String())), What: a.String() + ", once more than it was recorded"}}
	}
	for i := range differences {
		differences[i].What = a.String() + ", where the nearest stub differs: " + differences[i].What
	}
	return differences
}
