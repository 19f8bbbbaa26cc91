package search

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// Without a reset, each kept test is played several times near the end of a run: with fresh values, unchanged, and
// once more after all other tests. If it gets the same answers each time, the test is self-contained. Otherwise it
// depends on earlier tests, and the prover tries to repair it.

const (
	// proofPlays is the number of plays reserved for proving one test.
	proofPlays = 5
	// maxRepairs bounds the attempts of each kind of repair of a test.
	maxRepairs = 3
)

// Reasons why it is not known whether a test is self-contained.
const (
	notProven   = "it was not played again"
	notFinished = "the budget was too short to play it again"
)

// prover finds out whether a kept test is self-contained, and repairs it if possible.
type prover struct {
	reducer   *reducer
	ctx       context.Context
	covers    []string // the targets that the test is kept for
	exchanges []model.Exchange

	last        played // the outcome of the newest play
	divergedAt  int    // the index of the call whose status differed in the newest play, -1 for none
	outOfBudget bool   // a test could not be played, most likely because the budget is too small
}

// proveAll proves the kept tests, short ones first and otherwise in random order. Then it plays the proven tests once
// more in the opposite order.
func (r *reducer) proveAll(ctx context.Context) {
	kept := slices.Clone(r.kept)
	r.proposer.chance.Shuffle(len(kept), func(i, j int) { kept[i], kept[j] = kept[j], kept[i] })
	slices.SortStableFunc(kept, func(a, b *keptTest) int { return len(a.trial.test.Calls) - len(b.trial.test.Calls) })
	reserved := 0
	limit := r.player.limit
	for _, k := range kept {
		r.player.limit = limit - reserved - r.requests(k)
		if ctx.Err() != nil || k.coversCode && r.code.lostErr != nil {
			break
		}
		r.prove(ctx, k)
		if k.proven() {
			reserved += r.requests(k)
		}
	}
	r.player.limit = limit
	slices.Reverse(kept)
	for _, k := range kept {
		if k.proven() && ctx.Err() == nil {
			r.confirm(ctx, k)
		}
	}
}

// proven reports whether the test was played again and is self-contained.
func (k *keptTest) proven() bool { return k.trial.replayed && k.trial.test.EarlierState == "" }

// prove proves a kept test. It replaces the test by a self-contained version, or sets the test's EarlierState
// to the reason why there is none. If the budget was too short, the test does not change.
func (r *reducer) prove(ctx context.Context, kept *keptTest) {
	p := &prover{reducer: r, ctx: ctx, covers: kept.covers, exchanges: kept.trial.exchanges}
	t, why := p.makeSelfContained(kept.trial.test)
	switch {
	case why != "" && p.outOfBudget:
		return // the test may be played later
	case why != "":
		t = kept.trial.test
		t.EarlierState = why
	default:
		kept.trial.remember(p.last.results)
	}
	r.put(kept, t)
}

// put replaces a kept test by t, its version after it was played again, and counts the checks that t lacks.
func (r *reducer) put(kept *keptTest, t model.Test) {
	kept.trial.droppedChecks += max(0, len(kept.trial.test.Checks)-len(t.Checks))
	kept.trial.test, kept.trial.replayed = t, true
	r.journal.markChanged()
}

// confirm plays a proven test once more after all other tests. If the outcome differs, or the test cannot be played,
// confirm sets the test's EarlierState.
func (r *reducer) confirm(ctx context.Context, kept *keptTest) {
	p := &prover{reducer: r, ctx: ctx, covers: kept.covers}
	t, why := p.play(kept.trial.test)
	switch {
	case p.outOfBudget:
		why = notFinished
	case why == "":
		why = p.unstableReason(t)
	}
	if why != "" {
		t = kept.trial.test
		t.EarlierState = why
	}
	r.put(kept, t)
}

