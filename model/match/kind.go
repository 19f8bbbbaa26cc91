package match

import (
	"regexp"

	"sonde/model"
)

// Kind is the kind of a value, see [model.ValueKind].
type Kind = model.ValueKind

// The kinds that the matcher gives.
const (
	KindIdentifier = model.KindIdentifier
	KindReference  = model.KindReference
	KindCursor     = model.KindCursor
	KindCredential = model.KindCredential
	KindAttribute  = model.KindAttribute
)

// cursorName matches the plain name of a cursor.
var cursorName = regexp.MustCompile(
	`(page|next|prev|previous|continuation|continue|sync|resume|resumption|skip|pagination|change)token$|cursor$|` +
		`^(starting|ending|next|page|exclusivestart|start)?(marker|lastevaluatedkey|scrollid)$|^(startingafter|endingbefore)$|` +
		`^(next|prev|previous)(link|page(url|link)?|url)$|etag$|^if(none)?match$`,
)

// kindOfName returns the kind of a value if its name alone determines it, or "".
func kindOfName(name string) Kind {
	switch {
	case cursorName.MatchString(plainName(name)):
		return KindCursor
	case IsCredentialName(name), isClientSecret(name):
		return KindCredential
	}
	return ""
}

// isText reports whether the type of a use allows a text.
func isText(u *ValueUse) bool {
	t := basicTypeOf(u)
	return (t == scalar || t == unknown) && u.Type != "integer" && u.Type != "number"
}

// isOwn reports whether a use belongs to the entity e instead of referring to it. Such a use is a parameter of a
// resource of the entity, or a field of an object that describes the entity.
func (q *qualifier) isOwn(op *model.Operation, u *ValueUse, e *entity) bool {
	switch {
	case u.In == model.InPath && !u.Out:
		r := q.resourceOfParam(op, u.Name)
		return r != nil && q.byResource[r] == e
	case u.Pointer == "" || u.IsKey:
		return q.byResource[q.resources[op]] == e
	}
	owner, _, _ := q.ownerOf(op, u)
	return owner == e
}
