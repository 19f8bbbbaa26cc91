package match

import (
	"net/url"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// urlMatcher finds which elements the URLs in answers identify.
type urlMatcher struct {
	*qualifier
	root    *resource.Resource
	leadsTo map[*model.Schema]*resource.Resource // caches the results of resourceOfURL, because many uses have the same schema
}

// matchAll turns the URLs in answers into references. For example, a "homeworld" with the example
// "https://example.com/api/planets/1/" has the id of a planet if the API has /planets/{id}. If the answer also has
// the id in another field, the URL stays an attribute. matchAll must run after the other steps that set identities.
func (m urlMatcher) matchAll() {
	for _, op := range m.ops {
		var emitted map[*attribute]bool
		for k := range m.uses[op] {
			u := &m.uses[op][k]
			r := m.resourceOf(u)
			if r == nil {
				continue
			}
			if emitted == nil {
				emitted = m.emittedBy(op)
			}
			if i, ok := m.elementIdentity(r, u); ok && !emitted[i.entity.attrs[i.attr]] {
				i.why, i.evidence = u.Name+" is a URL of "+r.Path, EvidenceGuess
				m.identities[op][k] = i
				u.InURL = true
			}
		}
	}
}

// resourceOf returns the resource of the element that a URL in an answer identifies. It returns nil if the value is
// no such URL.
func (m urlMatcher) resourceOf(u *ValueUse) *resource.Resource {
	if !u.Out || u.In != model.InResponse || u.schema == nil {
		return nil
	}
	r, known := m.leadsTo[u.schema]
	if !known {
		r = resourceOfURL(m.root, u)
		m.leadsTo[u.schema] = r
	}
	if r == nil || kindOfName(u.Name) != "" {
		return nil
	}
	return r
}

// emittedBy returns the attributes that the answers of an operation have.
func (m urlMatcher) emittedBy(op *model.Operation) map[*attribute]bool {
	emitted := map[*attribute]bool{}
	for k, u := range m.uses[op] {
		if i := m.identities[op][k]; u.Out && i.entity != nil {
			emitted[i.entity.attrs[i.attr]] = true
		}
	}
	return emitted
}

// elementIdentity returns the identity of the id of an element of the resource r. The segment of r must be a path
// parameter. It returns false if r has no entity, or if the entity has no attribute for the id.
func (m urlMatcher) elementIdentity(r *resource.Resource, u *ValueUse) (identity, bool) {
	e, names := m.byResource[r], resource.ParamNames(r.Segment)
	if e == nil || len(names) != 1 {
		return identity{}, false
	}
	attr := plainName(m.paramKey(r, names[0], u))
	return identity{entity: e, attr: attr, isReference: true}, e.attrs[attr] != nil
}

// maxURLPrefix is the maximum number of segments that the example of a URL may have before a path of the API, such as
// the base path of a server.
const maxURLPrefix = 3

// resourceOfURL returns the resource of the element that a URL identifies: the last path parameter in the path of the
// URL. The URL is the example that the document gives for a text. resourceOfURL returns nil if there is no such
// example.
func resourceOfURL(root *resource.Resource, u *ValueUse) *resource.Resource {
	example := u.Example()
	if list, ok := example.([]any); ok && len(list) > 0 {
		example = list[0]
	} else if example == nil && u.schema.Items != nil {
		example = (&ValueUse{schema: elementSchema(u.schema)}).Example()
	}
	text, ok := example.(string)
	if !ok || !strings.Contains(text, "/") {
		return nil
	}
	at, err := url.Parse(text)
	if err != nil || at.Opaque != "" || at.Host == "" && !strings.HasPrefix(text, "/") {
		return nil
	}
	path, _, _ := strings.Cut(at.Path, "{") // the example may be a URI template
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	for skip := 0; skip < len(segments) && skip <= maxURLPrefix; skip++ {
		if r := descend(root, segments[skip:]); r != nil && r.Param && hasName(r) {
			return r
		}
	}
	return nil
}

// descend returns the resource at a path below r. If the last segment of the path is not a path parameter, descend
// returns the nearest resource above whose segment is a path parameter. It returns nil if there is none. If both a
// fixed segment and a parameter match, the fixed segment takes precedence.
func descend(r *resource.Resource, segments []string) *resource.Resource {
	if len(segments) == 0 {
		for r != nil && !r.Param {
			r = r.Parent
		}
		return r
	}
	for _, params := range []bool{false, true} {
		for _, c := range r.Children {
			if c.Param == params && (params || c.Segment == segments[0]) {
				if found := descend(c, segments[1:]); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

// hasName reports whether a fixed segment comes directly before the path parameter of r. Without a fixed segment, any
// path would match.
func hasName(r *resource.Resource) bool {
	return r.Parent != nil && !r.Parent.Param && !isNameless(r.Parent)
}
