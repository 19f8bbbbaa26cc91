package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/runner/search/oracle"
)

// securityShare is the share of the budget for security tests. Only a run with security tests has it.
const securityShare = 0.1

// securityTester plays security tests: kept calls that other users make, or whose values are probes. There are a few
// tests for each question and operation, and one more test for each suspicious answer. The oracles judge security
// tests like all other tests, and the fault checker repeats the faults.
type securityTester struct {
	plan    model.Plan
	checker *faultChecker
	follow  *followUps
	marker  marker
	calls   map[model.OpID]keptCall
	html    map[model.OpID]bool // the operations that answer with HTML
}

// securityQuestion plays the tests of one question about an operation. m is a successful kept call of op.
type securityQuestion func(ctx context.Context, m keptCall, op *model.Operation)

// maxSecurityTries bounds the attempts to show a fault of a security test with fewer calls. Most calls of a security
// test are needed as controls.
const maxSecurityTries = 4

// runSecurityTests plays security tests with at most the given number of requests. It returns how many of these
// are left.
func runSecurityTests(ctx context.Context, s *scheduler, limit int) (left int) {
	c := newFaultChecker(s, limit)
	c.tries = maxSecurityTries
	t := securityTester{
		plan:    s.plan,
		checker: c,
		follow:  &followUps{plan: s.plan, archive: s.archive, asked: map[string]bool{}},
		marker:  s.marker,
		calls:   map[model.OpID]keptCall{},
		html:    map[model.OpID]bool{},
	}
	t.verifyFrom(ctx, 0)
	t.chooseCalls()
	t.run(ctx)
	return max(0, limit-c.player.sent)
}

// chooseCalls chooses a successful kept call of each operation. It prefers the call that needs the fewest other calls,
// then the call with the most values, and then the call with the shortest values. It also notes which operations answer
// with HTML.
func (s *securityTester) chooseCalls() {
	for kept := range s.follow.archive.tests() {
		for i, c := range kept.test.Calls {
			if i < len(kept.exchanges) && isHTML(kept.exchanges[i].Reply) {
				s.html[c.Op] = true
			}
			if c.Status/100 != 2 || s.plan.Spec.Operation(c.Op) == nil {
				continue
			}
			m := kept.keptCall(i)
			keep := neededCalls(m.test, m.at)
			m.test, m.at = withCalls(m.test, keep), len(keep)-1
			if best, known := s.calls[c.Op]; !known || m.isPlainerThan(best) {
				s.calls[c.Op] = m
			}
		}
	}
}

// isPlainerThan reports whether a call is better for security tests than another one; see chooseCalls.
func (m keptCall) isPlainerThan(other keptCall) bool {
	rank := func(m keptCall) (calls, values, length int) {
		c := m.test.Calls[m.at]
		texts := bodyTexts(c.Body)
		for _, a := range c.Args {
			length += len(a.Value)
		}
		if c.Body != nil {
			length += len(c.Body.Data)
		}
		return len(m.test.Calls), len(c.Args) + len(texts), length
	}
	calls, values, length := rank(m)
	otherCalls, otherValues, otherLength := rank(other)
	return cmp.Or(cmp.Compare(calls, otherCalls), cmp.Compare(otherValues, values), cmp.Compare(length, otherLength)) < 0
}

func isHTML(r model.Reply) bool {
	for _, media := range r.Header["Content-Type"] {
		if strings.HasPrefix(strings.ToLower(media), "text/html") {
			return true
		}
	}
	return false
}

// run asks each question about each operation. The questions take turns, so that with a small budget each question is
// asked about some operations. Questions that delay answers come last, because they take time.
func (s *securityTester) run(ctx context.Context) {
	questions := []securityQuestion{
		s.askOtherUsers, s.askRole, s.askOverride, s.askAssignment, s.askScript, s.askTraversal, s.askServerSideRequest, s.askSQL,
	}
	ask := func(choose func(i int) securityQuestion) {
		for i, op := range s.plan.Spec.Operations {
			if m, known := s.calls[op.ID]; known && ctx.Err() == nil {
				choose(i)(ctx, m, op)
			}
		}
	}
	for turn := range questions {
		ask(func(i int) securityQuestion { return questions[(i+turn)%len(questions)] })
	}
	s.checker.tries = 0 // shorter tests would have the same delays
	ask(func(int) securityQuestion { return s.askSQLDelay })
}