// play plays a test. If the test gets the same statuses and covers its targets, play returns the played test with the
// checks that hold, and "". Otherwise it returns t and a description of the difference, or notFinished. A test need
// not cover its targets if one of its calls may have any status.
func (p *prover) play(t model.Test) (model.Test, string) {
	before := p.outOfBudget
	now, ok := p.reducer.play(p.ctx, t)
	if !ok {
		p.outOfBudget = true
		return t, notFinished
	}
	p.outOfBudget = before
	p.last = now
	var why string
	p.divergedAt, why = firstDivergence(t, now)
	if why != "" {
		return t, why
	}
	if lost := uncovered(p.reducer.covering(now), p.covers); len(lost) > 0 && !hasLoose(t) {
		return t, "then it did not cover " + listTargets(lost)
	}
	done := now.test
	done.Calls = slices.Clone(done.Calls)
	for i := range done.Calls {
		if t.Calls[i].AnyStatus {
			done.Calls[i].Status = t.Calls[i].Status
		}
	}
	done.Checks, _ = stableChecks(t, p.reducer.judge.checks(now), nil)
	return done, ""
}

// hasLoose reports whether a call of a test may have any status.
func hasLoose(t model.Test) bool {
	return slices.ContainsFunc(t.Calls, func(c model.Call) bool { return c.AnyStatus })
}

// firstDivergence returns the index of the first call whose status differs from the status in t, and a description.
// It returns -1 and "" if no call differs. A call without a status in t must succeed. A call that may have any status
// never differs.
func firstDivergence(t model.Test, p played) (int, string) {
	for i, c := range t.Calls {
		switch {
		case i >= len(p.results):
			return i, fmt.Sprintf("call %d, %s, was not reached when it was played again", i+1, c.Op)
		case c.AnyStatus:
			continue
		}
		now := p.results[i].Exchange.Reply.Status
		switch {
		case now == c.Status, c.Status == 0 && now/100 == 2:
		case now == 0:
			return i, fmt.Sprintf("call %d, %s, answered %d, and nothing when it was played again", i+1, c.Op, c.Status)
		default:
			return i, fmt.Sprintf("call %d, %s, answered %d, and %d when it was played again", i+1, c.Op, c.Status, now)
		}
	}
	return -1, ""
}

// makeSelfContained returns a self-contained version of a test, or the reason why there is none.
func (p *prover) makeSelfContained(t model.Test) (model.Test, string) {
	t = withoutNumberLinks(t, p.exchanges, p.reducer.judge.naming)
	r := p.reducer.player.renamer(nil)
	own, renamed := r.rename(t)
	own, why := p.play(own)
	if why != "" && renamed && !p.outOfBudget {
		own, r, why = p.replaceForeignValues(t)
	}
	if why != "" {
		return t, why
	}
	found, why := p.repeatable(t, own, r.preferFresh)
	if why != "" {
		return found, why
	}
	return p.withoutUnstableCalls(found)
}

// withoutUnstableCalls removes the unstable calls from a test that was just played, and returns "". If that is
// impossible, or if a call fails because of an earlier test, it returns the reason.
func (p *prover) withoutUnstableCalls(t model.Test) (model.Test, string) {
	for tries := 0; ; tries++ {
		at := p.reducer.judge.history.unstableCall(t, p.last.results)
		if at < 0 {
			return t, p.failingCall(t)
		}
		less, ok := withoutCall(t, at)
		if !ok || tries == maxRepairs {
			return t, unstableText(t, at)
		}
		less, why := p.play(less)
		if why != "" {
			return t, unstableText(t, at)
		}
		t = less
	}
}

// failingCall describes the first call of a test that most likely failed because of an earlier test. This is so if a
// control, a call of the same operation that succeeded earlier in the run, now fails in the same way. failingCall
// returns "" if there is no such call.
func (p *prover) failingCall(t model.Test) string {
	for i, c := range t.Calls {
		if c.AnyStatus || c.Status < 400 {
			continue
		}
		controls := p.reducer.judge.history.controlsFor(c, faultKey{})
		if p.reducer.player.holdsForAll(p.ctx, controls, func(now played) bool { return endsWith(now, c.Status) }) {
			return fmt.Sprintf("call %d, %s, answered %d, as do calls now that succeeded earlier", i+1, c.Op, c.Status)
		}
	}
	return ""
}

