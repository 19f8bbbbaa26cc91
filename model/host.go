package model

// HostKey tells the hosts around a service apart. What is spoken on a connection comes
// out only when something is said, so that HTTP counts as TCP.
type HostKey struct {
	Host     string
	Protocol Protocol
	Inward   bool
}

func hostKey(host string, p Protocol, inward bool) HostKey {
	if p == HTTP {
		p = TCP
	}
	return HostKey{Host: host, Protocol: p, Inward: inward}
}

// HostKey is the host that the stub stands for.
func (s Stub) HostKey() HostKey { return hostKey(s.Host, s.Protocol, s.Inward) }

// HostKey is the host of the contact.
func (c Contact) HostKey() HostKey { return hostKey(c.Host, c.Protocol, c.Inward) }

// HostKey is the host itself.
func (h HostSummary) HostKey() HostKey { return hostKey(h.Host, h.Protocol, h.Inward) }

// HostSummary is a host to which the service turned, or that turned to it, and what
// became of that.
type HostSummary struct {
	// Host is as a stub has it; of a name that is looked up it has no port.
	Host string
	// Protocol is TCP until Spoken tells that something was said there.
	Protocol      Protocol
	ProtocolKnown bool
	TLS           bool
	// Inward tells that it is a port of the service's own.
	Inward bool
	// Count is how many contacts there were, and Outcomes what came of them.
	Count    int
	Outcomes map[string]int
	// Operations are those during which the service turned to it, in the order in
	// which they were first seen; none where it did so by itself.
	Operations []OpID
	// RecentContacts are the newest contacts, the newest last.
	RecentContacts []HostContact
	// Injected are the stubs that a person put there, the first to answer first. The
	// host of one may never have been turned to.
	Injected []Stub
}

// HostContact is a contact as a run saw it. Of what was said it has the beginning.
type HostContact struct {
	Contact
	// Op is the operation during which it happened, "" for none.
	Op OpID
	// AnsweredBy is the stub that answered, nil where none did.
	AnsweredBy *Stub
}

// StubAnswer is what the host did, nil where no stub tells.
func (m HostContact) StubAnswer() *Answer {
	switch {
	case m.AnsweredBy == nil || m.Answer < 0:
		return nil
	case m.Answer < len(m.AnsweredBy.Answers):
		return &m.AnsweredBy.Answers[m.Answer]
	}
	return m.AnsweredBy.Else
}
