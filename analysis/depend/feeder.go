package depend

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// feederRank says how an operation gets the value that it emits. A client is more likely to get a new element from an
// operation with a lower rank.
type feederRank int

const (
	rankPost  feederRank = iota // creates the element, and answers with its identifier
	rankPut                     // creates the element with an identifier that the client chooses
	rankRead                    // reads or lists elements that must exist already
	rankOther                   // has the value in a field of another element
)

// feeder is an operation that provides a value.
type feeder struct {
	op   *model.Operation
	use  *match.ValueUse // the value in the answer, or in the request if the client chooses the identifier
	rank feederRank
	// creates reports whether a POST creates elements in the collection that op reads. The elements of such a
	// collection are more likely the client's own. For example, a client can change the repositories of GET
	// /user/repos, but not those of GET /repositories.
	creates bool
	demands int // number of values that op requires from other operations
	depth   int // number of slashes in the path of op
	order   int // position of op in the document
}

// feeders has the operations that provide values. Their order is the order of precedence.
type feeders struct {
	*index
	by map[string][]feeder
	// at has, for each operation and each value that it provides, the index of its feeder in by.
	at map[provided]int
	// inputs has the inputs of each operation that a binder may connect to other operations.
	inputs map[*model.Operation]boundInputs
	// main has the entity that each operation returns. The name of the entity is "" if it is unknown.
	main map[*model.Operation]mainEntity
	// creators has, by the name of an entity, the operations that create elements of the entity.
	creators map[string][]*model.Operation
	paths    map[*model.Operation]pathValues
	// elements has sets of path parameters. The parameters of a set together identify an element. The sets are listed
	// by the identity of their last parameter.
	elements map[string][]map[string]bool
	// named has the identities of path parameters that come after a segment with the name of their entity, such as
	// the login of a user in /users/{username}.
	named map[string]bool
	// answerTypes has the identities of values in answers, each with its basic type.
	answerTypes map[typedValue]bool
	// ofFields caches those results of feedersOf that depend on the type of the input. The keys are inputFeeders.
	ofFields sync.Map
}

// provided is a value that an operation provides.
type provided struct {
	op *model.Operation
	id string
}

// typedValue is the identity of a value with a basic type.
type typedValue struct{ id, basic string }

// inputFeeders is the key of ofFields: an input for which feedersOf was called.
type inputFeeders struct {
	op              *model.Operation
	id, name, basic string
}

// mainEntity is the entity that an operation returns. depth is the number of objects around the entity's identifier
// in the answer.
type mainEntity struct {
	name  string
	depth int
}

func newFeeders(x *index, ops []*model.Operation) *feeders {
	f := &feeders{
		index:    x,
		by:       map[string][]feeder{},
		inputs:   make(map[*model.Operation]boundInputs, len(ops)),
		main:     make(map[*model.Operation]mainEntity, len(ops)),
		paths:    make(map[*model.Operation]pathValues, len(ops)),
		creators: map[string][]*model.Operation{},
		elements: map[string][]map[string]bool{},
		named:    map[string]bool{},

		answerTypes: map[typedValue]bool{},
	}
	for _, op := range ops {
		f.paths[op] = f.pathValuesOf(op)
		if x.matcher.ResourceOf(op).Param {
			last, all := f.pathValues(op)
			if !slices.ContainsFunc(f.elements[last], func(known map[string]bool) bool { return maps.Equal(known, all) }) {
				f.elements[last] = append(f.elements[last], all)
			}
			f.named[last] = f.named[last] || isNamedAfter(op, last)
		}
	}
	total := 0
	for i, op := range ops {
		f.inputs[op] = boundInputsOf(op, f.matcher.UsesOf(op))
		f.main[op] = f.mainEntityOf(op)
		if op.Method != "DELETE" {
			total += f.add(op, i)
		}
	}
	f.at = make(map[provided]int, total)
	for id, list := range f.by {
		if slices.ContainsFunc(list, func(b feeder) bool { return b.rank == rankPost }) {
			// If a POST creates the element, a PUT does not: it only updates the element, or connects it to another
			// element.
			list = slices.DeleteFunc(list, func(b feeder) bool { return b.rank == rankPut })
		}
		f.markCollections(list)
		slices.SortFunc(list, compareFeeders)
		f.by[id] = list
		for i, b := range list {
			f.at[provided{b.op, id}] = i
		}
	}
	return f
}

