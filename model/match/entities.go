package match

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// entities are all entities of an API.
type entities struct {
	byName     map[string]*entity // entities by plain name
	byResource map[*resource.Resource]*entity
	// pathAliases are resources whose path has another name for their entity, by the name in the path. For example,
	// /carts/{id}/items, whose entity is cart-item, is listed under "item". The resources are in the order of the tree.
	pathAliases map[string][]pathAlias
	// aliasesAt has entities by alias and resource. The entity is the first one with this alias that has a resource
	// at or below the given resource.
	aliasesAt map[string]map[*resource.Resource]*entity
	// fieldAliases are entities by the names of fields that contain them: the entity profile is listed under "author"
	// if a field author contains a profile. If fields of one name contain different entities, the alias is for the
	// entity in more than two thirds of these fields. The value is nil if there is no such entity.
	fieldAliases map[string]*entity
	byComponent  map[string]*entity // entities that components describe, by component
	// byLastWords are the entities that components describe, by the last words of the entities' names: the entity
	// cart-item is listed under "item". All proper suffixes of a name are keys.
	byLastWords map[string][]*entity
	resources   map[*model.Operation]*resource.Resource
	spellings   lexicon // spellings of the names of all values; only set while values are qualified
	// homes are, for each entity, the resources whose messages contain the entity.
	homes map[*entity][]*resource.Resource
	// paths has the name of each resource as plainName writes it: "shoppingcart" for /shopping-carts.
	paths map[string]bool
	// abbreviated are entities by abbreviations of their names: the entity repository is listed under "repo". An
	// abbreviation is the name in the path of a resource whose messages contain the entity.
	abbreviated map[string]*entity
	// oneWordNames caches the result of listOneWordNames.
	oneWordNames []string
}

// pathAlias is a resource whose path has another name for its entity.
type pathAlias struct {
	at *resource.Resource
	of *entity
}

// newEntities finds the entities of an API in its paths and in the components of its messages.
func newEntities(ops []*model.Operation, m *Matcher) *entities {
	x := &entities{
		byName:       map[string]*entity{},
		byResource:   map[*resource.Resource]*entity{},
		pathAliases:  map[string][]pathAlias{},
		aliasesAt:    map[string]map[*resource.Resource]*entity{},
		fieldAliases: map[string]*entity{},
		byComponent:  map[string]*entity{},
		byLastWords:  map[string][]*entity{},
		resources:    m.resources,
		spellings:    newLexicon(ops, m.uses),
		homes:        map[*entity][]*resource.Resource{},
		paths:        map[string]bool{},
		abbreviated:  map[string]*entity{},
	}
	for r := range m.Tree.Subtree() {
		x.paths[strings.Join(entityWords(ResourceName(r.Path)), "")] = true
	}
	x.addComponents(ops, m)
	x.addReferencedOnly(ops, m.uses)
	held := x.messageEntities(ops)
	fromMessages := map[*resource.Resource]*entity{}
	for r := range m.Tree.Subtree() {
		e := held.entityOf(firstWithOperations(r))
		fromMessages[r] = e
		if e == nil {
			continue
		}
		x.homes[e] = append(x.homes[e], r)
		if name := EntityName(ResourceName(r.Path)); IsAbbreviation(name, e.name) {
			x.abbreviated[name] = e
		}
	}
	for r := range m.Tree.Subtree() {
		x.placeResource(r, fromMessages[r])
	}
	x.mergeViews(m.Tree, held)
	x.addAliases()
	x.oneWordNames = x.listOneWordNames()
	return x
}

// firstWithOperations returns r if it has operations. Otherwise it follows the path parameters directly below r to the
// first resource that has operations: from /repos to /repos/{owner}/{repo} if /repos/{owner} has no operations either.
// If there is no such resource, firstWithOperations returns r.
func firstWithOperations(r *resource.Resource) *resource.Resource {
	for end := r; ; {
		if len(end.Operations) > 0 {
			return end
		}
		i := slices.IndexFunc(end.Children, func(c *resource.Resource) bool { return c.Param })
		if i < 0 {
			return r
		}
		end = end.Children[i]
	}
}

