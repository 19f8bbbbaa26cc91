package correct

import (
	"maps"
	"slices"
	"strings"

	"sonde/model/match"
	"sonde/ui/tui/screen"
)

// survey is what the values of a spec say about a correction. The zero value knows nothing.
type survey struct {
	identities []string       // that values have, those that link operations first, in the order of the alphabet
	operations map[string]int // the number of operations in which a correction would change values, by scope
}

// surveyOf goes through all values of a spec, which is slow if it is large.
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

// completions returns the identities that have a text in them, those that begin with it first.
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

// isNew reports whether it is known that no value has an identity.
func (s survey) isNew(identity string) bool {
	return s.identities != nil && !slices.Contains(s.identities, strings.TrimSpace(identity))
}
