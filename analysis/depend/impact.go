package depend

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// Impact lists the operations that use the elements that an operation creates, deletes, changes, reads or connects.
// After a DELETE of an element, these operations may fail.
type Impact struct {
	Effect Effect
	// Entity is the kind of element that the operation creates, deletes, changes, reads or connects, such as
	// "product". It is "" if the operation has no element of its own.
	Entity string
	// Values are the identities of the inputs by which operations name the element. It is nil for the effects
	// "detaches" and "attaches".
	Values []string
	// Levels groups the operations by their distance from the element. Each operation is in at most one level. The
	// operation itself is in none. The order is:
	//   - for a DELETE, the operations at and below the element's path; see Below
	//   - the operations that use the element
	//   - in each further level, the operations that use elements that only operations of earlier levels can create
	//   - last, a level with a SharedField
	//
	// For the effects "detaches" and "attaches", there is at most one level: the operations at and below the path of the
	// operation. Its Below is "".
	Levels []ImpactLevel
	// mentioned are the identities of the values that the operation emits and other operations take. Values that the
	// fewest operations take come first. It is only set if Entity is "".
	mentioned []string
}

// ImpactLevel lists the operations at the same distance from an element.
type ImpactLevel struct {
	// Below is the path of the element if the level has the operations at or below the element's paths. It is "" for
	// other levels.
	Below string
	// Unlinked distinguishes the two levels with Below. If it is false, the operations use elements that exist only
	// below the deleted element, and that are deleted together with it. If it is true, they use elements that also
	// exist elsewhere, like the users in a team. These are only no longer linked to the deleted element.
	Unlinked bool
	// SharedField is the JSON pointer of a field by which the operations of this level may refer to the element. It
	// is set only if most kinds of elements below the element have the same field, such as a field in the metadata of
	// Kubernetes. The field is then only weak evidence of a reference.
	SharedField string
	// Entities are the kinds of elements that the operations use.
	Entities []string
	// Groups lists the operations by resource, the largest group first.
	Groups []ImpactGroup
	// Resources lists the operations of a level with Below by the kind of element that they use.
	Resources []ImpactResource
}

// Summary describes the effect of the operation on the element and on other operations: "deletes product: 10
// operations take it".
func (i Impact) Summary() string {
	switch {
	case i.Entity != "" || i.Effect == EffectDetaches:
	case i.mentioned == nil:
		return "creates, changes and returns nothing that other operations take"
	default:
		return "has no element of its own, but mentions others: other operations take " + ListEntities(i.mentioned)
	}
	var deleted, unlinked, all, required int
	for _, l := range i.Levels {
		a, r := l.Count()
		switch {
		case l.Unlinked:
			unlinked = a
		case l.Below != "":
			deleted = a
		case l.SharedField == "":
			all, required = all+a, required+r
		}
	}
	switch i.Effect {
	case EffectDetaches:
		entity := cmp.Or(i.Entity, "another element")
		return fmt.Sprintf("removes only what is at its path, not %s: %s at and below it", entity, operations(all))
	case EffectAttaches:
		return fmt.Sprintf("connects an existing %s: %s at and below its path", i.Entity, operations(all))
	}
	text := fmt.Sprintf("%s %s", i.Effect, i.Entity)
	if deleted > 0 {
		text += fmt.Sprintf(" and what exists only below it, with %s there", operations(deleted))
	}
	if unlinked > 0 {
		text += fmt.Sprintf("; %s there only link it to what remains", operations(unlinked))
	}
	if deleted+unlinked > 0 {
		text += "; elsewhere, "
	} else {
		text += ": "
	}
	take := "take"
	if all == 1 {
		take = "takes"
	}
	text += fmt.Sprintf("%s %s it or what it contains", operations(all), take)
	if all > 0 {
		text += fmt.Sprintf(", %d as a required input", required)
	}
	return text
}

func operations(n int) string {
	if n == 1 {
		return "1 operation"
	}
	return fmt.Sprintf("%d operations", n)
}

// maxListed is the maximum number of entities that ListEntities names.
const maxListed = 6

