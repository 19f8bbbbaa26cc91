package search

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/route"
	"sonde/runner/search/oracle"
)

// newFollowUps returns the follow-up tests of a run, which continue the kept tests. Each test checks one of these:
//   - Can a deleted resource still be read?
//   - Did a refused write take effect?
//   - Can other users or anonymous callers use what a user created?
//   - Can the Location of an answer be read?
//   - Is PUT idempotent?
//   - Is GET safe?
//   - Do the lists of one collection agree: filtered, sorted, in pages, and after a creation?
//
// There is at most one test for each question and operation, with these exceptions: a refused write has one for each
// status, other callers have two, and lists have up to four.
func newFollowUps(p model.Plan, kept *archive) *followUps {
	f := &followUps{
		plan: p, archive: kept, asked: map[string]bool{}, router: route.New(p.Spec), elements: elementNames(p.Spec.Operations),
	}
	for _, ask := range []func(keptCall, *model.Operation){
		f.requestFollowUps, f.followLocation, f.repeatPut, f.sideEffects, f.listAfterCreations, f.listExisting,
	} {
		for kept := range kept.tests() {
			for i, c := range kept.test.Calls {
				if op := p.Spec.Operation(c.Op); op != nil {
					ask(kept.keptCall(i), op)
				}
			}
		}
	}
	return f
}

// keptCall is a call of a kept test, together with the calls that precede it.
type keptCall struct {
	test     model.Test // the kept test if few calls precede the call, otherwise only the needed calls
	at       int        // the index of the call
	exchange model.Exchange
}

// maxLead decides how much of a kept test is used. If at most maxLead calls come before the kept call, the whole test
// is used, otherwise only the calls that are most likely needed.
const maxLead = 5

// sameResource returns the indexes of the successful calls before call i that have the same path values. It
// returns none if call i has no path values.
func sameResource(t model.Test, i int) []int {
	var all []int
	for k, c := range t.Calls[:i] {
		if c.Status/100 == 2 && slices.Equal(pathArgs(c), pathArgs(t.Calls[i])) && len(pathArgs(c)) > 0 {
			all = append(all, k)
		}
	}
	return all
}

func pathArgs(c model.Call) []model.Arg {
	return slices.DeleteFunc(slices.Clone(c.Args), func(a model.Arg) bool { return a.In != model.InPath })
}

// followUps builds the follow-up tests of a run.
type followUps struct {
	plan    model.Plan
	archive *archive
	asked   map[string]bool
	router  *route.Router
	// elements has the names of the parameters that identify elements of collections; see elementNames.
	elements map[*model.Operation]string
	tests    []model.Test
}

// requestFollowUps adds tests about deletes, refused writes, anonymous calls and other users.
func (f *followUps) requestFollowUps(m keptCall, op *model.Operation) {
	t, i := m.test, m.at
	c := t.Calls[i]
	well := c.Status/100 == 2
	switch {
	case well && op.Method == "DELETE":
		f.readDeleted(t, i, op)
	case c.Status/100 == 4 && c.Status != 404 && (op.Method == "PUT" || op.Method == "PATCH"):
		f.readRefused(t, i, op)
	}
	if well && op.Secured && c.User != "" && f.isFirst("anonymous", op.ID) {
		f.add(asUser(t, i, ""))
	}
	if well && len(f.plan.Owners) > 0 {
		f.asOtherUsers(t, i, op)
	}
}

func (f *followUps) isFirst(question string, op model.OpID) bool {
	key := question + " " + string(op)
	defer func() { f.asked[key] = true }()
	return !f.asked[key]
}

func (f *followUps) add(t model.Test) {
	t.Origin, t.Covers, t.Checks = model.OriginSearched, nil, nil
	f.tests = append(f.tests, t)
}

// asUser returns a test that ends with call i, made by another user; "" is anonymous.
func asUser(t model.Test, i int, user string) model.Test {
	h := *testHead(t, i+1)
	h.Calls = slices.Clone(h.Calls)
	h.Calls[i].User = user
	return h
}

// readOf returns a GET of the resource of call i. The function links returns copies of the path links of call i; the
// copies lead into the call with the given index, that of the GET. ok is false if the spec has no such GET, or if the
// GET requires inputs outside its path.
func (f *followUps) readOf(t model.Test, i int, op *model.Operation) (read model.Call, links func(index int) []model.Link, ok bool) {
	get := f.plan.Spec.Operation(model.OpID("GET " + op.Path))
	if get == nil || !needsOnlyPath(get) {
		return read, nil, false
	}
	read = model.Call{Op: get.ID, User: t.Calls[i].User}
	for _, arg := range t.Calls[i].Args {
		if arg.In == model.InPath {
			read.Args = append(read.Args, arg)
		}
	}
	return read, func(index int) []model.Link {
		var all []model.Link
		for _, l := range t.Links {
			if l.To == i && l.In == model.InPath {
				l.To = index
				all = append(all, l)
			}
		}
		return all
	}, true
}

