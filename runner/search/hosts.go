package search

import (
	"maps"
	"slices"

	"sonde/model"
)

// hostRegistry are those that a service was seen to turn to, with what became of it, in the
// order in which they were first seen. The scheduler's goroutine owns them.
type hostRegistry struct {
	seen     []*model.HostSummary
	byWhere  map[model.HostKey]*model.HostSummary
	injected []model.Stub // by a person, which come before those of a test
	fixed    []model.Stub // of the whole run, which come behind them
}

// The bounds of what is kept for whoever looks.
const (
	maxHosts        = 200
	maxContacts     = 20      // of a host
	maxContactBytes = 8 << 10 // of what the service said in a contact
)

// clone are hosts of which more may be seen without a change to these.
func (h *hostRegistry) clone() *hostRegistry {
	c := &hostRegistry{byWhere: map[model.HostKey]*model.HostSummary{}, fixed: h.fixed}
	for _, seen := range h.seen {
		own := *seen
		own.Outcomes = maps.Clone(seen.Outcomes)
		c.seen, c.byWhere[seen.HostKey()] = append(c.seen, &own), &own
	}
	return c
}

// connected is the outcome of a connection that came about.
const connected = "connected"

// observe takes note of the contacts of a test, as it was played.
func (h *hostRegistry) observe(t model.Test, contacts []model.Contact) {
	stubs := slices.Concat(t.Stubs, h.fixed)
	for _, c := range contacts {
		if c.Kind == model.ContactDial && c.Outcome == connected {
			continue // what comes of the connection follows
		}
		if at := h.entry(c); at != nil {
			met := model.HostContact{Contact: truncatedContact(c)}
			if c.Call >= 0 && c.Call < len(t.Calls) {
				met.Op = t.Calls[c.Call].Op
			}
			if c.Stub >= 0 && c.Stub < len(stubs) {
				met.AnsweredBy = &stubs[c.Stub]
			}
			addContact(at, met)
		}
	}
}

// addContact adds a contact to its host. What was handed out stays as it is.
func addContact(at *model.HostSummary, m model.HostContact) {
	at.Count++
	at.Outcomes[m.Outcome]++
	at.TLS = at.TLS || m.TLS
	if m.Kind == model.ContactMessage {
		at.Protocol, at.ProtocolKnown = m.Protocol, true
	}
	at.RecentContacts = append(at.RecentContacts[max(0, len(at.RecentContacts)-maxContacts+1):len(at.RecentContacts):len(at.RecentContacts)], m)
	if m.Op != "" && !slices.Contains(at.Operations, m.Op) {
		at.Operations = append(slices.Clip(at.Operations), m.Op)
	}
}

// truncatedContact is a contact with the beginning of what was said.
func truncatedContact(c model.Contact) model.Contact {
	c.Data = slices.Clone(c.Data[:min(len(c.Data), maxContactBytes)])
	if len(c.Request.Body) > maxContactBytes {
		c.Request.Body, c.Request.Truncated = slices.Clone(c.Request.Body[:maxContactBytes]), true
	}
	return c
}

// entry is the host of a contact, nil where there are too many.
func (h *hostRegistry) entry(c model.Contact) *model.HostSummary {
	if at := h.byWhere[c.HostKey()]; at != nil {
		return at
	}
	if len(h.seen) == maxHosts {
		return nil
	}
	if h.byWhere == nil {
		h.byWhere = map[model.HostKey]*model.HostSummary{}
	}
	at := &model.HostSummary{Host: c.Host, Protocol: c.Protocol, Inward: c.Inward, Outcomes: map[string]int{}}
	h.byWhere[c.HostKey()] = at
	h.seen = append(h.seen, at)
	return at
}

// snapshot are the hosts as they are now, and behind them those that nobody has turned
// to yet but for the person who put a stub there.
func (h *hostRegistry) snapshot() []model.HostSummary {
	var all []model.HostSummary
	at := map[model.HostKey]int{}
	for i, seen := range h.seen {
		now := *seen
		now.Outcomes = maps.Clone(seen.Outcomes)
		all, at[seen.HostKey()] = append(all, now), i
	}
	for _, s := range h.injected {
		i, known := at[s.HostKey()]
		if !known {
			i = len(all)
			all, at[s.HostKey()] = append(all, model.HostSummary{Host: s.Host, Protocol: s.Protocol, Inward: s.Inward}), i
		}
		all[i].Injected = append(all[i].Injected, s)
	}
	return all
}

// inject puts a stub before those of the tests from now on, in the place of what was
// there for the same messages. One without answers only takes that away.
func (h *hostRegistry) inject(s model.Stub) error {
	if len(s.Answers) > 0 {
		if err := s.Validate(); err != nil {
			return err
		}
	}
	h.injected = slices.DeleteFunc(slices.Clone(h.injected), s.Replaces)
	if len(s.Answers) > 0 {
		h.injected = append(h.injected, s)
	}
	return nil
}

// stubsFor are a test's stubs behind those that a person put there.
func (h *hostRegistry) stubsFor(own []model.Stub) []model.Stub {
	if len(h.injected) == 0 {
		return own
	}
	return slices.Concat(h.injected, own)
}