// ListEntities returns the names of entities as a text. It names at most six entities and counts the others, as in
// "cart, item, order, payment, product, user and 3 more".
func ListEntities(all []string) string {
	text := strings.Join(all[:min(len(all), maxListed)], ", ")
	if more := len(all) - maxListed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Count returns the number of operations in the level. required is the number of operations that require an input that
// identifies the element.
func (l ImpactLevel) Count() (all, required int) {
	for _, g := range l.Groups {
		all += len(g.Operations)
		required += g.Required()
	}
	return all, required
}

// ImpactGroup has the operations of a level that use the same resource.
type ImpactGroup struct {
	Path       string // the path of the resource
	Operations []ImpactedOperation
}

// Required returns the number of operations that require an input that identifies the element.
func (g ImpactGroup) Required() int {
	n := 0
	for _, op := range g.Operations {
		if op.Required {
			n++
		}
	}
	return n
}

// ImpactedOperation is an operation that takes an identifier of an element.
type ImpactedOperation struct {
	Op model.OpID
	// Takes are the names of the inputs that identify the element.
	Takes []string
	// Required reports whether one of these inputs is required.
	Required bool
}

// Impact returns the operations that use the elements that an operation creates, deletes, changes or reads. ok is
// false if the planner does not have the operation id.
func (p *Planner) Impact(id model.OpID) (Impact, bool) {
	op := p.byID[id]
	if op == nil {
		return Impact{}, false
	}
	f := p.feeders()
	s := &impactSearch{
		feeders: f, ops: p.ops, operation: func(id model.OpID) *model.Operation { return p.byID[id] },
		seen: map[model.OpID]bool{id: true}, stopped: map[model.OpID]bool{}, shared: map[string]bool{},
	}
	i := Impact{Effect: f.effect(op)}
	if i.Effect == EffectDetaches || i.Effect == EffectAttaches {
		r := f.matcher.ResourceOf(op)
		i.Entity = f.entityOfPath(r)
		i.Levels = s.below(r)
		return i, true
	}
	i.Entity = f.subject(op)
	if i.Entity == "" {
		i.mentioned = s.mentionedBy(op)
		return i, true
	}
	s.homes = f.homes([]*model.Operation{op})
	if r := f.matcher.ResourceOf(op); i.Effect == EffectDeletes && r.Param {
		i.Levels = s.contained(op, i.Entity)
	}
	lost := map[string]bool{i.Entity: true}
	for _, l := range i.Levels {
		for _, r := range l.Resources {
			if l.Unlinked {
				lost[r.Entity] = true // these elements also exist elsewhere, so uncreatable must not return their kind
			}
		}
	}
	i.Values = f.identifiersOf(i.Entity, p.ops)
	for entities := []string{i.Entity}; len(entities) > 0; {
		level := s.level(entities)
		if len(level.Groups) > 0 {
			i.Levels = append(i.Levels, level)
		}
		entities = s.uncreatable(lost)
		var creators []*model.Operation
		for _, entity := range entities {
			creators = append(creators, f.creators[entity]...)
		}
		s.homes = f.homes(creators)
	}
	i.Levels = append(i.Levels, s.sharing(i.Entity)...)
	return i, true
}

// mentionedBy returns the identities of the values that an operation emits and that other operations take as
// references. Values that the fewest operations take come first.
func (s *impactSearch) mentionedBy(op *model.Operation) []string {
	takers := map[string]int{}
	for _, u := range s.matcher.UsesOf(op) {
		if u.Out && u.Kind.Links() {
			takers[u.ID] = 0
		}
	}
	for _, other := range s.ops {
		var taken []string
		for _, u := range s.matcher.UsesOf(other) {
			if _, emitted := takers[u.ID]; emitted && !u.Out && u.IsReference && other != op {
				taken = including(taken, u.ID)
			}
		}
		for _, id := range taken {
			takers[id]++
		}
	}
	var list []string
	for id, n := range takers {
		if n > 0 {
			list = append(list, id)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(takers[a], takers[b]), cmp.Compare(a, b)) })
	return list
}

// names reports whether the use is an input that identifies an existing element of an entity.
func names(u match.ValueUse, entity string) bool {
	return !u.Out && u.Entity() == entity && u.Kind.Links() && (u.IsReference || u.In == model.InPath)
}

// impactSearch finds the operations that use an element, level by level.
type impactSearch struct {
	*feeders
	ops       []*model.Operation
	operation func(model.OpID) *model.Operation
	seen      map[model.OpID]bool // the operation itself, and the operations in the levels that were found so far
	// stopped has those operations of seen that require an element of an earlier level.
	stopped map[model.OpID]bool
	// homes are the known paths of the elements of the current level. Each path is the set of the identities of its
	// parameters.
	homes []map[string]bool
	// shared has the JSON pointers of the shared fields. In these optional fields, most kinds of elements below the
	// deleted element could name the deleted element, although their paths already name it.
	shared map[string]bool
}

// isShared reports whether an input is one of the shared fields.
func (s *impactSearch) isShared(u match.ValueUse) bool {
	return u.In == model.InBody && !u.Required && s.shared[u.Pointer]
}

