package model

import "strings"

// ContactKind is the kind of a Contact.
type ContactKind string

// The kinds of contacts.
const (
	ContactLookup  ContactKind = "lookup"  // the service looked up a name
	ContactDial    ContactKind = "dial"    // the service opened a connection
	ContactListen  ContactKind = "listen"  // the service listens on a port
	ContactMessage ContactKind = "message" // the service sent a request, bytes or a datagram
	ContactUse     ContactKind = "use"     // the service used a resource of its environment
)

// OutcomeWorks is the Outcome of a use of a resource that works as usual.
const OutcomeWorks = "works"

// Contact is an action of the service in the virtual network, or a use of its environment, during a test.
type Contact struct {
	Kind     ContactKind `json:"kind"`
	Protocol Protocol    `json:"protocol"`
	// Host has the form of Stub.Host. If the service looked up the name of the host, Host contains the name, not the
	// address.
	Host string `json:"host"`
	TLS  bool   `json:"tls,omitempty"`
	// Inward reports whether the host connected to the service.
	Inward bool `json:"inward,omitempty"`
	// Request is the HTTP request. For a database, its Body is the request to the database, in the form of
	// StubMatch.JSON.
	//
	// Data depends on the protocol:
	//   - TCP and UDP: the data that was sent
	//   - databases: the text of the request
	//   - DNS: the type of the record that was looked up
	//   - environment: how the resource was used, such as "listen", or "create ./orders/17.json" for a file; the
	//     Host of a file is its FilePattern
	Request Request `json:"request,omitzero"`
	Data    []byte  `json:"said,omitempty"`
	// Stub is the index of the stub that answered, -1 for none. Answer is the index of the answer in the stub's
	// Answers, len(Answers) for the stub's Else, -1 for no answer.
	Stub   int `json:"stub"`
	Answer int `json:"answer"`
	// Outcome describes the result: a status, a fault, or a word or two such as "answer", "nothing",
	// "connected", "refused" or "not trusted".
	Outcome string `json:"outcome"`
	// Call is the index of the test's call during which the contact happened, -1 before the first call.
	Call int `json:"call"`
	// Took is how long the service waited for a host that did not answer, in milliseconds.
	Took int `json:"took,omitempty"`
	// Uses is how often the service used the resource during the call, each time in the same way and with the same
	// outcome. Each use takes the next of the stub's Answers. Reading and writing an opened file are not counted as
	// uses.
	Uses int `json:"uses,omitempty"`
}

// IsReal reports whether the contact was with a real host, which the user allows (--net-allow). Such a host needs no
// stub.
func (c Contact) IsReal() bool { return c.Outcome == "real" }

// Action returns how the service used a resource of its environment, such as "listen" or "create".
func (c Contact) Action() string {
	action, _, _ := strings.Cut(string(c.Data), " ")
	return action
}

// Path returns the path of a file that the service used, "" for other contacts.
func (c Contact) Path() string {
	_, path, _ := strings.Cut(string(c.Data), " ")
	if c.Kind != ContactUse {
		return ""
	}
	return path
}
