//go:build unix

package net

import (
	"internal/poll"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
)

// sondeEnvironment is the part of a table about the environment of the service: the name of the machine, its
// network interfaces, its ports and its files. Each of these is a resource. The name of a resource is, for
// example, "hostname", "7000/tcp" or "./data/orders.json".
type sondeEnvironment struct {
	resources []*sondeResource
	lastName  atomic.Pointer[string]      // the name of the machine that the service last read; "" for the real name
	lastLinks atomic.Pointer[[]sondeLink] // the interfaces that the service last read; empty if no resource decided them
}

// sondeResource has the outcomes of the first, second, … use of the resources whose names match a pattern. "*"
// in the pattern matches any text without a slash.
type sondeResource struct {
	sondeScript
	pattern string
	steps   []sondeUseStep
}

// sondeUseStep is the outcome of one use of a resource. If the resource is the network interfaces, links has
// the interfaces in its value. Otherwise links is nil.
type sondeUseStep struct {
	poll.SondeUse
	links []sondeLink
}

// sondeInterfaces is the name of the resource of the network interfaces.
const sondeInterfaces = "interfaces"

// readResource parses the steps of a resource. It returns false if a step is invalid or there is none. The
// steps are:
//
//   - "=TEXT": the resource has the value TEXT
//   - "!EACCES": the use fails with this error
//   - "!ENOSPC:7": the use fails with this error after 7 bytes
//   - "ok": the service uses the real resource
//   - "again": the steps begin again after the last one
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

// sondeParseLinks parses the value of the resource of the network interfaces. Each line of the value has the
// name of an interface and an address. The first interface of the result is always the loopback.
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

// use is the function that poll.SondeEnvironment points to. The first resource of the table with a matching
// pattern decides.
func (t *sondeTable) use(resource string) poll.SondeUse { return t.nextStep(resource).SondeUse }

// nextStep returns the outcome of a use of a resource, and counts the use.
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

// nextError returns the error of the next use of a resource, or 0 if the use will not fail. It does not count a
// use.
func (t *sondeTable) nextError(resource string) syscall.Errno {
	if r := t.resource(resource); r != nil {
		return r.steps[r.current(len(r.steps))].Errno
	}
	return 0
}

// sondeMatches reports whether a text matches a pattern. A "*" does not match a slash. So once a slash is
// matched, a longer match of a "*" before the slash need not be tried.
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

// machineName returns the name of the machine that the service last read or, if it has read none, the name that
// it will read first. The name is in the form in which names are looked up. It is "" if the service sees the
// real name.
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

// sondeReportedUses has the uses of the environment that were reported in this round. A round begins with each
// new table and each sync command of Sonde. A service may use a file any number of times in a round. Of several
// equal uses only the first is reported when it occurs. At the end of the round, another event has the number
// of the further ones.
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

// sondeMaxUses is the maximum number of different uses that are reported in a round.
const sondeMaxUses = 512

// report reports a use. If an equal use was reported in this round, it only counts the use. It ignores a use that
// would be more than sondeMaxUses different ones. A failure is sent at once, because it may end the service.
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

// startRound begins a round: it reports how many further uses the last round had, and forgets all uses.
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

// event returns the fields of an event that reports a number of equal uses.
func (k sondeUseKey) event(u poll.SondeUse, uses int) []string {
	outcome := "ok"
	if k.failed {
		outcome = "failed"
	}
	return []string{"use", k.action, k.resource, u.By, sondeFormatUint(u.Nth), outcome, sondeFormatUint(uint64(uses))}
}

// sondeReadLinks reports that the service reads the network interfaces. It returns an error if the table lets
// this use fail.
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

// seenLinks returns the network interfaces that the service last read or, if it has read none, those that it
// will read first. It returns nil if no resource of the table decides them.
func (t *sondeTable) seenLinks() []sondeLink {
	if last := t.lastLinks.Load(); last != nil {
		return *last
	}
	if r := t.resource(sondeInterfaces); r != nil {
		return r.steps[0].links
	}
	return nil
}
