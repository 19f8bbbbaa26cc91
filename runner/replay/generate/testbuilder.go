package generate

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/replay/shape"
)

// testBuilder makes the test of one exchange.
type testBuilder struct {
	*testGenerator
	exchange *recordedExchange   // the exchange under test
	calls    []*recordedExchange // the set-up calls and the exchange
	// logins are the log-ins of the test's users. The key is the position in calls of the first call of the user.
	// Log-ins without outward calls are left out.
	logins       map[int]*recordedExchange
	callIndex    map[int]int // position in calls, by position in the recording
	test         model.Test
	linkedValues []linkedValue
	// tokensPattern caches the result of tokens. It is valid for tokensCount linked values. It is nil before the first
	// call of tokens.
	tokensPattern *regexp.Regexp
	tokensCount   int
}

// linkedValue is a recorded value for which the test uses a value of an earlier answer instead.
type linkedValue struct {
	leaf
	from model.Link // only From, Header and Pointer are set
	// strict reports whether the value is linked only to values with the same name. It is set for values whose equality
	// is often a coincidence, such as times.
	strict bool
}

// makeTest makes the test of an exchange. It returns why there is none, "" if there is one.
func (g *testGenerator) makeTest(x *recordedExchange) (model.Test, string) {
	if x.whyNotRepeatable != "" {
		return model.Test{}, x.whyNotRepeatable
	}
	start, why := g.setUp(x)
	if why != "" {
		return model.Test{}, why
	}
	before := start.calls
	b := &testBuilder{testGenerator: g, exchange: x, calls: append(before, x), callIndex: map[int]int{}}
	b.test = model.Test{ID: "r" + strconv.Itoa(x.index+1), Origin: model.OriginRecorded}
	b.logins = g.loginsOf(b.calls)
	for i, call := range b.calls {
		b.callIndex[call.index] = i
		b.addCall(i, call)
	}
	uncertain := x.hasUncertainCall() || g.hasUnattributedCall(x) || g.uncertain[x.ID]
	b.test.Mock = &model.MockTest{
		Exchange:    x.ID,
		Call:        len(before),
		Snapshot:    start.snapshot,
		Uncertain:   uncertain,
		OwnSessions: len(b.logins) > 0,
	}
	for _, call := range b.played() {
		if call != x {
			b.test.Mock.Before += len(call.outward)
		}
	}
	if why := b.addStubs(); why != "" {
		return model.Test{}, why
	}
	b.addBackground()
	b.test.Mock.WithoutCalls = !g.callOutward[x.op.ID]
	b.test.Mock.Output = b.output()
	b.test.Mock.IsFault = x.isServerFault()
	b.test.Mock.About = describeTest(x)
	return b.test, ""
}

// loginsOf returns log-ins of the users who make the calls, by the index of a user's first call. It leaves out log-ins
// without outward calls.
func (g *testGenerator) loginsOf(calls []*recordedExchange) map[int]*recordedExchange {
	all, seen := map[int]*recordedExchange{}, map[string]bool{}
	for i, x := range calls {
		name, login := g.users.caller(x)
		if login != nil && !seen[name] && len(login.outward) > 0 {
			all[i] = login
		}
		seen[name] = true
	}
	return all
}

// played returns the exchanges that the test repeats, in their order in the test: the calls, and before the first call
// of each user the log-in of that user, if it is in logins.
func (b *testBuilder) played() []*recordedExchange {
	var all []*recordedExchange
	for i, x := range b.calls {
		if login := b.logins[i]; login != nil {
			all = append(all, login)
		}
		all = append(all, x)
	}
	return all
}

// hasUncertainCall reports whether the cause of an outward call is not known for certain.
func (r *recordedExchange) hasUncertainCall() bool {
	return slices.ContainsFunc(r.outward, func(o *outwardCall) bool { return !o.Attribution.Certain() })
}

// hasUnattributedCall reports whether the service made a call of unknown cause while it answered x. Calls do not count
// if their host has another call whose cause is certain.
func (r *recordingIndex) hasUnattributedCall(x *recordedExchange) bool {
	return slices.ContainsFunc(r.rec.Unattributed, func(o model.OutwardCall) bool {
		return !r.certainHosts[o.Host] && !o.At.Before(x.At) && !o.At.After(x.EndTime())
	})
}

// addCall adds the call of x, the links into it, and the values of its answer that later calls need. i is the
// position of the call in the test.
func (b *testBuilder) addCall(i int, x *recordedExchange) {
	call := x.call
	call.User, _ = b.users.caller(x)
	b.test.Calls = append(b.test.Calls, call)
	for _, l := range x.requestValues {
		origin, ok := b.valueOrigin(x, l)
		from, known := b.callIndex[origin.exchangeIndex()]
		if !ok || !known || !canBeLinked(x, l) {
			continue
		}
		link := model.Link{From: from, To: i, In: l.in, Name: l.name}
		link.Header, link.Pointer = linkSource(origin.leaf)
		b.test.Links = append(b.test.Links, link)
		b.addLinkedValue(l, link, false)
		b.addLinkedValue(origin.leaf, link, false)
	}
	if x == b.exchange {
		return
	}
	for _, l := range x.responseValues {
		if e := b.volatileExpectation(x, answerPart, l); e != nil && !b.isSentLiterally(x, l) {
			link := model.Link{From: i}
			link.Header, link.Pointer = linkSource(l)
			b.addLinkedValue(l, link, timeExpectation(l, x.Exchange) != nil)
		}
	}
}

