package match

import (
	"slices"
	"strings"

	"sonde/model"
)

// similarComponents finds components that describe the same entity: "job-metadata" and "historical-meeting"
// have the names of a job and a meeting in theirs, and most of their properties.
type similarComponents struct {
	parts map[string][]string        // by component: the words of its name
	attrs map[string]map[string]bool // by those words joined: the plain names of its properties
	known map[string]bool            // the plain names of the resources
}

// newSimilarComponents collects the words and properties of all components. known are the plain names of the
// resources.
func newSimilarComponents(ops []*model.Operation, uses map[*model.Operation][]ValueUse, known map[string]bool) similarComponents {
	k := similarComponents{map[string][]string{}, map[string]map[string]bool{}, known}
	k.nameComponents(ops, uses)
	for _, op := range ops {
		for _, u := range uses[op] {
			if u.owner() == "" {
				continue
			}
			key := strings.Join(k.parts[u.owner()], "")
			if k.attrs[key] == nil {
				k.attrs[key] = map[string]bool{}
			}
			k.attrs[key][plainName(u.Name)] = true
		}
	}
	return k
}

// nameComponents sets the words of all components.
func (k similarComponents) nameComponents(ops []*model.Operation, uses map[*model.Operation][]ValueUse) {
	var all [][]string
	for _, op := range ops {
		for _, u := range uses[op] {
			if u.owner() != "" && k.parts[u.owner()] == nil {
				parts := componentWords(u.owner())
				k.parts[u.owner()] = parts
				all = append(all, parts)
			}
		}
	}
	prefix := prefixOf(all, k.known)
	for component, parts := range k.parts {
		if len(parts) > 1 && parts[0] == prefix {
			parts = parts[1:]
		}
		k.parts[component] = coreWords(component, parts, k.known)
	}
}

// nameWords returns the words of the entity that a component describes: the longest part of its name that is
// also the name of a similar component, or else its whole name. The name of a resource is whole.
func (k similarComponents) nameWords(component string) []string {
	parts := k.parts[component]
	if k.known[strings.Join(parts, "")] {
		return parts
	}
	for n := len(parts) - 1; n > 0; n-- {
		for _, some := range [][]string{singularLast(parts[:n]), parts[len(parts)-n:]} {
			if rest := strings.Join(parts[n:], ""); k.known[rest] && some[0] == parts[0] {
				continue // a score-revision is an element of /revisions
			}
			if k.areSimilar(strings.Join(parts, ""), strings.Join(some, "")) {
				return some
			}
		}
	}
	return parts
}

// areSimilar reports whether two components, given by their joined words, share at least two properties and
// at least half of those of the smaller component. One of the shared properties must not be a common one such
// as "name".
func (k similarComponents) areSimilar(a, b string) bool {
	shared, specific := 0, false
	for name := range k.attrs[a] {
		if k.attrs[b][name] {
			shared++
			specific = specific || !slices.Contains(commonAttrs, name)
		}
	}
	return specific && shared > 1 && 2*shared >= min(len(k.attrs[a]), len(k.attrs[b]))
}
