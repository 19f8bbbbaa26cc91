// Package listing describes operations that list the elements of a collection, by what their spec says: where an answer
// has the elements, and which parameters filter them, sort them or select a page. Tests that compare lists, and the
// oracles that judge them, share these descriptions. What the spec leaves open is not guessed.
package listing

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// Listing is an operation that lists the elements of a collection.
type Listing struct {
	Op *model.Operation
	// Place is the JSON pointer of the array of elements in an answer, "" if the answer is the array.
	Place string
	// Element is the schema of an element, never nil.
	Element *model.Schema

	Filters []Filter
	Sorts   []Sort
	Paging  Paging
	// Preset reports whether the list lacks elements unless the request asks for them. This is so if a parameter that
	// neither sorts nor selects a page has a default, such as a status that is "active" by default.
	Preset bool

	key string // name of the path parameter that identifies an element, or "id"
}

// Of returns the description of an operation. key is the name of the path parameter that identifies an element of the
// collection, "" if there is none. ok is false if, according to the spec, the operation does not list elements, or its
// list is a selection such as recent orders.
func Of(op *model.Operation, key string) (l *Listing, ok bool) {
	if op.Method != "GET" || strings.HasSuffix(op.Path, "}") || selectionText.MatchString(op.Path+" "+op.Name+" "+op.Summary) {
		return nil, false
	}
	place, element := findArray(AnswerSchema(op))
	if element == nil {
		return nil, false
	}
	if key == "" {
		key = "id"
	}
	l = &Listing{Op: op, Place: place, Element: element, key: key}
	l.readParameters()
	return l, true
}

// selectionText matches names of lists that are selections, such as recent orders. If such a list is filtered, it may
// have other elements than before.
var selectionText = regexp.MustCompile(`(?i)\btop\b|recent|latest|featured|popular|trending|suggest|nearby|nearest|random|sampl|` +
	`related|recommend|similar|autocomplet|history`)

// AnswerSchema returns the schema of the JSON body of the answer 200, nil if there is none.
func AnswerSchema(op *model.Operation) *model.Schema {
	r, _ := op.Response(200)
	if r == nil || r.Default() {
		return nil
	}
	for _, c := range r.Contents {
		if strings.Contains(c.Media, "json") {
			return c.Schema
		}
	}
	return nil
}

// findArray returns the place of the array in a body and the schema of its elements. The body is the array, or an
// object with exactly one array, or with exactly one array of objects. The schema is nil if there is no such array.
func findArray(s *model.Schema) (place string, element *model.Schema) {
	if s == nil || len(s.OneOf)+len(s.AnyOf) > 0 {
		return "", nil
	}
	if s.Type == "array" {
		return "", s.ItemSchema()
	}
	var arrays, ofObjects []model.Property
	for _, p := range properties(s) {
		item := p.Schema.ItemSchema()
		if p.Schema.Type != "array" || item == nil {
			continue
		}
		arrays = append(arrays, p)
		if !isScalar(item) {
			ofObjects = append(ofObjects, p)
		}
	}
	for _, found := range [][]model.Property{ofObjects, arrays} {
		if len(found) == 1 {
			return "/" + pointer.Escape(found[0].Name), found[0].Schema.ItemSchema()
		}
	}
	return "", nil
}

// properties returns the properties of a schema and of the parts of its allOf.
func properties(s *model.Schema) []model.Property {
	var all []model.Property
	seen := map[*model.Schema]bool{nil: true}
	var walk func(*model.Schema)
	walk = func(s *model.Schema) {
		if seen[s] {
			return
		}
		seen[s] = true
		all = append(all, s.Properties...)
		for _, part := range s.AllOf {
			walk(part)
		}
	}
	walk(s)
	return all
}

// property returns the scalar property of the elements that has the given name, regardless of case and separators.
func (l *Listing) property(name string) (p model.Property, ok bool) {
	for _, p := range properties(l.Element) {
		if plain(p.Name) == plain(name) && plain(name) != "" && isScalar(p.Schema) {
			return p, true
		}
	}
	return model.Property{}, false
}

// PropertySchema returns the schema of a property of the elements, an empty schema if the spec has none.
func (l *Listing) PropertySchema(name string) *model.Schema {
	if s := l.Element.PropertySchema(name); s != nil {
		return s
	}
	return &model.Schema{}
}

func isScalar(s *model.Schema) bool {
	types := s.Types()
	return len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return t == "array" || t == "object" })
}

// plain returns a name in lower case, without separators.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// idPointer returns the JSON pointer of the id in an element. The pointer is "" if the elements are no objects. ok is
// false if no property can be the id.
func (l *Listing) idPointer(elements []any) (place string, ok bool) {
	if _, isObject := elements[0].(map[string]any); !isObject {
		return "", true
	}
	found, ok := match.FindIDField(l.key, match.ResourceName(l.Op.Path), elements)
	place, isFirst := strings.CutPrefix(found, "/0")
	return place, ok && isFirst && place != ""
}

// IDOf returns the id of an element and its JSON pointer in the element. ok is false if it has none.
func (l *Listing) IDOf(element any) (id, place string, ok bool) {
	if _, isObject := element.(map[string]any); !isObject {
		return "", "", false
	}
	place, ok = l.idPointer([]any{element})
	if !ok {
		return "", "", false
	}
	v, _ := pointer.Lookup(element, place)
	id, ok = Text(v)
	return id, place, ok
}