// markCollections sets the field creates of the feeders in list, which all provide the same value.
func (f *feeders) markCollections(list []feeder) {
	created := map[*resource.Resource]bool{}
	for _, b := range list {
		if b.rank == rankPost {
			created[f.matcher.ResourceOf(b.op)] = true
		}
	}
	for i := range list {
		list[i].creates = created[f.matcher.ResourceOf(list[i].op)]
	}
}

// compareFeeders orders feeders by these criteria:
//  1. the rank
//  2. the number of values that they require, the smallest first
//  3. whether they read a collection in which elements are created; such feeders come first
//  4. the number of segments in their path, the smallest first
//  5. the order of the document
func compareFeeders(a, b feeder) int {
	return cmp.Or(
		cmp.Compare(a.rank, b.rank),
		cmp.Compare(a.demands, b.demands),
		compareBools(b.creates, a.creates),
		cmp.Compare(a.depth, b.depth),
		cmp.Compare(a.order, b.order),
	)
}

// add adds op as a feeder of the values that it creates or emits. Values that op also requires are left out. add
// returns the number of added feeders. It must be called in the order of the document.
func (f *feeders) add(op *model.Operation, order int) (added int) {
	requires, refers, inPath := map[string]bool{}, map[string]bool{}, map[string]bool{}
	uses := f.matcher.UsesOf(op)
	for i := range uses {
		u := &uses[i]
		if u.Out {
			continue
		}
		if u.In == model.InPath {
			inPath[u.ID] = true
		}
		if u.IsReference || u.In == model.InPath && f.connects(op) {
			refers[u.ID] = true
			requires[u.ID] = requires[u.ID] || u.Required
		}
	}
	creates := f.createsNew(op)
	provides := feeder{op: op, demands: f.countDemands(op), depth: strings.Count(op.Path, "/"), order: order}
	for u := range usesThat(uses, func(u *match.ValueUse) bool { return u.Kind.Links() && !requires[u.ID] }) {
		// An identifier in the answer is not new if the path has the same identifier.
		rank, ok := f.rank(op, u, creates && !refers[u.ID] && !(u.Out && inPath[u.ID]))
		if !ok {
			continue
		}
		provides.use, provides.rank = u, rank
		list := f.by[u.ID]
		if last := len(list) - 1; last < 0 || list[last].op != op {
			f.by[u.ID] = append(list, provides)
			added++
		} else if old := &list[last]; rank < old.rank || rank == old.rank && depthOf(u) < depthOf(old.use) {
			*old = provides
		}
	}
	for u := range usesThat(uses, func(u *match.ValueUse) bool { return u.Kind.Links() && !requires[u.ID] }) {
		if list := f.by[u.ID]; len(list) > 0 && list[len(list)-1].use == u {
			f.describe(list[len(list)-1])
		}
	}
	return added
}

// describe records the type of the value that a feeder has in its answer. If the feeder creates elements of an entity,
// describe also records it in creators.
func (f *feeders) describe(b feeder) {
	if b.use.In == model.InResponse {
		f.answerTypes[typedValue{b.use.ID, basicType(b.use.Type)}] = true
	}
	if entity := b.use.Entity(); b.rank <= rankPut && b.use.Kind == match.KindIdentifier {
		f.creators[entity] = including(f.creators[entity], b.op)
	}
}

// createsNew reports whether an operation creates an element, instead of only connecting existing elements.
func (f *feeders) createsNew(op *model.Operation) bool {
	r := f.matcher.ResourceOf(op)
	return slices.Contains(rolesOf(r, op), RoleCreate) && !(r.Param && f.connects(op))
}

// isNamedAfter reports whether the path of an operation ends in the name of a value's entity, or in an abbreviation
// of this name, such as "orgs" for organizations.
func isNamedAfter(op *model.Operation, value string) bool {
	entity, _, _ := strings.Cut(value, ".")
	name := match.EntityName(match.ResourceName(op.Path))
	return name == strings.ReplaceAll(entity, "-", "") || match.IsAbbreviation(name, entity)
}

