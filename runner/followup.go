package runner

import (
	"net/url"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/oracle"
)

// location asks whether there is something at the Location of what a call created:
// it follows that by the GET of the spec that it means.
func (a *asking) location(m met, op *model.Operation) {
	t, i, x := m.test, m.at, m.exchange
	if t.Calls[i].Status != 201 {
		return
	}
	to, ok := oracle.Destination(x)
	base, err := url.Parse(x.Base)
	if !ok || err != nil || to.Host != base.Host || to.RawQuery != "" {
		return
	}
	path, below := strings.CutPrefix(to.EscapedPath(), strings.TrimSuffix(base.EscapedPath(), "/"))
	get, known := a.router.Find("GET", path)
	if !below || !known || !callable(get.Op) {
		return
	}
	last, whole := lastParam(get.Op.Path)
	if !whole || !a.first("location", op.ID) {
		return
	}
	read := model.Call{Op: get.Op.ID, User: t.Calls[i].User, Args: get.Args}
	h := *head(t, i+1)
	link := model.Link{From: i, To: i + 1, Header: "Location", In: model.InPath, Name: last}
	h.Calls = append(slices.Clone(h.Calls), read)
	h.Links = append(slices.Concat(h.Links, linked(t, i, i+1, read.Args, last)), link)
	a.add(h)
}

// lastParam returns the parameter that is the whole last segment of a path, if that
// is one.
func lastParam(path string) (name string, ok bool) {
	segment := path[strings.LastIndex(path, "/")+1:]
	name = strings.TrimSuffix(strings.TrimPrefix(segment, "{"), "}")
	return name, segment == "{"+name+"}" && !strings.ContainsAny(name, "{}")
}

// linked are the links into a call that another takes over: those into parameters of
// the path that both have, except one.
func linked(t model.Test, from, to int, args []model.Arg, except string) []model.Link {
	var all []model.Link
	for _, l := range t.Links {
		shared := slices.ContainsFunc(args, func(a model.Arg) bool { return a.In == model.InPath && a.Name == l.Name && a.Name != except })
		if l.To == from && l.In == model.InPath && shared {
			l.To = to
			all = append(all, l)
		}
	}
	return all
}

// callable reports whether an operation needs nothing but its path.
func callable(op *model.Operation) bool {
	return (op.Body == nil || !op.Body.Required) &&
		!slices.ContainsFunc(op.Params, func(p model.Param) bool { return p.Required && p.In != model.InPath })
}

// again asks whether a PUT is idempotent: it reads twice what the PUT made, and once
// more after the same PUT.
func (a *asking) again(m met, op *model.Operation) {
	if !repeatable(m, op) || !a.first("again", op.ID) {
		return
	}
	m = a.fullest(m, op)
	t, i := m.test, m.at
	get, links, ok := a.reader(t, i, op)
	if !ok {
		return
	}
	h := *head(t, i+1)
	h.Calls = append(slices.Clone(h.Calls), get, get, t.Calls[i], get)
	h.Links = slices.Concat(h.Links, links(i+1), links(i+2), moved(t, i, i+3), links(i+4))
	a.add(h)
}

// repeatable reports whether a call is a PUT with a body that went well.
func repeatable(m met, op *model.Operation) bool {
	c := m.test.Calls[m.at]
	return c.Op == op.ID && op.Method == "PUT" && c.Status/100 == 2 && c.Body != nil
}

// fullest is the kept call of an operation with the longest body: what a search keeps
// tends to set little.
func (a *asking) fullest(best met, op *model.Operation) met {
	size := func(m met) int { return len(m.test.Calls[m.at].Body.Data) }
	for kept := range a.archived() {
		for i := range kept.test.Calls {
			if m := kept.met(i); repeatable(m, op) && size(m) > size(best) {
				best = m
			}
		}
	}
	return best
}

// mostNeighbours is how many GETs are looked at before and after another.
const mostNeighbours = 3

// sideEffects asks whether a GET changes what others answer, of the same resource or
// of what is around it.
func (a *asking) sideEffects(m met, op *model.Operation) {
	if m.test.Calls[m.at].Status/100 != 2 || op.Method != "GET" {
		return
	}
	around := a.neighbours(op)
	if len(around) == 0 || !a.first("side effects", op.ID) {
		return
	}
	t := only(m.test, needed(m.test, m.at))
	before := len(t.Calls) - 1
	h := *head(t, before)
	h.Calls = slices.Clone(h.Calls)
	look := func() {
		for _, other := range around {
			c := model.Call{Op: other.ID, User: t.Calls[before].User}
			for _, arg := range t.Calls[before].Args {
				if arg.In == model.InPath && strings.Contains(other.Path, "{"+arg.Name+"}") {
					c.Args = append(c.Args, arg)
				}
			}
			h.Links = append(h.Links, linked(t, before, len(h.Calls), c.Args, "")...)
			h.Calls = append(h.Calls, c)
		}
	}
	look()
	look()
	h.Links = append(h.Links, moved(t, before, len(h.Calls))...)
	h.Calls = append(h.Calls, t.Calls[before])
	look()
	a.add(h)
}

// neighbours are other GETs that can be called with what a GET has in its path, and
// whose path begins alike.
func (a *asking) neighbours(op *model.Operation) []*model.Operation {
	var all []*model.Operation
	for _, other := range a.plan.Spec.Operations {
		if len(all) < mostNeighbours && other != op && other.Method == "GET" && callable(other) && top(other.Path) == top(op.Path) && within(other, op) {
			all = append(all, other)
		}
	}
	return all
}

// within reports whether the path of an operation has all that is needed for another.
func within(other, op *model.Operation) bool {
	return !slices.ContainsFunc(other.Params, func(p model.Param) bool {
		return p.In == model.InPath && !strings.Contains(op.Path, "{"+p.Name+"}")
	})
}

// top is the first segment of a path.
func top(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}
