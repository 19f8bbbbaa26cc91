package model

// Where tells the hosts around a service apart. What is spoken on a connection comes
// out only when something is said, so that HTTP counts as TCP.
type Where struct {
	Host     string
	Protocol Protocol
	Inward   bool
}

func where(host string, p Protocol, inward bool) Where {
	if p == HTTP {
		p = TCP
	}
	return Where{Host: host, Protocol: p, Inward: inward}
}

// Where is the host that the stub stands for.
func (s Stub) Where() Where { return where(s.Host, s.Protocol, s.Inward) }

// Where is the host of the contact.
func (c Contact) Where() Where { return where(c.Host, c.Protocol, c.Inward) }

// Where is the host itself.
func (h HostSeen) Where() Where { return where(h.Host, h.Protocol, h.Inward) }

// HostSeen is a host to which the service turned, or that turned to it, and what
// became of that.
type HostSeen struct {
	// Host is as a stub has it; of a name that is looked up it has no port.
	Host string
	// Protocol is TCP until Spoken tells that something was said there.
	Protocol Protocol
	Spoken   bool
	TLS      bool
	// Inward tells that it is a port of the service's own.
	Inward bool
	// Count is how many contacts there were, and Outcomes what came of them.
	Count    int
	Outcomes map[string]int
	// Operations are those during which the service turned to it, in the order in
	// which they were first seen; none where it did so by itself.
	Operations []OpID
	// Last are the newest contacts, the newest last.
	Last []Met
	// Injected are the stubs that a person put there, the first to answer first. The
	// host of one may never have been turned to.
	Injected []Stub
}

// Met is a contact as a run saw it. Of what was said it has the beginning.
type Met struct {
	Contact
	// Op is the operation during which it happened, "" for none.
	Op OpID
	// By is the stub that answered, nil where none did.
	By *Stub
}

// Answered is what the host did, nil where no stub tells.
func (m Met) Answered() *Answer {
	switch {
	case m.By == nil || m.Answer < 0:
		return nil
	case m.Answer < len(m.By.Answers):
		return &m.By.Answers[m.Answer]
	}
	return m.By.Else
}
