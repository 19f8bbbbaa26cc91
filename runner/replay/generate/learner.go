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

// comparedPlace is a location at which an exported test compares a value.
type comparedPlace struct {
	id     string // the test's ID
	oracle model.MockOracle
	wanted int // index of the expected outward call, -1 for the answer
	in     model.Location
	name   string
}

// LoosenVarying loosens the comparison of values that differ between replays. A value that is equal in all replays is
// still compared as before, even if the recording has another value. One comparison becomes stricter: if a value was
// expected to differ from the recording, but all replays have the recorded value, the value must be equal to the
// recorded one. An example is a value that the service takes from the answer of a host, because a stub gives the same
// answer in all replays. LoosenVarying also merges stubs that then have the same match.
func LoosenVarying(tests []model.Test, replays []ReplayRun) []model.Test {
	l := learner{tests: slices.Clone(tests), replays: replays}
	for _, p := range l.places() {
		if a, b, ok := l.differs(p); ok {
			l.loosen(p, a, b)
		} else {
			l.fixRecorded(p)
		}
	}
	for i := range l.tests {
		l.tests[i] = withMergedStubs(l.tests[i])
	}
	return l.tests
}

// learner loosens tests according to the results of their replays.
type learner struct {
	tests   []model.Test
	replays []ReplayRun
}