// endsWith reports whether the last call of a played test was answered with a status.
func endsWith(p played, status int) bool {
	last := len(p.test.Calls) - 1
	return len(p.results) > last && p.results[last].Exchange.Reply.Status == status
}

// withoutNumberLinks removes links that copy a number into an input that identifies nothing, such as a link from a
// generated id to an amount. The input keeps the value that its call sent; exchanges has the sent requests.
func withoutNumberLinks(t model.Test, exchanges []model.Exchange, n naming) model.Test {
	links := t.Links
	t.Links, t.Calls = nil, slices.Clone(t.Calls)
	for _, l := range links {
		c := &t.Calls[l.To]
		if l.In != model.InBody || c.Body == nil || n.identifies(c.Op, l.In, l.Name) || l.To >= len(exchanges) {
			t.Links = append(t.Links, l)
			continue
		}
		sent := string(exchanges[l.To].Request.Body)
		if v, ok := pointer.Lookup(decoded(sent), l.Name); !ok || !isNumber(v) {
			t.Links = append(t.Links, l)
			continue
		}
		c.Body = withSent(*c.Body, sent, l.Name)
	}
	return t
}

func isNumber(v any) bool {
	_, ok := v.(json.Number)
	return ok
}

// withSent returns the body b with another value at a JSON pointer: the value that the body sent has at the same
// pointer.
func withSent(b model.Payload, sent, place string) *model.Payload {
	body := decoded(b.Data)
	parent, _ := pointer.Lookup(body, pointer.Parent(place))
	value, _ := pointer.Lookup(decoded(sent), place)
	if object, ok := parent.(map[string]any); ok {
		object[pointer.LastToken(place)] = value
		if data, err := json.Marshal(body); err == nil {
			b.Data = string(data)
		}
	}
	return &b
}

// replaceForeignValues handles a test whose answers differ with fresh values. If the test has no foreign values, it
// plays the test unchanged. Otherwise it first replaces only foreign values, because the other values may exist in the
// service from the start. If the test still differs, it adds calls that create the foreign values. It returns the test
// as played, the renamer that replaced the values, and the reason why the test is not self-contained, "" if the test is
// self-contained.
func (p *prover) replaceForeignValues(t model.Test) (model.Test, *renamer, string) {
	foreign := p.reducer.judge.history.foreignValues(t)
	if len(foreign) == 0 {
		foreign = p.reducer.judge.history.foreignAttempts(t)
	}
	r := p.reducer.player.renamer(append([]string{}, foreign...))
	if len(foreign) == 0 {
		own, why := p.play(t)
		return own, r, why
	}
	own, _ := r.rename(t)
	own, first := p.play(own)
	why := first
	for range maxRepairs {
		if why == "" || p.outOfBudget {
			break
		}
		foreign = slices.DeleteFunc(foreign, func(v string) bool { return r.replacements[v] == "" })
		whole, ok := p.withTemplate(t, foreign)
		if !ok {
			whole, ok = p.reducer.judge.history.withCreators(t, foreign)
		}
		if !ok {
			break
		}
		t, foreign, r = whole, p.reducer.judge.history.foreignValues(whole), p.reducer.player.renamer(nil)
		own, _ = r.rename(t)
		own, why = p.play(own)
		if why == "" && r.lacks(p.reducer.judge.history.foreignValues(own)) {
			why = first // a link supplied no value, so the value of an earlier test was sent
		}
	}
	if why != "" {
		why = "it has values of earlier tests: " + first
	}
	return own, r, why
}

