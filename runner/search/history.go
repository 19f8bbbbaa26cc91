package search

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/answer"
	"sonde/model/match"
	"sonde/model/pointer"
	"sonde/runner/target/client"
)

// history records all calls of a run without a reset. With a history, the run finds tests that depend on what other
// tests left in the service. A time in the history is the number of an observed call, from 1. Values, requests and
// outcomes are stored as hash keys. A call counts as creating something if changedState is true for it. A nil history
// records nothing.
type history struct {
	naming naming
	seed   maphash.Seed
	calls  int // calls so far
	// createdAt has the time at which a value was first part of a call that created something.
	createdAt map[uint64]int
	// sentAt has the time at which a value was first sent in a call of an unsafe method, whatever the status: a
	// service may keep a value although it refuses the call.
	sentAt map[uint64]int
	// succeededAt has the time at which a call with a value first had an outcome. Each key combines a value with an
	// outcomeKey.
	succeededAt map[uint64]int
	// creators has the calls that created something with a value in createdAt. It has only the first such call of
	// each value, and only calls that take no value from another call.
	creators map[uint64]*model.Call
	// createdTexts has the texts of at least minTextLength that were sent to create something.
	createdTexts map[uint64]bool
	// answers has the status with which each request was answered, or manyStatuses if the statuses differed.
	answers map[uint64]int
	// firstAnswers is like answers, but has only requests that a test sent before it had changed anything.
	firstAnswers map[uint64]int
	// passed has the oldest call and the newest calls that were answered 2xx. Of calls with the same inputs and
	// faults it has only the newest.
	passed map[userOp][]passedCall
	// decodedBodies has the JSON values of bodies. It is a cache: the body of a call is used several times, and most
	// often the request was sent with the same body.
	decodedBodies map[string]any
}

// userOp is an operation and the user who calls it.
type userOp struct {
	op   model.OpID
	user string
}

// passedCall is a call that was answered 2xx, given by its test and its index.
type passedCall struct {
	test   model.Test
	call   int
	inputs []string // the inputs for which the call had values
	faults []faultKey
}

// same reports whether two calls had the same faults, and values for the same inputs.
func (p passedCall) same(as passedCall) bool {
	return slices.Equal(p.inputs, as.inputs) && slices.Equal(p.faults, as.faults)
}

const (
	// maxRemembered bounds each map of a history, except the maps that have a bound of their own.
	maxRemembered = 1 << 20
	// maxCreators bounds the calls that are kept whole.
	maxCreators = 1 << 14
	// maxPassedCalls bounds the successful calls that are kept for one operation and user.
	maxPassedCalls = 16
	// maxContents bounds the cache of decoded bodies.
	maxContents = 64
	// maxMessageValues bounds the values taken from one body or header. A form or query with more fields supplies no
	// values.
	maxMessageValues = 64
	manyStatuses     = -1
)

func newHistory(n naming) *history {
	return &history{
		naming:        n,
		seed:          maphash.MakeSeed(),
		createdAt:     map[uint64]int{},
		sentAt:        map[uint64]int{},
		creators:      map[uint64]*model.Call{},
		succeededAt:   map[uint64]int{},
		createdTexts:  map[uint64]bool{},
		answers:       map[uint64]int{},
		firstAnswers:  map[uint64]int{},
		passed:        map[userOp][]passedCall{},
		decodedBodies: map[string]any{},
	}
}

