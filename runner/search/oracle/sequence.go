package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/model/resource"
)

// examineSequence checks the answers to several calls together.
func (e *examination) examineSequence() {
	for i := range e.exchanges {
		if e.op(i) == nil {
			continue
		}
		if e.op(i).Method == "GET" {
			e.examineDestination(i)
			e.examineSafety(i)
		}
		if !e.ok(i) {
			continue
		}
		if e.op(i).Method == "GET" {
			e.examineIdempotence(i)
			e.examineDeleted(i)
			e.examineRefusedWrite(i)
			e.examineLists(i)
		}
		e.examineOwnership(i)
	}
}

// deletedWords matches words by which a service marks a resource as deleted. Such a resource can still be read.
var deletedWords = regexp.MustCompile(`(?i)delet|remov|cancel|archiv|inactiv|disabled|closed|trash|tombstone|revoked`)

// examineDeleted checks that a GET does not find a resource that was deleted earlier. It only reports a resource that
// the test created and that has not changed since the DELETE. A change may mean that the service keeps the resource
// and marks it as deleted.
func (e *examination) examineDeleted(i int) {
	if !e.op(i).single {
		return
	}
	for k := i - 1; k >= 0; k-- {
		op := e.op(k)
		switch {
		case op == nil:
			return
		case op.Method == "DELETE" && op.single && e.exchanges[k].Request.URL == e.path(i):
			own := e.confirmsDeletion(k) && e.test.Calls[k].User == e.test.Calls[i].User && e.createsOwn(k)
			if own && e.unchangedSince(k, i) {
				e.add(Finding{
					Oracle:    readableAfter,
					Call:      i,
					Expected:  fmt.Sprintf("404 or 410, as call %d deleted it", k+1),
					Actual:    model.Excerpt(e.exchanges[i].Reply.Body),
					Signature: "read",
					Compared:  []int{e.previousSameRead(k, i), k},
				})
			}
			return
		case writes(op) && e.ok(k) && isPathPrefix(e.path(k), e.path(i)):
			return // the resource may have been created again
		}
	}
}

// deferredWords matches answers to a DELETE which say that nothing was deleted, or not yet.
var deferredWords = regexp.MustCompile(`(?i)schedul|pending|queue|later|in progress|"(deleted|affected|count|success|ok)":\s*(0|false)`)

// confirmsDeletion reports whether the answer to a DELETE says that the resource is gone now.
func (p *playedTest) confirmsDeletion(k int) bool {
	reply := p.exchanges[k].Reply
	return p.ok(k) && reply.Status != accepted && !deferredWords.Match(reply.Body[:min(len(reply.Body), maxRead)])
}

// createsOwn reports whether the test created the resource that call k deletes, and did not delete the resource
// before.
func (p *playedTest) createsOwn(k int) bool {
	made := slices.ContainsFunc(p.test.Links, func(l model.Link) bool {
		return l.To == k && l.In == model.InPath && p.ok(l.From) && writes(p.op(l.From))
	})
	for before := range k {
		op := p.op(before)
		if op == nil || op.Method == "DELETE" && p.path(before) == p.path(k) {
			return false
		}
		made = made || op.Method == "PUT" && p.ok(before) && p.path(before) == p.path(k)
	}
	return made
}

// unchangedSince reports whether a read shows the resource as it was before a write, and not marked as deleted. write
// and after are the indexes of the write and of the read. unchangedSince ignores properties that already differed
// between two reads before the write. Bodies that are not JSON must be equal. It returns false if the resource was not
// read before the write.
func (p *playedTest) unchangedSince(write, after int) bool {
	before := p.previousSameRead(write, after)
	if before < 0 {
		return false
	}
	was, ok := read(p.exchanges[before].Reply.Body)
	is, still := read(p.exchanges[after].Reply.Body)
	if !ok || !still {
		return bytes.Equal(p.exchanges[before].Reply.Body, p.exchanges[after].Reply.Body)
	}
	changing := map[string]bool{}
	if first := p.previousSameRead(before, after); first >= 0 {
		if initial, ok := read(p.exchanges[first].Reply.Body); ok {
			addChanges(initial, was, "", changing)
		}
	}
	differs := map[string]bool{}
	addChanges(was, is, "", differs)
	for place := range differs {
		if !changing[place] {
			return false
		}
	}
	return !isMarkedDeleted(is, 0)
}