// repeatable returns a test that gets the same answers a second time, or the reason why there is none. own is the
// kept test with fresh values, which was just played. repeatable tries these in turn:
//
//   - kept, unless preferFresh is true or own has more calls;
//   - own;
//   - a version of own that deletes at its end what it creates, and that must get the same answers twice;
//   - versions of own in which some calls may have any status.
func (p *prover) repeatable(kept, own model.Test, preferFresh bool) (model.Test, string) {
	if !preferFresh && len(kept.Calls) == len(own.Calls) {
		if again, why := p.play(kept); why == "" {
			return again, ""
		}
	}
	again, why := p.play(own)
	if why == "" {
		return again, ""
	}
	at := p.divergedAt
	if clean, ok := p.withCleanup(own); ok {
		if clean, failed := p.play(clean); failed == "" {
			if again, failed := p.play(clean); failed == "" {
				return again, ""
			}
		}
	}
	for range maxRepairs {
		loosened, ok := loosen(own, at)
		if !ok || p.outOfBudget {
			break
		}
		again, failed := p.play(loosened)
		if failed == "" {
			return again, ""
		}
		own, at = loosened, p.divergedAt
	}
	return own, why
}

// loosen returns a test in which the call with index at may have any status. It returns false in these cases:
//   - at is -1.
//   - The call is the last one.
//   - The answer to the call supplies a value.
//   - The call may already have any status.
func loosen(t model.Test, at int) (model.Test, bool) {
	if at < 0 || at >= len(t.Calls)-1 || t.Calls[at].AnyStatus {
		return t, false
	}
	if slices.ContainsFunc(t.Links, func(l model.Link) bool { return l.From == at && l.Param == "" }) {
		return t, false
	}
	t.Calls, t.Links = slices.Clone(t.Calls), slices.Clone(t.Links)
	t.Calls[at].AnyStatus = true
	for i := range t.Links {
		t.Links[i].Optional = t.Links[i].Optional || t.Links[i].From == at
	}
	t.Checks = slices.DeleteFunc(slices.Clone(t.Checks), func(c model.Check) bool { return c.Call == at })
	return t, true
}

// withCleanup returns a test with fresh values that at its end deletes what it has created. It returns false if
// nothing can be deleted.
func (p *prover) withCleanup(t model.Test) (model.Test, bool) {
	t, _ = p.reducer.player.renamer(nil).rename(t)
	made := t
	for i, c := range slices.Backward(t.Calls) {
		method, path, _ := strings.Cut(string(c.Op), " ")
		if c.Status/100 != 2 || method != "POST" && method != "PUT" || isDeleted(t, i) {
			continue
		}
		for _, op := range p.reducer.proposer.plan.Spec.Operations {
			if op.Method == "DELETE" && (op.Path == path || isItemOf(path, op.Path)) && needsOnlyPath(op) {
				made = appendDelete(made, i, op)
				break
			}
		}
	}
	return made, len(made.Calls) > len(t.Calls)
}

// isDeleted reports whether a later call of a test deletes the resource that a call created. from is the index of the
// call that created the resource.
func isDeleted(t model.Test, from int) bool {
	return slices.ContainsFunc(t.Links, func(l model.Link) bool {
		return l.From == from && strings.HasPrefix(string(t.Calls[l.To].Op), "DELETE ") && t.Calls[l.To].Status/100 == 2
	})
}

// isItemOf reports whether path is the path of an item in a collection, such as /notes/{id} in /notes.
func isItemOf(collection, path string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(collection, "/")+"/")
	return ok && strings.HasPrefix(rest, "{") && strings.HasSuffix(rest, "}") && !strings.Contains(rest, "/")
}

