package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
)

// access is what one user does with a resource that a call of another user created.
type access struct {
	owner, other string
	created      int    // the call that created the resource
	by           int    // the call of the other user
	id           string // the last segment of the path, unescaped
	kind         string // one of the signatures below
}

// The signatures of accesses for which the test itself shows that the service separates users.
const (
	readByOther    = "read by another user"
	listedForOther = "in the list of another user"
	writtenByOther = "written by another user"
)

// examineSeparation checks that no user can read or change a resource of another user by its id, or find it in a
// list. The test itself must show that the service separates users: only the owner finds the resource in a list, or
// the other user may not read the resource.
//
// A list may also lack the resource for another reason: the other user is an administrator whose lists show only own
// resources. A list therefore counts only if the same holds with the roles of the two users exchanged.
func (e securityExamination) examineSeparation(i int) {
	a, ok := e.foreignRead(i)
	if !ok {
		a, ok = e.foreignWrite(i)
	}
	switch {
	case !ok || e.isShared(a):
		return
	case a.kind == listedForOther:
	case a.kind == writtenByOther && e.refusedToRead(a, a.by):
	case !e.separatesLists(a, i) || !e.inTurn(a, i):
		return
	}
	f := Finding{
		Oracle:    othersResource,
		Call:      i,
		Expected:  fmt.Sprintf("nothing of what call %d created for %s", a.created+1, a.owner),
		Actual:    model.Excerpt(e.exchanges[i].Reply.Body),
		Signature: a.kind,
	}
	switch a.kind {
	case readByOther:
		f.Expected = fmt.Sprintf("403 or 404, as call %d created it for %s", a.created+1, a.owner)
	case writtenByOther:
		f.Expected = fmt.Sprintf("what %s had, as %s must not change it (call %d)", a.owner, a.other, a.by+1)
		f.Signature += " " + string(e.op(a.by).ID)
	}
	e.add(f)
}

// isShared reports whether the plan says that one of the users may use the resources of others.
func (e securityExamination) isShared(a access) bool {
	return slices.ContainsFunc(e.rules.owned, func(o ownedResource) bool {
		return slices.Contains(o.Shared, a.other) || slices.Contains(o.Shared, a.owner)
	})
}

// inTurn reports whether an earlier access shows the same with the two users exchanged: the owner accesses a
// resource that the other user created.
func (e securityExamination) inTurn(a access, before int) bool {
	for k := range before {
		b, ok := e.foreignRead(k)
		if !ok {
			b, ok = e.foreignWrite(k)
		}
		if ok && b.kind == a.kind && b.owner == a.other && b.other == a.owner &&
			e.test.Calls[b.by].Op == e.test.Calls[a.by].Op && e.separatesLists(b, k) {
			return true
		}
	}
	return false
}

// foreignRead returns the access that GET i shows, if any. There are two kinds of access:
//   - The GET reads a resource of another user and gets the same answer as the owner, although a read without
//     credentials is refused.
//   - The GET lists a resource of another user with everything that the owner can read, although the service refuses
//     this user a GET of the resource itself.
func (e securityExamination) foreignRead(i int) (a access, ok bool) {
	op, user := e.op(i), e.test.Calls[i].User
	if op == nil || op.Method != "GET" || !e.ok(i) || user == "" {
		return a, false
	}
	for k := i - 1; k >= 0; k-- {
		owned, of := e.ownRead(k)
		if !of || owned.owner == user {
			continue
		}
		owned.other, owned.by = user, i
		mine, isJSON := read(e.exchanges[k].Reply.Body)
		his, too := read(e.exchanges[i].Reply.Body)
		if !isJSON || !too || isEmptyAnswer(e.exchanges[k].Reply) {
			continue
		}
		if e.path(i) == e.path(k) {
			owned.kind = readByOther
			return owned, e.creatorOf(i) == owned.created && equivalent(mine, his, 0) && e.refused(k, i, "")
		}
		if isCollectionOf(e.path(i), e.path(k)) && hasItem(his, mine, owned.id, 0) && e.refusedToRead(owned, i) {
			owned.kind = listedForOther
			return owned, true
		}
	}
	return a, false
}

// ownRead returns the access of a GET by which the creator of a resource reads it. Its other, by and kind are not
// set.
func (e securityExamination) ownRead(k int) (a access, ok bool) {
	if e.op(k) == nil || e.op(k).Method != "GET" || !e.ok(k) {
		return a, false
	}
	made := e.creatorOf(k)
	if made < 0 || e.test.Calls[made].User == "" || e.test.Calls[made].User != e.test.Calls[k].User {
		return a, false
	}
	path := e.path(k)
	return access{owner: e.test.Calls[k].User, created: made, id: unescaped(path[strings.LastIndex(path, "/")+1:])}, true
}

// foreignWrite returns the access of a write by another user, if GET i of the owner shows its effect: the resource is
// gone, or has a value that the write sent.
func (e securityExamination) foreignWrite(i int) (a access, ok bool) {
	if e.op(i) == nil || e.op(i).Method != "GET" {
		return a, false
	}
	write := e.lastWrite(i)
	if write < 0 || !e.ok(write) || e.path(write) != e.path(i) || e.creatorOf(i) < 0 || e.creatorOf(write) != e.creatorOf(i) {
		return a, false
	}
	owner, other := e.test.Calls[i].User, e.test.Calls[write].User
	for k := write - 1; k > e.creatorOf(i); k-- {
		own, is := e.ownRead(k)
		if !is || own.owner != owner || e.path(k) != e.path(i) {
			continue
		}
		own.other, own.by, own.kind = other, write, writtenByOther
		return own, other != "" && other != owner && e.lastWrite(write) < k && e.shows(k, write, i)
	}
	return a, false
}

