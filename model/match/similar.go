package match

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// similarComponents finds components that describe the same entity. For example, the component "job-metadata"
// describes a job if the API also has a component "job" with most of the same properties.
type similarComponents struct {
	parts map[string][]string        // the words of each component's name, as coreWords returns them
	attrs map[string]map[string]bool // the plain names of each component's properties, by the words of the component, joined
	known map[string]bool            // the plain names of the resources
	// ownersOf has the names of the resources that contain the elements of a component, by the words of the component,
	// joined. For example, the org-hook of /orgs/{org}/hooks/{id} has the owner "org".
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
		var last *object
		var attrs map[string]bool
		list := uses[op]
		for i := range list {
			u := &list[i]
			if u.owner() == "" {
				continue
			}
			if u.object != last { // the values of an object come one after the other
				last, attrs = u.object, k.attrsOf(u.owner())
			}
			attrs[u.spelling.plain] = true
		}
	}
	return k
}

// attrsOf returns the set for the names of a component's properties. It creates the set if there is none.
func (k similarComponents) attrsOf(component string) map[string]bool {
	key := strings.Join(k.parts[component], "")
	attrs := k.attrs[key]
	if attrs == nil {
		attrs = map[string]bool{}
		k.attrs[key] = attrs
	}
	return attrs
}

// nameComponents sets the words of all components.
func (k similarComponents) nameComponents(ops []*model.Operation, uses map[*model.Operation][]ValueUse) {
	var all [][]string
	for _, op := range ops {
		list := uses[op]
		for i := range list {
			u := &list[i]
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

// nameWords returns the name of the entity that a component describes, as words. Usually this is the whole name of the
// component. But if the name begins or ends with the name of a similar component, the entity has the name of the
// similar component, the longest if there are several. A name is not shortened if a resource has it, if the words after
// its beginning name a resource, or if areDistinct says that the entities are different.
func (k similarComponents) nameWords(component string) []string {
	parts := k.parts[component]
	if k.known[strings.Join(parts, "")] {
		return parts
	}
	for n := len(parts) - 1; n > 0; n-- {
		for _, some := range [][]string{singularLast(parts[:n]), parts[len(parts)-n:]} {
			rest := coreWords(component, parts[n:], k.known)
			if k.known[strings.Join(rest, "")] && some[0] == parts[0] {
				continue // a score-revision is an element of /revisions, and a pull-request-review is an element of /reviews
			}
			if k.areSimilar(strings.Join(parts, ""), strings.Join(some, "")) && !k.areDistinct(parts, some) {
				return some
			}
		}
	}
	return parts
}

// areSimilar reports whether two components are similar. a and b are the joined words of their names. Similar
// components share at least two properties, and at least half of the properties of the smaller component. At least
// one of the shared properties must have a name that is not common; "name" is a common one.
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

// addOwner records that the resource called owner contains the elements that the components describe.
func (k similarComponents) addOwner(owner string, components []string) {
	for _, c := range components {
		key := strings.Join(k.parts[c], "")
		if k.ownersOf[key] == nil {
			k.ownersOf[key] = map[string]bool{}
		}
		k.ownersOf[key][owner] = true
	}
}

// ownerOf returns the name of the resource that contains the element r: "org" for /orgs/{org}/hooks/{id}. It returns
// "" if r is not an element, or if no other element contains it.
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

// areDistinct reports whether two components describe different entities although the name of one ends with the name
// of the other. parts are the words of the longer name. end are the words of the shorter name. The entities are
// different if different resources contain their elements, and the first words of the longer name are the name of such
// a resource. For example, an org-hook is not a hook of a repository, and their ids are unrelated.
func (k similarComponents) areDistinct(parts, end []string) bool {
	own, others := k.ownersOf[strings.Join(parts, "")], k.ownersOf[strings.Join(end, "")]
	owner := strings.Join(parts[:len(parts)-len(end)], "")
	return own[owner] && len(others) > 0 && !others[owner] && slices.Equal(parts[len(parts)-len(end):], end)
}