// readDeleted adds a test that reads a resource after deleting it. Two reads before the delete show which parts of
// the answer change by themselves.
func (f *followUps) readDeleted(t model.Test, i int, op *model.Operation) {
	get, links, ok := f.readOf(t, i, op)
	if !ok || !f.isFirst("read", op.ID) {
		return
	}
	h := *testHead(t, i)
	h.Calls = append(slices.Clone(h.Calls), get, get, t.Calls[i], get)
	h.Links = slices.Concat(h.Links, links(i), links(i+1), movedLinks(t, i, i+2), links(i+3))
	f.add(h)
}

// movedLinks returns copies of the links into one call of a test, changed to lead into another call. from and to are the
// indexes of the two calls.
func movedLinks(t model.Test, from, to int) []model.Link {
	var all []model.Link
	for _, l := range t.Links {
		if l.To == from {
			l.To = to
			all = append(all, l)
		}
	}
	return all
}

// readRefused adds a test that reads a resource before and after a refused write.
func (f *followUps) readRefused(t model.Test, i int, op *model.Operation) {
	get, links, ok := f.readOf(t, i, op)
	if !ok || t.Calls[i].Body == nil || !f.isFirst("compare "+strconv.Itoa(t.Calls[i].Status), op.ID) {
		return
	}
	h := *testHead(t, i)
	h.Calls = append(slices.Clone(h.Calls), get, t.Calls[i], get)
	h.Links = slices.Concat(h.Links, links(i), movedLinks(t, i, i+1), links(i+2))
	f.add(h)
}

// asOtherUsers adds a test in which a user who is not the owner of a resource makes the call.
func (f *followUps) asOtherUsers(t model.Test, i int, op *model.Operation) {
	for _, l := range t.Links {
		if l.To != i || l.In != model.InPath || t.Calls[l.From].User == "" || !f.isOwned(op.Path) {
			continue
		}
		for _, u := range f.plan.Users {
			if u.Name == t.Calls[l.From].User || f.isShared(u.Name) || !f.isFirst("others", op.ID) {
				continue
			}
			if op.Method == "DELETE" {
				f.deleteAsOther(t, i, op, u.Name)
			} else {
				f.add(asUser(t, i, u.Name))
			}
		}
	}
}

// deleteAsOther adds a test in which another user deletes a resource, with reads by the owner before and after.
func (f *followUps) deleteAsOther(t model.Test, i int, op *model.Operation, user string) {
	get, links, ok := f.readOf(t, i, op)
	if !ok {
		return
	}
	remove := t.Calls[i]
	remove.User = user
	h := *testHead(t, i)
	h.Calls = append(slices.Clone(h.Calls), get, remove, get)
	h.Links = slices.Concat(h.Links, links(i), movedLinks(t, i, i+1), links(i+2))
	f.add(h)
}

// isOwned reports whether, according to the plan, a path names a resource that belongs to one user.
func (f *followUps) isOwned(path string) bool {
	return slices.ContainsFunc(f.plan.Owners, func(o model.OwnedResource) bool { return strings.HasPrefix(path, o.Path) })
}

func (f *followUps) isShared(user string) bool {
	return slices.ContainsFunc(f.plan.Owners, func(o model.OwnedResource) bool { return slices.Contains(o.Shared, user) })
}

// followLocation adds a test that reads the Location of a created resource, by the GET of the spec that matches
// the Location.
func (f *followUps) followLocation(m keptCall, op *model.Operation) {
	t, i, x := m.test, m.at, m.exchange
	if t.Calls[i].Status != 201 {
		return
	}
	to, ok := oracle.LocationURL(x)
	base, err := url.Parse(x.Base)
	if !ok || err != nil || to.Host != base.Host || to.RawQuery != "" {
		return
	}
	path, below := strings.CutPrefix(to.EscapedPath(), strings.TrimSuffix(base.EscapedPath(), "/"))
	get, known := f.router.FindOperation("GET", path)
	if !below || !known || !needsOnlyPath(get.Op) {
		return
	}
	last, whole := lastParam(get.Op.Path)
	if !whole || !f.isFirst("location", op.ID) {
		return
	}
	read := model.Call{Op: get.Op.ID, User: t.Calls[i].User, Args: get.Args}
	h := *testHead(t, i+1)
	link := model.Link{From: i, To: i + 1, Header: "Location", In: model.InPath, Name: last}
	h.Calls = append(slices.Clone(h.Calls), read)
	h.Links = append(slices.Concat(h.Links, pathLinks(t, i, i+1, read.Args, last)), link)
	f.add(h)
}

// lastParam returns the name of the parameter that is the last segment of a path. ok is false if the segment is
// not just one parameter.
func lastParam(path string) (name string, ok bool) {
	segment := path[strings.LastIndex(path, "/")+1:]
	name = strings.TrimSuffix(strings.TrimPrefix(segment, "{"), "}")
	return name, segment == "{"+name+"}" && !strings.ContainsAny(name, "{}")
}

