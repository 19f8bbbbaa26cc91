package model

// ContactKind is what the service did with the network.
type ContactKind string

// The kinds of contacts.
const (
	ContactLookup  ContactKind = "lookup"  // it asked for a name
	ContactDial    ContactKind = "dial"    // it opened a connection
	ContactListen  ContactKind = "listen"  // it waits on a port
	ContactMessage ContactKind = "message" // it sent a request, bytes or a datagram
)

// Contact is one thing that the service did with the virtual network in a test.
type Contact struct {
	Kind     ContactKind `json:"kind"`
	Protocol Protocol    `json:"protocol"`
	// Host is as a stub has it: with its name where the service looked that up.
	Host string `json:"host"`
	TLS  bool   `json:"tls,omitempty"`
	// Inward tells that the host spoke first.
	Inward bool `json:"inward,omitempty"`
	// Request is what was sent by HTTP, and Said what was by TCP or UDP, or the type
	// of what was looked up.
	Request Request `json:"request,omitzero"`
	Data    []byte  `json:"said,omitempty"`
	// Stub is the index of the stub that answered, and Answer of its answer; -1 is
	// none, and len(Answers) the one behind the script's end.
	Stub   int `json:"stub"`
	Answer int `json:"answer"`
	// Outcome is what came of it in a word: a status, a fault, "answer", "nothing".
	Outcome string `json:"outcome"`
	// Call is the number of the test's call during which it happened, -1 before the
	// first.
	Call int `json:"call"`
	// Took is how long the service waited for a mute host, in milliseconds.
	Took int `json:"took,omitempty"`
}
