package generate

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// place is a location at which an exported test compares something.
type place struct {
	id     string
	oracle model.MockOracle
	wanted int
	in     model.Location
	name   string
}

// LoosenVarying loosens what differed from one replay to the next, and nothing else: what is the same in
// all replays stays as recorded, even if the recording differs.
func LoosenVarying(tests []model.Test, replays []ReplayRun) []model.Test {
	l := learner{tests: slices.Clone(tests), replays: replays}
	for _, p := range l.places() {
		if a, b, ok := l.differs(p); ok {
			l.loosen(p, a, b)
		}
	}
	for i := range l.tests {
		l.tests[i] = merged(l.tests[i])
	}
	return l.tests
}

type learner struct {
	tests   []model.Test
	replays []ReplayRun
}

// places returns the locations that differed from the recording in some replay, in the order of
// the differences, as far as they can be loosened: a status and a sequence of calls cannot.
func (l *learner) places() []place {
	var all []place
	for _, r := range l.replays {
		for _, d := range r.Differences {
			p := place{id: d.ID, oracle: d.Oracle, wanted: d.Wanted, in: d.In, name: d.Name}
			compares := d.Oracle == model.OutputOracle || d.Oracle == model.ParameterOracle
			if !d.Begin && compares && d.In != model.InStatus && d.In != "calls" && !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// differs returns two different values of a place, if there are any.
func (l *learner) differs(p place) (a, b any, ok bool) {
	var came []any
	for _, r := range l.replays {
		v, known := l.came(r, p)
		if !known {
			continue
		}
		if len(came) > 0 && !reflect.DeepEqual(came[0], v) {
			return came[0], v, true
		}
		came = append(came, v)
	}
	return nil, nil, false
}

// asRecorded represents a value that met the expectation.
type asRecorded struct{}

// came returns the value of a place in a replay, false if the test did not get there.
func (l *learner) came(r ReplayRun, p place) (any, bool) {
	began := false
	for _, d := range r.Differences {
		if d.ID != p.id || oracleOf(d.Test) != "" && oracleOf(d.Test) != p.oracle {
			continue
		}
		began = true
		switch {
		case d.Begin:
		case d.Oracle == SetUpOracle, d.In == model.InStatus:
			return nil, false
		case place{id: d.ID, oracle: d.Oracle, wanted: d.Wanted, in: d.In, name: d.Name} == p:
			v, ok := decode(d.Got)
			return v, ok
		}
	}
	return asRecorded{}, began
}

// loosen changes how a place is compared so that both values pass.
func (l *learner) loosen(p place, a, b any) {
	i := slices.IndexFunc(l.tests, func(t model.Test) bool { return t.ID == p.id && t.Mock != nil })
	if i < 0 {
		return
	}
	t := cloned(l.tests[i])
	l.tests[i] = t
	all := &t.Mock.Output
	if p.oracle == model.ParameterOracle {
		if p.wanted < 0 || p.wanted >= len(t.Mock.ExpectedCalls) {
			return
		}
		all = &t.Mock.ExpectedCalls[p.wanted].Params
	}
	e, ok := looser(*all, p, a, b)
	if !ok {
		return
	}
	if at := slices.IndexFunc(*all, func(o model.Expectation) bool { return o.In == p.in && o.Name == p.name }); at >= 0 {
		(*all)[at] = e
	} else {
		*all = append(*all, e)
	}
	if p.oracle == model.ParameterOracle {
		l.unmatch(t.Stubs[t.Mock.ExpectedCalls[p.wanted].Stub], e)
	}
}

// looser returns an expectation that both values of a place, and the recorded one, meet.
func looser(all []model.Expectation, p place, a, b any) (model.Expectation, bool) {
	recorded, ok := recordedAt(all, p)
	if a == any(asRecorded{}) {
		a = recorded
	}
	if b == any(asRecorded{}) {
		b = recorded
	}
	why := fmt.Sprintf("came as %s, then %s when played again", inLine(a), inLine(b))
	e := *alike(a, b, why)
	if e.Comparison == model.ComparePattern && ok && !meets(e, recorded) {
		e = *alike(recorded, a, why)
	}
	if e.Comparison == model.CompareType && isTree(a) {
		e.Value = jsonText(rootType(a))
		if rootType(a) != rootType(b) {
			e = model.Expectation{Comparison: model.ComparePresent, Why: why}
		}
	}
	e.In, e.Name = p.in, p.name
	return e, true
}

func meets(e model.Expectation, v any) bool {
	text, is := v.(string)
	found, err := regexp.MatchString(whole(e), text)
	return is && err == nil && found
}

func isTree(v any) bool {
	return rootType(v) == "object" || rootType(v) == "array"
}

// inLine returns a value in a few words.
func inLine(v any) string { return shown(strings.Trim(string(encoded(v)), `"`)) }

// recordedAt returns the recorded value of a place.
func recordedAt(all []model.Expectation, p place) (any, bool) {
	for _, e := range all {
		if e.In == p.in && e.Name == p.name && e.Comparison == model.CompareEquals {
			return decode(e.Value)
		}
	}
	for _, e := range all {
		if e.In == model.InBody && p.in == model.InBody && e.Name == "" {
			if whole, ok := decode(e.Value); ok {
				return pointer.Lookup(whole, p.name)
			}
		}
	}
	return nil, false
}

// unmatch removes a changing value from the matches of stubs: of all stubs for calls of that
// operation, in all tests.
func (l *learner) unmatch(like model.Stub, e model.Expectation) {
	for i, t := range l.tests {
		for k, s := range t.Stubs {
			if s.Replaces(like) && s.Protocol == like.Protocol {
				t = cloned(t)
				t.Stubs[k].Match = without(s.Match, e)
				l.tests[i] = t
			}
		}
	}
}

// without returns a match without a place.
func without(m model.StubMatch, e model.Expectation) model.StubMatch {
	switch e.In {
	case model.InQuery:
		query := map[string]string{}
		for name, value := range m.Query {
			if name != e.Name {
				query[name] = value
			}
		}
		m.Query = query
		if len(query) == 0 {
			m.Query = nil
		}
	case model.InBody:
		body, ok := decode([]byte(m.JSON))
		if !ok {
			return m
		}
		left, keep := pruned(
			body,
			"",
			func(at string) bool { return at != e.Name && !strings.HasPrefix(at, e.Name+"/") },
		)
		m.JSON = ""
		if keep && !emptyObject(left) {
			m.JSON = string(encoded(left))
		}
	case model.InMessage:
		m.Equals = ""
		if e.Comparison == model.ComparePattern {
			m.Regexp = whole(e)
		}
	}
	return m
}

func emptyObject(v any) bool {
	object, ok := v.(map[string]any)
	return ok && len(object) == 0
}

// merged returns a test in which stubs with the same match are one.
func merged(t model.Test) model.Test {
	to := make([]int, len(t.Stubs))
	var left []model.Stub
	for i, s := range t.Stubs {
		to[i] = slices.IndexFunc(left, func(o model.Stub) bool { return same(o, s) && s.Protocol != model.TCP })
		if to[i] < 0 {
			to[i], left = len(left), append(left, s)
		} else {
			left[to[i]].Answers = append(slices.Clone(left[to[i]].Answers), s.Answers...)
			left[to[i]] = brief(left[to[i]])
		}
	}
	if len(left) == len(t.Stubs) {
		return t
	}
	t = cloned(t)
	t.Stubs = left
	for i, w := range t.Mock.ExpectedCalls {
		t.Mock.ExpectedCalls[i].Stub = to[w.Stub]
	}
	return t
}

// cloned returns a copy of a test that can be changed.
func cloned(t model.Test) model.Test {
	m := *t.Mock
	m.Output, m.ExpectedCalls = slices.Clone(m.Output), slices.Clone(m.ExpectedCalls)
	for i := range m.ExpectedCalls {
		m.ExpectedCalls[i].Params = slices.Clone(m.ExpectedCalls[i].Params)
	}
	t.Mock, t.Stubs = &m, slices.Clone(t.Stubs)
	return t
}
