package correct

import (
	"maps"
	"slices"
	"strings"

	"sonde/model/match"
	"sonde/ui/tui/screen"
)

// survey has data about the values of a spec that help to make a correction. The zero value has no data.
type survey struct {
	identities []string       // identities of values in alphabetical order, first the identities that link operations, then all others
	operations map[string]int // key: name of a scope; value: number of operations in which a correction with this scope would change values
}

// surveyOf returns the survey of a spec. It visits all values, which is slow for a large spec.
func surveyOf(analyzed *screen.AnalyzedSpec, scopes []scope) survey {
	m := analyzed.Matcher
	linking, others := map[string]bool{}, map[string]bool{}
	s := survey{operations: map[string]int{}}
	for i := range scopes {
		s.operations[scopes[i].name] = 0
	}
	for _, op := range analyzed.Spec.Operations {
		uses := m.UsesOf(op)
		for i := range uses {
			if u := &uses[i]; u.Kind.Links() {
				linking[u.ID] = true
			} else {
				others[u.ID] = true
			}
		}
		for i := range scopes {
			if slices.ContainsFunc(uses, func(u match.ValueUse) bool { return scopes[i].isAbout(m, op, u) }) {
				s.operations[scopes[i].name]++
			}
		}
	}
	maps.DeleteFunc(others, func(id string, _ bool) bool { return linking[id] })
	s.identities = append(slices.Sorted(maps.Keys(linking)), slices.Sorted(maps.Keys(others))...)
	return s
}

// completions returns the identities that contain typed. The identities that begin with typed come first.
func (s survey) completions(typed string) []string {
	typed = strings.ToLower(strings.TrimSpace(typed))
	var begin, have []string
	for _, id := range s.identities {
		switch low := strings.ToLower(id); {
		case strings.HasPrefix(low, typed):
			begin = append(begin, id)
		case strings.Contains(low, typed):
			have = append(have, id)
		}
	}
	return append(begin, have...)
}

// isNew reports whether the survey is complete and no value has the identity.
func (s survey) isNew(identity string) bool {
	return s.identities != nil && !slices.Contains(s.identities, strings.TrimSpace(identity))
}
