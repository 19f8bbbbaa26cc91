package oracle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// examineOverride checks that a user whose DELETE is refused cannot delete by another method that names DELETE
// in a header or parameter. Call i is the GET of the owner that no longer finds the resource.
func (e securityExamination) examineOverride(i int) {
	status := e.exchanges[i].Reply.Status
	if e.op(i).Method != "GET" || status != missingStatus && status != goneStatus {
		return
	}
	for k := i - 1; k >= 0; k-- {
		if e.op(k) == nil {
			return
		}
		by := overrideOf(e.exchanges[k].Request)
		if by == "" || e.path(k) != e.path(i) {
			if writes(e.op(k)) && e.exchanges[k].Reply.Status/100 != 4 {
				return
			}
			continue
		}
		if refusal := e.refusedDelete(k, i); refusal >= 0 && e.ok(k) {
			e.add(Finding{
				Oracle:    methodOverride,
				Call:      i,
				Expected:  fmt.Sprintf("the resource, as the DELETE of call %d was refused", refusal+1),
				Actual:    fmt.Sprintf("nothing after %s in call %d", by, k+1),
				Signature: by,
			})
			return
		}
	}
}

// overrideOf describes how a request names the method DELETE instead of its own, "" if it does not.
func overrideOf(r model.Request) string {
	for _, name := range OverrideHeaders {
		if strings.EqualFold(firstValue(r.Header, name), "DELETE") {
			return name
		}
	}
	_, query, _ := strings.Cut(r.URL, "?")
	if slices.Contains(strings.Split(query, "&"), OverrideParam+"=DELETE") {
		return OverrideParam
	}
	return ""
}

// refusedDelete returns the index of a refused DELETE of the same path by the user of call override. After this
// DELETE the user must have made the same call as override without naming DELETE, and the owner must then have
// read the resource, so that neither call deleted it. It returns -1 if there is no such DELETE.
func (e securityExamination) refusedDelete(override, i int) int {
	user, plain, found := e.test.Calls[override].User, false, false
	for k := override - 1; k >= 0; k-- {
		same := e.op(k) != nil && e.path(k) == e.path(i)
		status := e.exchanges[k].Reply.Status
		switch {
		case !same || overrideOf(e.exchanges[k].Request) != "":
		case found && e.test.Calls[k].Op == e.test.Calls[override].Op && e.test.Calls[k].User == user:
			plain = true
		case e.op(k).Method == "GET" && e.test.Calls[k].User == e.test.Calls[i].User && e.ok(k):
			found = true
		case plain && e.op(k).Method == "DELETE" && e.test.Calls[k].User == user && (status == 401 || status == 403 || status == 405):
			return k
		}
	}
	return -1
}

// restriction says which users may call an operation.
type restriction map[model.OpID][]string

func newRestriction(all []model.RestrictedOperations) restriction {
	r := restriction{}
	for _, o := range all {
		for _, op := range o.Operations {
			r[op] = append(r[op], o.Users...)
		}
	}
	return r
}

// examineRole checks that an operation refuses users who, according to the plan, may not call it. A DELETE must
// also have an effect; see ownerMisses.
func (e securityExamination) examineRole(i int, op *operation) {
	users, user := e.rules.restricted[op.ID], e.test.Calls[i].User
	if len(users) == 0 || user == "" || slices.Contains(users, user) || !e.ok(i) || isRefusal(op, e.exchanges[i].Reply) ||
		op.Method == "GET" && isEmptyAnswer(e.exchanges[i].Reply) {
		return
	}
	f := Finding{
		Oracle:    roleIgnored,
		Call:      i,
		Expected:  "403, as only " + strings.Join(users, ", ") + " may call it",
		Actual:    "an answer for " + user + ": " + model.Excerpt(e.exchanges[i].Reply.Body),
		Signature: "used by another role",
	}
	if op.Method == "DELETE" {
		if f.Call = e.missedBy(i, users); f.Call < 0 {
			return
		}
		f.Expected = fmt.Sprintf("what %s must not delete (call %d)", user, i+1)
		f.Actual = strconv.Itoa(e.exchanges[f.Call].Reply.Status)
		f.Signature = "deleted by another role"
	}
	e.add(f)
}

// missedBy returns the first call after the DELETE i with which one of the users does not find the resource any
// more, -1 if there is none.
func (e securityExamination) missedBy(i int, users []string) int {
	for _, user := range users {
		if k := e.ownerMisses(i, user); k >= 0 {
			return k
		}
	}
	return -1
}