// connects reports whether an operation connects an existing element to another one, or disconnects the two. For
// example, a member of a team is a user, who also exists without the team. The same is true for the user in PUT
// /user/blocks/{username}. An operation connects an element in three cases:
//   - Other operations identify the same element with fewer path parameters.
//   - In another path, but not in the path of op, the name of the element's kind comes before the element.
//   - Elements of this kind are read and created only at other resources.
func (f *feeders) connects(op *model.Operation) bool {
	last, ids := f.pathValues(op)
	return f.named[last] && !isNamedAfter(op, last) || f.isOnlyElsewhere(op, last) ||
		slices.ContainsFunc(f.elements[last], func(other map[string]bool) bool {
			return len(other) < len(ids) && subset(other, ids)
		})
}

// isOnlyElsewhere reports whether elements of a kind are read and created only at resources other than that of op.
// last is the identity of the value in the path of op that identifies the elements. For example, the elements of
// /permissions/repositories/{repository_id} are repositories.
func (f *feeders) isOnlyElsewhere(op *model.Operation, last string) bool {
	at := f.matcher.ResourceOf(op)
	if !at.Param || at.Operation("GET") != nil || at.CollectionPost() != nil {
		return false
	}
	uses := f.matcher.UsesOf(op)
	for i := range uses {
		u := &uses[i]
		if u.Out || u.In != model.InPath || u.ID != last {
			continue
		}
		all := f.matcher.EntityResources(u)
		return slices.ContainsFunc(all, func(r *resource.Resource) bool { return r != at && r.Param && r.Operation("GET") != nil }) &&
			slices.ContainsFunc(all, func(r *resource.Resource) bool { return r != at.Parent && r.Operation("POST") != nil && !r.Param })
	}
	return false
}

// pathValues has the identities of the parameters in an operation's path. last is the identity of the last parameter,
// and all has the identities of all parameters.
type pathValues struct {
	last string
	all  map[string]bool
}

// pathValues returns the identities of the parameters in an operation's path. last is the identity of the last
// parameter, "" if the path has none. all has the identities of all parameters.
func (f *feeders) pathValues(op *model.Operation) (last string, all map[string]bool) {
	p := f.paths[op]
	return p.last, p.all
}

func (f *feeders) pathValuesOf(op *model.Operation) pathValues {
	p := pathValues{all: map[string]bool{}}
	end := -1
	uses := f.matcher.UsesOf(op)
	for i := range uses {
		u := &uses[i]
		if u.Out || u.In != model.InPath {
			continue
		}
		p.all[u.ID] = true
		if at := strings.LastIndex(op.Path, "{"+u.Name+"}"); at > end {
			p.last, end = u.ID, at
		}
	}
	return p
}

// subset reports whether b has all elements of a.
func subset(a, b map[string]bool) bool {
	for x := range a {
		if !b[x] {
			return false
		}
	}
	return true
}

// scope returns the path parameters of op that together identify an element, such as the owner and the name of a
// repository. value is the identity of the last of these parameters. If there are several such sets of parameters,
// scope returns the smallest. It returns nil if there is none.
func (f *feeders) scope(op *model.Operation, value string) map[string]bool {
	_, ids := f.pathValues(op)
	var scope map[string]bool
	for _, set := range f.elements[value] {
		if subset(set, ids) && (scope == nil || len(set) < len(scope)) {
			scope = set
		}
	}
	return scope
}

// knows reports whether an operation takes or emits each of the given values.
func (f *feeders) knows(op *model.Operation, values map[string]bool) bool {
	for v := range values {
		if !hasValue(f.matcher.UsesOf(op), v) {
			return false
		}
	}
	return true
}

// hasValue reports whether one of the uses has the identity id.
func hasValue(uses []match.ValueUse, id string) bool {
	for i := range uses {
		if uses[i].ID == id {
			return true
		}
	}
	return false
}

