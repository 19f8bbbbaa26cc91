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
	users  userList
	code   map[string][]string // targets in the service's source, by test
	shown  shownFaults
	logins LoginMode
	err    error // the first one

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
}

// fail stores an error, unless there is an earlier one.
func (w *scripter) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// caseOf returns the case of a test. It adds the case's name to used, and the folded name to folded.
func (w *scripter) caseOf(t model.Test, used, folded names) TestCase {
	name := notPlain.ReplaceAllString(strings.TrimPrefix(used.test(t), "Test"), "")
	name = folded.folded(cmp.Or(strings.TrimLeft(name, "_0123456789"), "Case"))
	about := strings.Split(strings.TrimSuffix(seqComment(t)+whenComment(t)+coverageComment(w.code[t.ID]), "\n"), "\n")
	for i := range about {
		about[i] = strings.TrimSpace(strings.TrimPrefix(about[i], "//"))
	}
	c := TestCase{Name: name, ID: t.ID, About: about}
	if f := w.shown[t.ID]; f != nil {
		c.About, c.Skip = append(c.About, f.about()...), f.reason()
	}
	c.Steps = w.steps(t)
	c.OwnSessions = w.users.ownSessions(t)
	return c
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

// steps returns the steps of a test, log-ins included.
func (w *scripter) steps(t model.Test) []TestStep {
	shown := w.shown[t.ID]
	calls, sources, linked := bind(t, shown.links())
	takes := map[*source]*Capture{}
	w.nameSecrets(t)
	taken := maps.Clone(w.taken)
	all := w.loginSteps(t, taken)
	for i, c := range t.Calls {
		if calls[i] == nil {
			continue
		}
		step := TestStep{
			Op: c.Op, Request: w.request(calls[i], c.User, takes), Status: wantedStatus(t, i), Session: w.sessionOf[c.User],
		}
		if shown != nil && i == last(t) {
			step.Status, step.Broken = shown.status(c.Status), shown.pinned()
			for _, want := range shown.assertions() {
				want.Capture = takes[linked[want.link].from]
				step.Assertions = append(step.Assertions, want)
			}
		}
		for _, k := range t.Checks {
			if k.Call == i {
				step.Checks = append(step.Checks, k)
			}
		}
		for _, from := range sources {
			if from.call == i {
				takes[from] = &Capture{
					Words:   taken.words(from.words(describe(c.Op).subject()), describe(c.Op).subject()),
					Header:  from.header,
					Pointer: from.pointer,
					Pattern: from.pattern,
					Step:    len(all),
				}
				step.Captures = append(step.Captures, takes[from])
			}
		}
		all = append(all, step)
	}
	return all
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
