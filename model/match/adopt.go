package match

import (
	"maps"
	"slices"
	"strings"

	"sonde/model"
)

// vague are names of attributes that many kinds of things have.
var vague = []string{
	"name", "type", "status", "state", "description", "title", "value", "text", "date", "time", "message", "count", "total", "page", "size",
	"limit", "offset", "sort", "order", "data", "content", "label", "comment", "version", "url", "link",
	"enabled", "active", "kind", "category",
	"created", "updated", "createdat", "updatedat", "code", "number", "id", "uuid", "key", "slug", "guid",
	"format", "error", "errors", "body",
	"field", "fields", "filter", "query", "token",
}

// maxJoined limits how many entities may share an attribute that identifies them.
const maxJoined = 100

// join finds entities that the same specific attribute identifies in paths, such as profiles and
// users by "username", and makes that attribute one value. If the other entity has no key of its
// own, the two are the same, and so are all attributes that both have.
func (q *qualifier) join() {
	same := map[*attribute]*entity{}
	having := q.having()
	for _, a := range q.sorted() {
		for _, key := range a.paths {
			if len(having[key]) > maxJoined || slices.Contains(vague, key) {
				continue
			}
			for _, b := range having[key] {
				switch {
				case b == a || !b.attrs[key].kind.fits(a.attrs[key].kind):
				case b.made && !a.made:
					unite(same, b, a, key)
				default:
					unite(same, a, b, key)
				}
			}
		}
	}
	q.each(func(_ *model.Operation, _ *ValueUse, i *identity) {
		for i.entity != nil {
			to := same[i.entity.attrs[i.attr]]
			if to == nil {
				return
			}
			i.entity, i.why = to, i.why+", which is "+article(to.name)+"'s"
		}
	})
}

// unite makes attributes of b those of a.
func unite(same map[*attribute]*entity, a, b *entity, key string) {
	become := func(name string) {
		if from, to := b.attrs[name], a.attrs[name]; to != nil && same[from] == nil && same[to] == nil {
			same[from] = a
			to.emitted = to.emitted || from.emitted
		}
	}
	become(key)
	if own := b.key(); own != key && b.attrs[own] != nil {
		return
	}
	for name := range b.attrs { // in any order: none has to do with another
		if !slices.Contains(vague, name) {
			become(name)
		}
	}
}

// adopt handles values that are taken and never emitted, such as the username in a log-in. If one
// of the operation's own entities, or else exactly one of all, emits an attribute of that name,
// the value is that attribute.
func (q *qualifier) adopt() {
	l := lonely{qualifier: q, all: q.having(), only: map[wanted]*entity{}, op: nil, answers: nil}
	q.each(func(op *model.Operation, u *ValueUse, i *identity) {
		if u.Out || i.entity == nil || i.entity.attrs[i.attr].emitted || slices.Contains(identities, i.attr) {
			return
		}
		if e := l.adopter(op, u, i.attr); e != nil {
			i.entity, i.why = e, u.Name+" of "+article(e.name)+", which alone has one"
		}
	})
}

// lonely finds the entity of a value that no operation emits.
type lonely struct {
	*qualifier
	all  map[string][]*entity // having
	only map[wanted]*entity   // results of among; nil for none
	// answers are the attributes that the operation op emits, each with its entity, nil if
	// there are several.
	op      *model.Operation
	answers map[string]*entity
}

// wanted is a value that is looked up among all entities.
type wanted struct {
	attr string
	kind kind
}

func (l *lonely) adopter(op *model.Operation, u *ValueUse, attr string) *entity {
	w := wanted{attr, kindOf(*u)}
	if u.In == model.InBody {
		for _, e := range l.topics(op) {
			if e.emits(w) {
				return e
			}
		}
		if answered := l.answered(op)[attr]; answered != nil {
			return answered
		}
	}
	if slices.Contains(vague, attr) {
		return nil
	}
	e, known := l.only[w]
	if !known {
		e = l.among(w)
		l.only[w] = e
	}
	return e
}

// among returns the only entity that emits the value; or the one whose name is before it; or the
// one that it identifies in a path.
func (l *lonely) among(w wanted) *entity {
	emit := slices.DeleteFunc(slices.Clone(l.all[w.attr]), func(e *entity) bool { return !e.emits(w) })
	return only(emit, func(*entity) bool { return true },
		func(e *entity) bool { return strings.HasPrefix(w.attr, strings.ReplaceAll(e.name, "-", "")) },
		func(e *entity) bool { return e.attrs[w.attr].path })
}

// emits reports whether some operation emits such an attribute of the entity.
func (e *entity) emits(w wanted) bool {
	a := e.attrs[w.attr]
	return a != nil && a.emitted && a.kind.fits(w.kind)
}

// only applies tests in order and returns the entity that is the only one to pass one, or nil.
func only(list []*entity, tests ...func(*entity) bool) *entity {
	for _, test := range tests {
		fit := slices.DeleteFunc(slices.Clone(list), func(e *entity) bool { return !test(e) })
		if len(fit) == 1 {
			return fit[0]
		}
	}
	return nil
}

// answered returns the attributes in the operation's answer, each with its entity, nil if there
// are several.
func (l *lonely) answered(op *model.Operation) map[string]*entity {
	if l.op == op {
		return l.answers
	}
	l.op, l.answers = op, map[string]*entity{}
	for k, u := range l.uses[op] {
		i := l.of[op][k]
		if !u.Out || i.entity == nil {
			continue
		}
		if e, known := l.answers[i.attr]; known && e != i.entity {
			l.answers[i.attr] = nil
		} else {
			l.answers[i.attr] = i.entity
		}
	}
	return l.answers
}

// having returns the entities that have each attribute, by its key, in the order
// of their names.
func (q *qualifier) having() map[string][]*entity {
	list := map[string][]*entity{}
	for _, e := range q.sorted() {
		for key := range e.attrs {
			list[key] = append(list[key], e)
		}
	}
	return list
}

func (q *qualifier) sorted() []*entity {
	return slices.SortedFunc(maps.Values(q.all), func(a, b *entity) int { return strings.Compare(a.name, b.name) })
}
