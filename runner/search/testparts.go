package search

import (
	"slices"

	"sonde/model"
)

// neededCalls returns the given calls of a test, and the calls from which the given calls take values, directly or
// through other calls. The calls are in the order of the test.
func neededCalls(t model.Test, calls ...int) []int {
	var all []int
	for i := len(t.Calls) - 1; i >= 0; i-- {
		gives := func(l model.Link) bool { return l.From == i && slices.Contains(all, l.To) }
		if slices.Contains(calls, i) || slices.ContainsFunc(t.Links, gives) {
			all = append(all, i)
		}
	}
	slices.Reverse(all)
	return all
}

// withCalls returns a test with only some of the calls, the links between these, and the stubs and rows of t. The
// returned test has no checks and no pause.
func withCalls(t model.Test, keep []int) model.Test {
	less := model.Test{Origin: t.Origin, Stubs: t.Stubs, Rows: t.Rows, AfterRedirect: t.AfterRedirect}
	for _, i := range keep {
		less.Calls = append(less.Calls, t.Calls[i])
	}
	for _, l := range t.Links {
		l.From, l.To = slices.Index(keep, l.From), slices.Index(keep, l.To)
		if l.From >= 0 && l.To >= 0 {
			less.Links = append(less.Links, l)
		}
	}
	return less
}

// testHead returns a test with the first calls of t, the links between them, and the stubs and rows of t. The argument
// calls is the number of these calls.
func testHead(t model.Test, calls int) *model.Test {
	links := slices.DeleteFunc(slices.Clone(t.Links), func(l model.Link) bool { return l.To >= calls })
	return &model.Test{
		Origin: t.Origin, Calls: slices.Clip(t.Calls[:calls]), Links: slices.Clip(links), Stubs: t.Stubs, Rows: t.Rows,
		AfterRedirect: t.AfterRedirect,
	}
}

func boolToInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// indexes returns the numbers 0 to n-1.
func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// withoutCall returns a test without one of its calls. It returns false if a later call takes a value from the
// call, or if the test has no other call.
func withoutCall(t model.Test, call int) (model.Test, bool) {
	if len(t.Calls) == 1 || slices.ContainsFunc(t.Links, func(l model.Link) bool { return l.From == call }) {
		return t, false
	}
	left := func(i int) int { return i - boolToInt(i > call) }
	t.Calls = slices.Delete(slices.Clone(t.Calls), call, call+1)
	links, checks := t.Links, t.Checks
	t.Links, t.Checks = nil, nil
	for _, l := range links {
		if l.To != call {
			l.From, l.To = left(l.From), left(l.To)
			t.Links = append(t.Links, l)
		}
	}
	for _, c := range checks {
		if c.Call != call {
			c.Call = left(c.Call)
			t.Checks = append(t.Checks, c)
		}
	}
	return t, true
}

// usedStubs returns the stubs that answered at least one contact.
func usedStubs(stubs []model.Stub, contacts []model.Contact) (all []model.Stub) {
	for i, s := range stubs {
		if slices.ContainsFunc(contacts, func(c model.Contact) bool { return c.Stub == i }) {
			all = append(all, s)
		}
	}
	return all
}
