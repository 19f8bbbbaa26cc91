package gotest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// param compares a part of an outward call with the wanted one.
type param func(a *ask, op string) []difference

// inBody wants a body to be this JSON, except for some values.
func inBody(want string, but ...exception) param {
	return func(a *ask, _ string) []difference { return compareBody(a.body, want, but) }
}

// inText wants a body to be this text.
func inText(want string) param {
	return func(a *ask, _ string) []difference { return compareText(a.body, want) }
}

// inPlace wants a body to have this value at a JSON pointer.
func inPlace(pointer string, m matcher) param {
	return func(a *ask, _ string) []difference { return compareAt(a.body, pointer, m) }
}

// inQuery wants a value in the query.
func inQuery(name string, m matcher) param {
	return func(a *ask, _ string) []difference {
		return compareValues("query", name, a.request.URL.Query()[name], m)
	}
}

// inHeader wants a header.
func inHeader(name string, m matcher) param {
	return func(a *ask, _ string) []difference {
		values := a.request.Header.Values(name)
		if http.CanonicalHeaderKey(name) == "Host" {
			values = []string{a.request.Host}
		}
		return compareValues("header", name, values, m)
	}
}

// inPath wants a value of a path parameter.
func inPath(name string, m matcher) param {
	return func(a *ask, op string) []difference {
		_, path, _ := strings.Cut(op, "/")
		found, names := templated("/" + path)
		values := found.FindStringSubmatch(a.request.URL.EscapedPath())
		for i, n := range names {
			if own, err := url.PathUnescape(values[i+1]); n == name && err == nil {
				return compareValues("path", name, []string{own}, m)
			}
		}
		return compareValues("path", name, nil, m)
	}
}

// inTurn wants a message of TCP, by its index from 0, or a datagram.
func inTurn(number int, m matcher) param {
	return func(a *ask, _ string) []difference {
		var turn []string
		if number < len(a.turns) {
			turn = a.turns[number : number+1]
		}
		return compareValues("said", strconv.Itoa(number), turn, m)
	}
}

// wantAsked fails unless the call under test made at least one such outward call. The operation is like "POST
// /charges/{id}", "tcp" or "udp".
func (h *hosts) wantAsked(host, op string, params ...param) {
	l := asked
	l.t.Helper()
	step := outward{host, op}
	nth := l.nth(step)
	var best *ask
	var differences []difference
	l.await(func() bool {
		best, differences = nearestAsk(l.since(), step, nth, params)
		return best != nil && len(differences) == 0
	})
	if best == nil {
		want, _ := json.Marshal(step.String())
		got, _ := json.Marshal(listed(l.since()))
		differences = []difference{{In: "calls", Want: want, Got: got, What: "was not asked, but " + oneLine(listed(l.since()))}}
	}
	l.differ("po", len(l.wants), step.String()+": ", differences)
	l.wants = append(l.wants, step)
}

// nth returns how many outward calls to an operation the test has wanted before.
func (l *ledger) nth(step outward) int {
	n := 0
	for _, other := range l.wants {
		if other == step {
			n++
		}
	}
	return n
}

// nearestAsk returns the outward call that differs least. Among equal calls it returns the nth.
func nearestAsk(all []*ask, step outward, nth int, params []param) (best *ask, least []difference) {
	n := 0
	for _, a := range all {
		if !step.is(a) {
			continue
		}
		var differences []difference
		for _, p := range params {
			if a.protocol != "refused" {
				differences = append(differences, p(a, step.op)...)
			}
		}
		if best == nil || len(differences) < len(least) || len(differences) == len(least) && n == nth {
			best, least = a, differences
		}
		n++
	}
	return best, least
}

// listed returns outward calls in words.
func listed(all []*ask) []string {
	texts := []string{}
	for _, a := range all {
		texts = append(texts, a.String())
	}
	return texts
}

// oneLine returns a list on one line.
func oneLine(texts []string) string {
	if len(texts) == 0 {
		return "nothing was"
	}
	return fmt.Sprintf("what was asked is %s", strings.Join(texts, ", "))
}