// share finds the shared fields, which are optional fields that could name an element of entity. below lists kinds of
// elements. A field is shared if at least two of these kinds have it, and if more than half of the kinds that take a
// body have it.
func (s *impactSearch) share(below []ImpactResource, entity string) {
	kinds, having := 0, map[string]int{}
	for _, r := range below {
		fields, written := map[string]bool{}, false
		for _, use := range r.Operations {
			for _, u := range s.matcher.UsesOf(s.operation(use.Op)) {
				written = written || !u.Out && u.In == model.InBody
				if u.In == model.InBody && !u.Required && names(u, entity) {
					fields[u.Pointer] = true
				}
			}
		}
		if written {
			kinds++
		}
		for field := range fields {
			having[field]++
		}
	}
	for field, n := range having {
		s.shared[field] = n > 1 && 2*n > kinds
	}
}

// sharing returns a level with the operations that could name an element of an entity only in a shared field. If
// there are none, it returns no level.
func (s *impactSearch) sharing(entity string) []ImpactLevel {
	var groups impactGroups
	var field string
	for _, op := range s.ops {
		use, at := ImpactedOperation{Op: op.ID}, ""
		for _, u := range s.matcher.UsesOf(op) {
			if names(u, entity) && s.isShared(u) {
				use.Takes, at = including(use.Takes, u.Name), u.Pointer
			}
		}
		if use.Takes != nil && !s.seen[op.ID] {
			s.seen[op.ID], field = true, at
			groups.add(s.group(op, match.ValueUse{}), use)
		}
	}
	if len(groups.list) == 0 {
		return nil
	}
	return []ImpactLevel{{SharedField: field, Entities: []string{entity}, Groups: groups.sorted()}}
}

// level returns the operations that take an identifier of an element of one of the entities. Operations of earlier
// levels are left out.
func (s *impactSearch) level(entities []string) ImpactLevel {
	var groups impactGroups
	for _, op := range s.ops {
		if s.seen[op.ID] {
			continue
		}
		use, of := s.use(op, entities)
		if use.Takes == nil {
			continue
		}
		s.seen[op.ID], s.stopped[op.ID] = true, use.Required
		groups.add(s.group(op, of), use)
	}
	return ImpactLevel{Entities: entities, Groups: groups.sorted()}
}

// use returns the inputs by which an operation names an element of one of the entities. of is one of these inputs, if
// possible an input in the path.
func (s *impactSearch) use(op *model.Operation, entities []string) (use ImpactedOperation, of match.ValueUse) {
	use.Op = op.ID
	for _, u := range s.matcher.UsesOf(op) {
		if slices.ContainsFunc(entities, func(e string) bool { return names(u, e) }) && !s.elsewhere(op, u) && !s.isShared(u) {
			use.Takes = including(use.Takes, u.Name)
			use.Required = use.Required || u.Required
			if of.ID == "" || u.In == model.InPath {
				of = u
			}
		}
	}
	return use, of
}

// contained returns the operations at and below the paths of the element that an operation deletes. The first level
// has operations on elements that are deleted with this element. The second level has operations on elements that
// also exist elsewhere. An element may have several paths.
func (s *impactSearch) contained(deletes *model.Operation, entity string) (levels []ImpactLevel) {
	resources := s.impactResources(deletes, s.identifiersOf(entity, s.ops))
	r := s.matcher.ResourceOf(deletes)
	for _, op := range s.inside(deletes) {
		if s.seen[op.ID] {
			continue
		}
		use, of := s.use(op, []string{entity})
		path := r.Path
		if use.Takes == nil {
			use.Takes = resource.ParamNames(r.Segment)
		} else {
			path = s.group(op, of)
		}
		use.Required = true
		e, level := resources.place(op)
		s.seen[op.ID], s.stopped[op.ID] = true, !e.member
		level.add(path, e, use)
	}
	s.share(resources.deleted.list, entity)
	for _, l := range []*resourceLevel{&resources.deleted, &resources.members} {
		if len(l.list) > 0 {
			levels = append(levels, ImpactLevel{
				Below: r.Path, Unlinked: l == &resources.members, Entities: []string{entity},
				Groups: l.groups.sorted(), Resources: l.sorted(),
			})
		}
	}
	return levels
}

