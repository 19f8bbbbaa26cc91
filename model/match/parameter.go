package match

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// pathParam sets the identity of a path parameter. The parameter is an attribute, usually the key, of the entity to
// which its name refers. If there is none, it is an attribute of an entity in the messages, see paramOfMessage, or of
// the entity of the resource that has the parameter.
func (q *qualifier) pathParam(op *model.Operation, u *ValueUse, i *identity) {
	if u.Out || u.In != model.InPath {
		return
	}
	q.reference(op, u, i)
	r := q.resourceOfParam(op, u.Name)
	if own := q.byResource[r]; own != nil && i.entity != nil && own != i.entity &&
		q.aliasesAt[i.entity.plain][r] == own {
		*i = identity{} // the hook_id of /orgs/{org}/hooks/{hook_id} identifies an org-hook, not a hook
	}
	if i.entity == nil && r != nil && (isNameless(r.Parent) || isSelector(r.Parent)) {
		q.paramOfMessage(op, u, i)
	}
	if r != nil && i.entity == nil {
		e := q.entityAt(r)
		attr := e.addUse(q.paramKey(r, u.Name, u), u)
		*i = identity{entity: e, attr: attr, why: "path parameter of " + r.Path, evidence: EvidencePlace}
	}
	if i.entity != nil {
		if r != nil && q.byResource[r] == i.entity {
			i.evidence = EvidencePlace
		}
		if followsParam := r != nil && r.Parent != nil && r.Parent.Param; !followsParam && !slices.Contains(selectors, i.attr) {
			i.entity.addPathAttr(i.attr)
		}
		i.isReference = !q.clientChooses(op, u)
	}
}

// versionSegment matches path segments that name no resource, such as "v1" and "api".
var versionSegment = regexp.MustCompile(`(?i)^(api|rest|v[0-9]+(\.[0-9]+)*((alpha|beta|rc)[0-9]*)?)$`)

// isNameless reports whether a resource has no name: it is the root, or all segments of its path are matched by
// versionSegment.
func isNameless(r *resource.Resource) bool {
	return r == nil || r.Parent == nil || versionSegment.MatchString(r.Segment) && isNameless(r.Parent)
}

// selectorSegment matches path segments that name no resource: they say how the next parameter identifies an element,
// or which format the answer has.
var selectorSegment = regexp.MustCompile(`^(by[-_].+|by[A-Z].*|json|xml)$`)

// isSelector reports whether a resource's segment only says how the next parameter identifies an element, as in
// /pets/by-name/{name}, or which format the answer has. It returns false if the resource above has no name; see
// isNameless.
func isSelector(r *resource.Resource) bool {
	return !isNameless(r.Parent) && selectorSegment.MatchString(r.Segment)
}

// paramOfMessage sets the identity of a path parameter without the name of a resource before it, such as the name in
// /v1/{name}. If an entity in the operation's messages has an attribute with the name of the parameter, the parameter
// becomes this attribute. Otherwise, paramOfMessage searches the messages of the other operations of the path.
func (q *qualifier) paramOfMessage(op *model.Operation, u *ValueUse, i *identity) {
	path, _, _ := strings.Cut(op.Path, "}:")
	path = strings.TrimSuffix(path, "}")
	for _, o := range append([]*model.Operation{op}, q.resourceOfParam(op, u.Name).Operations...) {
		if strings.TrimSuffix(o.Path, "}") != path && o != op {
			continue
		}
		for _, name := range mainComponents(o) {
			if e := q.byComponent[name]; e != nil && e.hasAttr(plainName(u.Name), u) {
				why := fmt.Sprintf("%s of %s, as in the messages of %s", u.Name, article(e.name), o.ID)
				*i = identity{entity: e, attr: plainName(u.Name), why: why, evidence: EvidenceName}
				return
			}
		}
	}
}

// selectors are names of path parameters that select a part of an element instead of an element.
var selectors = []string{"field", "fields", "filter", "format", "property", "attribute", "query"}

// clientChooses reports whether the client can make up the value of a path parameter. This is so in these cases:
//   - The value becomes the id of the element that the operation creates.
//   - The document lists the possible values.
//   - The value is a boolean.
//   - The value is an operand, see isOperand.
func (q *qualifier) clientChooses(op *model.Operation, u *ValueUse) bool {
	return q.createsByID(op, u.Name) || isEnum(u.schema) || basicTypeOf(u) == boolean || q.isOperand(op, u)
}

// isOperand reports whether a parameter is a number for a computation, as in GET /triangle/{a}/{b}/{c}. Its type must
// be integer or number, and its name must not end in an id word. The operation must be a GET. No other operation may
// be at or below the path that is left without the parameters at the end, here /triangle.
func (q *qualifier) isOperand(op *model.Operation, u *ValueUse) bool {
	if u.Type != "integer" && u.Type != "number" || op.Method != "GET" || idSuffix(u.Name) != "" {
		return false
	}
	r := q.resources[op]
	for r.Param {
		r = r.Parent
	}
	for place := range r.Subtree() {
		if slices.ContainsFunc(place.Operations, func(o *model.Operation) bool { return o != op }) {
			return false
		}
	}
	return true
}

