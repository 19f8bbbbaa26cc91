package match

import (
	"regexp"
	"slices"

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
	case IsCredentialName(name):
		return KindCredential
	}
	return ""
}

// isText reports whether a use may be a text.
func isText(u ValueUse) bool {
	t := basicTypeOf(u)
	return (t == scalar || t == unknown) && u.Type != "integer" && u.Type != "number"
}

// setKinds sets the kinds of all uses. It runs when each use has its identity.
func (q *qualifier) setKinds() {
	identifying := q.identifyingAttrs()
	byName := map[string]Kind{} // few names are used very often
	q.each(func(op *model.Operation, u *ValueUse, i *identity) {
		named, known := byName[u.Name]
		if !known {
			named = kindOfName(u.Name)
			byName[u.Name] = named
		}
		switch {
		case named != "" && (named != KindCursor || isText(*u)):
			u.Kind = named
		case i.entity == nil || !identifying[i.entity.attrs[i.attr]] || !canIdentify(*u):
			u.Kind = KindAttribute
		case q.isOwn(op, u, i.entity):
			u.Kind = KindIdentifier
		default:
			u.Kind = KindReference
		}
	})
}

// identifyingAttrs returns the attributes that identify elements: a path parameter has the attribute, a use of
// it refers to another entity, or its name says so.
func (q *qualifier) identifyingAttrs() map[*attribute]bool {
	all := map[*attribute]bool{}
	q.each(func(op *model.Operation, u *ValueUse, i *identity) {
		if i.entity == nil || !canIdentify(*u) {
			return
		}
		inPath := u.In == model.InPath && !u.Out && !slices.Contains(selectors, i.attr) && !q.isOperand(op, u)
		if inPath || i.isReference || namesID(i.entity.attrs[i.attr].name) {
			all[i.entity.attrs[i.attr]] = true
		}
	})
	return all
}

// namesID reports whether the name of an attribute says that it identifies an element: its last word is an id
// word without another meaning, as in "accountId", or "key" after another word, as in "meetingKey".
func namesID(name string) bool {
	parts := words(name)
	last := len(parts) - 1
	return last >= 0 && (slices.Contains(strictIDWords, parts[last]) || last > 0 && parts[last] == "key")
}

// canIdentify reports whether the type of a use allows it to identify an element: it is one of an open set of
// texts or integers.
func canIdentify(u ValueUse) bool {
	t := basicTypeOf(u)
	return (t == scalar || t == unknown) && u.Type != "number" && !isEnum(elementSchema(u.schema))
}

// elementSchema returns the schema of the elements of a list, at any depth, or s itself if it is no list.
func elementSchema(s *model.Schema) *model.Schema {
	for depth := 0; s != nil && s.Items != nil && depth < maxDepth; depth++ {
		s = s.Items
	}
	return s
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