// observeTest remembers the calls of a test and their statuses. It ignores calls without an answer and calls
// that got status 429. A test with stubs or rows does not change answers and firstAnswers.
func (h *history) observeTest(t model.Test, results []client.CallResult) {
	if h == nil {
		return
	}
	changed := false
	for i, r := range results {
		status := r.Exchange.Reply.Status
		if status == 0 || status == 429 {
			continue
		}
		h.calls++
		sent := h.sentValues(r.Exchange.Request)
		outcome := h.outcomeKey(t.Calls[i], status)
		for _, v := range sent {
			h.noteFirst(h.succeededAt, h.combine(outcome, v))
		}
		if !t.Calls[i].Op.Reads() {
			for _, v := range sent {
				h.noteFirst(h.sentAt, h.key(v))
			}
		}
		if changedState(r) {
			h.noteTexts(sent)
			h.noteCreated(t, i, append(sent, answerValues(r.Exchange.Reply)...))
		}
		if hasSetUp(t) {
			continue
		}
		request := h.requestKey(t.Calls[i].User, r.Exchange.Request)
		h.noteStatus(h.answers, request, status)
		if !changed {
			h.noteStatus(h.firstAnswers, request, status)
		}
		changed = changed || changedState(r)
	}
}

// hasSetUp reports whether a test has stubs or rows. They may be the reason for the answers to its calls.
func hasSetUp(t model.Test) bool { return len(t.Stubs)+len(t.Rows) > 0 }

// observeVerdicts remembers the calls of a test that were answered 2xx, with their faults. It ignores a test
// with stubs or rows.
func (h *history) observeVerdicts(t model.Test, wrong []model.Fault) {
	if h == nil || hasSetUp(t) {
		return
	}
	for i, c := range t.Calls {
		if c.Status/100 != 2 {
			continue
		}
		key, now := userOp{op: c.Op, user: c.User}, passedCall{test: t, call: i, inputs: h.inputsOf(c)}
		for _, f := range wrong {
			if f.Calls == i+1 {
				now.faults = append(now.faults, keyOf(f))
			}
		}
		all := slices.DeleteFunc(h.passed[key], func(o passedCall) bool { return o.same(now) })
		if len(all) == maxPassedCalls {
			all = slices.Delete(all, 1, 2) // the first is most likely the plainest
		}
		h.passed[key] = append(all, now)
	}
}

// controlsFor returns one or two tests that end in the same control for a call, or nil if there is no control. A
// control is a successful call of the same operation by the same user that did not have the given fault. controlsFor
// prefers controls whose inputs the call also has, and among these the control with the most inputs. If there is
// none, it takes the newest control.
//
// The first test has only the calls that the control needs. The second test has all calls before the control, because
// one of them may be why the control did not have the fault. If both tests would be equal, there is only one.
func (h *history) controlsFor(call model.Call, fault faultKey) []model.Test {
	inputs := h.inputsOf(call)
	best, most, found := passedCall{}, -1, false
	for _, c := range h.passed[userOp{op: call.Op, user: call.User}] {
		switch n := len(c.inputs); {
		case slices.Contains(c.faults, fault):
		case n > most && isSubset(c.inputs, inputs):
			best, most, found = c, n, true
		case most < 0:
			best, found = c, true
		}
	}
	if !found {
		return nil
	}
	needed := neededCalls(best.test, best.call)
	all := []model.Test{withCalls(best.test, needed)}
	if len(needed) <= best.call {
		all = append(all, *testHead(best.test, best.call+1))
	}
	return all
}

// inputsOf returns the names of the inputs for which a call has values, and the media type of its body, sorted. The
// inputs in the body are the members of a JSON object.
func (h *history) inputsOf(c model.Call) []string {
	var all []string
	for _, a := range c.Args {
		all = append(all, string(a.In)+" "+a.Name)
	}
	if c.Body != nil {
		all = append(all, c.Body.Media)
		if object, ok := h.decodedBody(c.Body.Data).(map[string]any); ok {
			all = slices.AppendSeq(all, maps.Keys(object))
		}
	}
	slices.Sort(all)
	return all
}

// decodedBody returns the JSON value of a body, nil if the body is not JSON. The value must not be changed.
func (h *history) decodedBody(body string) any {
	v, known := h.decodedBodies[body]
	if !known {
		if len(h.decodedBodies) == maxContents {
			clear(h.decodedBodies)
		}
		v = decoded(body)
		h.decodedBodies[body] = v
	}
	return v
}