// play plays a test, records its faults, and repeats the faults of security oracles. Without a reset it first plays
// the test with fresh values, because some values can be used only once. If a call of the test with fresh values gets
// another status than before, play also plays the unchanged test. play plays no test that ends a user.
func (s *securityTester) play(ctx context.Context, t model.Test) (p played, ok bool) {
	if s.checker.judge.endsUser(t) {
		return p, false
	}
	tests := []model.Test{t}
	if own, renamed := s.checker.player.renamer(nil).rename(t); renamed && !s.checker.pool.resets {
		tests = []model.Test{own, t}
	}
	known := s.checker.judge.faults.count()
	for _, t := range tests {
		p, ok = s.checker.player.play(ctx, t)
		if ok {
			s.checker.archive.record(nil, 0, s.checker.judge.faults.record(s.checker.judge.faultsOf(p)...))
		}
		if !ok || repeatsStatuses(t, p) {
			break
		}
	}
	s.verifyFrom(ctx, known)
	return p, ok
}

// verifyFrom repeats the faults of security oracles from an index on.
func (s *securityTester) verifyFrom(ctx context.Context, first int) {
	for i := first; i < s.checker.judge.faults.count(); i++ {
		if f := s.checker.judge.faults.at(i); f.Test != nil && oracle.JudgesSecurity(f.Oracle) && !s.checker.judge.endsUser(*f.Test) {
			s.checker.verify(ctx, i)
			s.checker.checked[i] = s.checker.judge.faults.at(i).Verdict != ""
		}
	}
}

// repeatsStatuses reports whether all calls of a test with a known status have this status again.
func repeatsStatuses(t model.Test, p played) bool {
	for i, c := range t.Calls {
		if c.Status > 0 && (i >= len(p.results) || p.test.Calls[i].Status != c.Status) {
			return false
		}
	}
	return true
}

// extension is a test to which calls are added. It begins with the calls that a kept call needs.
type extension struct {
	kept model.Test
	at   int // index of the kept call
	test model.Test
}

func extend(m keptCall) *extension {
	return &extension{kept: m.test, at: m.at, test: model.Test{
		Origin: model.OriginSearched, Calls: slices.Clone(m.test.Calls[:m.at]), Links: testHead(m.test, m.at).Links, Stubs: m.test.Stubs,
		Rows: m.test.Rows, AfterRedirect: m.test.AfterRedirect,
	}}
}

// add adds a call, with the links that set inputs of the call, and returns the index of the call. links may be nil.
func (x *extension) add(c model.Call, links func(to int) []model.Link) int {
	at := len(x.test.Calls)
	c.Status = 0
	x.test.Calls = append(x.test.Calls, c)
	if links != nil {
		x.test.Links = append(x.test.Links, links(at)...)
	}
	return at
}

// again adds the kept call, made by a user.
func (x *extension) again(user string) {
	c := x.kept.Calls[x.at]
	c.User = user
	x.add(c, func(to int) []model.Link { return movedLinks(x.kept, x.at, to) })
}

// with adds the kept call with another value of an input. put must accept the value for this call.
func (x *extension) with(in textInput, value string) {
	c, _ := in.put(x.kept.Calls[x.at], value)
	x.add(c, func(to int) []model.Link {
		return slices.DeleteFunc(movedLinks(x.kept, x.at, to), func(l model.Link) bool { return l.In == in.in && l.Name == in.name })
	})
}

// probe plays a test with one call for each input and value. It returns false if there are no inputs, or the outcome
// cannot be used.
func (s *securityTester) probe(ctx context.Context, m keptCall, inputs []textInput, values ...string) (p played, ok bool) {
	if len(inputs) == 0 {
		return p, false
	}
	x := extend(m)
	for _, in := range inputs {
		for _, v := range values {
			x.with(in, in.base+v)
		}
	}
	return s.play(ctx, x.test)
}

// maxProbed is the maximum number of inputs of one operation that the tests of one question probe.
const maxProbed = 6

// askScript asks whether an HTML page contains a value as a script. If an operation is not known to answer with HTML,
// askScript makes only one call of it, with the script in all inputs outside of the path.
func (s *securityTester) askScript(ctx context.Context, m keptCall, op *model.Operation) {
	inputs := wholeValues(textInputs(m, op))
	if s.html[op.ID] || declaresHTML(op) {
		s.probe(ctx, m, inputs, oracle.ScriptProbe)
		return
	}
	x := extend(m)
	c, changed := m.test.Calls[m.at], map[string]bool{}
	for _, in := range inputs {
		if next, ok := in.put(c, oracle.ScriptProbe); ok && in.in != model.InPath {
			c, changed[string(in.in)+in.name] = next, true
		}
	}
	if len(changed) == 0 {
		return
	}
	x.add(c, func(to int) []model.Link {
		return slices.DeleteFunc(movedLinks(m.test, m.at, to), func(l model.Link) bool { return changed[string(l.In)+l.Name] })
	})
	s.play(ctx, x.test)
}

