package gotest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// answerUnmatched answers a message that no stub matches. In a test with one oracle it gives the answer of the nearest
// stub of the same operation, so that only this oracle can fail. In other tests it records the message as unmatched.
// An HTTP request then gets the status 501, and other messages get no answer.
func (l *outwardLog) answerUnmatched(protocol, host string, source any, m message) (answer, bool) {
	s, differences := l.nearestStub(protocol, host, m)
	switch single := len(strings.Fields(l.oracles)) == 1; {
	case single && s == nil:
		return answer{}, false
	case single:
		n := s.answersGiven - 1
		if t, ok := source.(*tcpSession); ok && !t.isShared() {
			n = t.answerCount
		} else if s.ordinal != 0 || len(differences) > 0 {
			n = s.answersGiven
			s.answersGiven++
		}
		return s.answerOrLast(n)
	}
	l.unmatched = append(l.unmatched, describeUnmatched(protocol, host, m, s, differences)...)
	if protocol != "http" {
		return answer{}, false
	}
	return answer{
		status: http.StatusNotImplemented,
		header: []string{"Content-Type: text/plain"},
		body:   "no stub of the test matches\n",
		send:   sendWhole,
	}, true
}

// answerOrLast returns the answer that follows the first n answers, or the last answer if the script is at its end.
func (s *stub) answerOrLast(n int) (answer, bool) {
	if a, ok := s.answerAt(n); ok || len(s.script) == 0 {
		return a, ok
	}
	return s.script[len(s.script)-1], true
}

// nearestStub returns the nearest stub for the operation of a message, and the differences: how the message violates
// the conditions of the stub. The nearest stub has the fewest differences. If several stubs have the fewest,
// nearestStub prefers a stub that has answers left.
func (l *outwardLog) nearestStub(protocol, host string, m message) (best *stub, least []difference) {
	for _, s := range l.h.stubsOf(protocol, host) {
		if protocol == "http" && s.request != "" && !requestConditions(s.request)[0](m) {
			continue
		}
		differences := s.differences(m)
		if isOtherCommand(differences) {
			continue
		}
		unused := best != nil && len(differences) == len(least) && s.answersGiven < len(s.script) && best.answersGiven >= len(best.script)
		if best == nil || len(differences) < len(least) || unused {
			best, least = s, differences
		}
	}
	return best, least
}

// isOtherCommand reports whether differences show that a request to a database has another command or query.
func isOtherCommand(differences []difference) bool {
	for _, d := range differences {
		if d.In == "body" && (d.Name == "/command" || d.Name == "/query") {
			return true
		}
	}
	return false
}

// differences returns how a message violates the conditions of a stub.
func (s *stub) differences(m message) []difference {
	var all []difference
	for _, w := range s.terms {
		switch w.in {
		case "query":
			all = append(all, compareMember("query", w, m.request.URL.Query()[w.name])...)
		case "header":
			all = append(all, compareMember("header", w, m.request.Header.Values(w.name))...)
		case "body":
			all = append(all, compareSubset(w.want, m.data)...)
		default:
			all = append(all, compareMessage(w, m.said())...)
		}
	}
	return all
}

// compareMember returns a difference if the wanted value is not among values.
func compareMember(in string, w term, values []string) []difference {
	if contains(values, w.want) {
		return nil
	}
	return compareValues(in, w.name, values, exactly(w.want))
}

// compareSubset returns the differences between a body and a JSON value. Objects in the body may have more members.
func compareSubset(want string, body []byte) []difference {
	if !json.Valid(body) {
		return compareBody(body, want, nil)
	}
	wanted, _ := decode(want)
	got, _ := decode(string(body))
	c := comparison{allowExtra: true}
	c.compare("", wanted, got)
	return c.differences
}

// compareMessage compares a message of TCP or UDP with a condition on its text.
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
	return []difference{newDifference("said", "", matcher{words: words}, json.RawMessage(encode(text)))}
}

// describeUnmatched describes a message that no stub matches. s is the nearest stub, nil if there is no stub for the
// operation. differences are the conditions of s that the message violates.
func describeUnmatched(protocol, host string, m message, s *stub, differences []difference) []difference {
	call := &outwardCall{protocol: protocol, host: host, request: m.request, command: m.command}
	got := json.RawMessage(encode(call.String()))
	switch {
	case s == nil:
		return []difference{{In: "calls", Got: got, What: call.String() + ", which was not recorded"}}
	case len(differences) == 0:
		return []difference{{In: "calls", Got: got, What: call.String() + ", once more than it was recorded"}}
	}
	for i := range differences {
		differences[i].What = call.String() + ", where the nearest stub differs: " + differences[i].What
	}
	return differences
}
