package match

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"sonde/model/pointer"
)

// FindIDField returns the JSON pointer of the field in an answer with the value that a later call
// needs. Param is the name of that call's parameter or field, resource is the ResourceName of the
// operation that answered, and body is the answer as encoding/json decodes it, with or without
// UseNumber. The field is a string or an integer, in the answer's object, in an object inside of
// it, or in the first element of a list. The pointer is "" if the whole answer is the value. The
// result is deterministic.
//
// It is the heuristic of the EvoMaster paper's section 5.2.7.
func FindIDField(param, resource string, body any) (pointer string, ok bool) {
	s := newScorer(param, resource)
	switch b := body.(type) {
	case map[string]any:
		s.object("", b)
	case []any:
		s.list("", b)
	default:
		return "", bare(body)
	}
	return s.pointer, s.best > 0
}

// scorer walks an answer and keeps the best field.
type scorer struct {
	param, plain, tail string
	resources          []string // what one element of the resource is called

	best    int
	pointer string
}

func newScorer(param, resource string) *scorer {
	s := &scorer{param: param, plain: plain(param), tail: tail(param)}
	parts := words(resource)
	if n := len(parts); n > 0 {
		s.resources = []string{EntityName(resource), Singular(parts[n-1])}
	}
	return s
}

// How much the score of a field is reduced if it is not in the answer's own object.
const (
	inOwn     = 3  // in an object named like the resource
	inWrapper = 4  // in one named "data" or the like, or the only one
	inList    = 1  // in the first element of a list
	inForeign = 30 // in any other, where only the very name counts
)

// telling is the minimum score of a field with the name of the parameter.
const telling = 95

// faint is the score of a value that has no name.
const faint = 1

// wrappers are names that say nothing about their content.
var wrappers = []string{
	"data", "result", "results", "item", "items", "payload", "response", "entity", "content",
	"value", "values", "record", "records", "resource", "object", "body", "document", "created",
}

func (s *scorer) object(at string, object map[string]any) {
	for _, name := range keys(object) {
		here := at + "/" + pointer.Escape(name)
		switch v := object[name].(type) {
		case map[string]any:
			s.inside(here, v, s.loss(name, len(object)))
		case []any:
			s.listed(here+"/0", name, first(v), s.loss(name, len(object))+inList)
		default:
			s.offer(here, s.score(name), v)
		}
	}
}

// listed scores the first element of a list inside the answer. If that is not an object, the list
// must have the name of the resource: {"products": ["a"]}.
func (s *scorer) listed(at, list string, element any, loss int) {
	if inner, ok := element.(map[string]any); ok {
		s.inside(at, inner, loss)
	} else if slices.Contains(s.resources, EntityName(list)) {
		s.offer(at, faint, element)
	}
}

// list scores an answer that is a list.
func (s *scorer) list(at string, list []any) {
	switch v := first(list).(type) {
	case map[string]any:
		s.inside(at+"/0", v, inList)
	default:
		if bare(v) {
			s.offer(at+"/0", faint, v)
		}
	}
}

// inside scores the plain fields of an object inside the answer.
func (s *scorer) inside(at string, object map[string]any, loss int) {
	for _, name := range keys(object) {
		score := s.score(name)
		if loss >= inForeign && (score < telling || slices.Contains(identities, plain(name))) {
			continue // the id of something else
		}
		s.offer(at+"/"+pointer.Escape(name), score-loss, object[name])
	}
}

func (s *scorer) loss(name string, siblings int) int {
	switch {
	case slices.Contains(s.resources, EntityName(name)):
		return inOwn
	case siblings == 1 || slices.Contains(wrappers, plain(name)):
		return inWrapper
	}
	return inForeign
}

func (s *scorer) offer(pointer string, score int, value any) {
	better := score > s.best || score == s.best && len(pointer) < len(s.pointer)
	if score > 0 && better && identifies(value) {
		s.best, s.pointer = score, pointer
	}
}

// score says how likely a field of that name is what the parameter needs: 100
// for the very name, 0 for a name that has nothing to do with it.
func (s *scorer) score(field string) int {
	f := plain(field)
	rank := slices.Index(identities, f)
	switch {
	case f == "":
		return 0
	case field == s.param:
		return 100
	case f == s.plain:
		return 98
	case s.own(f) == s.own(s.plain):
		return telling
	case f == s.tail:
		return 90
	case f == s.plain+"id" || s.plain == f+"id":
		return 85
	case rank >= 0:
		return 80 - 2*rank
	}
	rank = slices.Index(identities, s.own(f))
	if rank >= 0 {
		return 60 - 2*rank
	}
	return 0
}

// own drops the resource's name from the front of a field's: "productname"
// and "name" of a product are one.
func (s *scorer) own(field string) string {
	for _, r := range s.resources {
		if rest, ok := strings.CutPrefix(field, r); ok && rest != "" {
			return rest
		}
	}
	return field
}

// identifies reports whether a value can be in a path: a string or an integer.
func identifies(v any) bool {
	switch v := v.(type) {
	case string:
		return v != ""
	case json.Number:
		return !strings.ContainsAny(v.String(), ".eE")
	case float64:
		return v == math.Trunc(v) && math.Abs(v) < 1<<63
	}
	return false
}

// bare reports whether an answer that is one value is an id and no message, such
// as "created".
func bare(v any) bool {
	text, ok := v.(string)
	if !ok {
		return identifies(v)
	}
	return strings.ContainsAny(text, "0123456789") && !strings.ContainsAny(text, " \t\r\n")
}

func first(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

func keys(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
