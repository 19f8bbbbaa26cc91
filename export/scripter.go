package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
)

// scripter makes a script of a suite.
type scripter struct {
	Suite
	secrets map[string]bool // those that are in named
	named   []Secret
	err     error
	logins  Logins
	// gives are what the log-ins give that a call may carry, by user, and about is what the
	// secrets of the log-in are.
	gives map[string]granted
	about string
	// shared are the sessions of all cases, by user, open is them in order, and taken are the
	// names of what they give.
	shared map[string]*Session
	open   []*Session
	taken  names
	made   map[string]bool // users that a step before makes
}

// fail keeps the first error.
func (w *scripter) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

func (w *scripter) caseOf(t model.Test, used, known names) Case {
	name := notPlain.ReplaceAllString(strings.TrimPrefix(used.test(t), "Test"), "")
	name = known.folded(cmp.Or(strings.TrimLeft(name, "_0123456789"), "Case"))
	about := strings.Split(strings.TrimSuffix(seqComment(t)+whenComment(t)+w.codeComment(t.ID), "\n"), "\n")
	for i := range about {
		about[i] = strings.TrimSpace(strings.TrimPrefix(about[i], "//"))
	}
	c := Case{Name: name, ID: t.ID, About: about}
	if sh := w.shows[t.ID]; sh != nil {
		c.About, c.Skip = append(c.About, sh.about()...), sh.reason()
	}
	c.Steps = w.steps(t)
	c.Apart = w.changesLogin(t)
	return c
}

// folded returns a name that is free in any spelling of its letters.
func (n names) folded(name string) string {
	free := name
	for i := 2; n[fold(free)]; i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	n[fold(free)] = true
	return free
}

// fold spells names alike that some language does.
func fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

func (w *scripter) steps(t model.Test) []Step {
	sh := w.shows[t.ID]
	shots, sources, linked := bind(t, sh.further())
	takes := map[*source]*Take{}
	w.needs(t)
	taken := maps.Clone(w.taken)
	all := w.logsIn(t, taken)
	for i, c := range t.Calls {
		if shots[i] == nil {
			continue
		}
		step := Step{
			Op: c.Op, Request: w.request(shots[i], c.User, takes), Status: wantedStatus(t, i), Session: w.shared[c.User],
		}
		if sh != nil && i == last(t) {
			step.Status, step.Broken = sh.status(c.Status), sh.pinned()
			for _, want := range sh.expected() {
				want.Take = takes[linked[want.link].from]
				step.Wants = append(step.Wants, want)
			}
		}
		for _, k := range t.Checks {
			if k.Call == i {
				step.Checks = append(step.Checks, k)
			}
		}
		for _, from := range sources {
			if from.call == i {
				takes[from] = &Take{
					Words:   taken.words(from.words(describe(c.Op).subject()), describe(c.Op).subject()),
					Header:  from.header,
					Pointer: from.pointer,
					Step:    len(all),
				}
				step.Takes = append(step.Takes, takes[from])
			}
		}
		all = append(all, step)
	}
	return all
}

// words are free ones, two at least.
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

// wantedStatus returns that of a call, 0 where it may be any.
func wantedStatus(t model.Test, i int) int {
	if t.Calls[i].AnyStatus {
		return 0
	}
	if t.Mock != nil && t.Mock.Call == i &&
		slices.ContainsFunc(t.Mock.Output, func(e model.Expectation) bool { return e.In == model.InStatus && e.Comparison != model.CompareEquals }) {
		return 0
	}
	return t.Calls[i].Status
}