// rank returns the rank of an operation as a feeder of a value. ok is false if the operation does not emit the value
// and creates no element with it.
func (f *feeders) rank(op *model.Operation, u *match.ValueUse, creates bool) (feederRank, bool) {
	main := f.main[op]
	own := main.name != "" && u.Entity() == main.name && u.Kind == match.KindIdentifier && depthOf(u) <= main.depth
	switch {
	case !u.Out && u.In == model.InPath && creates && !u.IsReference:
		return rankPut, true
	case !u.Out:
		return 0, false
	case own && creates && !inList(u) && (f.isAt(op, u) || f.matcher.EntityResources(u) == nil):
		return rankPost, true
	case own && !writes(op.Method), u.Kind == match.KindCredential:
		return rankRead, true
	case u.In == model.InHeader && creates && strings.EqualFold(u.Name, "Location"):
		return rankPost, true
	}
	return rankOther, true
}

// mainEntityOf returns the entity of the outermost identifier in the answer of an operation. An identifier inside an
// object counts only if its entity belongs to the operation's resource; see isAt. If the operation creates an element,
// identifiers of entities in its path do not count, unless the created element belongs to such an entity.
func (f *feeders) mainEntityOf(op *model.Operation) mainEntity {
	var main *match.ValueUse
	var known map[string]bool
	if f.createsNew(op) {
		known = f.entitiesInPath(op)
	}
	uses := f.matcher.UsesOf(op)
	for i := range uses {
		u := &uses[i]
		if !u.Out || u.In != model.InResponse || u.Kind != match.KindIdentifier || known[u.Entity()] {
			continue
		}
		if depthOf(u) > 1 && !f.isAt(op, u) {
			continue
		}
		if main == nil || depthOf(u) < depthOf(main) {
			main = u
		}
	}
	if main == nil {
		return mainEntity{}
	}
	return mainEntity{name: main.Entity(), depth: depthOf(main)}
}

// isAt reports whether the entity of u belongs to the operation's resource, or to a resource directly below.
func (f *feeders) isAt(op *model.Operation, u *match.ValueUse) bool {
	at := f.matcher.ResourceOf(op)
	return slices.ContainsFunc(f.matcher.EntityResources(u), func(r *resource.Resource) bool {
		return r == at || r.Parent == at
	})
}

// entitiesInPath returns the entities of the parameters in the path of an operation that creates an element. The
// entity of the created element is left out.
func (f *feeders) entitiesInPath(op *model.Operation) map[string]bool {
	known := map[string]bool{}
	uses := f.matcher.UsesOf(op)
	for i := range uses {
		if u := &uses[i]; !u.Out && u.In == model.InPath {
			known[u.Entity()] = true
		}
	}
	at := f.matcher.ResourceOf(op)
	created := at.Children
	if at.Param && (op.Method == "PUT" || !hasElement(at)) {
		created = []*resource.Resource{at}
	}
	for _, r := range created {
		if r.Param {
			delete(known, f.entityOfPath(r))
		}
	}
	return known
}

// headerDepth is the depth that depthOf returns for a value in a header.
const headerDepth = 1000

// inList reports whether the pointer of a value leads into a list.
func inList(u *match.ValueUse) bool {
	return strings.Contains(u.Pointer, "/0/") || strings.HasSuffix(u.Pointer, "/0")
}

// depthOf returns the number of objects around a value. Lists do not count. A value in a header is deeper than any
// value in a body, because the name of a header is less specific.
func depthOf(u *match.ValueUse) int {
	if u.In == model.InHeader {
		return headerDepth
	}
	n := 0
	for token := range strings.SplitSeq(u.Pointer, "/") {
		if token != "" && token != "0" && token != "*" {
			n++
		}
	}
	return n
}

// feedersOf returns the feeders of an input of op, the best first. If the input is mixed (see isMixed), it leaves out
// feeders that emit a different value. It sorts the other feeders by their rank, as adjust sets it. Of feeders with
// the same rank, those come first whose paths have the most segments in common with the start of op's path.
func (f *feeders) feedersOf(op *model.Operation, u *match.ValueUse) []feeder {
	all := f.by[u.ID]
	if !f.isMixed(u) {
		return all
	}
	key := inputFeeders{op, u.ID, u.Name, basicType(u.Type)}
	if known, ok := f.ofFields.Load(key); ok {
		return known.([]feeder)
	}
	var list []feeder
	common := make(map[*model.Operation]int, len(all))
	for _, b := range all {
		if b, ok := f.adjust(b, u); ok {
			list = append(list, b)
			common[b.op] = commonTokens(b.op.Path, op.Path)
		}
	}
	slices.SortStableFunc(list, func(a, b feeder) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(common[b.op], common[a.op]))
	})
	f.ofFields.Store(key, list)
	return list
}

