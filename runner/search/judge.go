package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/search/oracle"
)

// scores returns how near a played test came to each target. planned also has the calls that were not sent. The function
// namedByTest reports whether a test sent the name of a host to the service. If binary is true, statuses have no partial
// scores, and a missing answer is no target.
func (j *judge) scores(planned model.Test, p played, namedByTest func(host string) bool, binary bool) []model.Score {
	statuses, silent := j.targets.scores(planned, p.results), faultScores(p.silentFault)
	if binary {
		statuses, silent = coveredScores(statuses), nil
	}
	return slices.Concat(
		statuses, silent,
		j.targets.contactScores(planned.Stubs, p.contacts, namedByTest), p.codeScores,
	)
}

// judge derives scores, faults and checks from the outcome of a test. It keeps what the run has learned from the
// service's answers.
type judge struct {
	plan       model.Plan
	resets     bool // the service is reset before each test
	stats      statistics
	faults     *faultIndex
	ended      []model.EndedUser // users that a call has ended
	targets    *targetIndex
	naming     naming
	history    *history // nil with a reset
	unsendable unsendable
	leaks      leakMonitor
}

func newJudge(p model.Plan, rules *oracle.Rules, resets bool) *judge {
	return &judge{plan: p, resets: resets, stats: newStatistics(), faults: newFaultIndex(rules)}
}

// prepare adds the parts that only a search needs, such as the targets, and a history if there is no reset.
func (j *judge) prepare() {
	j.targets, j.naming, j.unsendable = newTargetIndex(j.plan.Spec, j.plan.Templates), newNaming(j.plan), unsendable{}
	if !j.resets {
		j.history = newHistory(j.naming)
	}
}

// record counts the answers to a test, and returns the faults that are new.
func (j *judge) record(p played) []model.Fault {
	j.stats.countAnswers(p.test, p.results)
	return j.faults.record(j.faultsOf(p)...)
}

// faultsOf returns all faults of a played test.
func (j *judge) faultsOf(p played) []model.Fault {
	faults := j.faults.find(p.test, p.results, p.contacts, p.at)
	others := j.leaks.faults(p)
	if p.silentFault != nil {
		others = append(others, *p.silentFault)
	}
	for i := range others {
		j.faults.classify(&others[i], p.test, others[i].Calls-1)
	}
	return append(faults, others...)
}

// checks returns the checks for the answers to a test. Without a reset, an answer may show what other tests left in
// the service; checks then returns only those checks that are likely to hold later. If the service retried endlessly
// during a call, the checks of this call's answer compare no values.
func (j *judge) checks(p played) []model.Check {
	var all []model.Check
	for i, r := range p.results {
		all = append(all, oracle.Checks(i, r.Exchange.Reply, j.resets && !oracle.HasEndlessRetries(p.contacts, i))...)
	}
	if j.resets {
		return all
	}
	return slices.DeleteFunc(all, func(k model.Check) bool { return !j.holdsLater(p, k) })
}

// holdsLater reports whether a check is likely to hold after other tests. This is so in each of these cases:
//   - The call of the check takes a value from an earlier call.
//   - The call was not answered 2xx.
//   - The call is not safe.
//   - The spec requires the value.
func (j *judge) holdsLater(p played, k model.Check) bool {
	call, status := p.test.Calls[k.Call], p.results[k.Call].Exchange.Reply.Status
	own := slices.ContainsFunc(p.test.Links, func(l model.Link) bool { return l.To == k.Call })
	if own || status/100 != 2 || !call.Op.Reads() {
		return true
	}
	op := j.plan.Spec.Operation(call.Op)
	if op == nil {
		return false
	}
	for _, r := range op.Responses {
		if r.Status == strconv.Itoa(status) {
			return slices.ContainsFunc(r.Contents, func(c model.Content) bool { return isPromised(c.Schema, k.Pointer) })
		}
	}
	return false
}

// isPromised reports whether a schema requires the value at a JSON pointer.
func isPromised(s *model.Schema, place string) bool {
	for _, token := range strings.Split(place, "/")[1:] {
		name := pointer.Unescape(token)
		if s == nil || !isRequired(s, name) {
			return false
		}
		s = propertyOf(s, name)
	}
	return place != ""
}

func isRequired(s *model.Schema, name string) bool {
	if p := s.Property(name); p != nil && p.Required || slices.Contains(s.Required, name) {
		return true
	}
	return slices.ContainsFunc(s.AllOf, func(part *model.Schema) bool { return part != nil && isRequired(part, name) })
}

// explain sets the reason why each fault without a verdict was not repeated. stopped and failed say how the
// run ended. room is true if the budget would have allowed another test. explain also sets the EarlierState
// of tests that lock out a user or were not played again.
func (j *judge) explain(stopped, failed, room bool) {
	for i, f := range j.faults.all() {
		if f.Verdict == "" && f.Unrepeated == "" {
			j.faults.setUnrepeated(i, unrepeatedReason(f, stopped, failed, room))
		}
		if f.Test == nil || f.Test.EarlierState != "" {
			continue
		}
		t := *f.Test
		t.EarlierState = j.locksOut(t)
		if t.EarlierState == "" && j.history != nil && f.Verdict == "" && f.Status > 0 {
			t.EarlierState = notProven
		}
		j.faults.setTest(i, &t)
	}
}

// unrepeatedReason returns the reason why a fault without a verdict was not repeated; see judge.explain.
func unrepeatedReason(f model.Fault, stopped, failed, room bool) string {
	switch {
	case stopped:
		return "the run was stopped"
	case failed:
		return "the run ended before its time"
	case f.Test == nil:
		return "its calls were not kept"
	case f.Status == 0 && room:
		return "each try waits for an answer that does not come"
	default:
		return "no calls left"
	}
}

// noteEnded notes that a call has ended a user: see model.EndedUser. It returns false if the same was noted
// before.
func (j *judge) noteEnded(end model.EndedUser) bool {
	if slices.Contains(j.ended, end) {
		return false
	}
	j.ended = slices.DeleteFunc(j.ended, func(e model.EndedUser) bool { return e.LockedOut && e.User == end.User })
	j.ended = append(j.ended, end)
	return true
}

// locksOut describes how a test keeps a user from logging in, so that later tests fail. It returns "" if the
// test does not.
func (j *judge) locksOut(t model.Test) string {
	for _, end := range j.ended {
		locks := func(call model.Call) bool { return call.Op == end.EndedBy && call.Status/100 == 2 }
		if end.LockedOut && slices.ContainsFunc(t.Calls, locks) {
			return fmt.Sprintf("%s keeps the user %q from logging in", end.EndedBy, end.User)
		}
	}
	return ""
}

// endsUser reports whether a test calls an operation that ended a user. Such a request must not be
// sent again.
func (j *judge) endsUser(t model.Test) bool {
	return slices.ContainsFunc(j.ended, func(end model.EndedUser) bool {
		return slices.ContainsFunc(t.Calls, func(call model.Call) bool { return call.Op == end.EndedBy })
	})
}

// hasUsersLeft reports whether tests can still use at least one user of the plan; see lostUser.
func (j *judge) hasUsersLeft() bool {
	return slices.ContainsFunc(j.plan.Users, func(u model.User) bool { return !j.lostUser(u.Name) })
}

// lostUser reports whether a user was ended and could not be restored. A user who is only locked out is not
// lost.
func (j *judge) lostUser(user string) bool {
	return slices.ContainsFunc(j.ended, func(end model.EndedUser) bool { return end.User == user && !end.Back && !end.LockedOut })
}