func declaresHTML(op *model.Operation) bool {
	return slices.ContainsFunc(op.Responses, func(r model.Response) bool {
		return slices.ContainsFunc(r.Contents, func(c model.Content) bool { return strings.HasPrefix(c.Media, "text/html") })
	})
}

// askTraversal asks whether the service returns the marker file for its path. It sends the path in inputs whose names
// may be about files.
func (s *securityTester) askTraversal(ctx context.Context, m keptCall, op *model.Operation) {
	if s.marker == "" {
		return
	}
	inputs := slices.DeleteFunc(textInputs(m, op), func(in textInput) bool { return !fileNames.MatchString(in.lastName()) })
	s.probe(ctx, m, wholeValues(inputs), strings.Repeat("../", 12)+strings.TrimLeft(string(s.marker), "/"), string(s.marker))
}

// askServerSideRequest asks whether the service calls a host that only the request names.
func (s *securityTester) askServerSideRequest(ctx context.Context, m keptCall, op *model.Operation) {
	if s.plan.Net == nil {
		return
	}
	inputs := slices.DeleteFunc(textInputs(m, op), func(in textInput) bool { return !in.mayBeURL() })
	m.test.Stubs = append(slices.Clip(m.test.Stubs), model.Stub{
		Host: oracle.ProbeHost + ":80", Protocol: model.HTTP, Answers: []model.Answer{{Status: 200, Body: "{}"}},
	})
	s.probe(ctx, m, wholeValues(inputs), "http://"+oracle.ProbeHost+"/")
}

// askSQL asks whether a value becomes part of an SQL query. It adds quotes to the value and, for a GET, conditions such
// as ' OR '1'='1. If the answers to two opposite conditions differ, another test makes all calls that the oracle needs.
// askSQL skips DELETE.
func (s *securityTester) askSQL(ctx context.Context, m keptCall, op *model.Operation) {
	if op.Method == "DELETE" {
		return
	}
	texts := textInputs(m, op)
	values := []string{oracle.DoubleQuote, oracle.OpenQuote}
	if op.Method == "GET" {
		values = append(values, oracle.AnyText[0], oracle.AnyText[1], oracle.SameText[0], oracle.SameText[1])
	}
	if p, ok := s.probe(ctx, m, texts, values...); ok && op.Method == "GET" {
		s.confirmConditions(ctx, m, texts, values, p, oracle.AnyText, oracle.SameText)
	}
	if op.Method != "GET" {
		return
	}
	numbers := numberInputs(op)
	if p, ok := s.probe(ctx, m, numbers, oracle.AnyNumber[:2]...); ok {
		s.confirmConditions(ctx, m, numbers, oracle.AnyNumber[:2], p, oracle.AnyNumber)
	}
}

// confirmConditions plays a test for each pair of an input and a condition for which the two calls in p have
// different answers. p is the outcome of probe with these inputs and values.
func (s *securityTester) confirmConditions(
	ctx context.Context, m keptCall, inputs []textInput, values []string, p played, conditions ...oracle.SQLCondition,
) {
	first := len(p.test.Calls) - len(inputs)*len(values)
	for k, in := range inputs {
		for _, c := range conditions {
			yes := first + k*len(values) + slices.Index(values, c[0])
			if yes < 0 || yes+1 >= len(p.results) || !oracle.AnswersDiffer(
				p.results[yes].Exchange.Reply, in.base+c[0], p.results[yes+1].Exchange.Reply, in.base+c[1],
			) {
				continue
			}
			x := extend(m)
			x.with(in, in.base)
			for _, end := range c {
				x.with(in, in.base+end)
			}
			x.with(in, in.base)
			s.play(ctx, x.test)
		}
	}
}

// askSQLDelay asks whether a value with an SQL function that sleeps delays the answer. It skips DELETE, and operations
// for which an SQL injection was found already. If an answer is slow, another test makes three calls with the delay and
// three calls without.
func (s *securityTester) askSQLDelay(ctx context.Context, m keptCall, op *model.Operation) {
	known := func(f model.Fault) bool { return f.Op == op.ID && f.Oracle == oracle.SQLInjection }
	if op.Method == "DELETE" || slices.ContainsFunc(s.checker.judge.faults.all(), known) {
		return
	}
	inputs := textInputs(m, op)
	for _, d := range oracle.SQLDelays {
		p, ok := s.probe(ctx, m, inputs, d[1])
		if !ok {
			return
		}
		for k, in := range inputs {
			at := len(p.test.Calls) - len(inputs) + k
			if at < len(p.results) && p.results[at].Exchange.Took >= oracle.DelaySeconds*time.Second {
				x := extend(m)
				for range 3 {
					x.with(in, in.base+d[0])
					x.with(in, in.base+d[1])
				}
				s.play(ctx, x.test)
			}
		}
	}
}
