package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// examineOverride checks the calls of a user whose DELETE, PUT or PATCH is refused. The user must not be able to
// delete or change the resource by a call with another method that names the refused method in a header or parameter.
// Call i is the GET by which the owner then reads the resource.
func (e securityExamination) examineOverride(i int) {
	if e.op(i).Method != "GET" {
		return
	}
	for k := i - 1; k >= 0; k-- {
		if e.op(k) == nil {
			return
		}
		by, method := overrideOf(e.exchanges[k].Request)
		if by == "" || e.path(k) != e.path(i) {
			isRead := e.path(k) == e.path(i) && e.test.Calls[k].Op == e.test.Calls[i].Op && e.test.Calls[k].User == e.test.Calls[i].User
			if isRead || writes(e.op(k)) && e.exchanges[k].Reply.Status/100 != 4 {
				return // call k has shown the effect of the earlier calls, or may itself explain what GET i shows
			}
			continue
		}
		refusal, before := e.refusedWrite(method, k, i)
		if refusal < 0 || !e.ok(k) {
			continue
		}
		if actual := e.effectOf(method, k, before, i); actual != "" {
			e.add(Finding{
				Oracle:    methodOverride,
				Call:      i,
				Expected:  fmt.Sprintf("the resource as in call %d, as the %s of call %d was refused", before+1, method, refusal+1),
				Actual:    fmt.Sprintf("%s after %s in call %d", actual, by, k+1),
				Signature: by,
			})
			return
		}
	}
}

// overridden are the methods that a security test names in place of a request's own method.
var overridden = []string{"DELETE", "PUT", "PATCH"}

// overrideOf returns the header or parameter by which a request names another method than its own, and the named
// method. It returns "" if the request names none.
func overrideOf(r model.Request) (by, method string) {
	_, query, _ := strings.Cut(r.URL, "?")
	pairs := strings.Split(query, "&")
	for _, method := range overridden {
		for _, name := range OverrideHeaders {
			if strings.EqualFold(firstValue(r.Header, name), method) {
				return name, method
			}
		}
		if slices.Contains(pairs, OverrideParam+"="+method) {
			return OverrideParam, method
		}
	}
	return "", ""
}

// refusedWrite searches the calls on the same path that precede the call with index override. It looks for these
// calls, in this order:
//   - The user of override makes a call with the method, which is refused.
//   - The same user makes the same call as override, but without naming the method.
//   - The owner reads the resource. This read shows that the two calls have not changed the resource.
//
// refusedWrite returns the index of the refused call, and the index of the owner's last read. It returns -1 if there
// are no such calls.
func (e securityExamination) refusedWrite(method string, override, i int) (refusal, before int) {
	user, plain := e.test.Calls[override].User, false
	before = -1
	for k := override - 1; k >= 0; k-- {
		same := e.op(k) != nil && e.path(k) == e.path(i)
		by, _ := overrideOf(e.exchanges[k].Request)
		status := e.exchanges[k].Reply.Status
		switch {
		case !same || by != "":
		case before >= 0 && e.test.Calls[k].Op == e.test.Calls[override].Op && e.test.Calls[k].User == user:
			plain = true
		case e.op(k).Method == "GET" && e.test.Calls[k].User == e.test.Calls[i].User && e.ok(k):
			before = max(before, k)
		case plain && e.op(k).Method == method && e.test.Calls[k].User == user && (status == 401 || status == 403 || status == 405):
			return k, before
		}
	}
	return -1, -1
}

// effectOf describes the effect of a call that names a method, as GET i shows it. It returns "" if there is no
// effect. The effect of a DELETE is that the resource is missing. The effect of a PUT or PATCH is a value that the
// call has sent, and that the GET with index before has not shown.
func (e securityExamination) effectOf(method string, override, before, i int) string {
	if method == "DELETE" {
		if status := e.exchanges[i].Reply.Status; status == missingStatus || status == goneStatus {
			return "nothing"
		}
		return ""
	}
	sent, written := objectOf(e.exchanges[override].Request.Body)
	was, known := objectOf(e.exchanges[before].Reply.Body)
	is, shown := objectOf(e.exchanges[i].Reply.Body)
	if !written || !known || !shown || !e.ok(i) {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		value := compact(sent[name])
		if !countedNames.MatchString(name) && value == compact(is[name]) && value != compact(was[name]) {
			return fmt.Sprintf("%q as sent, %s,", name, brief(is[name]))
		}
	}
	return ""
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

// examineRole checks that an operation refuses users who, according to the plan, may not call it. An empty answer to a
// GET counts as a refusal. A DELETE that is not refused is a finding only if it also had an effect; see ownerMisses.
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
