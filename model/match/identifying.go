package match

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// setKinds sets the kinds of all uses and the evidence for them. It runs when each use has its identity.
func (q *qualifier) setKinds() {
	identifying := q.identifyingAttrs()
	byName := map[string]Kind{} // few names are used very often
	q.each(func(op *model.Operation, u *ValueUse, i *identity) {
		named, known := byName[u.Name]
		if !known {
			named = kindOfName(u.Name)
			byName[u.Name] = named
		}
		u.Kind = KindAttribute
		switch {
		case named != "" && isText(*u):
			u.Kind, u.KindWhy = named, "its name is that of a "+string(named)
		case i.entity == nil || !canIdentify(*u):
		case identifying[i.entity.attrs[i.attr]] != "":
			u.KindWhy = identifying[i.entity.attrs[i.attr]]
			u.Kind = KindReference
			if q.isOwn(op, u, i.entity) {
				u.Kind = KindIdentifier
			}
		}
	})
}

// identifyingAttrs returns the attributes that identify elements, each with the first evidence for it, or that of a
// path parameter.
func (q *qualifier) identifyingAttrs() map[*attribute]string {
	all := map[*attribute]string{}
	sole := map[*model.Operation]string{}
	for _, op := range q.ops {
		sole[op] = soleSelector(op)
	}
	q.each(func(op *model.Operation, u *ValueUse, i *identity) {
		if i.entity == nil || !canIdentify(*u) {
			return
		}
		a := i.entity.attrs[i.attr]
		if all[a] == "" || u.In == model.InPath {
			all[a] = cmp.Or(q.evidenceOf(op, u, i, sole[op]), all[a])
		}
	})
	return all
}

// evidenceOf returns the evidence of a use that its attribute identifies elements, "" if there is none. sole is the
// operation's sole selector.
func (q *qualifier) evidenceOf(op *model.Operation, u *ValueUse, i *identity, sole string) string {
	name := i.entity.attrs[i.attr].name
	switch {
	case u.In == model.InPath && !u.Out && !slices.Contains(selectors, i.attr) && !q.isOperand(op, u):
		return "a path has it"
	case i.isReference && i.entity.identifiesBy(i.attr):
		return u.Name + " refers to it"
	case namesID(name):
		return "its name says so"
	case u.In == model.InQuery && !u.Out && u.Name == sole && !slices.Contains(genericNouns, plainName(u.Name)):
		return string(op.ID) + " selects by it alone"
	case u.Pointer != "" && describesID(u.schema):
		return "its description says so"
	case strings.HasSuffix(plainName(u.owner), "identifier") && isText(*u):
		return "it is a part of " + u.owner
	}
	return ""
}

// identifiesBy reports whether an attribute, given by its key, may be what references to the entity are: its key, an
// attribute in a path, a text key, or, of an entity without paths, the name.
func (e *entity) identifiesBy(attr string) bool {
	if attr == "name" && e.referencedOnly {
		return true
	}
	return attr == e.key() || e.attrs[attr].inPath || attr != "name" && slices.Contains(textKeys, attr)
}

// soleSelector returns the name of the query parameter that alone selects what a GET or a DELETE is about: the only one
// that is required, if the path has no parameter. It returns "" if there is none.
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

// namesID reports whether the name of an attribute says that it identifies an element: it is one of keyWords, or its
// last word is an id word without another meaning, as in "accountId", or "key" after another word, as in "meetingKey".
func namesID(name string) bool {
	parts := words(name)
	last := len(parts) - 1
	return last >= 0 && (slices.Contains(strictIDWords, parts[last]) || last > 0 && parts[last] == "key" ||
		slices.Contains(keyWords, plainName(name)))
}

// idDescription matches a description that says that a value identifies an element.
var idDescription = regexp.MustCompile(
	`(?i)\buniquely identif|\bunique (identifier|id|key|slug)\b|^(the |an? )?(identifier|id|uuid|guid) (of|for)\b`)

// describesID reports whether the description of a schema says that its value identifies an element.
func describesID(s *model.Schema) bool {
	return s != nil && s.Description != "" && idDescription.MatchString(s.Description)
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
