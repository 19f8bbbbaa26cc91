package search

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/runner/target/client"
)

// accountGuard blocks requests that delete a user, a member, a token or the like that the run has not created: the
// deleted element may be the user of the run. A run has a guard only if it cannot restore its users; see
// lastOperations. A nil guard blocks nothing.
type accountGuard struct {
	seen    map[string]bool // values in successful answers
	created map[string]bool // paths of elements that the run has created
}

// maxGuarded bounds each map of an accountGuard.
const maxGuarded = 1 << 16

// guessedIDs is a limit: the guard assumes that integers from 1 to guessedIDs are ids of existing elements, even if
// no answer had these ids. Small ids often exist.
const guessedIDs = 10

// errGuarded is the error of a request that an accountGuard blocks.
var errGuarded = fmt.Errorf("%w yet, because it may delete the user of the run", client.ErrBlocked)

// newAccountGuard returns nil if no guard is needed.
func newAccountGuard(p model.Plan, resets bool) *accountGuard {
	if len(guardedOperations(p, resets)) == 0 {
		return nil
	}
	return &accountGuard{seen: map[string]bool{}, created: map[string]bool{}}
}

// guardedOperations returns the operations that may delete a user or the like. It returns nil if the run can restore
// all of its users.
func guardedOperations(p model.Plan, resets bool) (all []model.OpID) {
	if resets || !hasFixedCredentials(p.Users) {
		return nil
	}
	for _, op := range p.Spec.Operations {
		path := strings.TrimSuffix(op.Path, "/")
		if op.Method == "DELETE" && strings.HasSuffix(path, "}") && isAccountPath(path) {
			all = append(all, op.ID)
		}
	}
	return all
}

// isAccountPath reports whether the last segment of a path identifies a user or the like. The segment before it, the
// name of the collection, decides this.
func isAccountPath(path string) bool {
	collection := path[:max(0, strings.LastIndex(path, "/"))]
	return aboutUsers.MatchString(collection[strings.LastIndex(collection, "/")+1:])
}

// observe notes the values in a successful answer. If the answer says that an element was created, observe also notes
// the path of the element.
func (g *accountGuard) observe(x model.Exchange) {
	if g == nil || x.Reply.Status/100 != 2 {
		return
	}
	for _, v := range answerValues(x.Reply) {
		add(g.seen, v)
	}
	path := elementPath(x.Request)
	switch x.Request.Method {
	case "PUT":
		if x.Reply.Status == 201 {
			add(g.created, path)
		}
	case "POST":
		for _, id := range ownIDs(x.Reply) {
			add(g.created, path+"/"+id)
		}
	}
}

func add(to map[string]bool, v string) {
	if len(to) < maxGuarded {
		to[v] = true
	}
}

// ownIDs returns the values that may identify the element that an answer describes: the last segment of the Location,
// and the values at the first level of a JSON object. If the object only encloses another object (see enveloped),
// ownIDs takes the values of the inner object. Values further down may belong to other elements.
func ownIDs(r model.Reply) (all []string) {
	if locations := r.Header["Location"]; len(locations) > 0 {
		if id, ok := match.LastSegment(locations[0]); ok {
			all = append(all, id)
		}
	}
	object, _ := decoded(string(r.Body)).(map[string]any)
	if inner, ok := enveloped(object); ok {
		object = inner
	}
	for _, v := range object {
		switch v := v.(type) {
		case string, json.Number:
			all = append(all, fmt.Sprint(v))
		}
	}
	return all
}

// enveloped returns the only object inside an object that has no identifier itself, as in {"ok": true, "data": {"id":
// 1}}.
func enveloped(object map[string]any) (inner map[string]any, ok bool) {
	for name, v := range object {
		o, isObject := v.(map[string]any)
		switch {
		case isObject && inner != nil, !isObject && match.EndsInIDWord(name):
			return nil, false
		case isObject:
			inner = o
		}
	}
	return inner, inner != nil
}

// blocks reports whether a request must not be sent. This is so if the request deletes a user or the like that most
// likely exists and that the run has not created.
func (g *accountGuard) blocks(r model.Request) bool {
	if g == nil || r.Method != "DELETE" {
		return false
	}
	path := elementPath(r)
	if g.created[path] || !isAccountPath(path) {
		return false
	}
	id := path[strings.LastIndex(path, "/")+1:]
	n, err := strconv.Atoi(id)
	return g.seen[id] || err == nil && n >= 1 && n <= guessedIDs
}

// elementPath returns the path of a request, without the query and without a slash at its end.
func elementPath(r model.Request) string {
	path, _, _ := strings.Cut(r.URL, "?")
	return strings.TrimSuffix(path, "/")
}
