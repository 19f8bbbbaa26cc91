package match

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// similarComponents finds components that describe the same entity. The component "job-metadata" describes a job if
// there is a component "job" that shares most of its properties.
type similarComponents struct {
	parts map[string][]string        // the words of each component's name, as coreWords returns them
	attrs map[string]map[string]bool // the plain names of a component's properties, by the component's joined words
	known map[string]bool            // the plain names of the resources
	// ownersOf are the names of the resources that contain the elements that a component describes, by the component's
	// joined words: "org" for the org-hook of /orgs/{org}/hooks/{id}.
	ownersOf map[string]map[string]bool
}

// newSimilarComponents collects the words and properties of all components. known are the plain names of the
// resources.
func newSimilarComponents(ops []*model.Operation, m *Matcher, known map[string]bool) similarComponents {
	k := similarComponents{map[string][]string{}, map[string]map[string]bool{}, known, map[string]map[string]bool{}}
	uses := m.uses
	k.nameComponents(ops, uses)
	for _, op := range ops {
		if owner := ownerOf(m.resources[op]); owner != "" && op.Method == "GET" {
			k.addOwner(owner, mainComponents(op))
		}
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
// also the name of a similar component, or else its whole name. A name that a resource has is not shortened.
func (k similarComponents) nameWords(component string) []string {
	parts := k.parts[component]
	if k.known[strings.Join(parts, "")] {
		return parts
	}
	for n := len(parts) - 1; n > 0; n-- {
		for _, some := range [][]string{singularLast(parts[:n]), parts[len(parts)-n:]} {
			rest := coreWords(component, parts[n:], k.known)
			if k.known[strings.Join(rest, "")] && some[0] == parts[0] {
				continue // a score-revision is an element of /revisions, and a pull-request-review one of /reviews
			}
			if k.areSimilar(strings.Join(parts, ""), strings.Join(some, "")) && !k.areDistinct(parts, some) {
				return some
			}
		}
	}
	return parts
}

// areSimilar reports whether two components, given by their joined words, share at least two properties, and at least
// half of the properties of the smaller component. One of the shared properties must not be a common one such as
// "name".
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

// addOwner records that the resource called owner contains the elements that components describe.
func (k similarComponents) addOwner(owner string, components []string) {
	for _, c := range components {
		key := strings.Join(k.parts[c], "")
		if k.ownersOf[key] == nil {
			k.ownersOf[key] = map[string]bool{}
		}
		k.ownersOf[key][owner] = true
	}
}

// ownerOf returns the name of the resource that contains the element r: "org" for /orgs/{org}/hooks/{id}. It returns "" if r
// is not an element, or not a part of another one.
func ownerOf(r *resource.Resource) string {
	if !r.Param || r.Parent == nil || r.Parent.Param || r.Parent.Parent == nil || !r.Parent.Parent.Param {
		return ""
	}
	owner := r.Parent.Parent
	for owner.Param && owner.Parent != nil {
		owner = owner.Parent
	}
	return EntityName(ResourceName(owner.Path))
}

// areDistinct reports whether a component describes elements of its own although its name ends with the name of
// another component. The elements are distinct if different resources contain them, and the words before the common
// end name one of these resources: an org-hook is not one of the hooks of repositories, and their ids are unrelated.
// parts and end are the words of the two components.
func (k similarComponents) areDistinct(parts, end []string) bool {
	own, others := k.ownersOf[strings.Join(parts, "")], k.ownersOf[strings.Join(end, "")]
	owner := strings.Join(parts[:len(parts)-len(end)], "")
	return own[owner] && len(others) > 0 && !others[owner] && slices.Equal(parts[len(parts)-len(end):], end)
}