// getOrCreate returns the entity whose name consists of the given words. It creates the entity if there is none.
func (x *entities) getOrCreate(parts []string) *entity {
	key := strings.Join(parts, "")
	e := x.byName[key]
	if e == nil {
		e = newEntity(strings.Join(parts, "-"))
		x.byName[key] = e
	}
	return e
}

// find returns the entity to which a plain name refers near a resource, nil if there is none. It is the first of these:
//  1. an entity of that name whose elements have a path
//  2. an entity for which the path has an alias at near or at a resource above it; at the root, only if there is no
//     entity of that name
//  3. an entity of that name whose elements have no path
//  4. an entity for which the name of a field is an alias
func (x *entities) find(entityName string, near *resource.Resource) *entity {
	e := x.byName[entityName]
	if e != nil && e.elementPath {
		return e
	}
	at := x.aliasesAt[entityName]
	for up := near; up != nil && at != nil; up = up.Parent {
		if other := at[up]; other != nil && (e == nil || up.Parent != nil) {
			return other
		}
	}
	if e == nil {
		return x.fieldAliases[entityName]
	}
	return e
}

// maxNear limits how many resources of an entity are compared to find the nearest one.
const maxNear = 100

// addAliases calls summarize for all entities and fills aliasesAt. It must run after each resource has its entity.
func (x *entities) addAliases() {
	for _, e := range x.byName {
		e.summarize()
	}
	for entityName, all := range x.pathAliases {
		x.aliasesAt[entityName] = map[*resource.Resource]*entity{}
		seen := map[*entity]bool{}
		for _, c := range all {
			if !seen[c.of] {
				seen[c.of] = true
				for _, r := range c.of.resources[:min(len(c.of.resources), maxNear)] {
					x.addAlias(entityName, r, c.of)
				}
			}
			x.addAlias(entityName, c.at, c.of)
		}
	}
}

// addAlias adds an alias of the entity e at the resource r and at the resources above r. It stops at the first
// resource at which the name is already an alias.
func (x *entities) addAlias(entityName string, r *resource.Resource, e *entity) {
	for up := r; up != nil && x.aliasesAt[entityName][up] == nil; up = up.Parent {
		x.aliasesAt[entityName][up] = e
	}
}

// addComponents creates the entity of each component that has values, and fills fieldAliases.
func (x *entities) addComponents(ops []*model.Operation, m *Matcher) {
	similar, held := newSimilarComponents(ops, m, x.paths), map[string]map[*entity]int{}
	for _, op := range ops {
		var last *object
		var e *entity              // the entity that the component of last describes
		var counts map[*entity]int // uses by entity, for the name of the field that contains last; nil if there is no name
		uses := m.uses[op]
		for i := range uses {
			u := &uses[i]
			if u.owner() == "" {
				continue
			}
			if u.object != last { // the values of an object come one after the other
				last, e, counts = u.object, x.describedBy(u, similar), nil
				if name := EntityName(u.holder()); name != "" {
					counts = held[name]
					if counts == nil {
						counts = map[*entity]int{}
						held[name] = counts
					}
				}
			}
			if counts != nil {
				counts[e]++
			}
		}
	}
	for name, counts := range held {
		x.fieldAliases[name] = dominant(counts)
	}
}

// describedBy returns the entity that the component of a use describes.
func (x *entities) describedBy(u *ValueUse, similar similarComponents) *entity {
	if e := x.byComponent[u.owner()]; e != nil {
		return e
	}
	parts := similar.nameWords(u.owner())
	if typed := entityWords(u.typeName()); u.typeName() != "" && x.paths[strings.Join(typed, "")] {
		parts = typed
	}
	return x.setDescribed(u.owner(), parts)
}

// dominant returns the entity that has more than two thirds of all counts, or nil.
func dominant(counts map[*entity]int) *entity {
	all := 0
	for _, n := range counts {
		all += n
	}
	for e, n := range counts {
		if 3*n > 2*all {
			return e
		}
	}
	return nil
}

