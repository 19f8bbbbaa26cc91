package vnet

import "sonde/model"

// What is kept of what the service did in a test.
const (
	mostContacts = 1000
	mostKept     = 64 << 10 // of what it said at once
)

// log is what the service did, in order. The zero value is empty. What comes behind
// the most is let go.
type log struct {
	contacts []model.Contact
	ended    bool // nothing is written any more
}

// add writes down a contact and returns where it stands, -1 for nowhere.
func (l *log) add(c model.Contact) int {
	if l.ended || len(l.contacts) == mostContacts {
		return -1
	}
	c.Said = excerpt(c.Said)
	l.contacts = append(l.contacts, c)
	return len(l.contacts) - 1
}

// took says how long the service waited at a contact.
func (l *log) took(at, milliseconds int) {
	if at >= 0 && !l.ended {
		l.contacts[at].Took = milliseconds
	}
}

// excerpt is the beginning of what was said, which nobody else changes.
func excerpt(said []byte) []byte {
	if len(said) == 0 {
		return nil
	}
	return append([]byte(nil), said[:min(len(said), mostKept)]...)
}