// exchangeIndex returns the exchange's position in the recording, -1 for the zero valueOrigin.
func (v valueOrigin) exchangeIndex() int {
	if v.recordedExchange == nil {
		return -1
	}
	return v.recordedExchange.index
}

// linkSource returns the header or the JSON pointer of a value in an answer, in the form that a
// link has. One of the two is "".
func linkSource(l leaf) (header, at string) {
	if l.in == model.InHeader {
		return l.name, ""
	}
	return "", cmp.Or(l.name, model.WholeBody)
}

// addLinkedValue records that the test takes a value from an earlier answer.
func (b *testBuilder) addLinkedValue(l leaf, from model.Link, strict bool) {
	from.To, from.In, from.Name = 0, "", ""
	b.linkedValues = append(b.linkedValues, linkedValue{leaf: l, from: from, strict: strict})
}

// findLinkedValue returns the value of an earlier answer that the value l of x repeats. It returns false if no answer
// has the value. Among strict values, findLinkedValue prefers a value from an answer that also had an id in the same
// JSON object as l, and otherwise the last value. The first value that is not strict wins, unless such a preferred
// value was linked before it.
func (b *testBuilder) findLinkedValue(x *recordedExchange, l leaf) (linkedValue, bool) {
	if shape.JSONType(l.value) == "boolean" || l.text() == "" {
		return linkedValue{}, false
	}
	best, found, near := linkedValue{}, false, false
	for _, v := range b.linkedValues {
		if v.text() != l.text() || !v.sharesName(l) && (v.strict || !isDistinctive(l.text())) {
			continue
		}
		switch {
		case !v.strict && !near:
			return v, true
		case v.strict && b.siblingsLinkedTo(x, l, v.from.From):
			best, found, near = v, true, true
		case !near:
			best, found = v, true
		}
	}
	return best, found
}

// siblingsLinkedTo reports whether an id in the same JSON object as the value l came from the answer of a call.
func (b *testBuilder) siblingsLinkedTo(x *recordedExchange, l leaf, call int) bool {
	return slices.ContainsFunc(x.responseValues, func(o leaf) bool {
		return o.in == l.in && o.name != l.name && pointer.Parent(o.name) == pointer.Parent(l.name) && o.isID &&
			slices.ContainsFunc(
				b.linkedValues,
				func(v linkedValue) bool {
					return !v.strict && v.from.From == call && v.text() == o.text() && v.sharesName(o)
				},
			)
	})
}

// isSentLiterally reports whether the request has the value and the test sends it as recorded.
func (b *testBuilder) isSentLiterally(x *recordedExchange, l leaf) bool {
	call := b.callIndex[x.index]
	return slices.ContainsFunc(x.requestValues, func(a leaf) bool { return l.repeats(a) && !b.isLinked(call, a) })
}

// isLinked reports whether a link sets the value l of a call.
func (b *testBuilder) isLinked(call int, l leaf) bool {
	return slices.ContainsFunc(
		b.test.Links,
		func(k model.Link) bool { return k.To == call && k.In == l.in && k.Name == l.name },
	)
}

// isFromStub reports whether a value in a part of the exchange x repeats an answer of a host. part is the index of an
// outward call, or answerPart for the answer of x. If the part is an outward call, only the answers to earlier outward
// calls count.
func isFromStub(x *recordedExchange, part int, l leaf) bool {
	last := part
	if part == answerPart {
		last = len(x.outward)
	}
	for i, call := range x.outward {
		if i == part || i > last && part != answerPart {
			continue
		}
		for _, o := range call.answer.leaves {
			if l.repeats(o) || isSameTime(l, o) || len(l.text()) >= 5 && strings.Contains(o.text(), l.text()) && o.in == model.InMessage {
				return true
			}
		}
	}
	return false
}

// expectation returns how a value in a part of x is compared, nil if it must be equal to the recorded value. part is
// the index of an outward call, or answerPart for the answer of x.
func (b *testBuilder) expectation(x *recordedExchange, part int, l leaf) *model.Expectation {
	if shape.JSONType(l.value) == "null" {
		return nil
	}
	if b.isSentLiterally(x, l) {
		return nil
	}
	if v, ok := b.findLinkedValue(x, l); ok {
		link := v.from
		return &model.Expectation{Comparison: model.CompareLinked, Link: &link}
	}
	if isFromStub(x, part, l) {
		return nil
	}
	if e := b.volatileExpectation(x, part, l); e != nil {
		return e
	}
	if part != answerPart {
		if e := b.newIDExpectation(x, l); e != nil {
			return e
		}
	}
	return b.embeddedExpectation(x, part, l)
}

// newIDExpectation returns how a value that a host receives is compared, if the service's answer contains the same
// value as a new id. It returns nil for other values.
func (b *testBuilder) newIDExpectation(x *recordedExchange, l leaf) *model.Expectation {
	for _, o := range x.responseValues {
		if o.text() == l.text() && o.sameValue(l) && b.isNewID(x, o) {
			return differentTextExpectation(l, "a new id: "+shortened(l.text())+" here")
		}
	}
	return nil
}
