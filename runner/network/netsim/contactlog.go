package netsim

import "sonde/model"

// Limits of a contactLog.
const (
	maxContacts = 1000
	maxUses     = 200      // number of contacts with the environment, which do not count for maxContacts
	maxKept     = 64 << 10 // size of a message in a contact, in bytes
)

// contactLog has the contacts of a test in order. The zero value is empty. It drops contacts
// after the first maxContacts, and uses of the environment after the first maxUses.
type contactLog struct {
	contacts []model.Contact
	uses     int                 // the number of uses of the environment among the contacts
	observe  func(model.Contact) // is called for each contact until the end, also for those beyond the limits; may be nil
	ended    bool                // nothing is added any more
}

// add appends a contact and returns its index, or -1 if it was dropped.
func (l *contactLog) add(c model.Contact) int {
	if l.ended {
		return -1
	}
	c.Data = excerpt(c.Data)
	if l.observe != nil {
		l.observe(c)
	}
	switch isUse := c.Kind == model.ContactUse; {
	case isUse && l.uses == maxUses, !isUse && len(l.contacts)-l.uses == maxContacts:
		return -1
	case isUse:
		l.uses++
	}
	l.contacts = append(l.contacts, c)
	return len(l.contacts) - 1
}

// setTook records how long the service waited for the host of a contact.
func (l *contactLog) setTook(index, milliseconds int) {
	if index >= 0 && !l.ended {
		l.contacts[index].Took = milliseconds
	}
}

// addUses adds to the number of uses in a contact.
func (l *contactLog) addUses(index, n int) {
	if index >= 0 && !l.ended {
		l.contacts[index].Uses += n
	}
}

// excerpt returns a copy of the first maxKept bytes of a message, nil if the message is empty.
func excerpt(message []byte) []byte {
	if len(message) == 0 {
		return nil
	}
	return append([]byte(nil), message[:min(len(message), maxKept)]...)
}
