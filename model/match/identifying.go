package match

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// setKinds sets the kinds of all uses. It must run after each use has its identity.
func (q *qualifier) setKinds() {
	q.findIdentifying()
	q.each(func(op *model.Operation, u *ValueUse, i *identity) {
		u.Kind = KindAttribute
		switch {
		case u.spelling.kind != "" && isText(u):
			u.Kind = u.spelling.kind
		case i.entity == nil || !u.CanIdentify():
		case i.entity.attrs[i.attr].identifies != "":
			u.Kind = KindReference
			if q.isOwn(op, u, i.entity) && !q.listsOthers(u, i) && !q.describesOther(u, i) {
				u.Kind = KindIdentifier
			}
		}
	})
}

// listsOthers reports whether a use is a list of references from an element to other elements of the same entity,
// such as the allowed_group_ids of a group.
func (q *qualifier) listsOthers(u *ValueUse, i *identity) bool {
	return i.isReference && isList(u) && q.byComponent[u.owner()] == i.entity
}

// describesOther reports whether a use is the id of an element of another entity, according to the description of the
// use. For example, the destination of a payout is described as the "ID of the bank account or card".
func (q *qualifier) describesOther(u *ValueUse, i *identity) bool {
	if u.schema == nil || i.attr == i.entity.key() || !idDescription.MatchString(u.schema.Description) {
		return false
	}
	m := idOfNoun.FindStringSubmatch(firstClause(u.schema.Description))
	if m == nil {
		return false
	}
	noun, own := nounPhrase(m[1]), i.entity.parts
	return noun != nil && !slices.ContainsFunc(noun, func(w string) bool { return slices.Contains(own, w) })
}

// findIdentifying finds the attributes that identify elements, and sets their evidence. Evidence from a path
// parameter takes precedence. Of all other evidence, the first that is found counts.
func (q *qualifier) findIdentifying() {
	emittedAs := map[emission]bool{} // emissions for which evidence was already searched
	q.each(func(op *model.Operation, u *ValueUse, i *identity) {
		if i.entity == nil || !u.CanIdentify() {
			return
		}
		a := i.entity.attrs[i.attr]
		switch {
		case u.Out:
			if a.identifies != "" {
				return
			}
			if as := (emission{a, u.schema, u.owner(), i.isReference}); !emittedAs[as] {
				emittedAs[as] = true
				a.identifies = q.evidenceOfAny(u, i)
			}
		case a.identifies == "" || u.In == model.InPath:
			a.identifies = cmp.Or(q.evidenceOfInput(op, u, i), a.identifies)
			if a.identifies == "" {
				a.identifies = q.evidenceOfAny(u, i)
			}
		}
	})
}

// emission has the properties of an emitted use that determine its evidence. Many uses have equal properties, so
// findIdentifying searches for evidence only once for each emission.
type emission struct {
	attr        *attribute
	schema      *model.Schema
	owner       string
	isReference bool
}

// evidenceOfInput returns the evidence in an input that the input's attribute identifies elements. There are three
// kinds of evidence: the input is in a path, an operation selects an element by this input alone, or the input is
// beside a password in a body. evidenceOfInput returns "" if there is no evidence.
func (q *qualifier) evidenceOfInput(op *model.Operation, u *ValueUse, i *identity) string {
	switch {
	case u.In == model.InPath && !slices.Contains(selectors, i.attr) && !q.isOperand(op, u):
		return "a path has it"
	case u.In == model.InQuery && u.Name == soleSelector(op) && !slices.Contains(genericNouns, u.spelling.plain) &&
		!slices.Contains(searchWords, u.spelling.plain):
		return string(op.ID) + " selects by it alone"
	case u.In == model.InBody && isText(u) && q.isBesidePassword(op, u):
		return string(op.ID) + " takes it with a password"
	}
	return ""
}

// evidenceOfAny returns the evidence in a use, an input or an output, that the attribute of the use identifies
// elements. The evidence is in the name, the description or the component of the use. evidenceOfAny returns "" if there
// is none.
func (q *qualifier) evidenceOfAny(u *ValueUse, i *identity) string {
	switch {
	case i.isReference && i.entity.identifiesBy(i.attr):
		return u.Name + " refers to it"
	case q.isNamedID(u, i.entity.attrs[i.attr].name) || slices.Contains(keyWords, u.spelling.plain):
		return "its name says so"
	case u.Pointer != "" && describesID(u.schema):
		return "its description says so"
	case len(u.owner()) > len("identifier") && strings.HasSuffix(strings.ToLower(u.owner()), "identifier") && isText(u) &&
		!slices.Contains(typeNames, u.Name):
		return "it is a part of " + u.owner()
	}
	return ""
}

