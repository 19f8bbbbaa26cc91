package generate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sonde/model"
)

// maxPlayed is the maximum size of what the hosts of a test exchange with the service, in bytes.
const maxPlayed = 4 << 20

// stubDraft is a stub to which answers may still be added.
type stubDraft struct {
	model.Stub
	looseness int // drafts are sorted by it, so that specific stubs come first
}

// addStubs makes the stubs for the outward calls of the test, including the outward calls of set-up calls and log-ins,
// and the expectations of the parameter oracle (PO). It returns why the test cannot be made, "" if it can.
func (b *testBuilder) addStubs() string {
	var all []*stubDraft
	of := map[*outwardCall]*stubDraft{}
	nth, size := map[string]int{}, 0
	params := map[*outwardCall][]model.Expectation{}
	for _, x := range b.played() {
		for part, call := range x.outward {
			if call.Protocol == model.HTTP &&
				(call.Reply.Truncated || call.request.why != "" && call.Request.Truncated) {
				return fmt.Sprintf("the answer of %s was not recorded completely", call.hostName())
			}
			stub, wants := b.stub(x, part)
			nth[call.Host]++
			size += call.size()
			if size > maxPlayed {
				return fmt.Sprintf("the answers of its hosts are larger than %d MiB", maxPlayed>>20)
			}
			of[call], params[call] = mergeStub(&all, stub, nth[call.Host]), wants
		}
	}
	slices.SortStableFunc(all, func(a, b *stubDraft) int { return a.looseness - b.looseness })
	for _, draft := range all {
		if err := draft.Validate(); err != nil {
			return "its hosts cannot be played: " + err.Error()
		}
		b.test.Stubs = append(b.test.Stubs, withoutRepeatedAnswers(draft.Stub))
	}
	b.addExpectedCalls(func(call *outwardCall) model.ExpectedCall {
		return model.ExpectedCall{Stub: slices.Index(all, of[call]), Params: params[call]}
	})
	return ""
}

// hostName returns the name of the host for messages to the user.
func (o *outwardCall) hostName() string {
	if o.Name != "" {
		return o.Name
	}
	return o.Host
}

// mergeStub adds a draft to all and returns it. If an earlier draft matches the same messages, mergeStub instead adds
// the answers of the new draft to the earlier one, and returns the earlier one. Drafts for TCP connections with
// different answers stay separate: nth, the number of the call to the host, becomes a part of the match.
func mergeStub(all *[]*stubDraft, draft *stubDraft, nth int) *stubDraft {
	for _, old := range *all {
		if !matchSame(old.Stub, draft.Stub) {
			continue
		}
		switch {
		case !beginsOnConnection(draft.Stub):
			old.Answers = append(old.Answers, draft.Answers...)
			return old
		case reflect.DeepEqual(old.Answers, draft.Answers):
			return old
		}
		draft.Match.Nth = nth
		draft.looseness--
	}
	*all = append(*all, draft)
	return draft
}

// withoutRepeatedAnswers returns the stub with one answer if all of its answers are equal, because
// a single answer repeats. It does not change TCP stubs whose answers begin again on each connection.
func withoutRepeatedAnswers(s model.Stub) model.Stub {
	if beginsOnConnection(s) {
		return s
	}
	if !slices.ContainsFunc(s.Answers, func(a model.Answer) bool { return !reflect.DeepEqual(a, s.Answers[0]) }) {
		s.Answers = s.Answers[:1]
	}
	s.Repeat = s.AnyConnection && len(s.Answers) == 1
	return s
}

// beginsOnConnection reports whether each connection begins with the first answer of the stub.
func beginsOnConnection(s model.Stub) bool { return s.Protocol == model.TCP && !s.AnyConnection }

// matchSame reports whether two stubs match the same messages.
func matchSame(a, b model.Stub) bool {
	return a.Host == b.Host && a.Protocol == b.Protocol && a.Background == b.Background && reflect.DeepEqual(a.Match, b.Match)
}

// stub returns the stub of an outward call, and the expectations on the call. The stub matches the parts of the call
// that do not vary.
func (b *testBuilder) stub(x *recordedExchange, part int) (*stubDraft, []model.Expectation) {
	call := x.outward[part]
	draft := &stubDraft{Stub: model.Stub{Host: call.Host, Protocol: call.Protocol, Answers: call.stubAnswers()}}
	draft.AnyConnection = b.shared.has(call.OutwardCall)
	s := stubber{builder: b, exchange: x, part: part, call: call, loose: map[string]*model.Expectation{}}
	for _, l := range call.request.leaves {
		if e := s.expectation(l); e != nil {
			s.loose[string(l.in)+l.name] = e
		}
	}
	switch {
	case call.Protocol == model.HTTP:
		draft.Match = s.httpMatch()
	case call.Protocol.IsDatabase():
		draft.Match.JSON = s.body()
	default:
		draft.Match = s.messageMatch()
	}
	draft.looseness = -len(draft.Match.JSON) - len(draft.Match.Equals) - len(draft.Match.Regexp) - 10*len(draft.Match.Query) -
		10*strings.Count(draft.Match.Path, "/") + 20*strings.Count(draft.Match.Path, "{")
	return draft, s.params
}