// appendDelete appends a call of op that deletes the resource that an earlier call creates. from is the index of the
// earlier call.
func appendDelete(t model.Test, from int, op *model.Operation) model.Test {
	to := len(t.Calls)
	c := model.Call{Op: op.ID, User: t.Calls[from].User}
	var links []model.Link
	for _, prm := range op.Params {
		if prm.In != model.InPath {
			continue
		}
		arg := model.Arg{In: model.InPath, Name: prm.Name, Value: "-"}
		at := slices.IndexFunc(t.Calls[from].Args, func(a model.Arg) bool { return a.In == model.InPath && a.Name == prm.Name })
		if at >= 0 {
			arg = t.Calls[from].Args[at]
			links = append(links, model.Link{From: from, To: to, Param: prm.Name, In: model.InPath, Name: prm.Name})
		} else {
			links = append(links, model.Link{From: from, To: to, In: model.InPath, Name: prm.Name})
		}
		c.Args = append(c.Args, arg)
	}
	t.Calls = append(slices.Clip(t.Calls), c)
	t.Links = append(slices.Clip(t.Links), links...)
	return t
}

// unstableReason describes the first unstable call of a test that was just played, "" if there is none.
func (p *prover) unstableReason(t model.Test) string {
	at := p.reducer.judge.history.unstableCall(t, p.last.results)
	if at < 0 {
		return ""
	}
	return unstableText(t, at)
}

func unstableText(t model.Test, call int) string {
	return fmt.Sprintf("call %d, %s, was answered with other statuses during the run", call+1, t.Calls[call].Op)
}

// withTemplate inserts the steps of a template before a call with a foreign value, so that the test itself creates a
// value for the call. It returns false if there is no suitable template.
func (p *prover) withTemplate(t model.Test, foreign []string) (model.Test, bool) {
	for i, c := range t.Calls {
		for _, tpl := range p.reducer.proposer.plan.Templates {
			if tpl.Target() == c.Op && p.createsValue(tpl, t, i, foreign) {
				return p.prependTemplate(tpl, t, i), true
			}
		}
	}
	return t, false
}

// createsValue reports whether a template creates a foreign value of a call. It does if a link of the template leads
// into an input of the call that has a foreign value and is not set by a link of the test.
func (p *prover) createsValue(tpl model.Template, t model.Test, call int, foreign []string) bool {
	last := len(tpl.Steps) - 1
	return slices.ContainsFunc(tpl.Links, func(l model.Link) bool {
		if l.To != last || slices.ContainsFunc(
			t.Links, func(o model.Link) bool { return o.To == call && o.In == l.In && o.Name == l.Name },
		) {
			return false
		}
		if b := t.Calls[call].Body; l.In == model.InBody && b != nil {
			v, ok := pointer.Lookup(decoded(b.Data), l.Name)
			return ok && slices.Contains(foreign, fmt.Sprint(v))
		}
		return slices.ContainsFunc(t.Calls[call].Args, func(a model.Arg) bool {
			return a.In == l.In && a.Name == l.Name && slices.Contains(foreign, a.PlainValue())
		})
	})
}

// decoded returns a JSON value with its numbers as json.Number, nil if the text is not JSON.
func decoded(data string) any {
	d := json.NewDecoder(strings.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// prependTemplate inserts the steps of a template, without the last one, before a call of a test.
func (p *prover) prependTemplate(tpl model.Template, t model.Test, call int) model.Test {
	own := p.reducer.proposer.tests.ProvenTest(p.reducer.proposer.chance, tpl, t.Calls[call].User)
	n := len(own.Calls) - 1
	shift := func(i int) int {
		if i >= call {
			return i + n
		}
		return i
	}
	out := t
	out.Calls = slices.Concat(t.Calls[:call], own.Calls[:n], t.Calls[call:])
	out.Links = nil
	for _, l := range t.Links {
		l.From, l.To = shift(l.From), shift(l.To)
		out.Links = append(out.Links, l)
	}
	for _, l := range own.Links {
		l.From, l.To = l.From+call, l.To+call
		out.Links = append(out.Links, l)
	}
	out.Checks = slices.Clone(t.Checks)
	for i := range out.Checks {
		out.Checks[i].Call = shift(out.Checks[i].Call)
	}
	return out
}
