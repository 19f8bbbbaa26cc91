package match

import (
	"regexp"

	"sonde/model"
)

// Kind is what a value is for a client that passes values from one call to the next.
type Kind string

// The kinds. A call cannot make up an identifier, a reference, a cursor or a credential: another call must
// have returned it. All other values are attributes.
const (
	// KindIdentifier is a value that identifies an element of a resource, in a message or a path of that
	// element: an id, a key, a slug, or a name that is used as a key.
	KindIdentifier Kind = "identifier"
	// KindReference is an identifier of an element of another resource, such as the customerId of an order.
	KindReference Kind = "reference"
	// KindCursor is a value that continues a listing or names a version: a page token or an ETag.
	KindCursor Kind = "cursor"
	// KindCredential is a value that proves who calls, such as a token that a log-in returns.
	KindCredential Kind = "credential"
	KindAttribute  Kind = "attribute"
)

// Links reports whether operations that emit a value of this kind lead to operations that take it.
func (k Kind) Links() bool { return k != KindAttribute && k != "" }

// cursorName matches the plain name of a cursor.
var cursorName = regexp.MustCompile(
	`(page|next|prev|previous|continuation|continue|sync|resume|resumption|skip|pagination|change)token$|cursor$|` +
		`^(starting|ending|next|page|exclusivestart|start)?(marker|lastevaluatedkey|scrollid)$|^(startingafter|endingbefore)$|` +
		`^(next|prev|previous)(link|page(url|link)?|url)$|etag$|^if(none)?match$`,
)

// kindOfName returns the kind that a name alone decides, or "".
func kindOfName(name string) Kind {
	switch {
	case cursorName.MatchString(plainName(name)):
		return KindCursor
	case IsCredentialName(name), isClientSecret(name):
		return KindCredential
	}
	return ""
}

// isText reports whether a use may be a text.
func isText(u ValueUse) bool {
	t := basicTypeOf(u)
	return (t == scalar || t == unknown) && u.Type != "integer" && u.Type != "number"
}

// isOwn reports whether a use is in a message or a path of an entity's element.
func (q *qualifier) isOwn(op *model.Operation, u *ValueUse, e *entity) bool {
	switch {
	case u.In == model.InPath && !u.Out:
		r := q.resourceOfParam(op, u.Name)
		return r != nil && q.byResource[r] == e
	case u.Pointer == "":
		return q.byResource[q.resources[op]] == e
	}
	owner, _ := q.ownerOf(op, u)
	return owner == e
}
