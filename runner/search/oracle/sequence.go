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

// judgeSequence judges the answers to a test together.
func (v *verdict) judgeSequence() {
	for i := range v.exchanges {
		if v.op(i) == nil {
			continue
		}
		if v.op(i).Method == "GET" {
			v.judgeDestination(i)
			v.judgeSafety(i)
		}
		if !v.ok(i) {
			continue
		}
		if v.op(i).Method == "GET" {
			v.judgeIdempotence(i)
			v.judgeDeleted(i)
			v.judgeRefusedWrite(i)
		}
		v.judgeOwnership(i)
	}
}

// deletedWords matches words that mark a resource as deleted although it can still be read.
var deletedWords = regexp.MustCompile(`(?i)delet|remov|cancel|archiv|inactiv|disabled|closed|trash|tombstone|revoked`)

// judgeDeleted judges whether a call reads a resource that was deleted before. It reports only resources
// that the test created and that are unchanged since the delete; others may be marked as deleted in a way
// that is not recognised.
func (v *verdict) judgeDeleted(i int) {
	if !v.op(i).single {
		return
	}
	for k := i - 1; k >= 0; k-- {
		op := v.op(k)
		switch {
		case op == nil:
			return
		case op.Method == "DELETE" && op.single && v.exchanges[k].Request.URL == v.path(i):
			own := v.confirmsDeletion(k) && v.test.Calls[k].User == v.test.Calls[i].User && v.createsOwn(k)
			if own && v.unchangedSince(k, i) {
				v.add(Finding{
					Oracle:    readableAfter,
					Call:      i,
					Expected:  fmt.Sprintf("404 or 410, as call %d deleted it", k+1),
					Actual:    model.Excerpt(v.exchanges[i].Reply.Body),
					Signature: "read",
				})
			}
			return
		case writes(op) && v.ok(k) && related(v.path(k), v.path(i)):
			return // it may have been created again
		}
	}
}

// deferredWords matches answers to a DELETE which say that nothing was deleted, or that it happens later.
var deferredWords = regexp.MustCompile(`(?i)schedul|pending|queue|later|in progress|"(deleted|affected|count|success|ok)":\s*(0|false)`)

// confirmsDeletion reports whether the answer to a DELETE says that the resource is gone now.
func (p *playedTest) confirmsDeletion(k int) bool {
	reply := p.exchanges[k].Reply
	return p.ok(k) && reply.Status != accepted && !deferredWords.Match(reply.Body[:min(len(reply.Body), maxRead)])
}

// createsOwn reports whether the test itself creates what a call names, and does not delete it more than
// once.
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

// unchangedSince reports whether a resource is as it was before a DELETE. Differences that already two
// earlier reads show are ignored.
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
		if at, ok := read(p.exchanges[first].Reply.Body); ok {
			changes(at, was, "", changing)
		}
	}
	differs := map[string]bool{}
	changes(was, is, "", differs)
	for place := range differs {
		if !changing[place] {
			return false
		}
	}
	return !isMarkedDeleted(is, 0)
}

// previousSameRead returns the last call before another one that reads the same as a later call, by the
// same user and with no write since, or -1.
func (p *playedTest) previousSameRead(before, like int) int {
	for k := before - 1; k >= 0; k-- {
		op := p.op(k)
		if op == nil || writes(op) {
			return -1
		}
		sameUser := p.test.Calls[k].User == p.test.Calls[like].User
		if p.ok(k) && sameUser && p.exchanges[k].Request.URL == p.exchanges[like].Request.URL {
			return k
		}
	}
	return -1
}

// changes collects the places in which two JSON values differ. Values that change by themselves, such as
// times, are only compared for presence.
func changes(a, b any, place string, at map[string]bool) {
	if strings.Count(place, "/") > maxNested || len(at) > maxChanges {
		return
	}
	x, isObject := a.(map[string]any)
	y, too := b.(map[string]any)
	if !isObject || !too {
		if !equivalent(a, b, 0) {
			at[place] = true
		}
		return
	}
	for _, names := range []map[string]any{x, y} {
		for name := range names {
			switch inside := place + "/" + pointer.Escape(name); {
			case (x[name] == nil) != (y[name] == nil):
				at[inside] = true
			case !volatileName(name):
				changes(x[name], y[name], inside, at)
			}
		}
	}
}

// maxChanges bounds the places in which two bodies differ.
const maxChanges = 1000

// isMarkedDeleted reports whether a JSON value says that it was deleted, by a text or by a property with
// such a name.
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

func writes(op *operation) bool {
	return op.Method != "GET" && op.Method != "HEAD" && op.Method != "OPTIONS"
}

// related reports whether two paths are equal or one is below the other.
func related(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return strings.HasPrefix(b, a) && (len(a) == len(b) || b[len(a)] == '/' || strings.HasSuffix(a, "/"))
}

