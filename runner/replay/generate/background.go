package generate

import (
	"cmp"
	"math"
	"slices"
	"time"

	"sonde/model"
	"sonde/model/route"
	"sonde/runner/replay/shape"
)

// background has the outward calls that no request caused: those at the start of the service, and those of timers and
// of other goroutines that serve no request.
type background struct {
	calls []model.OutwardCall // in the order in which they began
	// ready is when the service was ready for requests. Earlier calls belong to its start.
	ready time.Time
}

// lateCallTime is how long after its answer a request may still cause a call. The recorder uses the same time.
const lateCallTime = 100 * time.Millisecond

// Limits of the probability that calls came by chance during requests that did not cause them.
const (
	unlikely = 0.001 // below this limit, the requests caused the calls
	likely   = 0.2   // from this limit on, the requests did not cause the calls; between the limits, it is not known
)

// maxKinds is the number of kinds of calls that are distinguished. Calls of further kinds stay where the recorder put
// them.
const maxKinds = 1000

// minIdle is the minimum total time without a request in progress after the service was ready. If a recording has less,
// the rate of a kind of call is computed with the time and the calls before the service was ready, too.
const minIdle = time.Second

// separateBackground finds the outward calls of a recording that no request caused. It returns the recording without
// these calls, the calls themselves, and the IDs of the requests for which it is not known whether they caused such a
// call. A request whose calls the service itself reported keeps these calls.
//
// A call may have come without a request if calls of its kind also came while no request was in progress. Such calls
// come during requests by chance, as often as at other times. If many more of them came during the requests of an
// operation, these requests caused them.
func separateBackground(rec model.Recording, router *route.Router) (model.Recording, background, map[string]bool) {
	s := backgroundFinder{rec: rec, router: router, uncertain: map[string]bool{}, idle: idleTimes(rec)}
	s.background.ready = readyTime(rec)
	kinds := s.idleKinds()
	s.rec.Served = slices.Clone(rec.Served)
	for _, g := range s.groups() {
		if k := kinds[g.kind]; k != nil {
			s.judge(g, *k)
		}
	}
	s.rec.Unattributed = nil
	for _, o := range rec.Unattributed {
		if o.CauseID == "" && kinds[callKind(o)] != nil {
			s.background.calls = append(s.background.calls, o)
		} else {
			s.rec.Unattributed = append(s.rec.Unattributed, o)
		}
	}
	slices.SortStableFunc(s.background.calls, func(a, b model.OutwardCall) int { return a.At.Compare(b.At) })
	return s.rec, s.background, s.uncertain
}

// readyTime returns when the service was ready for requests: the time in the recording, or the start of the first
// request if that is earlier or the recording has no such time. It returns the zero time if there is neither.
func readyTime(rec model.Recording) time.Time {
	ready := rec.Ready
	for _, x := range rec.Served {
		if ready.IsZero() || x.At.Before(ready) {
			ready = x.At
		}
	}
	return ready
}

// callKind returns a text that is equal for calls that may have the same purpose.
func callKind(o model.OutwardCall) string {
	kind := o.Host + " " + shape.CallName(o)
	switch {
	case len(o.Messages) == 0:
	case o.Protocol.IsDatabase():
		kind += " " + databaseKind(o.Messages[0].Request)
	case o.Protocol != model.HTTP:
		kind += " " + messageKind(o.Messages[0].Request)
	}
	return kind
}

// backgroundFinder finds the outward calls that no request caused.
type backgroundFinder struct {
	rec        model.Recording
	router     *route.Router
	background background
	uncertain  map[string]bool
	idle       periods
}

// idleKind counts how often a kind of call came while no request was in progress.
type idleKind struct {
	early, later int // number of calls before the service was ready (early), and after that (later)
	rate         float64
}

// idleKinds returns the kinds of calls that came while no request was in progress.
func (s *backgroundFinder) idleKinds() map[string]*idleKind {
	kinds := map[string]*idleKind{}
	add := func(o model.OutwardCall) {
		if !s.idle.contains(o.At) {
			return
		}
		kind := callKind(o)
		if kinds[kind] == nil {
			if len(kinds) >= maxKinds {
				return
			}
			kinds[kind] = new(idleKind)
		}
		if o.At.Before(s.background.ready) || s.background.ready.IsZero() {
			kinds[kind].early++
		} else {
			kinds[kind].later++
		}
	}
	for _, o := range s.rec.Unattributed {
		if o.CauseID == "" { // otherwise a request caused the call, but the recording does not have this request
			add(o)
		}
	}
	for _, x := range s.rec.Served {
		for _, o := range x.OutwardCalls {
			if !isCausedFor(o) {
				add(o)
			}
		}
	}
	whole, later := s.idle.length(), s.idle.after(s.background.ready).length()
	for _, k := range kinds {
		k.rate = float64(k.early+k.later-1) / max(whole, time.Millisecond).Seconds()
		if later >= minIdle {
			k.rate = float64(k.later) / later.Seconds()
		}
	}
	return kinds
}

// isCausedFor reports whether the service itself reported which request caused a call.
func isCausedFor(o model.OutwardCall) bool {
	return o.Attribution == model.AttributedByTrace || o.Attribution == model.AttributedByContext
}

