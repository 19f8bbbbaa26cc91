package cluster

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

const (
	// minAreaOps is the minimum number of operations in an area. If an area would have fewer, its operations belong
	// to the area of its scope.
	minAreaOps = 4
	// minScopeShare and minScopeParts are the limits for scopes that have less than half of the operations of an API.
	// Such a scope has at least minScopeShare of the operations, in at least minScopeParts parts. See isScope.
	minScopeParts, minScopeShare = 12, 0.05
)

// resourceTree has the number of operations at or below each resource of an API.
type resourceTree struct {
	of    map[*model.Operation]*resource.Resource // for each operation, its resource, without modes in the path; see resource.Modes
	below map[*resource.Resource]int
	total int
	scope map[*resource.Resource]bool // caches the results of isScope
	modes resource.Modes
}

func newResourceTree(m *match.Matcher, ops []*model.Operation) *resourceTree {
	t := &resourceTree{
		of: map[*model.Operation]*resource.Resource{}, below: map[*resource.Resource]int{}, total: len(ops),
		scope: map[*resource.Resource]bool{}, modes: resource.Modes{},
	}
	for _, op := range ops {
		t.of[op] = t.modes.Outside(m.ResourceOf(op))
		for r := t.of[op]; r != nil; r = r.Parent {
			t.below[r]++
		}
	}
	return t
}

// areas returns, for each operation, the resource that names the operation's area, or nil if there is none. It is the
// first resource in the operation's path that is not a scope: "pulls" for GET
// /repos/{owner}/{repo}/pulls/{number}/files. If fewer than minAreaOps operations would be in an area with this noun,
// they belong to the area of a scope in their path, if there is one: GET /repos/{owner}/{repo}/languages belongs to
// "repos".
func (t *resourceTree) areas(ops []*model.Operation) []*resource.Resource {
	count := map[string]int{}
	chains := make([][]*resource.Resource, len(ops))
	for i, op := range ops {
		chains[i] = t.chain(t.of[op])
		if len(chains[i]) > 0 {
			count[noun(chains[i][0])]++
		}
	}
	areas := make([]*resource.Resource, len(ops))
	for i, chain := range chains {
		for _, r := range chain {
			areas[i] = r
			if count[noun(r)] >= minAreaOps {
				break
			}
		}
	}
	return areas
}

// chain returns the resources that may name an area of the operations at a resource. First comes the first resource
// of the path that is not a scope. The scopes above it follow, the innermost first. If all resources of the path are
// scopes, chain returns only the scopes.
func (t *resourceTree) chain(at *resource.Resource) []*resource.Resource {
	var path []*resource.Resource
	for r := at; r != nil; r = r.Parent {
		if t.canName(r) {
			path = append(path, r)
		}
	}
	slices.Reverse(path)
	if end := slices.IndexFunc(path, func(r *resource.Resource) bool { return !t.isScope(r) }); end >= 0 {
		path = path[:end+1]
	}
	slices.Reverse(path)
	return path
}

// isScope reports whether a resource mainly contains other resources, as "orgs" and "repos" do in the API of a code
// host. The operations of a resource are those at the resource and below it. A resource is a scope in two cases:
//   - It has at least half of the operations of the API.
//   - It has at least minScopeShare of the operations of the API, in at least minScopeParts parts, and no part has
//     half or more of the resource's operations.
func (t *resourceTree) isScope(r *resource.Resource) bool {
	known, ok := t.scope[r]
	if !ok {
		known = t.findScope(r)
		t.scope[r] = known
	}
	return known
}

func (t *resourceTree) findScope(r *resource.Resource) bool {
	n := t.below[r]
	if 2*n >= t.total {
		return true
	}
	parts := t.parts(r)
	return float64(n) >= minScopeShare*float64(t.total) && len(parts) >= minScopeParts &&
		!slices.ContainsFunc(parts, func(p *resource.Resource) bool { return 2*t.below[p] >= n })
}

// scopeNouns returns the nouns of resources whose elements have at least minScopeParts different parts. The parts of
// all resources with the same noun are counted together.
func (t *resourceTree) scopeNouns() map[string]bool {
	parts := map[string]map[string]bool{}
	for r := range t.below {
		if !r.Param || !t.canName(r.Parent) {
			continue
		}
		of := noun(r.Parent)
		if parts[of] == nil {
			parts[of] = map[string]bool{}
		}
		for _, p := range t.parts(r) {
			parts[of][noun(p)] = true
		}
	}
	scopes := map[string]bool{}
	for of, nouns := range parts {
		scopes[of] = len(nouns) >= minScopeParts
	}
	return scopes
}

// parts returns the nearest resources below r that can name an area.
func (t *resourceTree) parts(r *resource.Resource) (list []*resource.Resource) {
	for _, c := range r.Children {
		if t.canName(c) {
			list = append(list, c)
		} else {
			list = append(list, t.parts(c)...)
		}
	}
	return list
}

// plumbing matches a path segment that says nothing about the subject of an API. Such a segment is a version, such as
// "v1", "2" or "2024-10-01", or a word such as "api".
var plumbing = regexp.MustCompile(`(?i)^(apis?|rest|rpc|json|xml|v?\d+([._]\d+)*((alpha|beta|preview)\d*)?|\d{4}-\d{2}-\d{2}(-preview)?)$`)

// canName reports whether a resource can name a cluster. These resources cannot: the root, parameters, custom methods,
// segments that plumbing matches, and segments that all paths have, unless no resource below them can name a cluster.
func (t *resourceTree) canName(r *resource.Resource) bool {
	return r.Parent != nil && !r.Param && !r.Method && !plumbing.MatchString(r.Segment) && (t.below[r] < t.total || len(t.parts(r)) == 0)
}

// above returns the nearest resource above r that can name a cluster, nil if there is none.
func (t *resourceTree) above(r *resource.Resource) *resource.Resource {
	for r = r.Parent; r != nil; r = r.Parent {
		if t.canName(r) {
			return r
		}
	}
	return nil
}

// noun returns the words of a resource's segment in the singular.
func noun(r *resource.Resource) string {
	return strings.Join(match.Nouns(resource.Element(r.Segment)), " ")
}
