package search

import (
	"maps"
	"slices"

	"sonde/model"
)

// hostRegistry lists the hosts that a service contacted, in the order of the first contacts, with the outcomes of the
// contacts. It also holds the stubs that the user injected. It must be used by one goroutine at a time.
type hostRegistry struct {
	hosts    []*model.HostSummary
	byKey    map[model.HostKey]*model.HostSummary
	injected []model.Stub // stubs added by the user, matched before those of a test
	runStubs []model.Stub // stubs of the whole run, matched last
}

// Bounds of what is kept for display.
const (
	maxHosts        = 200
	maxResources    = 60      // resources of the environment, which do not count for maxHosts
	maxContacts     = 20      // contacts kept for each host
	maxContactBytes = 8 << 10 // bytes kept of the data of a contact
)

// clone returns a copy that can observe further contacts without changing h. The copy has no injected stubs.
func (h *hostRegistry) clone() *hostRegistry {
	c := &hostRegistry{byKey: map[model.HostKey]*model.HostSummary{}, runStubs: h.runStubs}
	for _, seen := range h.hosts {
		own := *seen
		own.Outcomes = maps.Clone(seen.Outcomes)
		c.hosts, c.byKey[seen.HostKey()] = append(c.hosts, &own), &own
	}
	return c
}

// connected is the outcome of a connection that was established.
const connected = "connected"

// observe adds the contacts of a test that was played. If the test has no calls, the contacts are those of a start of
// the service.
func (h *hostRegistry) observe(t model.Test, contacts []model.Contact) {
	stubs := slices.Concat(t.Stubs, h.runStubs)
	for _, c := range contacts {
		if c.Kind == model.ContactDial && c.Outcome == connected {
			continue // the messages of the connection are contacts, too
		}
		if at := h.entry(c); at != nil {
			met := model.HostContact{Contact: truncatedContact(c), AtStart: len(t.Calls) == 0}
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

// addContact adds a contact to the entry of its host. It does not change slices that snapshots share.
func addContact(at *model.HostSummary, m model.HostContact) {
	at.Count++
	at.Outcomes[m.Outcome]++
	at.TLS, at.AtStart = at.TLS || m.TLS, at.AtStart || m.AtStart
	if m.Kind == model.ContactMessage {
		at.Protocol, at.ProtocolKnown = m.Protocol, true
	}
	recent := at.RecentContacts[max(0, len(at.RecentContacts)-maxContacts+1):]
	at.RecentContacts = append(slices.Clip(recent), m)
	if m.Op != "" && !slices.Contains(at.Operations, m.Op) {
		at.Operations = append(slices.Clip(at.Operations), m.Op)
	}
}

// truncatedContact returns a contact with only the beginning of its data and of its request's body.
func truncatedContact(c model.Contact) model.Contact {
	c.Data = slices.Clone(c.Data[:min(len(c.Data), maxContactBytes)])
	if len(c.Request.Body) > maxContactBytes {
		c.Request.Body, c.Request.Truncated = slices.Clone(c.Request.Body[:maxContactBytes]), true
	}
	return c
}

// entry returns the entry of a contact's host, and adds an entry if there is none. It returns nil if there are too
// many hosts, or too many resources of the environment.
func (h *hostRegistry) entry(c model.Contact) *model.HostSummary {
	if at := h.byKey[c.HostKey()]; at != nil {
		return at
	}
	isUse, bound, others := c.Kind == model.ContactUse, maxHosts, 0
	if isUse {
		bound = maxResources
	}
	for _, seen := range h.hosts {
		if (seen.Protocol == model.Environment) == isUse {
			others++
		}
	}
	if others >= bound {
		return nil
	}
	if h.byKey == nil {
		h.byKey = map[model.HostKey]*model.HostSummary{}
	}
	at := &model.HostSummary{Host: c.Host, Protocol: c.Protocol, Inward: c.Inward, Outcomes: map[string]int{}}
	h.byKey[c.HostKey()] = at
	h.hosts = append(h.hosts, at)
	return at
}

// snapshot returns the hosts that were contacted, followed by other hosts with injected stubs.
func (h *hostRegistry) snapshot() []model.HostSummary {
	var all []model.HostSummary
	at := map[model.HostKey]int{}
	for i, seen := range h.hosts {
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

// inject adds a stub that is matched before the stubs of the tests. It replaces injected stubs for the same messages.
// If the stub has no answers, inject only removes stubs. It returns an error if the stub is invalid.
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

// stubsFor returns the injected stubs, followed by own, the stubs of a test.
func (h *hostRegistry) stubsFor(own []model.Stub) []model.Stub {
	if len(h.injected) == 0 {
		return own
	}
	return slices.Concat(h.injected, own)
}
