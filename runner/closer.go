package runner

import (
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/route"
)

// closer returns tests that look closer at what the search kept: whether what
// was deleted can still be read, whether what was refused was done, whether
// somebody else can use what a user made, and whether nobody can; then where
// Locations lead, whether PUTs are idempotent, and last whether GETs are safe. Each
// question is asked once of an operation.
func (e *engine) closer() []model.Test {
	a := asking{engine: e, asked: map[string]bool{}, router: route.New(e.plan.Spec)}
	for _, ask := range []func(met, *model.Operation){a.ask, a.location, a.again, a.sideEffects} {
		for kept := range e.archived() {
			for i, c := range kept.test.Calls {
				if op := e.plan.Spec.Operation(c.Op); op != nil {
					ask(kept.met(i), op)
				}
			}
		}
	}
	return a.tests
}

// met is a call that the search kept, with the test that leads to it.
type met struct {
	test     model.Test // as it was kept, where that is short
	at       int        // the index of the call
	exchange model.Exchange
}

// longHead is the number of calls before another from which on those are left out
// that it most likely does not need.
const longHead = 5

func (t *trial) met(i int) met {
	m := met{test: t.test, at: i}
	if i < len(t.exchanges) {
		m.exchange = t.exchanges[i]
	}
	if i > longHead {
		keep := needed(t.test, append(sameThing(t.test, i), i)...)
		m.test, m.at = only(t.test, keep), len(keep)-1
	}
	return m
}

// sameThing are the calls before another that have the same values in their path.
func sameThing(t model.Test, i int) []int {
	var all []int
	for k, c := range t.Calls[:i] {
		if c.Status/100 == 2 && slices.Equal(pathOf(c), pathOf(t.Calls[i])) && len(pathOf(c)) > 0 {
			all = append(all, k)
		}
	}
	return all
}

func pathOf(c model.Call) []model.Arg {
	return slices.DeleteFunc(slices.Clone(c.Args), func(a model.Arg) bool { return a.In != model.InPath })
}

type asking struct {
	*engine
	asked  map[string]bool
	router *route.Router
	tests  []model.Test
}

// ask asks what there is to ask of one call of a test.
func (a *asking) ask(m met, op *model.Operation) {
	t, i := m.test, m.at
	c := t.Calls[i]
	well := c.Status/100 == 2
	switch {
	case well && op.Method == "DELETE":
		a.read(t, i, op)
	case c.Status/100 == 4 && c.Status != 404 && (op.Method == "PUT" || op.Method == "PATCH"):
		a.compare(t, i, op)
	}
	if well && op.Secured && c.User != "" && a.first("nobody", op.ID) {
		a.add(as(t, i, ""))
	}
	if well && len(a.plan.Owners) > 0 {
		a.others(t, i, op)
	}
}

func (a *asking) first(question string, op model.OpID) bool {
	key := question + " " + string(op)
	defer func() { a.asked[key] = true }()
	return !a.asked[key]
}

func (a *asking) add(t model.Test) {
	t.Origin, t.Covers, t.Checks = model.Searched, nil, nil
	a.tests = append(a.tests, t)
}

// as is a test up to a call, which somebody else makes.
func as(t model.Test, i int, user string) model.Test {
	h := *head(t, i+1)
	h.Calls = slices.Clone(h.Calls)
	h.Calls[i].User = user
	return h
}

// reader returns the call that reads what another call is about, and makes the
// links of that call to it.
func (a *asking) reader(t model.Test, i int, op *model.Operation) (read model.Call, links func(to int) []model.Link, ok bool) {
	get := a.plan.Spec.Operation(model.OpID("GET " + op.Path))
	if get == nil || get.Body != nil && get.Body.Required || slices.ContainsFunc(get.Params, func(p model.Param) bool { return p.Required && p.In != model.InPath }) {
		return read, nil, false
	}
	read = model.Call{Op: get.ID, User: t.Calls[i].User}
	for _, arg := range t.Calls[i].Args {
		if arg.In == model.InPath {
			read.Args = append(read.Args, arg)
		}
	}
	return read, func(to int) []model.Link {
		var all []model.Link
		for _, l := range t.Links {
			if l.To == i && l.In == model.InPath {
				l.To = to
				all = append(all, l)
			}
		}
		return all
	}, true
}

// read asks whether what was deleted can still be read, as it could be before. Two
// reads before show what changes by itself.
func (a *asking) read(t model.Test, i int, op *model.Operation) {
	get, links, ok := a.reader(t, i, op)
	if !ok || !a.first("read", op.ID) {
		return
	}
	h := *head(t, i)
	h.Calls = append(slices.Clone(h.Calls), get, get, t.Calls[i], get)
	h.Links = slices.Concat(h.Links, links(i), links(i+1), moved(t, i, i+2), links(i+3))
	a.add(h)
}

// moved are the links into a call that is made at another place.
func moved(t model.Test, from, to int) []model.Link {
	var all []model.Link
	for _, l := range t.Links {
		if l.To == from {
			l.To = to
			all = append(all, l)
		}
	}
	return all
}

// compare asks whether a write that was refused changed anything: it reads
// before and after.
func (a *asking) compare(t model.Test, i int, op *model.Operation) {
	get, links, ok := a.reader(t, i, op)
	if !ok || t.Calls[i].Body == nil || !a.first("compare "+strconv.Itoa(t.Calls[i].Status), op.ID) {
		return
	}
	h := *head(t, i)
	h.Calls = append(slices.Clone(h.Calls), get, t.Calls[i], get)
	h.Links = slices.Concat(h.Links, links(i), moved(t, i, i+1), links(i+2))
	a.add(h)
}

// others asks whether another user may do what the maker of a thing may.
func (a *asking) others(t model.Test, i int, op *model.Operation) {
	for _, l := range t.Links {
		if l.To != i || l.In != model.InPath || t.Calls[l.From].User == "" || !a.owned(op.Path) {
			continue
		}
		for _, u := range a.plan.Users {
			if u.Name == t.Calls[l.From].User || a.shared(u.Name) || !a.first("others", op.ID) {
				continue
			}
			if op.Method == "DELETE" {
				a.taken(t, i, op, u.Name)
			} else {
				a.add(as(t, i, u.Name))
			}
		}
	}
}

// taken asks whether the maker of a thing finds it gone when another user deleted it.
func (a *asking) taken(t model.Test, i int, op *model.Operation, user string) {
	get, links, ok := a.reader(t, i, op)
	if !ok {
		return
	}
	remove := t.Calls[i]
	remove.User = user
	h := *head(t, i)
	h.Calls = append(slices.Clone(h.Calls), get, remove, get)
	h.Links = slices.Concat(h.Links, links(i), moved(t, i, i+1), links(i+2))
	a.add(h)
}

// owned reports whether a path is about something that belongs to somebody.
func (a *asking) owned(path string) bool {
	return slices.ContainsFunc(a.plan.Owners, func(o model.Owned) bool { return strings.HasPrefix(path, o.Path) })
}

func (a *asking) shared(user string) bool {
	return slices.ContainsFunc(a.plan.Owners, func(o model.Owned) bool { return slices.Contains(o.Shared, user) })
}
