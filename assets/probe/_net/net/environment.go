//go:build unix

package net

import (
	"internal/poll"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
)

// sondeEnvironment is what the service meets in its environment: the name of the machine, its network interfaces and its
// ports and files. A resource has a name, such as "hostname", "7000/tcp" or "./data/orders.json".
type sondeEnvironment struct {
	resources []*sondeResource
	lastName  atomic.Pointer[string]      // the name of the machine that the service last read; "" for the real name
	lastLinks atomic.Pointer[[]sondeLink] // the interfaces that the service last read; none if resources did not have them
}

// sondeResource has what the service meets at the first, second, … use of the resources with a name that
// matches a pattern. "*" in the pattern matches any text without a slash.
type sondeResource struct {
	sondeScript
	pattern string
	steps   []sondeUseStep
}

// sondeUseStep is what the service meets at one use. links are the interfaces in the value, nil for other resources.
type sondeUseStep struct {
	poll.SondeUse
	links []sondeLink
}

// sondeInterfaces is the resource of the network interfaces.
const sondeInterfaces = "interfaces"

// readResource parses the steps of a resource: "=TEXT" for a value, "!EACCES" for an error, "!ENOSPC:7" for one after some
// bytes, and "ok" for what the real resource does.
func (t *sondeTable) readResource(pattern string, steps []string) bool {
	r := &sondeResource{pattern: pattern}
	for _, s := range steps {
		step := sondeUseStep{}
		known := true
		switch {
		case s == "again":
			r.again = true
			continue
		case s[0] == '=':
			step.Value, step.HasValue = s[1:], true
			if pattern == sondeInterfaces {
				step.links, known = sondeParseLinks(step.Value)
			}
		case s[0] == '!':
			name, after, _ := sondeCut(s[1:], ':')
			step.Errno, known = sondeErrnos[name]
			step.After = max(sondeInt(after), 0)
		case s != "ok":
			known = false
		}
		if !known {
			return false
		}
		r.steps = append(r.steps, step)
	}
	if len(r.steps) == 0 {
		return false
	}
	t.resources = append(t.resources, r)
	return true
}

// sondeParseLinks parses the lines of a value, which each have the name of an interface and an address. The first
// interface is the loopback.
func sondeParseLinks(text string) ([]sondeLink, bool) {
	links, ok := sondeDefaultLinks[:1:1], true
	for text != "" && ok {
		var line string
		line, text, _ = sondeCut(text, '\n')
		f := append(getFields(line), "", "")
		if f[0] != "" {
			links, ok = sondeAddLink(links, f[0], f[1])
		}
	}
	return links, ok
}

// use implements poll.SondeEnvironment. The first resource of the table with a matching pattern decides.
func (t *sondeTable) use(resource string) poll.SondeUse { return t.nextStep(resource).SondeUse }

// nextStep returns what the service meets when it uses a resource, and counts the use.
func (t *sondeTable) nextStep(resource string) (step sondeUseStep) {
	if r := t.resource(resource); r != nil {
		n := r.done.Add(1) - 1
		step = r.steps[r.at(len(r.steps), n)]
		step.By, step.Nth = r.pattern, uint64(n)
	}
	if resource != "hostname" {
		return step
	}
	if !step.HasValue && t.hostname != "" {
		step.Value, step.HasValue = t.hostname, true
	}
	t.lastName.Store(&step.Value)
	return step
}

// resource returns the first resource with a matching pattern, nil if there is none.
func (t *sondeTable) resource(name string) *sondeResource {
	for _, r := range t.resources {
		if sondeMatches(r.pattern, name) {
			return r
		}
	}
	return nil
}

// nextError returns the error that the service will meet at its next use of a resource, 0 for none.
func (t *sondeTable) nextError(resource string) syscall.Errno {
	if r := t.resource(resource); r != nil {
		return r.steps[r.current(len(r.steps))].Errno
	}
	return 0
}

