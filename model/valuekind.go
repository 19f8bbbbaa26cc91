package model

// ValueKind classifies a value by what it means for a client that passes values from one call to the next.
type ValueKind string

// The kinds. A client gets identifiers, references, cursors and credentials from earlier calls. The exception is an
// identifier that the client chooses when it creates an element. All other values are attributes.
const (
	// KindIdentifier is a value that identifies an element in the element's own messages or path: an id, a key, a
	// slug, or a name that is used as a key.
	KindIdentifier ValueKind = "identifier"
	// KindReference is an identifier of an element of another resource, such as the customerId of an order.
	KindReference ValueKind = "reference"
	// KindCursor is a value that continues a listing or names a version: a page token or an ETag.
	KindCursor ValueKind = "cursor"
	// KindCredential is a value that authenticates the caller, such as a token that a log-in returns.
	KindCredential ValueKind = "credential"
	KindAttribute  ValueKind = "attribute"
)

// ValueKinds lists all kinds: first the kinds that link operations, then KindAttribute.
var ValueKinds = []ValueKind{KindIdentifier, KindReference, KindCursor, KindCredential, KindAttribute}

// Links reports whether values of this kind link operations: one operation emits such a value, and another one takes
// it.
func (k ValueKind) Links() bool { return k != KindAttribute && k != "" }