// previousSameRead returns the index of an earlier read that has the same URL and user as a call, and was answered 2xx.
// The arguments are the index before which it searches, backwards, and the index of the call. It returns -1 if there is
// no such read, or if a write or a call of an unknown operation is in between.
func (p *playedTest) previousSameRead(from, call int) int {
	for k := from - 1; k >= 0; k-- {
		op := p.op(k)
		if op == nil || writes(op) {
			return -1
		}
		sameUser := p.test.Calls[k].User == p.test.Calls[call].User
		if p.ok(k) && sameUser && p.exchanges[k].Request.URL == p.exchanges[call].Request.URL {
			return k
		}
	}
	return -1
}

// addChanges compares two JSON values, and adds the JSON pointers of the places that differ to the set changes. For
// values that are not stable, such as times, it compares only whether they are present.
func addChanges(a, b any, place string, changes map[string]bool) {
	if strings.Count(place, "/") > maxNested || len(changes) > maxChanges {
		return
	}
	x, isObject := a.(map[string]any)
	y, too := b.(map[string]any)
	if !isObject || !too {
		if !equivalent(a, b, 0) {
			changes[place] = true
		}
		return
	}
	for _, names := range []map[string]any{x, y} {
		for name := range names {
			switch inside := place + "/" + pointer.Escape(name); {
			case (x[name] == nil) != (y[name] == nil):
				changes[inside] = true
			case !volatileName(name):
				addChanges(x[name], y[name], inside, changes)
			}
		}
	}
}

// maxChanges is how many differences between two bodies are collected.
const maxChanges = 1000

// isMarkedDeleted reports whether a JSON value says that it was deleted, with a text or with the name of a
// property; see deletedWords.
func isMarkedDeleted(v any, nested int) bool {
	switch v := v.(type) {
	case string:
		return len(v) <= 40 && deletedWords.MatchString(v)
	case map[string]any:
		for name, inner := range v {
			set := inner != nil && inner != false && inner != "" && !same(0.0, inner)
			if set && deletedWords.MatchString(name) || nested < maxDepth && isMarkedDeleted(inner, nested+1) {
				return true
			}
		}
	}
	return false
}

// writes reports whether an operation may change resources.
func writes(op *operation) bool {
	return !model.IsSafeMethod(op.Method)
}

// isPathPrefix reports whether two paths are equal, or one of them is below the other.
func isPathPrefix(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return strings.HasPrefix(b, a) && (len(a) == len(b) || b[len(a)] == '/' || strings.HasSuffix(a, "/"))
}

// examineRefusedWrite checks that a refused PUT or PATCH had no effect, by the same GET before and after it.
func (e *examination) examineRefusedWrite(i int) {
	refusal := -1
	for k := i - 1; k >= 0; k-- {
		op := e.op(k)
		switch status := e.exchanges[k].Reply.Status; {
		case op == nil || writes(op) && status/100 != 4:
			return // the effect of the call is not known
		case writes(op) && refusal < 0 && (op.Method == "PUT" || op.Method == "PATCH") && e.path(k) == e.path(i):
			refusal = k
		case writes(op):
			return
		case refusal >= 0 && op.Method == "GET" && e.ok(k) &&
			e.exchanges[k].Request.URL == e.exchanges[i].Request.URL && e.test.Calls[k].User == e.test.Calls[i].User:
			e.compareAroundWrite(k, refusal, i)
			return
		}
	}
}

// compareAroundWrite reports a property that has the value of a refused write after the write, but had another
// value before the write.
func (e *examination) compareAroundWrite(before, write, after int) {
	if bytes.Equal(e.exchanges[before].Reply.Body, e.exchanges[after].Reply.Body) {
		return
	}
	var was, want, is map[string]json.RawMessage
	if json.Unmarshal(e.exchanges[before].Reply.Body, &was) != nil ||
		json.Unmarshal(e.exchanges[write].Request.Body, &want) != nil ||
		json.Unmarshal(e.exchanges[after].Reply.Body, &is) != nil {
		return
	}
	for _, p := range slices.Sorted(maps.Keys(want)) {
		value := compact(want[p])
		if !volatileName(p) && value != "null" && value == compact(is[p]) && value != compact(was[p]) {
			status := e.exchanges[write].Reply.Status
			e.add(Finding{
				Oracle:    refusedApplied,
				Call:      after,
				Expected:  fmt.Sprintf("%q as before, as call %d was answered %d", p, write+1, status),
				Actual:    brief(is[p]),
				Signature: fmt.Sprintf("%s %d %s", e.op(write).Method, status, p),
				Compared:  []int{before, write},
			})
			return
		}
	}
}

// compact returns a JSON value without insignificant spaces, "" if it is not valid.
func compact(v json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return ""
	}
	return b.String()
}