// judgeRefusedWrite judges whether a call reads what a refused write would have set, and what a read
// before the write did not show.
func (v *verdict) judgeRefusedWrite(i int) {
	refusal := -1
	for k := i - 1; k >= 0; k-- {
		op := v.op(k)
		switch status := v.exchanges[k].Reply.Status; {
		case op == nil || writes(op) && status/100 != 4:
			return // its effect is not known
		case writes(op) && refusal < 0 && (op.Method == "PUT" || op.Method == "PATCH") && v.path(k) == v.path(i):
			refusal = k
		case writes(op):
			return
		case refusal >= 0 && op.Method == "GET" && v.ok(k) &&
			v.exchanges[k].Request.URL == v.exchanges[i].Request.URL && v.test.Calls[k].User == v.test.Calls[i].User:
			v.compareAroundWrite(k, refusal, i)
			return
		}
	}
}

// compareAroundWrite compares a resource before and after a refused write.
func (v *verdict) compareAroundWrite(before, write, after int) {
	if bytes.Equal(v.exchanges[before].Reply.Body, v.exchanges[after].Reply.Body) {
		return
	}
	var was, want, is map[string]json.RawMessage
	if json.Unmarshal(v.exchanges[before].Reply.Body, &was) != nil ||
		json.Unmarshal(v.exchanges[write].Request.Body, &want) != nil ||
		json.Unmarshal(v.exchanges[after].Reply.Body, &is) != nil {
		return
	}
	for _, p := range slices.Sorted(maps.Keys(want)) {
		value := compact(want[p])
		if !volatileName(p) && value != "null" && value == compact(is[p]) && value != compact(was[p]) {
			status := v.exchanges[write].Reply.Status
			v.add(Finding{
				Oracle:    refusedApplied,
				Call:      after,
				Expected:  fmt.Sprintf("%q as before, as call %d was answered %d", p, write+1, status),
				Actual:    brief(is[p]),
				Signature: fmt.Sprintf("%s %d %s", v.op(write).Method, status, p),
			})
			return
		}
	}
}

func compact(v json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return ""
	}
	return b.String()
}

// ownedResource is a resource that belongs to the user who created it.
type ownedResource struct {
	model.OwnedResource
	segments []string
}

func newOwned(o model.OwnedResource) ownedResource {
	return ownedResource{o, resource.Segments(o.Path)}
}

// judgeOwnership judges whether a call uses what another user created.
func (v *verdict) judgeOwnership(i int) {
	user := v.test.Calls[i].User
	for _, o := range v.judge.owned {
		last := len(o.segments) - 1
		if !o.holds(v.op(i)) || slices.Contains(o.Shared, user) {
			continue
		}
		for _, l := range v.test.Links {
			if l.To != i || l.In != model.InPath || !strings.Contains(v.op(i).segments[last], "{"+l.Name+"}") {
				continue
			}
			if owner := v.test.Calls[l.From].User; v.ok(l.From) && o.createdBy(v.op(l.From)) && owner != "" &&
				owner != user && !slices.Contains(o.Shared, owner) {
				v.addForeignAccess(i, l.From, owner)
			}
		}
	}
}

// The signatures of foreign access. They are stored with faults, and a resumed run compares them.
const (
	usedByOther    = "somebody else's"
	deletedByOther = "deleted by somebody else"
)

// addForeignAccess adds a finding if a call of one user reaches what another call created for its owner.
// An answer without data does not show that, and neither does a DELETE, unless the owner does not find the
// resource any more.
func (v *verdict) addForeignAccess(i, made int, owner string) {
	user := v.test.Calls[i].User
	f := Finding{
		Oracle:    othersResource,
		Call:      i,
		Expected:  fmt.Sprintf("403 or 404, as call %d created it for %s", made+1, owner),
		Actual:    "an answer for " + userName(user),
		Signature: usedByOther,
	}
	switch op := v.op(i); {
	case op.Method == "DELETE":
		f.Call = v.ownerMisses(i, owner)
		if f.Call < 0 {
			return
		}
		f.Expected = fmt.Sprintf(
			"what call %d created for %s, as %s must not delete it (call %d)",
			made+1, owner, userName(user), i+1,
		)
		f.Actual, f.Signature = strconv.Itoa(v.exchanges[f.Call].Reply.Status), deletedByOther
	case op.Method == "GET" && isEmptyAnswer(v.exchanges[i].Reply):
		return
	}
	v.add(f)
}

// ownerMisses returns the call after a DELETE by which the owner, who could read the resource just before
// it, finds it gone, or -1.
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

// isEmptyAnswer reports whether an answer contains no data: no body, an empty list, or an object with only
// empty values and zeros.
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

// holds reports whether an operation is about the resource or something below it.
func (o ownedResource) holds(op *operation) bool {
	return len(op.segments) >= len(o.segments) && samePath(o.segments, op.segments[:len(o.segments)])
}

// createdBy reports whether an operation creates such a resource.
func (o ownedResource) createdBy(op *operation) bool {
	switch op.Method {
	case "POST":
		return samePath(o.segments[:len(o.segments)-1], op.segments)
	case "PUT":
		return samePath(o.segments, op.segments)
	}
	return false
}

// samePath reports whether two paths are equal except for the names of their parameters.
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