// pathLinks returns copies of the path links into one call of a test, changed to lead into another call. old and next
// are the indexes of the two calls. A link is copied only if args has its parameter, and the parameter has another name
// than except.
func pathLinks(t model.Test, old, next int, args []model.Arg, except string) []model.Link {
	var all []model.Link
	for _, l := range t.Links {
		shared := slices.ContainsFunc(args, func(a model.Arg) bool { return a.In == model.InPath && a.Name == l.Name && a.Name != except })
		if l.To == old && l.In == model.InPath && shared {
			l.To = next
			all = append(all, l)
		}
	}
	return all
}

// needsOnlyPath reports whether path parameters are the only inputs that an operation requires.
func needsOnlyPath(op *model.Operation) bool {
	return (op.Body == nil || !op.Body.Required) &&
		!slices.ContainsFunc(op.Params, func(p model.Parameter) bool { return p.Required && p.In != model.InPath })
}

// repeatPut adds a test that reads a resource twice after a PUT, and once more after the PUT is repeated.
func (f *followUps) repeatPut(m keptCall, op *model.Operation) {
	if !repeatable(m, op) || !f.isFirst("again", op.ID) {
		return
	}
	m = f.longestBody(m, func(other keptCall) bool { return repeatable(other, op) })
	t, i := m.test, m.at
	get, links, ok := f.readOf(t, i, op)
	if !ok {
		return
	}
	h := *testHead(t, i+1)
	h.Calls = append(slices.Clone(h.Calls), get, get, t.Calls[i], get)
	h.Links = slices.Concat(h.Links, links(i+1), links(i+2), movedLinks(t, i, i+3), links(i+4))
	f.add(h)
}

// repeatable reports whether a kept call is a successful PUT of op with a body.
func repeatable(m keptCall, op *model.Operation) bool {
	c := m.test.Calls[m.at]
	return c.Op == op.ID && op.Method == "PUT" && c.Status/100 == 2 && c.Body != nil
}

// longestBody returns the accepted kept call with the longest body, or best if no accepted call has a longer body than
// best. The longest body sets the most properties; most kept tests set few.
func (f *followUps) longestBody(best keptCall, accept func(keptCall) bool) keptCall {
	size := func(m keptCall) int {
		if body := m.test.Calls[m.at].Body; body != nil {
			return len(body.Data)
		}
		return 0
	}
	for kept := range f.archive.tests() {
		for i := range kept.test.Calls {
			if m := kept.keptCall(i); accept(m) && size(m) > size(best) {
				best = m
			}
		}
	}
	return best
}

// maxNeighbours bounds the number of neighbours of a GET.
const maxNeighbours = 3

// sideEffects adds a test that sends the neighbours of a GET twice before and once after the GET.
func (f *followUps) sideEffects(m keptCall, op *model.Operation) {
	if m.test.Calls[m.at].Status/100 != 2 || op.Method != "GET" {
		return
	}
	around := f.neighbours(op)
	if len(around) == 0 || !f.isFirst("side effects", op.ID) {
		return
	}
	t := withCalls(m.test, neededCalls(m.test, m.at))
	before := len(t.Calls) - 1
	h := *testHead(t, before)
	h.Calls = slices.Clone(h.Calls)
	look := func() {
		for _, other := range around {
			c := model.Call{Op: other.ID, User: t.Calls[before].User}
			for _, arg := range t.Calls[before].Args {
				if arg.In == model.InPath && strings.Contains(other.Path, "{"+arg.Name+"}") {
					c.Args = append(c.Args, arg)
				}
			}
			h.Links = append(h.Links, pathLinks(t, before, len(h.Calls), c.Args, "")...)
			h.Calls = append(h.Calls, c)
		}
	}
	look()
	look()
	h.Links = append(h.Links, movedLinks(t, before, len(h.Calls))...)
	h.Calls = append(h.Calls, t.Calls[before])
	look()
	f.add(h)
}

// neighbours returns at most maxNeighbours other GETs. A neighbour requires only path parameters that op has, too,
// and the path of a neighbour begins with the same segment as the path of op.
func (f *followUps) neighbours(op *model.Operation) []*model.Operation {
	var all []*model.Operation
	for _, other := range f.plan.Spec.Operations {
		if len(all) < maxNeighbours && other != op && other.Method == "GET" && needsOnlyPath(other) &&
			firstSegment(other.Path) == firstSegment(op.Path) && hasPathParams(other, op) {
			all = append(all, other)
		}
	}
	return all
}

// hasPathParams reports whether the path of op has all path parameters of another operation.
func hasPathParams(other, op *model.Operation) bool {
	return !slices.ContainsFunc(other.Params, func(p model.Parameter) bool {
		return p.In == model.InPath && !strings.Contains(op.Path, "{"+p.Name+"}")
	})
}

func firstSegment(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}
