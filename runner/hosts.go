package runner

import (
	"maps"
	"slices"

	"sonde/model"
)

// hosts are those that a service was seen to turn to, with what became of it, in the
// order in which they were first seen. The engine's goroutine owns them.
type hosts struct {
	all      []*model.HostSeen
	places   map[model.Where]*model.HostSeen
	injected []model.Stub // by a person, which come before those of a test
	always   []model.Stub // of the whole run, which come behind them
}

// The bounds of what is kept for whoever looks.
const (
	mostHosts    = 200
	mostContacts = 20      // of a host
	mostSaid     = 8 << 10 // of what the service said in a contact
)

// clone are hosts of which more may be seen without a change to these.
func (h *hosts) clone() *hosts {
	c := &hosts{places: map[model.Where]*model.HostSeen{}, always: h.always}
	for _, seen := range h.all {
		own := *seen
		own.Outcomes = maps.Clone(seen.Outcomes)
		c.all, c.places[seen.Where()] = append(c.all, &own), &own
	}
	return c
}

// connected is the outcome of a connection that came about.
const connected = "connected"

// see takes note of the contacts of a test, as it was played.
func (h *hosts) see(t model.Test, contacts []model.Contact) {
	stubs := slices.Concat(t.Stubs, h.always)
	for _, c := range contacts {
		if c.Kind == model.Dial && c.Outcome == connected {
			continue // what comes of the connection follows
		}
		if at := h.place(c); at != nil {
			met := model.Met{Contact: shortened(c)}
			if c.Call >= 0 && c.Call < len(t.Calls) {
				met.Op = t.Calls[c.Call].Op
			}
			if c.Stub >= 0 && c.Stub < len(stubs) {
				met.By = &stubs[c.Stub]
			}
			meet(at, met)
		}
	}
}

// meet adds a contact to its host. What was handed out stays as it is.
func meet(at *model.HostSeen, m model.Met) {
	at.Count++
	at.Outcomes[m.Outcome]++
	at.TLS = at.TLS || m.TLS
	if m.Kind == model.Message {
		at.Protocol, at.Spoken = m.Protocol, true
	}
	at.Last = append(at.Last[max(0, len(at.Last)-mostContacts+1):len(at.Last):len(at.Last)], m)
	if m.Op != "" && !slices.Contains(at.Operations, m.Op) {
		at.Operations = append(slices.Clip(at.Operations), m.Op)
	}
}

// shortened is a contact with the beginning of what was said.
func shortened(c model.Contact) model.Contact {
	c.Said = slices.Clone(c.Said[:min(len(c.Said), mostSaid)])
	if len(c.Request.Body) > mostSaid {
		c.Request.Body, c.Request.Truncated = slices.Clone(c.Request.Body[:mostSaid]), true
	}
	return c
}

// place is the host of a contact, nil where there are too many.
func (h *hosts) place(c model.Contact) *model.HostSeen {
	if at := h.places[c.Where()]; at != nil {
		return at
	}
	if len(h.all) == mostHosts {
		return nil
	}
	if h.places == nil {
		h.places = map[model.Where]*model.HostSeen{}
	}
	at := &model.HostSeen{Host: c.Host, Protocol: c.Protocol, Inward: c.Inward, Outcomes: map[string]int{}}
	h.places[c.Where()] = at
	h.all = append(h.all, at)
	return at
}

// shown are the hosts as they are now, and behind them those that nobody has turned
// to yet but for the person who put a stub there.
func (h *hosts) shown() []model.HostSeen {
	var all []model.HostSeen
	at := map[model.Where]int{}
	for i, seen := range h.all {
		now := *seen
		now.Outcomes = maps.Clone(seen.Outcomes)
		all, at[seen.Where()] = append(all, now), i
	}
	for _, s := range h.injected {
		i, known := at[s.Where()]
		if !known {
			i = len(all)
			all, at[s.Where()] = append(all, model.HostSeen{Host: s.Host, Protocol: s.Protocol, Inward: s.Inward}), i
		}
		all[i].Injected = append(all[i].Injected, s)
	}
	return all
}

// inject puts a stub before those of the tests from now on, in the place of what was
// there for the same messages. One without answers only takes that away.
func (h *hosts) inject(s model.Stub) error {
	if len(s.Answers) > 0 {
		if err := s.Check(); err != nil {
			return err
		}
	}
	h.injected = slices.DeleteFunc(slices.Clone(h.injected), s.Replaces)
	if len(s.Answers) > 0 {
		h.injected = append(h.injected, s)
	}
	return nil
}

// before are a test's stubs behind those that a person put there.
func (h *hosts) before(own []model.Stub) []model.Stub {
	if len(h.injected) == 0 {
		return own
	}
	return slices.Concat(h.injected, own)
}
