package match

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"sonde/model/pointer"
)

// FindIDField returns the JSON pointer of the field in an answer that has the id for a later call. param is the name of
// the later call's parameter or field, resource is the ResourceName of the operation that answered, and body is the
// answer as encoding/json decodes it, with or without UseNumber. The field is a string or an integer. It is a member of
// the answer's object, of an object in it, or of the first element of a list. It may also be this element itself. The
// pointer is "" if the whole answer is the id. ok is false if no field can be the id.
//
// FindIDField is the heuristic of the EvoMaster paper's section 5.2.7. Its result is deterministic.
func FindIDField(param, resource string, body any) (pointer string, ok bool) {
	s := newScorer(param, resource)
	switch b := body.(type) {
	case map[string]any:
		s.scoreObject("", b)
	case []any:
		s.scoreList("", b)
	default:
		return "", isBareID(body)
	}
	return s.pointer, s.best > 0
}

// scorer walks an answer and keeps the field with the highest score.
type scorer struct {
	param, plain, tail string   // the parameter's name, its plain name, and the id word at its end
	resources          []string // plain names of one element of the resource

	best    int
	pointer string
}

func newScorer(param, resource string) *scorer {
	s := &scorer{param: param, plain: plainName(param), tail: idSuffix(param)}
	parts := words(resource)
	if n := len(parts); n > 0 {
		s.resources = []string{EntityName(resource), Singular(parts[n-1])}
	}
	return s
}

// Penalties that are subtracted from the score of a field if the field is not a member of the answer itself.
const (
	ownPenalty     = 3  // penalty for a member of an object that is named like the resource
	wrapperPenalty = 4  // penalty for a member of a wrapper, or of the only member of the answer
	listPenalty    = 1  // penalty for a member of the first element of a list
	foreignPenalty = 30 // penalty for a member of another object, where only a field with the parameter's name counts
)

// sameNameScore is the minimum score of a field that has the name of the parameter.
const sameNameScore = 95

// unnamedScore is the score of an id without a name, such as an element of a list.
const unnamedScore = 1

// wrappers are names of objects that do not describe their content.
var wrappers = []string{
	"data", "result", "results", "item", "items", "payload", "response", "entity", "content",
	"value", "values", "record", "records", "resource", "object", "body", "document", "created",
}

// scoreObject scores the members of an answer that is an object.
func (s *scorer) scoreObject(at string, object map[string]any) {
	for _, name := range keys(object) {
		here := at + "/" + pointer.Escape(name)
		switch v := object[name].(type) {
		case map[string]any:
			s.scoreNested(here, v, s.penalty(name, len(object)))
		case []any:
			s.scoreFirst(here+"/0", name, first(v), s.penalty(name, len(object))+listPenalty)
		default:
			s.keepIfBest(here, s.score(name), v)
		}
	}
}

// scoreFirst scores the first element of a list in the answer. If the element is not an object, the list must
// have the name of the resource: {"products": ["a"]}.
func (s *scorer) scoreFirst(at, list string, element any, penalty int) {
	if inner, ok := element.(map[string]any); ok {
		s.scoreNested(at, inner, penalty)
	} else if slices.Contains(s.resources, EntityName(list)) {
		s.keepIfBest(at, unnamedScore, element)
	}
}

// scoreList scores the first element of an answer that is a list.
func (s *scorer) scoreList(at string, list []any) {
	switch v := first(list).(type) {
	case map[string]any:
		s.scoreNested(at+"/0", v, listPenalty)
	default:
		if isBareID(v) {
			s.keepIfBest(at+"/0", unnamedScore, v)
		}
	}
}

// scoreNested scores the members of an object in the answer. penalty is subtracted from their scores.
func (s *scorer) scoreNested(at string, object map[string]any, penalty int) {
	for _, name := range keys(object) {
		score := s.score(name)
		if penalty >= foreignPenalty && (score < sameNameScore || slices.Contains(idWords, plainName(name))) {
			continue // the id of an element of another resource
		}
		s.keepIfBest(at+"/"+pointer.Escape(name), score-penalty, object[name])
	}
}

// penalty returns the amount that is subtracted from the scores of the fields in a member of the answer. name is the
// name of the member. siblings is the number of the answer's members.
func (s *scorer) penalty(name string, siblings int) int {
	switch {
	case slices.Contains(s.resources, EntityName(name)):
		return ownPenalty
	case siblings == 1 || slices.Contains(wrappers, plainName(name)):
		return wrapperPenalty
	}
	return foreignPenalty
}

// keepIfBest keeps a field if it can be an id and is better than the best field so far. A field is better if it has a
// higher score, or the same score and a shorter pointer.
func (s *scorer) keepIfBest(pointer string, score int, value any) {
	better := score > s.best || score == s.best && len(pointer) < len(s.pointer)
	if score > 0 && better && canBeID(value) {
		s.best, s.pointer = score, pointer
	}
}

// score returns how likely a field with this name has the value that the parameter needs, from 0 for an unrelated name
// to 100 for the parameter's name.
func (s *scorer) score(field string) int {
	f := plainName(field)
	rank := slices.Index(idWords, f)
	switch {
	case f == "":
		return 0
	case field == s.param:
		return 100
	case f == s.plain:
		return 98
	case s.withoutResource(f) == s.withoutResource(s.plain):
		return sameNameScore
	case f == s.tail:
		return 90
	case f == s.plain+"id" || s.plain == f+"id":
		return 85
	case rank >= 0:
		return 80 - 2*rank
	}
	rank = slices.Index(idWords, s.withoutResource(f))
	if rank >= 0 {
		return 60 - 2*rank
	}
	return 0
}

// withoutResource returns a field's plain name without the resource's name at its start: "name" for the "productname"
// of products.
func (s *scorer) withoutResource(field string) string {
	for _, r := range s.resources {
		if rest, ok := strings.CutPrefix(field, r); ok && rest != "" {
			return rest
		}
	}
	return field
}

// canBeID reports whether a value can be in a path: a string that is not empty, or an integer.
func canBeID(v any) bool {
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

// isBareID reports whether an answer that is a single value is an id, and not a message such as "created".
func isBareID(v any) bool {
	text, ok := v.(string)
	if !ok {
		return canBeID(v)
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
