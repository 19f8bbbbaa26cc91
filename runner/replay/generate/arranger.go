package generate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/pointer"
)

// maxSetUpCalls is the maximum number of calls before the call under test.
const maxSetUpCalls = 50

// arranger finds the calls that set up the state for a call.
type arranger struct {
	*testGenerator
	exchange *recordedExchange // the call under test
	// strictness selects which writes count as needed. At 0, all writes count that ended before the call under test.
	// From 1 on, a write that only a set-up call needs must have ended before that set-up call. At 2, such a write must
	// also be of the same session, or must have created a resource that is not below the innermost resource on the path
	// of the set-up call. See also isWriteTo.
	strictness int
	needed     map[int]bool     // positions in the recording of the calls that are needed
	queue      []neededExchange // needed calls whose own needs are still unknown
	why        string           // why a needed call cannot be repeated, "" if all can
	// since is the time of the snapshot with which the test begins; zero if calls set up the whole state. The
	// snapshot has the effects of the calls that had ended by then.
	since time.Time
	// isTooLate reports that the test cannot begin with this snapshot. It needs a value from before the snapshot,
	// such as a password, but the recording has only a pseudonym of the value. In the state of the snapshot, the
	// service does not know the pseudonym.
	isTooLate bool
}

// setUp has the steps by which a test brings the service into the state of the exchange under test.
type setUp struct {
	snapshot string // the name of the snapshot that is restored first, "" for none
	calls    []*recordedExchange
}

// neededExchange is a needed call. Its depth is 0 for the call under test, 1 for a call that the call under test needs,
// and so on.
type neededExchange struct {
	*recordedExchange
	depth int
}

// setUp returns how to set up the state for x. The string is the reason why x cannot become a test, "" if it can.
func (g *testGenerator) setUp(x *recordedExchange) (setUp, string) {
	switch g.snapshot {
	case OneSnapshot:
		return setUp{}, ""
	case NearestSnapshot:
		return g.setUpFromSnapshot(x)
	}
	calls, _, why := g.setUpCalls(x, time.Time{})
	return setUp{calls: calls}, why
}

// setUpFromSnapshot returns how to set up the state for x. It uses the latest snapshot from before x with which the
// test can begin.
func (g *testGenerator) setUpFromSnapshot(x *recordedExchange) (setUp, string) {
	for _, s := range slices.Backward(g.rec.StateSnapshots) {
		if s.At.After(x.At) {
			continue
		}
		calls, tooLate, why := g.setUpCalls(x, s.At)
		if !tooLate {
			return setUp{snapshot: s.Name, calls: calls}, why
		}
	}
	return setUp{}, "the recording has no snapshot from before it that the test can begin with"
}

// setUpCalls returns the calls that set up the state for x after a snapshot, in recorded order; since is the time of
// the snapshot. tooLate reports that no test of x can begin with that snapshot. why is the reason why x cannot become
// a test, "" if it can.
func (g *testGenerator) setUpCalls(x *recordedExchange, since time.Time) (calls []*recordedExchange, tooLate bool, why string) {
	count := 0
	for strictness := range 3 {
		a := &arranger{testGenerator: g, exchange: x, strictness: strictness, needed: map[int]bool{x.index: true}, since: since}
		a.collect(x)
		if a.isTooLate || a.why != "" {
			return nil, a.isTooLate, a.why
		}
		count = len(a.needed) - 1
		if count <= maxSetUpCalls {
			return a.inOrder(), false, ""
		}
	}
	return nil, false, fmt.Sprintf("it takes %d calls before it, more than %d", count, maxSetUpCalls)
}

// collect adds the calls that x needs, the calls that those need, and so on. It stops if a needed
// call cannot be repeated, or if there are far more than maxSetUpCalls.
func (a *arranger) collect(x *recordedExchange) {
	a.queue = []neededExchange{{x, 0}}
	a.addCollectionWrites(x)
	for len(a.queue) > 0 && len(a.needed) <= 20*maxSetUpCalls && a.why == "" {
		next := a.queue[0]
		a.queue = a.queue[1:]
		a.addValueOrigins(next)
		a.addWrites(next)
		if _, login := a.users.caller(next.recordedExchange); login != nil {
			if r := a.users.registration(login); r != nil && !isKeptUser(r, login) {
				a.isTooLate = a.isTooLate || a.isInSnapshot(r) && slices.ContainsFunc(login.requestValues, a.isMasked)
				a.add(r, next.depth+1)
			}
			a.addValueOrigins(neededExchange{login, next.depth + 1})
		}
	}
}

// inOrder returns the needed calls without the call under test, in recorded order.
func (a *arranger) inOrder() []*recordedExchange {
	var all []*recordedExchange
	for at := range a.needed {
		if at != a.exchange.index {
			all = append(all, a.recordingIndex.exchanges[at])
		}
	}
	slices.SortFunc(all, func(a, b *recordedExchange) int { return cmp.Compare(a.index, b.index) })
	return all
}

// add adds a needed call, unless the snapshot has its effects.
func (a *arranger) add(x *recordedExchange, depth int) {
	if a.needed[x.index] || a.isInSnapshot(x) {
		return
	}
	if x.whyNotRepeatable != "" && a.why == "" {
		target := model.Printable(x.Request.URL, 80)
		a.why = fmt.Sprintf("it needs %s %s, of which %s", x.Request.Method, target, x.whyNotRepeatable)
	}
	a.needed[x.index] = true
	a.queue = append(a.queue, neededExchange{x, depth})
}