// inside returns the operations at and below the paths of the element that an operation deletes.
func (s *impactSearch) inside(deletes *model.Operation) []*model.Operation {
	home := s.matcher.ResourceOf(deletes)
	list, modes := slices.Collect(operationsBelow(home)), resource.Modes{}
	for _, op := range s.ops {
		r := modes.Outside(s.matcher.ResourceOf(op))
		for r != nil && r != home {
			r = r.Parent
		}
		if (r == home || s.leadsThrough(op, deletes)) && !slices.Contains(list, op) {
			list = append(list, op)
		}
	}
	return list
}

// leadsThrough reports whether the path of op leads through an element. element is an operation whose own path ends in
// this element. For example, /apps/v1/namespaces/{namespace}/deployments leads through the element of
// /v1/namespaces/{namespace}.
func (s *impactSearch) leadsThrough(op, element *model.Operation) bool {
	last, ids := s.pathValues(element)
	if _, all := s.pathValues(op); last == "" || !subset(ids, all) {
		return false
	}
	return slices.ContainsFunc(s.matcher.UsesOf(op), func(u match.ValueUse) bool {
		_, rest, _ := strings.Cut(op.Path, "{"+u.Name+"}")
		return !u.Out && u.In == model.InPath && u.ID == last && strings.HasPrefix(rest, "/")
	})
}

// elsewhere reports whether a value in an operation's path identifies an element of another collection than the
// elements of the current level. For example, a hook of a repository and a hook of an organization are different
// elements, although numbers identify both.
func (s *impactSearch) elsewhere(op *model.Operation, u match.ValueUse) bool {
	scope := s.scope(op, u.ID)
	if u.In != model.InPath || scope == nil {
		return false
	}
	known := false
	for _, home := range s.homes {
		if home[u.ID] && (subset(scope, home) || subset(home, scope)) {
			return false
		}
		known = known || home[u.ID]
	}
	return known
}

// below returns the operations of a resource and of the resources below it as one level. It leaves out operations in
// seen. It also leaves out operations that create or attach an element of the resource.
func (s *impactSearch) below(r *resource.Resource) []ImpactLevel {
	var groups impactGroups
	for op := range operationsBelow(r) {
		makes := s.matcher.ResourceOf(op) == r && (s.createsNew(op) || s.effect(op) == EffectAttaches)
		if !s.seen[op.ID] && !makes {
			groups.add(r.Path, ImpactedOperation{Op: op.ID, Takes: resource.ParamNames(r.Segment), Required: true})
		}
	}
	if len(groups.list) == 0 {
		return nil
	}
	return []ImpactLevel{{Groups: groups.sorted()}}
}

// uncreatable returns the entities that can no longer be created, because all operations that create them are in
// stopped. It leaves out entities that are already in lost, and adds the returned entities to lost.
func (s *impactSearch) uncreatable(lost map[string]bool) []string {
	var list []string
	for _, entity := range slices.Sorted(maps.Keys(s.creators)) {
		works := func(op *model.Operation) bool { return !s.stopped[op.ID] }
		if entity != "" && !lost[entity] && !slices.ContainsFunc(s.creators[entity], works) {
			lost[entity] = true
			list = append(list, entity)
		}
	}
	return list
}

// group returns the path of the ImpactGroup for an operation. It starts with the operation's path. If u is a parameter
// of the path, group keeps only the segments up to and including the one after the parameter. Then it removes
// parameters from the end, unless u is in the path and the whole path was kept. The first segment always stays.
func (s *impactSearch) group(op *model.Operation, u match.ValueUse) string {
	segments := resource.Segments(op.Path)
	end := len(segments)
	for i, segment := range segments {
		if u.In == model.InPath && slices.Contains(resource.ParamNames(segment), u.Name) {
			end = min(end, i+2)
		}
	}
	for end > 1 && strings.HasPrefix(segments[end-1], "{") && (u.In != model.InPath || end < len(segments)) {
		end--
	}
	return "/" + strings.Join(segments[:end], "/")
}

// impactGroups collects operations in groups by path.
type impactGroups struct {
	at   map[string]int
	list []ImpactGroup
}

func (g *impactGroups) add(path string, op ImpactedOperation) {
	if g.at == nil {
		g.at = map[string]int{}
	}
	k, known := g.at[path]
	if !known {
		k = len(g.list)
		g.at[path] = k
		g.list = append(g.list, ImpactGroup{Path: path})
	}
	g.list[k].Operations = append(g.list[k].Operations, op)
}

// sorted returns the groups. Groups with the most operations come first.
func (g *impactGroups) sorted() []ImpactGroup {
	slices.SortStableFunc(g.list, func(a, b ImpactGroup) int {
		return cmp.Or(cmp.Compare(len(b.Operations), len(a.Operations)), cmp.Compare(a.Path, b.Path))
	})
	return g.list
}
