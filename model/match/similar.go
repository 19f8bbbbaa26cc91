package match

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// similarComponents finds components that describe the same entity: "job-metadata" and "historical-meeting"
// have the names of a job and a meeting in theirs, and most of their properties.
type similarComponents struct {
	parts map[string][]string        // by component: the words of its name
	attrs map[string]map[string]bool // by those words joined: the plain names of its properties
	known map[string]bool            // the plain names of the resources
	// ownersOf are the resources with elements of which the described elements are parts, by the same key: "org" for the
	// org-hook of /orgs/{org}/hooks/{id}.
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
			if k.areSimilar(strings.Join(parts, ""), strings.Join(some, "")) && !k.areApart(parts, some) {
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

// addOwner records what the elements that components describe are parts of.
func (k similarComponents) addOwner(owner string, components []string) {
	for _, c := range components {
		key := strings.Join(k.parts[c], "")
		if k.ownersOf[key] == nil {
			k.ownersOf[key] = map[string]bool{}
		}
		k.ownersOf[key][owner] = true
	}
}

// ownerOf returns the name of the resource of whose elements the element r is a part: "org" for /orgs/{org}/hooks/{id}. It
// returns "" if r is no element, or no part of another one.
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

// areApart reports whether a component with the words of another one at its end describes elements of its own: both have
// elements, of different owners, and the words before are the owner. The hooks of an organization are none of the hooks of
// repositories, and their ids have nothing to do with each other.
func (k similarComponents) areApart(parts, end []string) bool {
	own, others := k.ownersOf[strings.Join(parts, "")], k.ownersOf[strings.Join(end, "")]
	owner := strings.Join(parts[:len(parts)-len(end)], "")
	return own[owner] && len(others) > 0 && !others[owner] && slices.Equal(parts[len(parts)-len(end):], end)
}
