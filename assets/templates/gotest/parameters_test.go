package gotest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// param compares a part of an outward call with what the test wants. op is the wanted operation.
type param func(a *outwardCall, op string) []difference

// inBody wants a body that equals the JSON text want. Each exception has the matcher for one value.
func inBody(want string, but ...exception) param {
	return func(a *outwardCall, _ string) []difference { return compareBody(a.body, want, but) }
}

// inText wants a body that is this text.
func inText(want string) param {
	return func(a *outwardCall, _ string) []difference { return compareText(a.body, want) }
}

// inPlace wants a body whose value at a JSON pointer fits the matcher.
func inPlace(pointer string, m matcher) param {
	return func(a *outwardCall, _ string) []difference { return compareAt(a.body, pointer, m) }
}

// inQuery wants a parameter in the query whose value fits the matcher.
func inQuery(name string, m matcher) param {
	return func(a *outwardCall, _ string) []difference {
		return compareValues("query", name, a.request.URL.Query()[name], m)
	}
}

// inHeader wants a header whose value fits the matcher.
func inHeader(name string, m matcher) param {
	return func(a *outwardCall, _ string) []difference {
		values := a.request.Header.Values(name)
		if http.CanonicalHeaderKey(name) == "Host" {
			values = []string{a.request.Host}
		}
		return compareValues("header", name, values, m)
	}
}

// inPath wants a path parameter whose value fits the matcher.
func inPath(name string, m matcher) param {
	return func(a *outwardCall, op string) []difference {
		_, path, _ := strings.Cut(op, "/")
		found, names := pathPattern("/" + path)
		values := found.FindStringSubmatch(a.request.URL.EscapedPath())
		for i, n := range names {
			if value, err := url.PathUnescape(values[i+1]); n == name && err == nil {
				return compareValues("path", name, []string{value}, m)
			}
		}
		return compareValues("path", name, nil, m)
	}
}

// inTurn wants a message of TCP, or a datagram, that fits the matcher. number is the index of the message on its
// connection, from 0.
func inTurn(number int, m matcher) param {
	return func(a *outwardCall, _ string) []difference {
		var turn []string
		if number < len(a.messages) {
			turn = a.messages[number : number+1]
		}
		return compareValues("said", strconv.Itoa(number), turn, m)
	}
}

// wantAsked fails the test unless the call under test made at least one outward call to the operation that fits all
// params. op is an operation such as "POST /charges/{id}", "tcp" or "udp".
func (h *hosts) wantAsked(host, op string, params ...param) {
	l := currentLog
	l.t.Helper()
	step := hostOperation{host, op}
	nth := l.countWanted(step)
	var best *outwardCall
	var differences []difference
	l.await(func() bool {
		best, differences = nearestCall(l.callsUnderTest(), step, nth, params)
		return best != nil && len(differences) == 0
	})
	if best == nil {
		want, _ := json.Marshal(step.String())
		calls := callTexts(l.callsUnderTest())
		got, _ := json.Marshal(calls)
		differences = []difference{{In: "calls", Want: want, Got: got, What: "not called: " + summary(calls)}}
	}
	l.reportDifferences("po", len(l.wanted), step.String()+": ", differences)
	l.wanted = append(l.wanted, step)
}

// countWanted returns how many outward calls to an operation the test has wanted so far.
func (l *outwardLog) countWanted(step hostOperation) int {
	n := 0
	for _, other := range l.wanted {
		if other == step {
			n++
		}
	}
	return n
}

// nearestCall returns the outward call to an operation that differs least from params, and the differences. If
// several calls differ least, it returns the call nth of the operation (from 0) if that is one of them, and otherwise
// the first.
func nearestCall(calls []*outwardCall, step hostOperation, nth int, params []param) (best *outwardCall, least []difference) {
	n := 0
	for _, call := range calls {
		if !step.matches(call) {
			continue
		}
		var differences []difference
		for _, p := range params {
			if call.protocol != "refused" {
				differences = append(differences, p(call, step.op)...)
			}
		}
		if best == nil || len(differences) < len(least) || len(differences) == len(least) && n == nth {
			best, least = call, differences
		}
		n++
	}
	return best, least
}

// callTexts returns a text for each outward call, for messages.
func callTexts(calls []*outwardCall) []string {
	texts := []string{}
	for _, call := range calls {
		texts = append(texts, call.String())
	}
	return texts
}

// summary joins descriptions of outward calls to one line.
func summary(texts []string) string {
	if len(texts) == 0 {
		return "there were no calls"
	}
	return fmt.Sprintf("the calls were %s", strings.Join(texts, ", "))
}
