package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// story judges what follows from the answers to a test together.
func (v *verdict) story() {
	for i := range v.exchanges {
		if !v.ok(i) || v.op(i) == nil {
			continue
		}
		if v.op(i).Method == "GET" {
			v.deleted(i)
			v.refused(i)
		}
		v.others(i)
	}
}

// gone are words by which a thing that still can be read tells that it was
// deleted.
var gone = regexp.MustCompile(`(?i)delet|remov|cancel|archiv|inactiv|disabled|closed|trash|tombstone|revoked`)

// deleted judges whether the thing that a call reads was deleted before.
func (v *verdict) deleted(i int) {
	if !v.op(i).single || gone.Match(v.exchanges[i].Reply.Body) {
		return
	}
	for k := i - 1; k >= 0; k-- {
		op := v.op(k)
		switch {
		case op == nil:
			return
		case op.Method == "DELETE" && op.single && v.exchanges[k].Request.URL == v.path(i):
			if v.ok(k) && v.exchanges[k].Reply.Status != accepted {
				v.add(Finding{readableAfter, i, fmt.Sprintf("404 or 410, as call %d deleted it", k+1), model.Excerpt(v.exchanges[i].Reply.Body), "read"})
			}
			return
		case writes(op) && v.ok(k) && related(v.path(k), v.path(i)):
			return // it may be there again
		}
	}
}

func writes(op *operation) bool {
	return op.Method != "GET" && op.Method != "HEAD" && op.Method != "OPTIONS"
}

// related tells whether one of two paths is the other, or leads to it.
func related(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return strings.HasPrefix(b, a) && (len(a) == len(b) || b[len(a)] == '/' || strings.HasSuffix(a, "/"))
}

// refused judges whether a call reads what a refused write wanted, and did not
// before it.
func (v *verdict) refused(i int) {
	refusal := -1
	for k := i - 1; k >= 0; k-- {
		op := v.op(k)
		switch status := v.exchanges[k].Reply.Status; {
		case op == nil || writes(op) && status/100 != 4:
			return // who knows what it changed
		case writes(op) && refusal < 0 && (op.Method == "PUT" || op.Method == "PATCH") && v.path(k) == v.path(i):
			refusal = k
		case writes(op):
			return
		case refusal >= 0 && op.Method == "GET" && v.ok(k) && v.exchanges[k].Request.URL == v.exchanges[i].Request.URL:
			v.applied(k, refusal, i)
			return
		}
	}
}

// applied compares what a thing was before and after a refused write.
func (v *verdict) applied(before, write, after int) {
	if bytes.Equal(v.exchanges[before].Reply.Body, v.exchanges[after].Reply.Body) {
		return
	}
	var was, want, is map[string]json.RawMessage
	if json.Unmarshal(v.exchanges[before].Reply.Body, &was) != nil || json.Unmarshal(v.exchanges[write].Request.Body, &want) != nil ||
		json.Unmarshal(v.exchanges[after].Reply.Body, &is) != nil {
		return
	}
	for _, p := range slices.Sorted(maps.Keys(want)) {
		if value := compact(want[p]); value != "null" && value == compact(is[p]) && value != compact(was[p]) {
			status := v.exchanges[write].Reply.Status
			v.add(Finding{refusedApplied, after, fmt.Sprintf("%q as before, as call %d was answered %d", p, write+1, status),
				brief(is[p]), fmt.Sprintf("%s %d %s", v.op(write).Method, status, p)})
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

// owned is a thing that belongs to somebody.
type owned struct {
	model.Owned
	segments []string
}

func newOwned(o model.Owned) owned { return owned{o, resource.Segments(o.Path)} }

// others judges whether a call uses what somebody else created.
func (v *verdict) others(i int) {
	user := v.test.Calls[i].User
	for _, o := range v.owned {
		last := len(o.segments) - 1
		if !o.holds(v.op(i)) || slices.Contains(o.Shared, user) {
			continue
		}
		for _, l := range v.test.Links {
			if l.To != i || l.In != model.InPath || !strings.Contains(v.op(i).segments[last], "{"+l.Name+"}") {
				continue
			}
			if owner := v.test.Calls[l.From].User; v.ok(l.From) && o.createdBy(v.op(l.From)) && owner != "" && owner != user && !slices.Contains(o.Shared, owner) {
				v.add(Finding{othersResource, i, fmt.Sprintf("403 or 404, as call %d created it for %s", l.From+1, owner),
					"an answer for " + someone(user), "somebody else's"})
			}
		}
	}
}

func someone(user string) string {
	if user == "" {
		return "nobody known"
	}
	return user
}

// holds tells whether an operation is about the thing or what is below it.
func (o owned) holds(op *operation) bool {
	return len(op.segments) >= len(o.segments) && alike(o.segments, op.segments[:len(o.segments)])
}

// createdBy tells whether an operation creates such a thing.
func (o owned) createdBy(op *operation) bool {
	switch op.Method {
	case "POST":
		return alike(o.segments[:len(o.segments)-1], op.segments)
	case "PUT":
		return alike(o.segments, op.segments)
	}
	return false
}

// alike compares paths, whatever their parameters are called.
func alike(a, b []string) bool {
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