// callGroup has the calls of one kind that the recorder attributed to requests of one operation and status. It has
// either the calls before the answers or those after them.
type callGroup struct {
	groupKey
	requests []int // indexes of all requests of the operation and status
	count    int
}

// groupKey identifies a callGroup.
type groupKey struct {
	kind   string
	op     model.OpID
	status int
	late   bool
}

// groups returns the groups of the calls for which the service did not report the request.
func (s *backgroundFinder) groups() []callGroup {
	type opKey struct {
		op     model.OpID
		status int
	}
	requests, counts := map[opKey][]int{}, map[groupKey]int{}
	var keys []groupKey
	for i, x := range s.rec.Served {
		at := opKey{s.operation(x), x.Reply.Status}
		requests[at] = append(requests[at], i)
		for _, o := range x.OutwardCalls {
			if isCausedFor(o) {
				continue
			}
			key := groupKey{callKind(o), at.op, at.status, o.At.After(x.EndTime())}
			if counts[key] == 0 {
				keys = append(keys, key)
			}
			counts[key]++
		}
	}
	var all []callGroup
	for _, key := range keys {
		all = append(all, callGroup{groupKey: key, requests: requests[opKey{key.op, key.status}], count: counts[key]})
	}
	return all
}

// operation returns the operation of a request, "" for none.
func (s *backgroundFinder) operation(x model.ServedRequest) model.OpID {
	if found, ok := s.router.FindOperation(x.Request.Method, x.Request.URL); ok {
		return found.Op.ID
	}
	return ""
}

// judge moves the calls of a group to the background, unless their requests caused them.
func (s *backgroundFinder) judge(g callGroup, k idleKind) {
	chance := atLeast(g.count, k.rate*s.duration(g).Seconds())
	if chance < unlikely {
		return
	}
	for _, i := range g.requests {
		x := &s.rec.Served[i]
		var own []model.OutwardCall
		for _, o := range x.OutwardCalls {
			if isCausedFor(o) || callKind(o) != g.kind || o.At.After(x.EndTime()) != g.late {
				own = append(own, o)
				continue
			}
			o.CauseID, o.Attribution = "", ""
			s.background.calls = append(s.background.calls, o)
			if chance < likely {
				s.uncertain[x.ID] = true
			}
		}
		x.OutwardCalls = own
	}
}

// duration returns the total time in which the requests of a group were in progress. If the calls of the group came
// after the answers, it is the time after the answers instead.
func (s *backgroundFinder) duration(g callGroup) (all time.Duration) {
	for _, i := range g.requests {
		x := s.rec.Served[i]
		if !g.late {
			all += x.Took
			continue
		}
		until := x.EndTime().Add(lateCallTime)
		next, _ := slices.BinarySearchFunc(s.rec.Served, x.EndTime(), func(o model.ServedRequest, end time.Time) int {
			return cmp.Or(o.At.Compare(end), -1)
		})
		if next < len(s.rec.Served) {
			until = earlier(until, s.rec.Served[next].At)
		}
		all += until.Sub(x.EndTime())
	}
	return all
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// atLeast returns the probability that n or more independent events occur if the expected number occurs on average
// (Poisson distribution).
func atLeast(n int, expected float64) float64 {
	term, fewer := math.Exp(-expected), 0.0
	for i := range n {
		fewer += term
		term *= expected / float64(i+1)
	}
	return max(0, 1-fewer)
}

// period is the time from begin to end.
type period struct{ begin, end time.Time }

// periods are in order and do not overlap.
type periods []period

// idleTimes returns the times of a recording in which no request was in progress and none had just been answered.
func idleTimes(rec model.Recording) periods {
	var first, last time.Time
	see := func(x model.Exchange) {
		if first.IsZero() || x.At.Before(first) {
			first = x.At
		}
		if x.EndTime().After(last) {
			last = x.EndTime()
		}
	}
	busy := make(periods, 0, len(rec.Served))
	for _, x := range rec.Served {
		see(x.Exchange)
		busy = append(busy, period{x.At, x.EndTime().Add(lateCallTime)})
		for _, o := range x.OutwardCalls {
			see(o.Exchange)
		}
	}
	for _, o := range rec.Unattributed {
		see(o.Exchange)
	}
	slices.SortFunc(busy, func(a, b period) int { return a.begin.Compare(b.begin) })
	var idle periods
	at := first
	for _, b := range busy {
		if b.begin.After(at) {
			idle = append(idle, period{at, b.begin})
		}
		if b.end.After(at) {
			at = b.end
		}
	}
	if !last.Before(at) {
		idle = append(idle, period{at, last})
	}
	return idle
}

// contains reports whether a time is in one of the periods.
func (p periods) contains(t time.Time) bool {
	i, _ := slices.BinarySearchFunc(p, t, func(one period, t time.Time) int { return one.end.Compare(t) })
	return i < len(p) && !t.Before(p[i].begin)
}

// after returns the parts of the periods that are after a time.
func (p periods) after(t time.Time) (rest periods) {
	for _, one := range p {
		if one.begin.Before(t) {
			one.begin = t
		}
		if one.begin.Before(one.end) {
			rest = append(rest, one)
		}
	}
	return rest
}

func (p periods) length() (all time.Duration) {
	for _, one := range p {
		all += one.end.Sub(one.begin)
	}
	return all
}
