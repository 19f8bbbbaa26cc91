package match

import (
	"slices"
	"strings"

	"sonde/model"
)

// vague are names that say too little to tell by themselves whose they are.
var vague = []string{
	"name", "type", "status", "state", "description", "title", "value", "text", "date", "time", "message", "count", "total", "page", "size",
	"limit", "offset", "sort", "order", "data", "content", "label", "comment", "version", "url", "link", "enabled", "active", "kind", "category",
	"created", "updated", "createdat", "updatedat", "code", "number", "id", "uuid", "key", "slug", "guid", "format", "error", "errors", "body",
}

// join finds things that are told apart in paths by the same telling attribute,
// such as profiles and users by "username", and makes that one value. Where the
// other thing has no key of its own the two are one, and so are all attributes
// that both have.
func (q *qualifier) join() {
	same := map[*attribute]*identity{}
	having := q.having(func(a *attribute) bool { return true })
	for _, a := range q.sorted() {
		for _, key := range sortedKeys(a.attrs) {
			if !a.attrs[key].path || slices.Contains(vague, key) {
				continue
			}
			for _, b := range having[key] {
				switch {
				case b == a || !b.attrs[key].kind.fits(a.attrs[key].kind):
				case b.made() && !a.made():
					unite(same, b, a, key)
				default:
					unite(same, a, b, key)
				}
			}
		}
	}
	q.each(func(_ *model.Operation, u *Use, i *identity) {
		for i.entity != nil {
			to := same[i.entity.attrs[i.attr]]
			if to == nil {
				return
			}
			i.entity, i.why = to.entity, i.why+", which is "+article(to.entity.name)+"'s"
		}
	})
}

// unite makes attributes of b those of a.
func unite(same map[*attribute]*identity, a, b *entity, key string) {
	keyless := b.key() == key || b.attrs[b.key()] == nil
	for _, name := range sortedKeys(b.attrs) {
		one := name == key || keyless && !slices.Contains(vague, name)
		if from, to := b.attrs[name], a.attrs[name]; one && to != nil && same[from] == nil && same[to] == nil {
			same[from] = &identity{entity: a}
			to.emitted = to.emitted || from.emitted
		}
	}
}

// adopt looks for what is taken and emitted nowhere, such as the username in a
// log-in: if one of the things that the operation is about, or else just one of
// all, emits an attribute of that name, it is that.
func (q *qualifier) adopt() {
	emitters := q.having(func(a *attribute) bool { return a.emitted })
	q.each(func(op *model.Operation, u *Use, i *identity) {
		if u.Out || i.entity == nil || i.entity.attrs[i.attr].emitted {
			return
		}
		if e := q.adopter(op, u, i.attr, emitters[i.attr]); e != nil {
			i.entity, i.why = e, u.Name+" of "+article(e.name)+", which alone has one"
		}
	})
}

func (q *qualifier) adopter(op *model.Operation, u *Use, attr string, emitters []*entity) *entity {
	fit := slices.DeleteFunc(slices.Clone(emitters), func(e *entity) bool { return !e.attrs[attr].kind.fits(kindOf(*u)) })
	if slices.Contains(identities, attr) {
		return nil
	}
	for _, e := range q.topics(op) {
		if u.In == model.InBody && slices.Contains(fit, e) {
			return e
		}
	}
	if answered := q.answered(op, attr); answered != nil && u.In == model.InBody {
		return answered
	}
	if slices.Contains(vague, attr) {
		return nil
	}
	return only(fit, func(e *entity) bool { return true },
		func(e *entity) bool { return strings.HasPrefix(attr, strings.ReplaceAll(e.name, "-", "")) },
		func(e *entity) bool { return e.attrs[attr].path })
}

// only returns the one entity for which a test holds, by the first test that
// holds for just one, or nil.
func only(list []*entity, tests ...func(*entity) bool) *entity {
	for _, test := range tests {
		fit := slices.DeleteFunc(slices.Clone(list), func(e *entity) bool { return !test(e) })
		if len(fit) == 1 {
			return fit[0]
		}
	}
	return nil
}

// answered returns the thing with such an attribute in the operation's answer,
// if it is one.
func (q *qualifier) answered(op *model.Operation, attr string) *entity {
	var found *entity
	for k, u := range q.uses[op] {
		i := q.of[op][k]
		if !u.Out || i.entity == nil || i.attr != attr || i.entity == found {
			continue
		}
		if found != nil {
			return nil
		}
		found = i.entity
	}
	return found
}

// having returns the entities that have such an attribute, by its key, in the
// order of their names.
func (q *qualifier) having(such func(*attribute) bool) map[string][]*entity {
	list := map[string][]*entity{}
	for _, e := range q.sorted() {
		for key, a := range e.attrs {
			if such(a) {
				list[key] = append(list[key], e)
			}
		}
	}
	return list
}

func (q *qualifier) sorted() []*entity {
	list := make([]*entity, 0, len(q.all))
	for _, e := range q.all {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b *entity) int { return strings.Compare(a.name, b.name) })
	return list
}