// ownedResource is a kind of resources that belong to the users who created them.
type ownedResource struct {
	model.OwnedResource
	segments []string
}

func newOwned(o model.OwnedResource) ownedResource {
	return ownedResource{o, resource.Segments(o.Path)}
}

// examineOwnership checks that a call does not use a resource that another user created.
func (e *examination) examineOwnership(i int) {
	user := e.test.Calls[i].User
	for _, o := range e.rules.owned {
		last := len(o.segments) - 1
		if !o.covers(e.op(i)) || slices.Contains(o.Shared, user) {
			continue
		}
		for _, l := range e.test.Links {
			if l.To != i || l.In != model.InPath || !strings.Contains(e.op(i).segments[last], "{"+l.Name+"}") {
				continue
			}
			if owner := e.test.Calls[l.From].User; e.ok(l.From) && o.createdBy(e.op(l.From)) && owner != "" &&
				owner != user && !slices.Contains(o.Shared, owner) {
				e.addForeignAccess(i, l.From, owner)
			}
		}
	}
}

// The signatures of the oracle othersResource. Runs on disk contain them, and a resumed run compares them.
const (
	usedByOther    = "somebody else's"
	deletedByOther = "deleted by somebody else"
)

// addForeignAccess adds a finding if call i uses the resource that an earlier call, with index made, created
// for its owner. It adds none for a GET whose answer has no data. For a DELETE it adds a finding only if the
// owner then does not find the resource any more.
func (e *examination) addForeignAccess(i, made int, owner string) {
	user := e.test.Calls[i].User
	f := Finding{
		Oracle:    othersResource,
		Call:      i,
		Expected:  fmt.Sprintf("403 or 404, as call %d created it for %s", made+1, owner),
		Actual:    "an answer for " + userName(user),
		Signature: usedByOther,
	}
	switch op := e.op(i); {
	case op.Method == "DELETE":
		f.Call = e.ownerMisses(i, owner)
		if f.Call < 0 {
			return
		}
		f.Expected = fmt.Sprintf(
			"what call %d created for %s, as %s must not delete it (call %d)",
			made+1, owner, userName(user), i+1,
		)
		f.Actual, f.Signature = strconv.Itoa(e.exchanges[f.Call].Reply.Status), deletedByOther
		f.Compared = []int{made, e.previousSameRead(i, f.Call), i}
	case op.Method == "GET" && isEmptyAnswer(e.exchanges[i].Reply):
		return
	}
	e.add(f)
}

// ownerMisses returns the index of the first call after the DELETE i with which the owner does not find the
// resource any more, or -1. It ignores calls after the next write. The owner must have read the resource before
// the DELETE, with no write in between.
func (p *playedTest) ownerMisses(i int, owner string) int {
	for k := i + 1; k < len(p.exchanges); k++ {
		op, status := p.op(k), p.exchanges[k].Reply.Status
		if op == nil || writes(op) {
			return -1
		}
		gone := status == missingStatus || status == goneStatus
		if p.test.Calls[k].User == owner && p.path(k) == p.path(i) && gone && p.previousSameRead(i, k) >= 0 {
			return k
		}
	}
	return -1
}

// isEmptyAnswer reports whether an answer contains no data: it has no body, an empty list, or an object whose
// values are all empty or zero.
func isEmptyAnswer(r model.Reply) bool {
	if len(r.Body) == 0 {
		return true
	}
	v, ok := read(r.Body)
	return ok && isEmptyValue(v, 0)
}

func isEmptyValue(v any, nested int) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			if nested > maxDepth || !isEmptyValue(inner, nested+1) {
				return false
			}
		}
		return true
	case []any:
		return len(v) == 0
	}
	return v == nil || v == false || v == "" || same(0.0, v)
}

func userName(user string) string {
	if user == "" {
		return "an anonymous caller"
	}
	return user
}

// covers reports whether the path of an operation is the resource's path or below it.
func (o ownedResource) covers(op *operation) bool {
	return len(op.segments) >= len(o.segments) && samePath(o.segments, op.segments[:len(o.segments)])
}

// createdBy reports whether an operation creates resources of this kind.
func (o ownedResource) createdBy(op *operation) bool {
	switch op.Method {
	case "POST":
		return samePath(o.segments[:len(o.segments)-1], op.segments)
	case "PUT":
		return samePath(o.segments, op.segments)
	}
	return false
}

// samePath reports whether two paths, as segments, are equal except for the names of their parameters.
func samePath(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !(strings.HasPrefix(a[i], "{") && strings.HasPrefix(b[i], "{")) {
			return false
		}
	}
	return true
}
