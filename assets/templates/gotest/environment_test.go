package gotest

import (
	"net/url"
	"strings"
)

// environment declares what the service meets when it uses a resource of its machine: "hostname", "interfaces", a port such as
// "7000/tcp" or "*/udp", or a file such as "./data/*.json".
func (h *hosts) environment(resource string, rules ...rule) {
	s := &stub{protocol: "environment", host: resource}
	s.tableLines = s.useLines
	h.addStub(s, rules)
	if t := h.runningTest(); t != nil {
		t.Cleanup(func() { h.restoreEnvironment(s) })
	}
}

// restoreEnvironment removes a stub of the environment at the end of the test, so that a reset of the service does
// not meet the stub's failures.
func (h *hosts) restoreEnvironment(s *stub) {
	h.mu.Lock()
	var others []*stub
	for _, other := range h.testStubs {
		if other != s {
			others = append(others, other)
		}
	}
	h.testStubs = others
	h.mu.Unlock()
	h.makeReachable(s) // if this fails, the service has ended, and the next test shows that
}

// useLines returns the line of the network's table for a resource. The line has a step for each use in the script.
func (s *stub) useLines() []string {
	steps := []string{"use", url.PathEscape(s.host)}
	for _, a := range s.script {
		steps = append(steps, a.useStep())
	}
	switch {
	case s.isRepeated:
		steps = append(steps, "again")
	case s.afterScript != nil:
		steps = append(steps, s.afterScript.useStep())
	case len(s.script) > 1: // the real resource follows after the script
		steps = append(steps, "ok")
	}
	return []string{strings.Join(steps, " ")}
}

// useStep returns the step for one use: a failure, a value, or "ok" for the real resource.
func (a answer) useStep() string {
	switch {
	case a.failure != "":
		return "!" + a.failure
	case a.body != "":
		return "=" + url.PathEscape(a.body)
	}
	return "ok"
}
