package model

// HostKey identifies a host around a service. Protocol is TCP for hosts of HTTP and databases, too, because the
// protocol of a connection is only known after the first bytes.
type HostKey struct {
	Host     string
	Protocol Protocol
	Inward   bool
}

func hostKey(host string, p Protocol, inward bool) HostKey {
	if p == HTTP || p.IsDatabase() {
		p = TCP
	}
	return HostKey{Host: host, Protocol: p, Inward: inward}
}

// HostKey returns the key of the stub's host.
func (s Stub) HostKey() HostKey { return hostKey(s.Host, s.Protocol, s.Inward) }

// HostKey returns the key of the contact's host.
func (c Contact) HostKey() HostKey { return hostKey(c.Host, c.Protocol, c.Inward) }

// HostKey returns the host's key.
func (h HostSummary) HostKey() HostKey { return hostKey(h.Host, h.Protocol, h.Inward) }

// HostSummary is a host that the service contacted, or that contacted the service, with the outcomes of the
// contacts.
type HostSummary struct {
	// Host has the form of Stub.Host. The name of a DNS lookup has no port.
	Host string
	// Protocol is TCP until ProtocolKnown is true.
	Protocol      Protocol
	ProtocolKnown bool
	TLS           bool
	// Inward reports whether the host connects to a port of the service.
	Inward bool
	// Count is the number of contacts. Outcomes is the number of contacts by outcome.
	Count    int
	Outcomes map[string]int
	// Operations are the operations during whose calls the service contacted the host, in order of first contact. It
	// is empty if all contacts happened outside of calls.
	Operations []OpID
	// AtStart reports whether the service contacted the host while it started.
	AtStart bool
	// RecentContacts are the latest contacts, in order.
	RecentContacts []HostContact
	// Injected are the stubs that the user added, in order of precedence. A host with such stubs is listed even if the
	// service has not contacted it.
	Injected []Stub
}

// HostContact is a contact in a run. Its data may be truncated.
type HostContact struct {
	Contact
	// Op is the operation that was being called during the contact, "" if there was no call.
	Op OpID
	// AtStart reports whether the service was starting.
	AtStart bool
	// AnsweredBy is the stub that answered, nil if none did.
	AnsweredBy *Stub
}

// StubAnswer returns the answer of the stub, or nil if no stub answered.
func (m HostContact) StubAnswer() *Answer {
	switch {
	case m.AnsweredBy == nil || m.Answer < 0:
		return nil
	case m.Answer < len(m.AnsweredBy.Answers):
		return &m.AnsweredBy.Answers[m.Answer]
	}
	return m.AnsweredBy.Else
}
