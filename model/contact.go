package model

// ContactKind is what the service did on the network.
type ContactKind string

// The kinds of contacts.
const (
	ContactLookup  ContactKind = "lookup"  // it looked up a name
	ContactDial    ContactKind = "dial"    // it opened a connection
	ContactListen  ContactKind = "listen"  // it listens on a port
	ContactMessage ContactKind = "message" // it sent a request, bytes or a datagram
)

// Contact is one action of the service on the virtual network during a test.
type Contact struct {
	Kind     ContactKind `json:"kind"`
	Protocol Protocol    `json:"protocol"`
	// Host is written as in a Stub. It has the host's name if the service looked up the name.
	Host string `json:"host"`
	TLS  bool   `json:"tls,omitempty"`
	// Inward reports whether the host connected to the service.
	Inward bool `json:"inward,omitempty"`
	// Request is an HTTP request. Data is what was sent by TCP or UDP, or the type of the
	// DNS record that was looked up.
	Request Request `json:"request,omitzero"`
	Data    []byte  `json:"said,omitempty"`
	// Stub is the index of the stub that answered, -1 for none. Answer is the index of its
	// answer, -1 for none and len(Answers) for Else.
	Stub   int `json:"stub"`
	Answer int `json:"answer"`
	// Outcome is the result: a status, a fault, or a word or two such as "answer", "nothing", "connected",
	// "refused" or "not trusted".
	Outcome string `json:"outcome"`
	// Call is the index of the test's call during which the contact happened, -1 before the first call.
	Call int `json:"call"`
	// Took is how long the service waited for a host that does not answer, in milliseconds.
	Took int `json:"took,omitempty"`
}
