package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
)

// scripter creates the script of a suite.
type scripter struct {
	users   userList
	headers []model.Credential  // those of each request to the service
	code    map[string][]string // targets in the service's source, by test
	shown   shownFaults
	logins  LoginMode
	err     error // the first error of fail, nil for none

	secrets    map[string]bool // names in secretList
	secretList []Secret
	// loginCaptures has, by user, the values that log-ins return. about describes the secrets of the log-in
	// that is being written.
	loginCaptures map[string]loginCaptures
	about         string
	// sessionOf has the sessions that cases share, by user, and sessionList the same sessions in order.
	// taken has the names of the values that their log-ins return.
	sessionOf    map[string]*Session
	sessionList  []*Session
	taken        names
	createdUsers map[string]bool // users whom an earlier step creates
	hosts        *hostPlayer     // nil if the tests call a running service
}

// fail stores an error, unless there is an earlier one.
func (w *scripter) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// casesOf returns the cases of a test: one, or one for each variant of a recorded exchange that is played. It adds
// their names to used, and the names without case and underscores (see fold) to folded.
func (w *scripter) casesOf(t model.Test, used, folded names) []TestCase {
	variants := []variant{{}}
	if w.hosts != nil && t.Mock != nil {
		variants = w.hosts.suite.oracles().variants(t, used)
	} else {
		variants[0].name = used.test(t)
	}
	var all []TestCase
	for _, v := range variants {
		name := notPlain.ReplaceAllString(strings.TrimPrefix(v.name, "Test"), "")
		name = folded.folded(cmp.Or(strings.TrimLeft(name, "_0123456789"), "Case"))
		c := TestCase{Name: name, ID: t.ID, Function: v.name}
		if w.hosts != nil {
			c.Unplayable = w.hosts.reasons[t.ID]
		}
		if c.Unplayable == "" && len(t.Rows) > 0 {
			c.Unplayable = "rows must be inserted into the database of the service first"
		}
		if c.Unplayable == "" {
			w.fill(&c, t, v)
		}
		all = append(all, c)
	}
	return all
}

// fill fills the case of a variant of a test.
func (w *scripter) fill(c *TestCase, t model.Test, v variant) {
	c.About = commentLines(seqComment(t) + whenComment(t) + coverageComment(w.code[t.ID]))
	if f := w.shown[t.ID]; f != nil {
		c.About, c.Skip = append(c.About, f.about()...), f.reason()
	}
	w.steps(c, t, v)
	c.OwnSessions = w.users.ownSessions(t)
	if w.hosts == nil {
		return
	}
	for _, stub := range t.Stubs {
		c.Stubs = append(c.Stubs, w.hosts.stub(stub))
	}
}

// folded returns a name that is unused regardless of case and underscores. It adds the name to n.
func (n names) folded(name string) string {
	free := name
	for i := 2; n[fold(free)]; i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	n[fold(free)] = true
	return free
}

// fold returns a form of a name that is equal for names that differ only in case and underscores. Some
// languages do not distinguish such names.
func fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// steps sets the steps of a case, including log-ins, and its recorded exchange. The case is for a variant of a test.
func (w *scripter) steps(c *TestCase, t model.Test, v variant) {
	shown := w.shown[t.ID]
	further := shown.links()
	if t.Mock != nil && len(v.oracles) > 0 {
		further = slices.Concat(v.links(t), further)
	}
	calls, sources, linked := bind(t, w.users, further)
	carryHeaders(calls, w.headers)
	takes := map[*source]*Capture{}
	w.nameSecrets(t)
	taken := maps.Clone(w.taken)
	c.Steps = w.loginSteps(t, taken)
	for i, call := range t.Calls {
		if calls[i] == nil {
			continue
		}
		step := TestStep{
			Op:      call.Op,
			Request: w.request(calls[i], call.User, takes),
			Status:  wantedStatus(t, i),
			Session: w.sessionOf[call.User],
		}
		if t.PausesBefore(i) {
			step.Pause = t.Pause
		}
		if shown != nil && i == last(t) {
			step.Status, step.Broken = shown.status(call.Status), shown.pinned()
			for _, want := range shown.assertions() {
				want.Capture = takes[linked[want.link].from]
				step.Assertions = append(step.Assertions, want)
			}
		}
		if len(v.oracles) > 0 && i == t.Mock.Call {
			step.UnderTest, step.Unasserted = true, !v.has(model.OutputOracle)
		}
		for _, k := range t.Checks {
			if k.Call == i {
				step.Checks = append(step.Checks, k)
			}
		}
		w.take(&step, i, sources, takes, taken, len(c.Steps))
		c.Steps = append(c.Steps, step)
	}
	if len(v.oracles) > 0 {
		f := &function{test: t, variant: v}
		c.Mimics = w.hosts.mimicked(f, func(l *model.Link) HelperArg {
			if p := linked[l]; p.from == nil {
				return HelperArg{Text: p.text}
			}
			return HelperArg{Kind: ArgValue, Capture: takes[linked[l].from]}
		})
	}
}

// take adds the captures of the values that later calls and assertions take from the answer to call i. at is the index
// of the step.
func (w *scripter) take(step *TestStep, i int, sources []*source, takes map[*source]*Capture, taken names, at int) {
	for _, from := range sources {
		if from.call != i {
			continue
		}
		subject := describe(step.Op).subject()
		takes[from] = &Capture{
			Words:   taken.words(from.words(subject), subject),
			Header:  from.header,
			Pointer: from.pointer,
			Pattern: from.pattern,
			Step:    at,
		}
		step.Captures = append(step.Captures, takes[from])
	}
}

// words returns at least two words for a value, different from those of all other values, and adds them to
// n.
func (n names) words(all, subject []string) []string {
	all = ascii(all)
	if len(all) == 1 {
		all = append(ascii([]string{singular(subject[len(subject)-1])}), all...)
	}
	if len(all) == 0 || '0' <= all[0][0] && all[0][0] <= '9' {
		all = append([]string{"value"}, all...)
	}
	if len(all) == 1 {
		all = append(all, "value")
	}
	end := len(all) - 1
	name := all[end]
	for i := 2; n[strings.Join(all, "")]; i++ {
		all[end] = fmt.Sprint(name, i)
	}
	n[strings.Join(all, "")] = true
	return all
}

// wantedStatus returns the expected status of a call, 0 for any.
func wantedStatus(t model.Test, i int) int {
	if t.Calls[i].AnyStatus {
		return 0
	}
	loose := func(e model.Expectation) bool { return e.In == model.InStatus && e.Comparison != model.CompareEquals }
	if t.Mock != nil && t.Mock.Call == i && slices.ContainsFunc(t.Mock.Output, loose) {
		return 0
	}
	return t.Calls[i].Status
}