// sondeMatches reports whether a text matches a pattern. After a slash, which only a slash matches, no earlier "*" can match more.
func sondeMatches(pattern, text string) bool {
	p, i := 0, 0
	star, from := -1, 0 // the last "*" in this part of the pattern, and the end of what it matches
	for i < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, i
			p++
		case p < len(pattern) && pattern[p] == text[i]:
			if text[i] == '/' {
				star = -1
			}
			p++
			i++
		case star >= 0 && text[from] != '/':
			from++
			p, i = star+1, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// machineName returns the name of the machine as the service last read it, or as it will read it first, in the form of names that are
// looked up. It returns "" if it is the real name.
func (t *sondeTable) machineName() string {
	name := t.hostname
	if last := t.lastName.Load(); last != nil && *last != "" {
		name = *last
	} else if r := t.resource("hostname"); r != nil && r.steps[0].HasValue {
		name = r.steps[0].Value
	}
	if name == "" {
		return ""
	}
	return sondeName(name)
}

// sondeReportedUses has the uses of the environment that were reported in this round. A service may use a file any number of times in
// a call: only the first use in each way is an event. An event at the end of the round has the number of the others.
var sondeReportedUses sondeUseReports

type sondeUseReports struct {
	mu   sync.Mutex
	seen map[sondeUseKey]*sondeUseReport
}

type sondeUseKey struct {
	resource, action string
	errno            syscall.Errno
	failed           bool
}

type sondeUseReport struct {
	poll.SondeUse
	further int // the number of uses after the first one
}

// sondeMaxUses bounds the events of uses in a round.
const sondeMaxUses = 512

// report reports a use, unless there was one in the same way. A failure may end the service, so it does not wait for other events.
func (s *sondeUseReports) report(u poll.SondeUse, resource, action string, failed bool, uses int) {
	key := sondeUseKey{resource, action, u.Errno, failed}
	s.mu.Lock()
	defer s.mu.Unlock()
	if before := s.seen[key]; before != nil {
		before.further += uses
		return
	}
	if len(s.seen) == sondeMaxUses {
		return
	}
	if s.seen == nil {
		s.seen = map[sondeUseKey]*sondeUseReport{}
	}
	s.seen[key] = &sondeUseReport{SondeUse: u}
	if failed {
		sondeReport(key.event(u, uses)...)
	} else {
		sondeReportLater(key.event(u, uses)...)
	}
}

// startRound reports the numbers of further uses, and forgets all.
func (s *sondeUseReports) startRound() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, r := range s.seen {
		if r.further > 0 {
			sondeReportLater(key.event(r.SondeUse, r.further)...)
		}
	}
	s.seen = nil
}

// event returns the fields of an event.
func (k sondeUseKey) event(u poll.SondeUse, uses int) []string {
	outcome := "ok"
	if k.failed {
		outcome = "failed"
	}
	return []string{"use", k.action, k.resource, u.By, sondeFormatUint(u.Nth), outcome, sondeFormatUint(uint64(uses))}
}

// sondeReadLinks reports that the service reads the network interfaces. It returns an error if the service may not read them.
func sondeReadLinks() error {
	t := sondeCurrentTable.Load()
	if t == nil {
		return nil
	}
	step := t.nextStep(sondeInterfaces)
	step.Report(sondeInterfaces, "read", step.Errno != 0)
	if step.Errno != 0 {
		return &OpError{Op: "route", Net: "ip+net", Err: os.NewSyscallError("netlinkrib", step.Errno)}
	}
	t.lastLinks.Store(&step.links)
	return nil
}

// seenLinks returns the interfaces of the resource as the service last read them, or as it will read them first. It
// returns nil if the table has no such resource, or the interfaces of the machine are unchanged.
func (t *sondeTable) seenLinks() []sondeLink {
	if last := t.lastLinks.Load(); last != nil {
		return *last
	}
	if r := t.resource(sondeInterfaces); r != nil {
		return r.steps[0].links
	}
	return nil
}