// isInSnapshot reports whether the snapshot has the effects of a call.
func (a *arranger) isInSnapshot(x *recordedExchange) bool {
	return !a.since.IsZero() && x.hasUnsafeMethod() && !x.EndTime().After(a.since)
}

// addValueOrigins adds the calls to whose answers the values in the request of n can be linked, except those whose
// effect isKept.
func (a *arranger) addValueOrigins(n neededExchange) {
	for _, l := range n.requestValues {
		origin, ok := a.valueOrigin(n.recordedExchange, l)
		if ok && canBeLinked(n.recordedExchange, l) && !n.isKept(origin.recordedExchange, l.text()) {
			a.isTooLate = a.isTooLate || a.isMasked(l) && a.isInSnapshot(origin.recordedExchange)
			a.add(origin.recordedExchange, n.depth+1)
		}
	}
}

// addWrites adds the writes to the resources that n names. For the call under test it also adds writes that name
// these resources without changing them; see addUses.
func (a *arranger) addWrites(n neededExchange) {
	for _, key := range a.resourcesOf(n.recordedExchange) {
		for _, w := range a.sinceCreation(key, a.writesTo[key]) {
			if a.matters(n, w) && !n.isKeptResource(w, key) {
				a.add(w, n.depth+1)
			}
		}
		if n.depth == 0 {
			a.addUses(n, key)
		}
	}
}

// addUses adds writes that name a resource of the call under test, but do not change it. Such a write hardly matters
// if several writes of its operation named the same resource: an order probably uses up the cart that it names, but
// many carts can name one product. If the call under test was refused because of the state, the write counts in any
// case.
func (a *arranger) addUses(n neededExchange, key string) {
	for _, w := range a.sinceCreation(key, a.writesNaming[key]) {
		if w.index != n.index && (!a.reusing[w.op.ID] || a.wasRefusedByState()) && a.matters(n, w) && !n.isKeptResource(w, key) {
			a.add(w, n.depth+1)
		}
	}
}

// sinceCreation leaves out writes that are older than the POST that created the resource, and writes from before a
// reset. If several POST requests before the call under test created the resource, the last one counts. If none did,
// sinceCreation leaves out only the writes from before a reset.
func (a *arranger) sinceCreation(key string, writes []*recordedExchange) []*recordedExchange {
	from := -1
	for _, w := range a.writesTo[key] {
		if w.createdResource == key && w.endedBefore(a.exchange) && w.Request.Method == "POST" {
			from = w.index
		}
	}
	return slices.DeleteFunc(slices.Clone(writes), func(w *recordedExchange) bool {
		return w.index < from || w.resets != a.exchange.resets
	})
}

// matters reports whether a write may affect a needed call; see strictness.
func (a *arranger) matters(n neededExchange, w *recordedExchange) bool {
	switch {
	case n.depth == 0 || a.strictness == 0:
		return w.endedBefore(a.exchange)
	case a.strictness == 1:
		return w.endedBefore(n.recordedExchange)
	}
	if !w.endedBefore(n.recordedExchange) {
		return false
	}
	below := strings.HasPrefix(w.createdResource, lastPathResource(n.recordedExchange)+"/")
	return w.createdResource != "" && !below || w.Session == n.Session
}

// lastPathResource returns the innermost resource on the path of x, "/" if it has none.
func lastPathResource(x *recordedExchange) string {
	if len(x.pathResources) == 0 {
		return "/"
	}
	return x.pathResources[len(x.pathResources)-1]
}

// wasRefusedByState reports whether the call under test was refused because of the service's state:
// with status 409, 412 or 423.
func (a *arranger) wasRefusedByState() bool {
	status := a.exchange.Reply.Status
	return status == 409 || status == 412 || status == 423
}

// addCollectionWrites adds the writes to a collection and its members if the path of x is the collection. It does so
// only if x reads, patches or deletes the collection, or was refused because of the state. A path without a parameter
// at its end counts as a collection.
func (a *arranger) addCollectionWrites(x *recordedExchange) {
	path := x.operationPath()
	if len(x.pathResources) > 0 && x.pathResources[len(x.pathResources)-1] == path || path == "/" {
		return
	}
	if x.hasUnsafeMethod() && !a.wasRefusedByState() && x.Request.Method != "PATCH" && x.Request.Method != "DELETE" {
		return
	}
	for _, w := range a.recordingIndex.exchanges[:x.index] {
		if w.op != nil && w.isWrite() && w.resets == x.resets && w.endedBefore(x) && a.isWriteTo(w, path) &&
			!x.isKeptInCollection(w) {
			a.add(w, 1)
		}
	}
}

// isWriteTo reports whether a write is to a collection or to one of its members. If strictness is
// above 0, writes below a member that create a resource do not count.
func (a *arranger) isWriteTo(w *recordedExchange, path string) bool {
	at := w.operationPath()
	rest, below := strings.CutPrefix(at, path+"/")
	switch {
	case at == path:
		return true
	case !below:
		return false
	}
	return a.strictness == 0 || !strings.Contains(rest, "/") || w.createdResource == ""
}

// canBeLinked reports whether a link can set the value l of a request to a value of an earlier answer.
func canBeLinked(x *recordedExchange, l leaf) bool {
	if l.in != model.InBody || x.request.isJSON && strings.Count(l.name, "/") > 0 && !inList(x.request.body, l.name) {
		return true
	}
	return strings.HasPrefix(headerValue(x.Request.Header, "Content-Type"), "application/x-www-form-urlencoded")
}

// inList reports whether a JSON pointer leads to an item of a list.
func inList(body any, at string) bool {
	parent, _ := pointer.Lookup(body, pointer.Parent(at))
	_, list := parent.([]any)
	return list
}
