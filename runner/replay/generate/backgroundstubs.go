package generate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// Limits of the stubs for outward calls that no request caused.
const (
	// maxContents is the maximum number of different requests of one kind that get stubs of their own.
	maxContents = 10
	// maxBackgroundStubs is the maximum number of stubs for calls that no request caused.
	maxBackgroundStubs = 100
	// maxScript is the maximum number of answers of a stub. A stub with a longer script keeps the first and the last
	// answers.
	maxScript = 20
	// maxAwait is the maximum time that a test waits for a call that no request caused.
	maxAwait = 5 * time.Second
)

// backgroundStub answers calls that no request caused, while the service runs.
type backgroundStub struct {
	model.Stub
	history  []givenAnswers // answers of the host to calls of the kind, including calls that requests caused
	script   []model.Answer // answers before the service was ready
	polls    bool           // such calls also came after the service was ready
	follows  bool           // such calls come only after certain answers to other calls; see followsAnswers
	interval time.Duration  // time between two calls after the service was ready, 0 if unknown
	latency  time.Duration  // delay of each answer to a long poll after the script; 0 for other calls
}

// givenAnswers has the answers of a host to one call.
type givenAnswers struct {
	at      time.Time
	answers []model.Answer
}

// backgroundStubs returns the stubs for the calls that no request caused. Each kind of call has a stub. The stub gives
// the answers of the start of the service in their order, and then repeats the last answer. If different requests of a
// kind got different answers, and there are at most maxContents of them, the kind also has a stub for each request;
// these stubs come first.
func (r *recordingIndex) backgroundStubs() []backgroundStub {
	var all []backgroundStub
	size := 0
	kinds := grouped(r.background.calls, stubKind)
	for _, calls := range kinds {
		kind := backgroundKind{
			calls:         calls,
			ofRequests:    r.callsOfKind(stubKind(calls[0])),
			anyConnection: r.shared.has(calls[0]),
		}
		follows := slices.ContainsFunc(kinds, func(others []model.OutwardCall) bool {
			return followsAnswers(since(calls, r.background.ready), since(others, r.background.ready))
		})
		for _, stub := range kind.stubs(r.background.ready) {
			stub.follows = follows
			for _, a := range stub.Answers {
				size += len(a.Content())
			}
			if size > maxPlayed || len(all) >= maxBackgroundStubs {
				return all
			}
			if stub.Validate() == nil {
				all = append(all, stub)
			}
		}
	}
	return all
}

// grouped divides calls into groups with the same key. The groups are in the order of their first calls. Calls with
// truncated answers are left out.
func grouped(calls []model.OutwardCall, key func(model.OutwardCall) string) (all [][]model.OutwardCall) {
	at := map[string]int{}
	for _, o := range calls {
		if o.Reply.Truncated {
			continue
		}
		k := key(o)
		i, known := at[k]
		if !known {
			i = len(all)
			at[k], all = i, append(all, nil)
		}
		all[i] = append(all[i], o)
	}
	return all
}

// stubKind identifies calls that one stub may answer: those of the same kind, and transactions of Redis if they also
// have the same commands. A stub for any transaction would also answer the transactions that requests cause.
func stubKind(o model.OutwardCall) string {
	if o.Protocol.IsDatabase() && len(o.Messages) > 0 {
		return callKind(o) + queuedCommands(o.Messages[0].Request)
	}
	return callKind(o)
}

// since returns the calls that began at t or later. The calls are in the order in which they began.
func since(calls []model.OutwardCall, t time.Time) []model.OutwardCall {
	i := slices.IndexFunc(calls, func(o model.OutwardCall) bool { return !o.At.Before(t) })
	if i < 0 {
		return nil
	}
	return calls[i:]
}

// followsAnswers reports whether the service makes calls only after certain answers to other calls, and not by
// itself. This is so if each call comes at once after the answer to one of the others, most of the others have no
// call after them, and the calls do not come at regular intervals. (Regular intervals are a sign of a second, slower
// timer.) A test does not wait for such calls, because it may give the service none of these answers.
func followsAnswers(calls, others []model.OutwardCall) bool {
	var followed []int // the others after which calls came
	for _, o := range calls {
		i, _ := slices.BinarySearchFunc(others, o.At, func(other model.OutwardCall, at time.Time) int {
			if other.At.After(at) {
				return 1
			}
			return -1
		})
		i-- // the last of the others that began before the call
		if i < 0 {
			return false
		}
		if after := o.At.Sub(others[i].EndTime()); after < 0 || after > lateCallTime {
			return false
		}
		if n := len(followed); n == 0 || followed[n-1] != i {
			followed = append(followed, i)
		}
	}
	if len(followed) == 0 || len(others) <= 2*len(followed) {
		return false
	}
	least, most := len(others), len(others)-followed[len(followed)-1]
	for i, at := range followed[1:] {
		least, most = min(least, at-followed[i]), max(most, at-followed[i])
	}
	return len(followed) == 1 || most > least+1
}