// places returns the locations that differed from the recording in some replay, in the order of the
// differences. A status and the sequence of calls cannot be loosened and are left out.
func (l *learner) places() []comparedPlace {
	var all []comparedPlace
	for _, r := range l.replays {
		for _, d := range r.Differences {
			p := comparedPlace{id: d.ID, oracle: d.Oracle, wanted: d.Wanted, in: d.In, name: d.Name}
			compares := d.Oracle == model.OutputOracle || d.Oracle == model.ParameterOracle
			if !d.Begin && compares && d.In != model.InStatus && d.In != "calls" && !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// differs returns two different values that replays had at a place. ok is false if all replays that reached the place
// had the same value.
func (l *learner) differs(p comparedPlace) (a, b any, ok bool) {
	var came []any
	for _, r := range l.replays {
		v, known := l.valueIn(r, p)
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

// sameAsRecorded represents a value that met the expectation. Its text is not reported.
type sameAsRecorded struct{}

// valueIn returns the value at a place in a replay, or sameAsRecorded if the replay did not differ
// there. It returns false if the test did not reach the place.
func (l *learner) valueIn(r ReplayRun, p comparedPlace) (any, bool) {
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
		case comparedPlace{id: d.ID, oracle: d.Oracle, wanted: d.Wanted, in: d.In, name: d.Name} == p:
			v, ok := decode(d.Got)
			return v, ok
		}
	}
	return sameAsRecorded{}, began
}

// fixRecorded makes the test expect the recorded value at a place if all replays that reached the place had it there.
// It changes only an expectation that allows other values.
func (l *learner) fixRecorded(p comparedPlace) {
	all := l.expectations(p)
	if all == nil {
		return
	}
	recorded, ok := recordedAt(*all, p)
	at := slices.IndexFunc(*all, func(o model.Expectation) bool { return o.In == p.in && o.Name == p.name })
	if !ok || at < 0 || (*all)[at].Comparison == model.CompareEquals {
		return
	}
	count := 0
	for _, r := range l.replays {
		if v, known := l.valueIn(r, p); known && !reflect.DeepEqual(v, recorded) {
			return
		} else if known {
			count++
		}
	}
	switch {
	case count == 0:
	case p.in == model.InBody && p.name != "": // the expectation on the whole body already has the recorded value
		*all = slices.Delete(*all, at, at+1)
	default:
		(*all)[at] = model.Expectation{In: p.in, Name: p.name, Comparison: model.CompareEquals, Value: encoded(recorded)}
	}
}

// expectations returns the expectations of the oracle at a place. It first replaces the test by a copy, so that the
// caller may change them. It returns nil if there is no such test or outward call.
func (l *learner) expectations(p comparedPlace) *[]model.Expectation {
	i := slices.IndexFunc(l.tests, func(t model.Test) bool { return t.ID == p.id && t.Mock != nil })
	if i < 0 {
		return nil
	}
	t := cloned(l.tests[i])
	l.tests[i] = t
	switch {
	case p.oracle != model.ParameterOracle:
		return &t.Mock.Output
	case p.wanted < 0 || p.wanted >= len(t.Mock.ExpectedCalls):
		return nil
	}
	return &t.Mock.ExpectedCalls[p.wanted].Params
}

// loosen changes the comparison at a place so that both a and b, which two replays had there, pass.
func (l *learner) loosen(p comparedPlace, a, b any) {
	all := l.expectations(p)
	if all == nil {
		return
	}
	e := loosenedExpectation(*all, p, a, b)
	if at := slices.IndexFunc(*all, func(o model.Expectation) bool { return o.In == p.in && o.Name == p.name }); at >= 0 {
		(*all)[at] = e
	} else {
		*all = append(*all, e)
	}
	if p.oracle == model.ParameterOracle {
		t := l.tests[slices.IndexFunc(l.tests, func(t model.Test) bool { return t.ID == p.id && t.Mock != nil })]
		l.removeFromMatches(t.Stubs[t.Mock.ExpectedCalls[p.wanted].Stub], e)
	}
}

// loosenedExpectation returns an expectation that both a and b meet. a and b are values that two replays had at the
// place p. If the expectation is a pattern, the recorded value matches it, too.
func loosenedExpectation(all []model.Expectation, p comparedPlace, a, b any) model.Expectation {
	recorded, ok := recordedAt(all, p)
	if a == any(sameAsRecorded{}) {
		a = recorded
	}
	if b == any(sameAsRecorded{}) {
		b = recorded
	}
	if slices.ContainsFunc(all, func(e model.Expectation) bool { return e.In == p.in && e.Name == p.name && keepsMasked(e) }) {
		return model.Expectation{In: p.in, Name: p.name, Comparison: model.ComparePresent, Why: "it varies, and has " + whyMasked}
	}
	why := fmt.Sprintf("was %s, then %s when played again", inLine(a), inLine(b))
	e := *commonExpectation(a, b, why)
	if e.Comparison == model.ComparePattern && ok && !meets(e, recorded) {
		e = *commonExpectation(recorded, a, why)
	}
	if e.Comparison == model.CompareType && isTree(a) {
		e.Value = jsonText(rootType(a))
		if rootType(a) != rootType(b) {
			e = model.Expectation{Comparison: model.ComparePresent, Why: why}
		}
	}
	e.In, e.Name = p.in, p.name
	return e
}

// meets reports whether a value matches a pattern expectation.
func meets(e model.Expectation, v any) bool {
	text, is := v.(string)
	found, err := regexp.MatchString(wholeRegexp(e), text)
	return is && err == nil && found
}

// isTree reports whether v is a JSON object or array.
func isTree(v any) bool {
	return rootType(v) == "object" || rootType(v) == "array"
}

// inLine returns the start of a value for a message to the user.
func inLine(v any) string { return shortened(strings.Trim(string(encoded(v)), `"`)) }

// recordedAt returns the recorded value of a place, false if it is unknown.
func recordedAt(all []model.Expectation, p comparedPlace) (any, bool) {
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

// removeFromMatches removes a varying value from the matches of stubs. It changes all stubs that answer the same calls
// as the given stub, except background stubs, in all tests. e is the expectation on the value.
func (l *learner) removeFromMatches(stub model.Stub, e model.Expectation) {
	for i, t := range l.tests {
		for k, s := range t.Stubs {
			if s.Replaces(stub) && s.Protocol == stub.Protocol && !s.Background {
				t = cloned(t)
				t.Stubs[k].Match = without(s.Match, e)
				l.tests[i] = t
			}
		}
	}
}

// without returns a match without its condition on the location of the expectation e. For a message of TCP or UDP, the
// new condition is the pattern of e, if e has one.
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
		left, keep := prune(
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
			m.Regexp = wholeRegexp(e)
		}
	}
	return m
}

// emptyObject reports whether v is a JSON object without members.
func emptyObject(v any) bool {
	object, ok := v.(map[string]any)
	return ok && len(object) == 0
}

// withMergedStubs returns the test with one stub in place of the stubs with the same match. It does
// not merge TCP stubs whose answers begin again on each connection.
func withMergedStubs(t model.Test) model.Test {
	to := make([]int, len(t.Stubs))
	var left []model.Stub
	for i, s := range t.Stubs {
		to[i] = slices.IndexFunc(left, func(o model.Stub) bool { return matchSame(o, s) && !beginsOnConnection(s) })
		if to[i] < 0 {
			to[i], left = len(left), append(left, s)
		} else {
			left[to[i]].Answers = append(slices.Clone(left[to[i]].Answers), s.Answers...)
			left[to[i]] = withoutRepeatedAnswers(left[to[i]])
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

// cloned returns a copy of a test whose stubs and expectations can be replaced.
func cloned(t model.Test) model.Test {
	m := *t.Mock
	m.Output, m.ExpectedCalls = slices.Clone(m.Output), slices.Clone(m.ExpectedCalls)
	for i := range m.ExpectedCalls {
		m.ExpectedCalls[i].Params = slices.Clone(m.ExpectedCalls[i].Params)
	}
	t.Mock, t.Stubs = &m, slices.Clone(t.Stubs)
	return t
}