// identifiesBy reports whether values of an attribute may be references to the entity. attr is the key of the
// attribute. This is so for the entity's key, for a path parameter, and for a text key, such as "slug". The text key
// "name" also needs one of these: it is the key or a path parameter, or the entity is referencedOnly.
func (e *entity) identifiesBy(attr string) bool {
	if attr == "name" && e.referencedOnly {
		return true
	}
	return attr == e.key() || e.attrs[attr].inPath || attr != "name" && slices.Contains(textKeys, attr)
}

// maxLoginFields is the maximum number of fields of an object that looks like a log-in or a sign-up.
const maxLoginFields = 3

// searchWords are names of parameters with a text to search for. Such a text identifies no element.
var searchWords = []string{"q", "search", "searchterm", "searchtext", "searchquery", "keyword", "keywords", "term", "terms", "phrase"}

// isBesidePassword reports whether a field of a request is in an object with a password and at most maxLoginFields
// fields. Such a field probably identifies an account.
func (q *qualifier) isBesidePassword(op *model.Operation, u *ValueUse) bool {
	fields, password := 0, false
	object := u.Pointer[:strings.LastIndex(u.Pointer, "/")+1]
	uses := q.uses[op]
	for i := range uses {
		o := &uses[i]
		if o.In != model.InBody || o.Out || !strings.HasPrefix(o.Pointer, object) {
			continue
		}
		fields++
		if fields > maxLoginFields {
			return false
		}
		password = password || o.spelling.plain == "password"
	}
	return password && u.spelling.plain != "password"
}

// soleSelector returns the name of the query parameter that alone identifies the resource of a GET or a DELETE. This
// is the only required query parameter, if the path has no parameters. It returns "" if there is no such parameter.
func soleSelector(op *model.Operation) string {
	name := ""
	if op.Method != "GET" && op.Method != "DELETE" {
		return ""
	}
	for _, p := range op.Params {
		switch {
		case p.In == model.InPath, p.Required && p.In == model.InQuery && name != "":
			return ""
		case p.Required && p.In == model.InQuery:
			name = p.Name
		}
	}
	return name
}

// keyWords are names of attributes that identify an element wherever they are.
var keyWords = []string{"username", "login", "slug", "sku", "isbn", "iban", "imei", "serialnumber"}

// isNamedID reports whether the name of a use's attribute says that the attribute identifies an element. A name that
// ends in "key" counts in three cases:
//   - The words before "key" are the name of an entity, as in "meetingKey".
//   - An operation takes the value as a parameter.
//   - The description has a word for an identifier.
//
// Other keys encrypt, as in "publicKey", or are keys of a map, as in "topologyKey".
func (q *qualifier) isNamedID(u *ValueUse, name string) bool {
	parts := words(name)
	last := len(parts) - 1
	if !namesID(name) || Singular(parts[last]) != "key" {
		return namesID(name)
	}
	return !u.Out && u.In != model.InBody || q.byName[strings.Join(parts[:last], "")] != nil ||
		u.schema != nil && nounID.MatchString(u.schema.Description)
}

// namesID reports whether the name of an attribute says that the attribute identifies an element. The last word of
// such a name is an id word without another meaning, as in "accountId", or "key" after another word, as in
// "meetingKey".
func namesID(name string) bool {
	parts := words(name)
	last := len(parts) - 1
	if last > 0 {
		parts = singularLast(parts)
	}
	return last >= 0 && (slices.Contains(strictIDWords, parts[last]) || last > 0 && parts[last] == "key")
}

// uniqueDescription and idDescription match a description which says that a value identifies an element.
// uniqueDescription matches anywhere in the description, idDescription only at its beginning.
var (
	uniqueDescription = regexp.MustCompile(`[Uu]niquely identif|[Uu]nique (identifier|ID|id|key|slug)\b`)
	idDescription     = regexp.MustCompile(`^([Tt]he |[Aa]n? )?(identifier|Identifier|ID|id|Id|UUID|uuid|GUID) (of|for)\b`)
)

// describesID reports whether the description of a schema says that its value identifies an element.
func describesID(s *model.Schema) bool {
	if s == nil || s.Description == "" {
		return false
	}
	if strings.Contains(s.Description, "nique") && uniqueDescription.MatchString(s.Description) { // Contains is much faster
		return true
	}
	return idDescription.MatchString(s.Description)
}

// CanIdentify reports whether the type of a use allows the value to identify an element. The value must be a text, an
// integer or of unknown type, and the document must not list the possible values. For a list, the type of its elements
// counts. A value of type "number" counts only if its name says that it identifies an element, because many documents
// declare integers as numbers.
func (u *ValueUse) CanIdentify() bool {
	t := basicTypeOf(u)
	return (t == scalar || t == unknown) && (u.Type != "number" || namesID(u.Name)) && !isEnum(elementSchema(u.schema))
}

// elementSchema returns the schema of the elements of a list, at any depth, or s itself if it is not a list.
func elementSchema(s *model.Schema) *model.Schema {
	for depth := 0; s != nil && s.Items != nil && depth < maxDepth; depth++ {
		s = s.Items
	}
	return s
}