// callsOfKind returns the calls of a kind that requests caused.
func (r *recordingIndex) callsOfKind(kind string) (all []model.OutwardCall) {
	for _, x := range r.rec.Served {
		for _, o := range x.OutwardCalls {
			if stubKind(o) == kind && !o.Reply.Truncated {
				all = append(all, o)
			}
		}
	}
	return all
}

// backgroundKind has the calls of one kind.
type backgroundKind struct {
	calls      []model.OutwardCall // calls that no request caused
	ofRequests []model.OutwardCall
	// anyConnection reports whether the calls are messages on connections that serve several requests.
	anyConnection bool
}

// stubs returns the stubs of the kind. ready is when the service was ready for requests.
func (k backgroundKind) stubs(ready time.Time) (all []backgroundStub) {
	contents := grouped(k.calls, contentOf)
	if len(contents) > 1 && len(contents) <= maxContents && !k.answersAlike() {
		for _, calls := range contents {
			own := backgroundKind{calls: calls, anyConnection: k.anyConnection}
			for _, o := range k.ofRequests {
				if contentOf(o) == contentOf(calls[0]) {
					own.ofRequests = append(own.ofRequests, o)
				}
			}
			all = append(all, own.stub(exactMatch(calls[0]), ready))
		}
	}
	return append(all, k.stub(kindMatch(k.calls[0]), ready))
}

// answersAlike reports whether all calls got the same answers.
func (k backgroundKind) answersAlike() bool {
	first := newOutwardCall(k.calls[0]).stubAnswers()
	return !slices.ContainsFunc(k.calls[1:], func(o model.OutwardCall) bool {
		return !reflect.DeepEqual(newOutwardCall(o).stubAnswers(), first)
	})
}

// contentOf returns the content by which the requests of one kind differ: the URL, and the data that the service
// sent.
func contentOf(o model.OutwardCall) string {
	text := o.Request.URL + "\n" + string(o.Request.Body)
	for _, m := range o.Messages {
		text += fmt.Sprintf("%q", m.Request)
	}
	return text
}

// kindMatch returns a match for all calls of the same kind as o.
func kindMatch(o model.OutwardCall) model.StubMatch {
	switch {
	case o.Protocol.IsDatabase():
		return databaseKindMatch(o.Messages[0].Request)
	case o.Protocol != model.HTTP:
		var m model.StubMatch
		if len(o.Messages) == 1 {
			m.Prefix = firstWord(o.Messages[0].Request)
		}
		return m
	}
	path, _, _ := strings.Cut(o.Request.URL, "?")
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if shape.LooksLikeID(part) {
			parts[i] = fmt.Sprintf("{id%d}", i)
		}
	}
	return model.StubMatch{Method: o.Request.Method, Path: strings.Join(parts, "/")}
}

// exactMatch returns the match for calls with the same content as o. The match disregards a body of HTTP that is not
// JSON, and the data of a connection with several messages.
func exactMatch(o model.OutwardCall) (m model.StubMatch) {
	if o.Protocol.IsDatabase() {
		return model.StubMatch{JSON: string(o.Messages[0].Request)}
	}
	if o.Protocol != model.HTTP {
		if len(o.Messages) == 1 {
			m.Equals = string(o.Messages[0].Request)
		}
		return m
	}
	call := newOutwardCall(o)
	m.Method, m.Path, m.Query = o.Request.Method, "/"+strings.Join(call.path, "/"), map[string]string{}
	for name := range call.query {
		m.Query[name] = call.query.Get(name)
	}
	if call.request.isJSON && len(o.Request.Body) > 0 {
		m.JSON = string(compacted(call.request))
	}
	return m
}

// stub returns a stub with the match m and the answers that the calls got.
func (k backgroundKind) stub(m model.StubMatch, ready time.Time) backgroundStub {
	first := k.calls[0]
	s := backgroundStub{Stub: model.Stub{
		Host: first.Host, Protocol: first.Protocol, Match: m, Background: true, AnyConnection: k.anyConnection,
	}}
	var script []model.Answer
	for i, o := range k.calls {
		answers := newOutwardCall(o).stubAnswers()
		if i == 0 || o.At.Before(ready) {
			script = append(script, answers...)
			if beginsOnConnection(s.Stub) {
				script = answers // each connection begins the script anew
			}
		}
		s.history = append(s.history, givenAnswers{o.EndTime(), answers})
	}
	for _, o := range k.ofRequests {
		s.history = append(s.history, givenAnswers{o.EndTime(), newOutwardCall(o).stubAnswers()})
	}
	slices.SortStableFunc(s.history, func(a, b givenAnswers) int { return a.at.Compare(b.at) })
	if later := slices.IndexFunc(k.calls, func(o model.OutwardCall) bool { return !o.At.Before(ready) }); later >= 0 {
		s.polls = true
		s.interval = medianInterval(k.calls[later:])
		s.latency = longPoll(k.calls[later:], s.interval)
	}
	s.setScript(script)
	return s
}