func isSubset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// noteCreated remembers the values of call i, which created something.
func (h *history) noteCreated(t model.Test, i int, values []string) {
	alone := !slices.ContainsFunc(t.Links, func(l model.Link) bool { return l.To == i })
	for _, v := range values {
		key := h.key(v)
		if _, known := h.creators[key]; !known && alone && len(h.creators) < maxCreators {
			h.creators[key] = &t.Calls[i]
		}
		h.noteFirst(h.createdAt, key)
	}
}

// minTextLength is the length in bytes from which a text is unlikely to occur by chance.
const minTextLength = 6

// noteTexts remembers texts that were sent to create something, if they have at least minTextLength bytes.
func (h *history) noteTexts(values []string) {
	for _, v := range values {
		if len(v) >= minTextLength && len(h.createdTexts) < maxRemembered {
			h.createdTexts[h.key(v)] = true
		}
	}
}

// leftover returns a text in the last answer of a played test that another test sent to create something. It returns
// "" in two cases: the answer has no such text, or the answer has a text that this test itself sent in its last
// request or in an earlier call that created something.
func (h *history) leftover(results []client.CallResult) string {
	last := results[len(results)-1].Exchange
	own := h.sentValues(last.Request)
	for _, r := range results[:len(results)-1] {
		if changedState(r) {
			own = append(own, h.sentValues(r.Exchange.Request)...)
			own = append(own, answerValues(r.Exchange.Reply)...)
		}
	}
	// The whole body is searched: what the test created may be at the end of a long list.
	if slices.ContainsFunc(own, func(v string) bool { return len(v) >= minTextLength && bytes.Contains(last.Reply.Body, []byte(v)) }) {
		return ""
	}
	for _, v := range answerValues(last.Reply) {
		if h.createdTexts[h.key(v)] {
			return v
		}
	}
	return ""
}

func (h *history) noteFirst(m map[uint64]int, key uint64) {
	if _, known := m[key]; !known && len(m) < maxRemembered {
		m[key] = h.calls
	}
}

// noteStatus notes the status of the answer to a request, or manyStatuses if the request got another status before.
func (h *history) noteStatus(m map[uint64]int, request uint64, status int) {
	switch before, known := m[request]; {
	case !known && len(m) < maxRemembered:
		m[request] = status
	case known && before != status:
		m[request] = manyStatuses
	}
}

func (h *history) key(parts ...string) uint64 {
	var m maphash.Hash
	m.SetSeed(h.seed)
	for _, p := range parts {
		m.WriteString(p)
		m.WriteByte(0)
	}
	return m.Sum64()
}

// combine returns a key made of another key and a value.
func (h *history) combine(key uint64, value string) uint64 {
	return key ^ 31*maphash.String(h.seed, value)
}

// outcomeKey returns one key for an outcome: the operation of a call, the names of the inputs that have values, the
// media type of the body, and the status. The names are part of the outcome because any input may be the reason for
// the status.
func (h *history) outcomeKey(c model.Call, status int) uint64 {
	return h.key(append(h.inputsOf(c), string(c.Op), strconv.Itoa(status))...)
}

func (h *history) requestKey(user string, r model.Request) uint64 {
	return h.key(user, r.Method, r.URL, string(r.Body))
}

// foreignValues returns the values of a test that most likely come from other tests. It calls foreignSince with
// createdAt.
func (h *history) foreignValues(t model.Test) []string {
	if h == nil {
		return nil
	}
	return h.foreignSince(t, h.createdAt)
}

// foreignAttempts is like foreignValues, but also counts a value as created when it was sent in an unsafe call that
// failed.
func (h *history) foreignAttempts(t model.Test) []string { return h.foreignSince(t, h.sentAt) }