// lastWrite returns the last write before call i that was not refused, -1 if there is none. A call of an operation
// that is not known counts as such a write.
func (p *playedTest) lastWrite(i int) int {
	for k := i - 1; k >= 0; k-- {
		if p.op(k) == nil || writes(p.op(k)) && p.exchanges[k].Reply.Status/100 != 4 {
			return k
		}
	}
	return -1
}

// shows reports whether a GET shows the effect of a write, compared with a GET of the resource before the write. The
// arguments are the indexes of the three calls. The effect of a DELETE is that the resource is gone; the effect of
// another write is a value of its request that the resource did not have before.
func (p *playedTest) shows(before, write, after int) bool {
	status := p.exchanges[after].Reply.Status
	if p.op(write).Method == "DELETE" {
		return status == missingStatus || status == goneStatus
	}
	was, _ := objectOf(p.exchanges[before].Reply.Body)
	want, _ := objectOf(p.exchanges[write].Request.Body)
	is, _ := objectOf(p.exchanges[after].Reply.Body)
	return slices.ContainsFunc(slices.Collect(maps.Keys(want)), func(name string) bool {
		value := compact(want[name])
		return !volatileName(name) && value != "null" && value == compact(is[name]) && value != compact(was[name])
	})
}

// refused reports whether a user got 401, 403 or 404 for a GET before call i. like is the index of a call that has the
// same path as this GET.
func (p *playedTest) refused(like, i int, user string) bool {
	for k := range i {
		status := p.exchanges[k].Reply.Status
		if p.op(k) != nil && p.op(k).Method == "GET" && p.path(k) == p.path(like) && p.test.Calls[k].User == user &&
			(status == 401 || status == 403 || status == 404) {
			return true
		}
	}
	return false
}

// refusedToRead reports whether the service refused the other user a read of the resource. The owner must have read the
// resource before the refusal. There must be no write between the two reads, because it would explain the refusal.
// before is the index of a call that comes after the refusal.
func (e securityExamination) refusedToRead(a access, before int) bool {
	for k := a.created + 1; k < before; k++ {
		own, ok := e.ownRead(k)
		if !ok || own.created != a.created {
			continue
		}
		for n := k + 1; n < before; n++ {
			status := e.exchanges[n].Reply.Status
			if e.op(n) != nil && e.op(n).Method == "GET" && e.path(n) == e.path(k) && e.test.Calls[n].User == a.other &&
				(status == 403 || status == 404) && e.lastWrite(n) <= k {
				return true
			}
		}
	}
	return false
}

// separatesLists reports whether a list shows the resource to its owner, and does not show it to the other user. Both
// must send the same request, with no write in between. before is the index of a call that comes after both requests.
func (e securityExamination) separatesLists(a access, before int) bool {
	for k := a.created + 1; k < before; k++ {
		if !e.lists(k, a.owner, a.id, true) {
			continue
		}
		for n := k + 1; n < before && !writes(e.op(n)); n++ {
			if e.exchanges[n].Request.URL == e.exchanges[k].Request.URL && e.lists(n, a.other, a.id, false) {
				return true
			}
		}
	}
	return false
}

// lists reports whether call k is a user's GET of a list. If wantID is true, the JSON of the list must contain the
// id; otherwise it must not contain the id.
func (e securityExamination) lists(k int, user, id string, wantID bool) bool {
	if e.op(k) == nil || e.op(k).Method != "GET" || e.op(k).single || !e.ok(k) || e.test.Calls[k].User != user {
		return false
	}
	v, ok := read(e.exchanges[k].Reply.Body)
	return ok && !e.exchanges[k].Reply.Truncated && hasValue(v, id, 0) == wantID
}

// isCollectionOf reports whether a path is the path of a resource's collection: the path of the resource without its
// last segment.
func isCollectionOf(path, of string) bool {
	return strings.TrimSuffix(path, "/") == of[:max(0, strings.LastIndex(of, "/"))]
}

// hasValue reports whether a JSON value contains a text or number, or a URL that ends with it.
func hasValue(v any, text string, nested int) bool {
	switch v := v.(type) {
	case string:
		return v == text || strings.HasSuffix(v, "/"+text)
	case json.Number:
		return v.String() == text
	case map[string]any:
		for _, inner := range v {
			if nested < maxNested && hasValue(inner, text, nested+1) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return nested < maxNested && hasValue(inner, text, nested+1) })
	}
	return false
}

// hasItem reports whether a JSON value contains an object that has the id and is equivalent to item.
func hasItem(v, item any, id string, nested int) bool {
	switch v := v.(type) {
	case map[string]any:
		if hasValue(v, id, maxNested-1) && equivalent(v, item, 0) {
			return true
		}
		for _, inner := range v {
			if nested < maxDepth && hasItem(inner, item, id, nested+1) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return nested < maxDepth && hasItem(inner, item, id, nested+1) })
	}
	return false
}