// setDescribed records that a component describes the entity whose name consists of the given words, and returns the
// entity.
func (x *entities) setDescribed(component string, parts []string) *entity {
	e := x.getOrCreate(parts)
	x.byComponent[component] = e
	if e.described {
		return e
	}
	e.described = true
	for from := range parts[1:] {
		end := strings.Join(parts[from+1:], "")
		x.byLastWords[end] = append(x.byLastWords[end], e)
	}
	return e
}

// findDescribed returns the entity with a plain name. It returns nil if there is no such entity, or if no component
// describes it.
func (x *entities) findDescribed(entityName string) *entity {
	if e := x.byName[entityName]; e != nil && e.described {
		return e
	}
	return nil
}

// addReferencedOnly finds entities by the names of values that refer to them. For example, if orders and invoices
// have a customerId, there is an entity customer. addReferencedOnly creates such an entity if it is not known yet,
// and sets its referencedOnly. These conditions must hold:
//   - At least two components or resources have values that refer to the entity, such as a customerId or a
//     customerName.
//   - One of these values is an id, or a parameter or a field has the name of the entity.
//   - The name is not that of a known entity with an adjective, see isQualifiedName.
func (x *entities) addReferencedOnly(ops []*model.Operation, uses map[*model.Operation][]ValueUse) {
	named, alone := map[string]map[string]bool{}, map[string]bool{}
	for name := range x.spellings {
		alone[strings.Join(entityWords(name), "-")] = true
	}
	for s, by := range x.mentions(ops, uses) {
		parts := s.words
		n := len(parts) - 1
		entityName := strings.Join(parts[:n], "-")
		if named[entityName] == nil {
			named[entityName] = map[string]bool{}
		}
		maps.Copy(named[entityName], by)
		alone[entityName] = alone[entityName] || parts[n] != "name"
	}
	for _, entityName := range sortedKeys(named) {
		if parts := strings.Split(entityName, "-"); len(named[entityName]) > 1 && alone[entityName] && !x.isQualifiedName(parts) {
			x.getOrCreate(parts).referencedOnly = true
		}
	}
}

// idQualifiers are words before an id word that distinguish several ids of one element, such as an external and an
// internal id. These words do not name another entity.
var idQualifiers = []string{
	"external", "internal", "foreign", "legacy", "old", "new", "unique", "public", "private", "original", "custom", "alternate",
	"alternative", "correlation", "request", "trace", "global", "local", "native", "remote",
}

// mentions returns the names of values that may refer to an entity. For each name it has the components with such a
// value. For a value in no component, it has the resource of the operation instead.
func (x *entities) mentions(ops []*model.Operation, uses map[*model.Operation][]ValueUse) map[*spelling]map[string]bool {
	all := map[*spelling]map[string]bool{}
	for _, op := range ops {
		list := uses[op]
		for i := range list {
			u := &list[i]
			if !u.spelling.mayRefer() {
				continue
			}
			by := all[u.spelling]
			if by == nil {
				by = map[string]bool{}
				all[u.spelling] = by
			}
			by[cmp.Or(u.owner(), x.resources[op].Path)] = true
		}
	}
	return all
}

// isQualifiedName reports whether words consist of an adjective and the name of a known entity: a "forwarding
// address" is an address.
func (x *entities) isQualifiedName(parts []string) bool {
	for from := range parts[1:] {
		if end := strings.Join(parts[from+1:], ""); x.paths[end] || x.findDescribed(end) != nil {
			return true
		}
	}
	return false
}

// placeResource sets the entity of a resource: e if it is not nil, or else the entity that the path names. A custom
// method, or another segment that names an action, has the entity of the resource above it. placeResource adds other
// names that the path has for the entity to pathAliases.
func (x *entities) placeResource(r *resource.Resource, e *entity) {
	if isMethod(r) {
		if of := x.byResource[r.Parent]; of != nil {
			x.byResource[r] = of
		}
		return
	}
	name := ResourceName(r.Path)
	entityName := EntityName(name)
	if entityName == "" {
		return
	}
	if e == nil {
		e = x.entityLike(r, entityName)
	}
	if e == nil {
		e = x.getOrCreate(entityWords(name))
	}
	e.resources = append(e.resources, r)
	x.byResource[r] = e
	if !e.isNamed(entityName) {
		x.pathAliases[entityName] = append(x.pathAliases[entityName], pathAlias{r, e})
	}
	if noun := nounOfParam(r); noun != "" && x.byName[noun] == nil && noun != entityName {
		x.pathAliases[noun] = append(x.pathAliases[noun], pathAlias{r, e})
	}
}