// setScript sets the answers of the stub. The stub repeats the last answer, unless each connection begins the script
// anew. A stub of a long poll delays the repeated answer.
func (s *backgroundStub) setScript(script []model.Answer) {
	s.script, s.Answers, s.Else, s.Repeat = script, script, nil, false
	if beginsOnConnection(s.Stub) {
		return
	}
	last := script[len(script)-1]
	for len(script) > 1 && reflect.DeepEqual(script[len(script)-2], last) {
		script = script[:len(script)-1]
	}
	if len(script) > maxScript {
		script = slices.Concat(script[:maxScript/2], script[len(script)-maxScript/2:])
	}
	s.Answers = script
	switch {
	case s.latency > 0 && last.Fault == "":
		last.Fault, last.Latency = model.NetSlow, int(s.latency.Milliseconds())
		s.Else = &last
	case len(script) > 1:
		s.Else = &last
	default:
		s.Repeat = s.AnyConnection
	}
}

// minLongPoll is the minimum time that a host takes for the answer to a long poll.
const minLongPoll = time.Second / 2

// longPoll returns how long the host waits before it answers a long poll. The calls are long polls if the answers take
// at least minLongPoll and the service calls again as soon as it has an answer, or has called only once. If a stub
// answered at once, the service would call all the time. For other calls, longPoll returns 0.
func longPoll(calls []model.OutwardCall, interval time.Duration) time.Duration {
	var all []time.Duration
	for _, o := range calls {
		if o.Err == nil {
			all = append(all, o.Took)
		}
	}
	if took := median(all); took >= minLongPoll && interval-took < lateCallTime {
		return took
	}
	return 0
}

// medianInterval returns the usual time between two calls, 0 for fewer than two calls.
func medianInterval(calls []model.OutwardCall) time.Duration {
	var all []time.Duration
	for i := 1; i < len(calls); i++ {
		all = append(all, calls[i].At.Sub(calls[i-1].At))
	}
	return median(all)
}

// median returns the median, 0 for no values.
func median(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// at returns the stub for the test of a request that began at time t. The stub repeats the last answer of the host
// before t; see lasting. at also reports whether a service that got these answers may be in another state than a
// service that got the answers in s.script.
func (s backgroundStub) at(t time.Time) (model.Stub, bool) {
	var before []model.Answer
	for _, given := range s.history {
		switch {
		case given.at.After(t):
		case beginsOnConnection(s.Stub):
			before = given.answers
		default:
			before = append(before, given.answers...)
		}
	}
	if len(before) == 0 {
		before = s.script
	}
	if beginsOnConnection(s.Stub) {
		differs := !reflect.DeepEqual(before, s.script)
		s.setScript(before)
		return s.Stub, differs
	}
	now := lasting(before)
	differs := slices.ContainsFunc(s.script, func(a model.Answer) bool { // the service may be in the state after any answer of the script
		return a.Status != notModified && !reflect.DeepEqual(a, now[0])
	})
	s.setScript(now)
	return s.Stub, differs
}

// notModified is the status of an answer that confirms an earlier one.
const notModified = 304

// lasting returns a short list of answers that leaves a service in the same state as the whole list. This is the last
// answer. If the last answer is 304 (Not Modified), the answer that it confirms comes before it.
func lasting(answers []model.Answer) []model.Answer {
	last := answers[len(answers)-1:]
	if last[0].Status != notModified {
		return last
	}
	for _, a := range slices.Backward(answers) {
		if a.Status != notModified {
			return []model.Answer{a, last[0]}
		}
	}
	return last
}

// await returns how long a test waits at most for a call of the service that the stub answers.
func (s backgroundStub) await() time.Duration {
	return min(3*s.interval+2*time.Second, maxAwait)
}

// addBackground adds stubs to the test for calls that no request caused, if the answers before the exchange left the
// service in another state than the answers at its start. The test waits until the service has got the answers of
// these stubs. It does not wait for calls that come only after certain answers to other calls; see followsAnswers.
func (b *testBuilder) addBackground() {
	for _, s := range b.processStubs {
		if stub, differs := s.at(b.exchange.At); differs && s.polls {
			b.test.Stubs = append(b.test.Stubs, stub)
			if s.follows {
				continue
			}
			b.test.Mock.Await = max(b.test.Mock.Await, int(s.await().Milliseconds()))
		}
	}
}
