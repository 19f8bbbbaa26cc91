package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"sonde/model"
	"sonde/model/pointer"
)

// examineIdempotence checks the last of five calls in a row by one user: PUT, GET, GET, the same PUT, GET. A
// property that the PUT sets must be the same after the second PUT as after the first. A property that
// differs between the first two GETs is ignored, because time or the GET changes it. The answers to the two
// PUTs may differ (RFC 9110, section 9.2.2).
func (e *examination) examineIdempotence(i int) {
	at := i - 4
	if at < 0 || !e.isRepeatedPut(at) {
		return
	}
	want, _ := read(e.exchanges[at].Request.Body)
	var states [3]any
	for k, call := range []int{at + 1, at + 2, i} {
		state, ok := read(e.exchanges[call].Reply.Body)
		if !ok || e.exchanges[call].Reply.Truncated {
			return
		}
		states[k] = state
	}
	place, once, again := changedProperty(want, states, "", 0)
	if place == "" {
		return
	}
	e.add(Finding{
		Oracle:    nonIdempotentPut,
		Call:      i,
		Signature: string(e.op(at).ID) + " " + place,
		Compared:  []int{at, at + 1, at + 2, at + 3},
		Expected:  fmt.Sprintf("%s as after call %d, which call %d repeats: %s", place, at+1, at+4, brief(once)),
		Actual:    brief(again),
	})
}

// isRepeatedPut reports whether five calls in a row are a PUT, two GETs of the same resource, the same PUT and the same
// GET, all by one user and all answered 2xx. at is the index of the first call.
func (p *playedTest) isRepeatedPut(at int) bool {
	put := p.exchanges[at].Request
	for k := range 5 {
		op, request := p.op(at+k), p.exchanges[at+k].Request
		if op == nil || !p.ok(at+k) || p.test.Calls[at+k].User != p.test.Calls[at].User || p.path(at+k) != p.path(at) {
			return false
		}
		isPut := k == 0 || k == 3
		if isPut && (op.Method != "PUT" || request.URL != put.URL || !bytes.Equal(request.Body, put.Body)) {
			return false
		}
		if !isPut && (op.Method != "GET" || request.URL != p.exchanges[at+1].Request.URL) {
			return false
		}
	}
	return !put.Truncated
}

// counterNames matches the names of properties that count or record writes.
var counterNames = regexp.MustCompile(
	`(?i)^_*(v|rev|revision|seq|sequence|generation|counter|updates|writes|history|audit|log|events|changes)$`,
)

// changedProperty looks for a property of want, the body of a PUT, that changes when the PUT is repeated. states has
// three reads of the resource: two after the first PUT, and one after the second. The property must be equal in the
// first two, and differ in the third. changedProperty returns the JSON pointer of the first such property and its two
// values. The pointer is "" if there is none.
func changedProperty(want any, states [3]any, place string, nested int) (at string, once, again any) {
	set, ok := want.(map[string]any)
	if !ok || nested > maxDepth {
		return "", nil, nil
	}
	var objects [3]map[string]any
	for k := range states {
		objects[k], ok = states[k].(map[string]any)
		if !ok {
			return "", nil, nil
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		inside := place + "/" + pointer.Escape(name)
		a, has := objects[0][name]
		if !has || volatileName(name) || counterNames.MatchString(name) || maskedText(name) {
			continue
		}
		b, c := objects[1][name], objects[2][name]
		if _, isObject := set[name].(map[string]any); isObject {
			if at, once, again := changedProperty(set[name], [3]any{a, b, c}, inside, nested+1); at != "" {
				return at, once, again
			}
			continue
		}
		if equivalent(a, b, 0) && !equivalent(a, c, 0) {
			return inside, a, c
		}
	}
	return "", nil, nil
}

// equivalent reports whether two JSON values are equal, apart from parts that are not stable, such as times
// and ids.
func equivalent(a, b any, nested int) bool {
	if nested > maxNested {
		return true
	}
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && equivalentObjects(x, y, nested)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, func(p, q any) bool { return equivalent(p, q, nested+1) })
	case json.Number:
		return same(x, b) || a == b
	}
	return a == b || volatileText(a) && volatileText(b) || maskedText(a) || maskedText(b)
}

func equivalentObjects(x, y map[string]any, nested int) bool {
	for _, names := range []map[string]any{x, y} {
		for name := range names {
			if !volatileName(name) && !maskedText(name) && !equivalent(x[name], y[name], nested+1) {
				return false
			}
		}
	}
	return true
}

// examineSafety checks that a GET has no side effect. It compares the answer to a GET with the previous
// answer to the same GET, if only GET, HEAD and OPTIONS were sent in between.
//
// Before that, the same GET must have got two equal answers. They show that the answer changes neither with time nor
// by the GET itself. After these two answers there must be a GET of another operation, with a URL that was not sent
// between the two.
func (e *examination) examineSafety(i int) {
	before := e.previousSameGet(i)
	if before < 0 {
		return
	}
	first := e.previousSameGet(before)
	if first < 0 || !e.ok(before) || !e.sameAnswer(first, before) || e.sameAnswer(before, i) {
		return
	}
	for k := i - 1; k > before; k-- {
		known := slices.ContainsFunc(
			e.exchanges[first+1:before],
			func(x model.Exchange) bool { return x.Request.URL == e.exchanges[k].Request.URL },
		)
		if e.ok(k) && !known && e.op(k).Method == "GET" && e.op(k).ID != e.op(i).ID {
			e.add(Finding{
				Oracle: sideEffects, Call: i, Signature: string(e.op(k).ID), Compared: []int{first, before, k},
				Expected: fmt.Sprintf("the answer of call %d, as only call %d, %s, was made since", before+1, k+1, e.op(k).ID),
				Actual:   fmt.Sprintf("%d %s", e.exchanges[i].Reply.Status, model.Excerpt(e.exchanges[i].Reply.Body)),
			})
			return
		}
	}
}

// previousSameGet returns the index of the last call before call i that is the same GET by the same user. It
// returns -1 if there is no such call. It also returns -1 if that call, or a call between it and call i, may
// write or got no answer.
func (p *playedTest) previousSameGet(i int) int {
	for k := i - 1; k >= 0; k-- {
		if op := p.op(k); op == nil || writes(op) || p.exchanges[k].Err != nil {
			return -1
		}
		if p.test.Calls[k].Op == p.test.Calls[i].Op && p.test.Calls[k].User == p.test.Calls[i].User &&
			p.exchanges[k].Request.URL == p.exchanges[i].Request.URL {
			return k
		}
	}
	return -1
}

// sameAnswer reports whether the answers to calls a and b mean the same. They differ if a is answered 2xx and
// b is answered 404 or 410. Other differences in status, and answers that are truncated or not JSON, do not count.
func (p *playedTest) sameAnswer(a, b int) bool {
	x, y := p.exchanges[a].Reply, p.exchanges[b].Reply
	if x.Status/100 == 2 && (y.Status == 404 || y.Status == 410) {
		return false
	}
	if x.Status != y.Status || x.Truncated || y.Truncated || bytes.Equal(x.Body, y.Body) {
		return true
	}
	was, ok := read(x.Body)
	is, still := read(y.Body)
	return !ok || !still || equivalent(was, is, 0)
}