// foreignSince returns the values in the calls of a test for which both of these conditions hold:
//   - The value has a time in the map since, and no call with this value had the same outcome until then.
//   - No earlier call of this test created something with the value.
func (h *history) foreignSince(t model.Test, since map[uint64]int) []string {
	own := map[string]bool{}
	var all []string
	for i, c := range t.Calls {
		sent := h.valuesOf(t, i)
		for _, v := range sent {
			at, is := since[h.key(v)]
			if is && !own[v] && h.succeededAt[h.combine(h.outcomeKey(c, c.Status), v)] > at && !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
		if c.Status/100 == 2 && !c.Op.Reads() {
			for _, v := range sent {
				own[v] = true
			}
		}
	}
	return all
}

// withCreators returns a test that begins with the calls of other tests that created the given values. It returns
// false if none of these calls is known, or if there are more than maxRepairs of these calls.
func (h *history) withCreators(t model.Test, values []string) (model.Test, bool) {
	var calls []model.Call
	for _, v := range values {
		c := h.creators[h.key(v)]
		if c != nil && !slices.ContainsFunc(calls, func(have model.Call) bool { return reflect.DeepEqual(have, *c) }) {
			calls = append(calls, *c)
		}
	}
	n := len(calls)
	if n == 0 || n > maxRepairs {
		return t, false
	}
	for i := range calls {
		calls[i].Status = 0
	}
	t.Calls = append(calls, t.Calls...)
	t.Links, t.Checks = slices.Clone(t.Links), slices.Clone(t.Checks)
	for i := range t.Links {
		t.Links[i].From, t.Links[i].To = t.Links[i].From+n, t.Links[i].To+n
	}
	for i := range t.Checks {
		t.Checks[i].Call += n
	}
	return t, true
}

// valuesOf returns the literal values of a call that may identify something.
func (h *history) valuesOf(t model.Test, call int) []string {
	c := t.Calls[call]
	var all []string
	for _, a := range c.Args {
		if v, ok := literalOf(t, call, a); ok && (a.In == model.InPath || a.In == model.InQuery) {
			all = append(all, v)
		}
	}
	if c.Body == nil {
		return all
	}
	if v := h.decodedBody(c.Body.Data); v != nil {
		return scalars(all, v, "", func(place string) bool { return h.naming.identifies(c.Op, model.InBody, place) })
	}
	return appendForm(all, c.Body.Data)
}

// literalOf returns the value of an argument as the test has it. If a link takes the value from an argument of an
// earlier call, literalOf returns the value of that argument. It returns false if the value comes from an answer, or
// if the earlier call lacks the argument.
func literalOf(t model.Test, call int, a model.Arg) (string, bool) {
	at := slices.IndexFunc(t.Links, func(l model.Link) bool { return l.To == call && l.In == a.In && l.Name == a.Name })
	if at < 0 {
		return a.PlainValue(), true
	}
	l := t.Links[at]
	if l.Param == "" {
		return "", false
	}
	args := t.Calls[l.From].Args
	given := slices.IndexFunc(args, func(a model.Arg) bool { return a.Name == l.Param })
	if given < 0 {
		return "", false
	}
	return literalOf(t, l.From, args[given])
}

// unstableCall returns the index of the first unstable call of a test without stubs and rows, or -1. A call is
// unstable if it got status 429, or if both of these conditions hold:
//   - Its request, with or without its query, got different statuses during the run. After a call of the test that
//     changed something, only the statuses in firstAnswers count.
//   - No earlier call of the test changed a resource on a related path.
//
// unstableCall ignores the first call with AnyStatus and all calls after it.
func (h *history) unstableCall(t model.Test, results []client.CallResult) int {
	if h == nil || hasSetUp(t) {
		return -1
	}
	var changed []string // paths of the resources that earlier calls changed
	answers := h.answers
	for i, r := range results {
		if t.Calls[i].AnyStatus {
			return -1 // the status of this call may explain later answers
		}
		bare := r.Exchange.Request
		bare.URL, _, _ = strings.Cut(bare.URL, "?")
		path := strings.TrimSuffix(bare.URL, "/")
		explained := slices.ContainsFunc(changed, func(c string) bool { return relatedPaths(c, path) })
		for _, request := range []model.Request{r.Exchange.Request, bare} {
			if !explained && answers[h.requestKey(t.Calls[i].User, request)] == manyStatuses {
				return i
			}
		}
		if r.Exchange.Reply.Status == 429 {
			return i
		}
		if changedState(r) {
			changed, answers = append(changed, path), h.firstAnswers
		}
	}
	return -1
}

// relatedPaths reports whether two paths are equal or one is below the other.
func relatedPaths(a, b string) bool {
	return strings.HasPrefix(a+"/", b+"/") || strings.HasPrefix(b+"/", a+"/")
}

// changedState reports whether a call most likely changed the service's state.
func changedState(r client.CallResult) bool {
	return r.Exchange.Reply.Status/100 == 2 && !r.Exchange.Request.Op.Reads()
}

// sentValues returns the values in the path parameters, the query and the body of a request. Like valuesOf, it leaves
// out the numbers in a JSON body that identify nothing: the amount 0 must not be taken for the name "0".
func (h *history) sentValues(r model.Request) []string {
	path, query, _ := strings.Cut(r.URL, "?")
	_, template, _ := strings.Cut(string(r.Op), " ")
	var all []string
	segments := strings.Split(path, "/")
	for i, s := range strings.Split(template, "/") {
		if strings.Contains(s, "{") && i < len(segments) {
			if text, err := url.PathUnescape(segments[i]); err == nil {
				all = append(all, text)
			}
		}
	}
	all = appendForm(all, query)
	body := string(r.Body)
	if v := h.decodedBody(body); v != nil {
		identifies := func(place string) bool { return h.naming.identifies(r.Op, model.InBody, place) }
		return append(all, scalars(nil, v, "", identifies)...)
	}
	if strings.TrimSpace(body) == "null" {
		return all
	}
	return appendForm(all, body)
}

func appendForm(all []string, text string) []string {
	fields, err := url.ParseQuery(text)
	if err != nil || len(fields) > maxMessageValues {
		return all
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		all = append(all, fields[name]...)
	}
	return all
}

// answerValues returns the values in an answer: the values in its body, the last segment of its Location, and parts
// of other URLs in its headers that may be ids.
func answerValues(r model.Reply) (all []string) {
	if body, ok := answer.Read(nil, r); ok {
		all = scalars(nil, body.Value, "", nil)
	}
	if locations := r.Header["Location"]; len(locations) > 0 {
		if id, ok := match.LastSegment(locations[0]); ok {
			all = append(all, id)
		}
	}
	for _, name := range []string{"Location", "Content-Location", "Link"} {
		for _, text := range r.Header[name] {
			all = append(all, urlParts(text)...)
		}
	}
	return all
}

// urlParts returns the decoded parts of URLs in a text, at most maxMessageValues. It returns only parts with a digit.
func urlParts(text string) (all []string) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(`/?#&=<>;," `, r) }) {
		plain, err := url.PathUnescape(part)
		if err == nil && strings.ContainsAny(plain, "0123456789") && len(all) < maxMessageValues {
			all = append(all, plain)
		}
	}
	return all
}

// scalars appends the texts and numbers in a JSON value to all, up to maxMessageValues. place is the pointer of the
// value. wanted reports for the pointer of a number whether to append the number; nil means all numbers.
func scalars(all []string, v any, place string, wanted func(place string) bool) []string {
	if len(all) >= maxMessageValues {
		return all
	}
	switch v := v.(type) {
	case string:
		return append(all, v)
	case json.Number:
		if wanted != nil && !wanted(place) {
			return all
		}
		return append(all, v.String())
	case []any:
		for i, item := range v {
			all = scalars(all, item, place+"/"+strconv.Itoa(i), wanted)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = scalars(all, v[name], place+"/"+pointer.Escape(name), wanted)
		}
	}
	return all
}