// feederOf returns from as a feeder of an input. ok is false if from does not provide the value.
func (f *feeders) feederOf(from *model.Operation, u *match.ValueUse) (b feeder, ok bool) {
	i, ok := f.at[provided{from, u.ID}]
	if !ok {
		return feeder{}, false
	}
	b = f.by[u.ID][i]
	if f.isMixed(u) {
		return f.adjust(b, u)
	}
	return b, true
}

// isMixed reports whether some operations emit a different value with the same identity as an input, see isOther.
// adjust recognizes these operations.
func (f *feeders) isMixed(u *match.ValueUse) bool {
	return u.In == model.InBody && f.hasOtherType(u) && f.emitted.has(emittedValue{u.ID, u.Name, basicType(u.Type)})
}

// adjust returns a feeder with its rank for an input for which isMixed returns true. ok is false if the feeder emits a
// different value, see isOther. A read of a single element with a field of the input's name, such as GET
// /secrets/public-key, counts as rankRead at least.
func (f *feeders) adjust(b feeder, u *match.ValueUse) (adjusted feeder, ok bool) {
	if b.use.In == model.InResponse && f.isOther(u, b.use.Type) {
		return feeder{}, false
	}
	if b.use.Out && b.use.Name == u.Name && !writes(b.op.Method) && depthOf(b.use) == 1 && !inList(b.use) {
		b.rank = min(b.rank, rankRead)
	}
	return b, true
}

// hasOtherType reports whether some answer has a value with the identity of the input, but with another basic type.
func (f *feeders) hasOtherType(u *match.ValueUse) bool {
	switch basicType(u.Type) {
	case "text":
		return f.answerTypes[typedValue{u.ID, "number"}]
	case "number":
		return f.answerTypes[typedValue{u.ID, "text"}]
	}
	return false
}

// sources returns the feeders of an input of op, the best first. If no feeder creates an element, sources adds the
// operation that creates the resource of the input, and puts it first. This operation is added even if none of its
// declared answers has the value. It is not added if it is already one of the feeders.
func (f *feeders) sources(op *model.Operation, u *match.ValueUse) []feeder {
	list := f.feedersOf(op, u)
	if len(list) > 0 && list[0].rank <= rankPut {
		return list
	}
	from := f.creatorOf(op, u)
	if from == nil || slices.ContainsFunc(list, func(b feeder) bool { return b.op == from }) {
		return list
	}
	undeclared := feeder{op: from, use: &match.ValueUse{Out: true}, rank: rankPost, demands: f.countDemands(from)}
	return append([]feeder{undeclared}, list...)
}

// creatorOf returns an operation other than op that creates an element of an input's resource with an identifier that
// the service chooses. An operation that requires the value itself does not count. creatorOf returns nil if there is
// no such operation.
func (f *feeders) creatorOf(op *model.Operation, u *match.ValueUse) *model.Operation {
	for _, r := range f.resourcesOf(op, u) {
		m, ok := r.Creator(func(m resource.Creator) bool { return !m.Own && m.Op != op })
		requires := func(v match.ValueUse) bool { return !v.Out && v.Required && v.ID == u.ID }
		if ok && !slices.ContainsFunc(f.matcher.UsesOf(m.Op), requires) {
			return m.Op
		}
	}
	return nil
}

// resourcesOf returns the resources to which an input of an operation may belong, the best first.
func (f *feeders) resourcesOf(op *model.Operation, u *match.ValueUse) []*resource.Resource {
	p, inPath := f.placeOf(op, u)
	switch a := f.aliases[p.at]; {
	case inPath && a.named:
		return []*resource.Resource{a.of}
	case inPath && a.of != nil:
		return []*resource.Resource{p.at, a.of}
	case inPath:
		return []*resource.Resource{p.at}
	}
	for _, n := range f.needs[op] {
		if n.in == u.In && n.link == placeName(u) {
			return []*resource.Resource{n.of}
		}
	}
	return nil
}