// createsByID reports whether an operation creates the element that the parameter identifies. Then the client chooses
// the id, as in PUT /coupons/{code}. It returns false if a POST at another path also creates such elements.
func (q *qualifier) createsByID(op *model.Operation, param string) bool {
	r := q.resources[op]
	makers := r.Creators()
	return q.resourceOfParam(op, param) == r && len(makers) > 0 && makers[0] == resource.Creator{Op: op, Own: true} &&
		!q.isCreatedElsewhere(r)
}

// isCreatedElsewhere reports whether a POST on a collection at another path creates elements of a resource's entity.
// For example, POST /user/repos creates repos, so PUT /teams/{team}/repos/{repo} does not create them.
func (q *qualifier) isCreatedElsewhere(r *resource.Resource) bool {
	e := q.byResource[r]
	return e != nil && slices.ContainsFunc(e.resources, func(o *resource.Resource) bool {
		return o.Param && o != r && o.CollectionPost() != nil || !o.Param && o != r.Parent && o.Operation("POST") != nil
	})
}

// resourceOfParam returns the resource whose path ends with the parameter called name of an operation's path:
// /orders/{id} for the parameter id of /orders/{id}/items. It returns nil if there is no such parameter. The segment
// of the resource may have another name for the parameter, because operations may give the same parameter different
// names.
func (q *qualifier) resourceOfParam(op *model.Operation, name string) *resource.Resource {
	if q.paramCache[op] == nil {
		q.paramCache[op] = paramResources(q.resources[op], op.Path)
	}
	return q.paramCache[op][name]
}

// paramResources returns the resource of each parameter of a path, by the name of the parameter. r is the resource of
// the whole path. If two parameters have the same name, the last one counts.
func paramResources(r *resource.Resource, path string) map[string]*resource.Resource {
	at := map[string]*resource.Resource{}
	for _, segment := range slices.Backward(resource.Steps(path)) {
		for _, name := range resource.ParamNames(segment) {
			if at[name] == nil {
				at[name] = r
			}
		}
		r = r.Parent
	}
	return at
}

// paramKey returns the name of the attribute for a path parameter of a resource. name is the parameter's name, and u
// is a use of the parameter.
func (q *qualifier) paramKey(r *resource.Resource, name string, u *ValueUse) string {
	e := q.entityAt(r)
	own := e.trimEntityName(name)
	if a := e.attrs[plainName(own)]; a != nil {
		return a.name
	}
	if suffix := idSuffix(own); slices.Contains(strictIDWords, suffix) && e.attrs[suffix] != nil && e.attrs[suffix].types != 0 {
		return suffix // the orgid in /orgunits/{orgid} is the id in the messages of an org-unit
	}
	if parts := words(own); len(parts) == 1 && !slices.Contains(idWords, parts[0]) &&
		Singular(parts[0]) != e.plain {
		return own
	}
	if !e.hasKey() {
		return own
	}
	return cmp.Or(e.keyLike(u), e.keyName())
}

// boundWords are words before the name of an attribute. A value with such a name limits the attribute, as in
// "minPrice".
var boundWords = []string{"min", "max", "from", "to", "since", "until", "before", "after", "by"}

// queryParam sets the identity of a query parameter, or of a body that is a single value. The value becomes an
// attribute of the first entity in topics that has an attribute of this name. If there is none, the variants of the
// name are tried, see nameVariants. If none fits, the value becomes an attribute of the entity of the operation's
// resource.
func (q *qualifier) queryParam(op *model.Operation, u *ValueUse, i *identity) {
	if u.Out || i.entity != nil || u.Pointer != "" || u.In != model.InQuery && u.In != model.InBody {
		return
	}
	for _, name := range nameVariants(u.Name) {
		for _, e := range q.topics(op) {
			if attr := attrKey(e.trimEntityName(name), u); e.hasAttr(attr, u) {
				*i = identity{entity: e, attr: attr, why: u.Name + " of " + article(e.name), evidence: EvidenceName}
				return
			}
		}
	}
	e := q.entityAt(q.resources[op])
	why := fmt.Sprintf("%s parameter of %s", u.In, q.resources[op].Path)
	*i = identity{entity: e, attr: e.addUse(u.Name, u), why: why, evidence: EvidenceName}
}

// nameVariants returns a parameter's name and its variants:
//   - the singular, because the parameter may be a list written as text
//   - the name with "time" in place of "date", or the reverse
//   - the name without a bound word such as "min"
func nameVariants(name string) []string {
	list, parts := []string{name}, words(name)
	last := len(parts) - 1
	if last >= 0 {
		if one := singularLast(parts); one[last] != parts[last] {
			list = append(list, strings.Join(one, "-"))
		}
	}
	if last < 1 {
		return list
	}
	if other := map[string]string{"date": "time", "time": "date"}[parts[last]]; other != "" {
		list = append(list, strings.Join(parts[:last], "-")+"-"+other)
	}
	if slices.Contains(boundWords, parts[0]) {
		list = append(list, strings.Join(parts[1:], "-"))
	}
	return list
}
