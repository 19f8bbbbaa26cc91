package model

// ValueKind is what a value is for a client that passes values from one call to the next.
type ValueKind string

// The kinds. A call cannot make up an identifier, a reference, a cursor or a credential: another call must
// have returned it. All other values are attributes.
const (
	// KindIdentifier is a value that identifies an element of a resource, in a message or a path of that
	// element: an id, a key, a slug, or a name that is used as a key.
	KindIdentifier ValueKind = "identifier"
	// KindReference is an identifier of an element of another resource, such as the customerId of an order.
	KindReference ValueKind = "reference"
	// KindCursor is a value that continues a listing or names a version: a page token or an ETag.
	KindCursor ValueKind = "cursor"
	// KindCredential is a value that proves who calls, such as a token that a log-in returns.
	KindCredential ValueKind = "credential"
	KindAttribute  ValueKind = "attribute"
)

// ValueKinds are all kinds, those that lead from one call to another first.
var ValueKinds = []ValueKind{KindIdentifier, KindReference, KindCursor, KindCredential, KindAttribute}

// Links reports whether operations that emit a value of this kind lead to operations that take it.
func (k ValueKind) Links() bool { return k != KindAttribute && k != "" }
