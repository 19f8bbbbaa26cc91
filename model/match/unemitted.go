package match

import (
	"slices"
	"strings"

	"sonde/model"
)

// matchUnemitted finds the entity of each value that operations take and no operation emits, such as the username in
// a log-in. It ignores values whose attribute is an id word. The value becomes an attribute of the first of these
// entities:
//  1. for a value in a body: an entity that the operation is about, if some operation emits its attribute of this
//     name
//  2. for a value in a body: the only entity in the operation's own answer that has an attribute of this name
//  3. the entity that onlyEmitter returns, unless the name is a common one
func (q *qualifier) matchUnemitted() {
	l := unemittedValues{qualifier: q, byAttr: q.entitiesByAttr(), known: map[wanted]*entity{}, op: nil, emitted: nil}
	q.each(func(op *model.Operation, u *ValueUse, i *identity) {
		if u.Out || i.entity == nil || i.entity.attrs[i.attr].emitted || slices.Contains(idWords, i.attr) {
			return
		}
		if e := l.entityFor(op, u, i.attr); e != nil {
			i.entity, i.why, i.evidence = e, u.Name+" of "+article(e.name)+", which alone has one", EvidenceGuess
		}
	})
}

// unemittedValues finds the entities of values that no operation emits.
type unemittedValues struct {
	*qualifier
	byAttr map[string][]*entity // the result of entitiesByAttr
	known  map[wanted]*entity   // caches the results of onlyEmitter; nil for none
	// emitted has the attributes in the answers of the operation op, each with its entity. If several entities have an
	// attribute of the same name, the entity is nil.
	op      *model.Operation
	emitted map[string]*entity
}

// wanted is an attribute that is searched among all entities.
type wanted struct {
	attr      string
	basicType basicType
}

// entityFor returns the entity to which a value of an operation belongs, nil if there is none. attr is the key that
// the value has as an attribute.
func (l *unemittedValues) entityFor(op *model.Operation, u *ValueUse, attr string) *entity {
	w := wanted{attr, basicTypeOf(u)}
	if u.In == model.InBody {
		for _, e := range l.topics(op) {
			if e.emits(w) {
				return e
			}
		}
		if answered := l.emittedAttrs(op)[attr]; answered != nil {
			return answered
		}
	}
	if slices.Contains(commonAttrs, attr) {
		return nil
	}
	e, known := l.known[w]
	if !known {
		e = l.onlyEmitter(w)
		l.known[w] = e
	}
	return e
}

// onlyEmitter returns the only entity that emits an attribute. If several entities emit it, onlyEmitter prefers the
// only one whose name begins the attribute's name, and then the only one of which a path parameter is this attribute.
// It returns nil if there is no such entity.
func (l *unemittedValues) onlyEmitter(w wanted) *entity {
	emit := slices.DeleteFunc(slices.Clone(l.byAttr[w.attr]), func(e *entity) bool { return !e.emits(w) })
	return onlyOne(emit, func(*entity) bool { return true },
		func(e *entity) bool { return strings.HasPrefix(w.attr, e.plain) },
		func(e *entity) bool { return e.attrs[w.attr].inPath })
}

// emits reports whether some operation emits an attribute of the entity with this key and basic type.
func (e *entity) emits(w wanted) bool {
	a := e.attrs[w.attr]
	return a != nil && a.emitted && a.basicType.fits(w.basicType)
}

// onlyOne applies tests to the entities of a list. It returns the only entity that passes the first test, or else the
// only entity that passes the second test, and so on. It returns nil if no test is passed by exactly one entity.
func onlyOne(list []*entity, tests ...func(*entity) bool) *entity {
	for _, test := range tests {
		fit := slices.DeleteFunc(slices.Clone(list), func(e *entity) bool { return !test(e) })
		if len(fit) == 1 {
			return fit[0]
		}
	}
	return nil
}

// emittedAttrs returns the attributes in the operation's answers, each with its entity. If several entities have an
// attribute of the same name, the entity is nil.
func (l *unemittedValues) emittedAttrs(op *model.Operation) map[string]*entity {
	if l.op == op {
		return l.emitted
	}
	l.op, l.emitted = op, map[string]*entity{}
	for k, u := range l.uses[op] {
		i := l.identities[op][k]
		if !u.Out || i.entity == nil {
			continue
		}
		if e, known := l.emitted[i.attr]; known && e != i.entity {
			l.emitted[i.attr] = nil
		} else {
			l.emitted[i.attr] = i.entity
		}
	}
	return l.emitted
}