// actionWords begin path segments that do not name a resource of their own. Most name an action. Some, such as "me",
// select the element that belongs to the caller.
var actionWords = slices.Concat(verbWords, creationWords, []string{
	"info", "edit", "modify", "change", "lookup", "read", "view", "show", "details", "upload", "download", "import", "export",
	"clone", "copy", "move", "archive", "restore", "enable", "disable", "activate", "deactivate", "validate", "verify", "check",
	"retry", "reset", "sync", "refresh", "publish", "me", "self", "current",
})

// isAction reports whether a resource's segment names an action on the resource above it: the "list" of
// /templates/list, and the "list-connections" of /connections/list-connections.
func isAction(r *resource.Resource) bool {
	if r.Param || len(r.Children) > 0 || isNameless(r.Parent) {
		return false
	}
	parts := words(resource.Element(r.Segment))
	if len(parts) == 0 || !slices.Contains(actionWords, parts[0]) {
		return false
	}
	return len(parts) == 1 || EntityName(strings.Join(parts[1:], "-")) == EntityName(ResourceName(r.Parent.Path))
}

// nounOfParam returns the noun in the name of an element's path parameter, as a plain name: "org" for
// /orgunits/{orgId}. It returns "" if the resource is not an element, or if the parameter's name does not end in a
// strict id word.
func nounOfParam(r *resource.Resource) string {
	if !r.Param {
		return ""
	}
	name := resource.ParamNames(r.Segment)[0]
	suffix := idSuffix(name)
	if !slices.Contains(strictIDWords, suffix) {
		return ""
	}
	return Singular(strings.TrimSuffix(plainName(name), suffix))
}

// entityLike returns an entity for the resource r with the plain name entityName. It returns nil if a component
// describes an entity of that name, or if none of these entities exists. The result is the first of these:
//  1. the entity whose name entityName abbreviates
//  2. the entity that the path parameter of r or of its elements names
//  3. the only described entity whose name ends with entityName, unless it belongs to other resources; see
//     hasLongerSuffix and isElsewhere
func (x *entities) entityLike(r *resource.Resource, entityName string) *entity {
	if x.findDescribed(entityName) != nil {
		return nil
	}
	if e := x.abbreviated[entityName]; e != nil {
		return e
	}
	for _, c := range append([]*resource.Resource{r}, r.Children...) {
		if !c.Param {
			continue
		}
		for _, name := range entityNames(resource.ParamNames(c.Segment)[0]) {
			if e := x.findDescribed(name); e != nil {
				return e
			}
		}
	}
	if like := x.byLastWords[entityName]; len(like) == 1 && !x.hasLongerSuffix(like[0], entityName) && !x.isElsewhere(like[0], entityName) {
		return like[0]
	}
	return nil
}

// isElsewhere reports whether an entity belongs to resources that are not called entityName. This is so if messages
// contain the entity, and no resource with such messages has a path segment that begins with entityName. For example,
// the messages of /analyses/{id}/repos/{repo} contain the entity repo-task, so repo-task is not the entity of /tasks.
func (x *entities) isElsewhere(e *entity, entityName string) bool {
	for _, home := range x.homes[e] {
		for r := home; r != nil; r = r.Parent {
			if strings.HasPrefix(EntityName(ResourceName(r.Path)), entityName) {
				return false
			}
		}
	}
	return len(x.homes[e]) > 0
}

// hasLongerSuffix reports whether an entity's name ends with the name of a resource, and this name is longer than
// entityName. The entity then belongs to that resource: actions-private-repo is the entity of /private-repos, not of
// /repos.
func (x *entities) hasLongerSuffix(e *entity, entityName string) bool {
	for from := range e.parts {
		name := strings.Join(e.parts[from:], "")
		if name == entityName {
			return false
		}
		if x.paths[name] {
			return true
		}
	}
	return false
}

// sortedKeys returns a map's keys in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
