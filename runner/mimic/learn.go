package mimic

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// place is where an exported test compares something.
type place struct {
	id     string
	oracle model.Oracle
	wanted int
	in     model.Place
	name   string
}

// Learn loosens what came differently from one replay to the next, and nothing else: what
// is the same in all replays, but not as it was recorded, stays as it was recorded.
func Learn(tests []model.Test, replays []Run) []model.Test {
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
	replays []Run
}

// places are those that came differently than recorded in some replay, in the order in
// which they did, and of which one can say so: a status and a sequence of calls are
// never loosened.
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

// differs returns two values that came in a place, where different ones did.
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

// asRecorded stands for a value that met what is wanted.
type asRecorded struct{}

// came is the value that came in a place, false where the test did not come so far.
func (l *learner) came(r Run, p place) (any, bool) {
	began := false
	for _, d := range r.Differences {
		if d.ID != p.id || oracleOf(d.Test) != "" && oracleOf(d.Test) != p.oracle {
			continue
		}
		began = true
		switch {
		case d.Begin:
		case d.Oracle == SetUp, d.In == model.InStatus:
			return nil, false
		case place{id: d.ID, oracle: d.Oracle, wanted: d.Wanted, in: d.In, name: d.Name} == p:
			v, ok := decode(d.Got)
			return v, ok
		}
	}
	return asRecorded{}, began
}

// loosen has a place compared so that both values meet it.
func (l *learner) loosen(p place, a, b any) {
	i := slices.IndexFunc(l.tests, func(t model.Test) bool { return t.ID == p.id && t.Mimic != nil })
	if i < 0 {
		return
	}
	t := cloned(l.tests[i])
	l.tests[i] = t
	all := &t.Mimic.Output
	if p.oracle == model.ParameterOracle {
		if p.wanted < 0 || p.wanted >= len(t.Mimic.Wanted) {
			return
		}
		all = &t.Mimic.Wanted[p.wanted].Params
	}
	e, ok := looser(*all, p, a, b)
	if !ok {
		return
	}
	if at := slices.IndexFunc(*all, func(o model.Expected) bool { return o.In == p.in && o.Name == p.name }); at >= 0 {
		(*all)[at] = e
	} else {
		*all = append(*all, e)
	}
	if p.oracle == model.ParameterOracle {
		l.unmatch(t.Stubs[t.Mimic.Wanted[p.wanted].Stub], e)
	}
}

// looser is what both values of a place meet, and what was recorded.
func looser(all []model.Expected, p place, a, b any) (model.Expected, bool) {
	recorded, ok := recordedAt(all, p)
	if a == any(asRecorded{}) {
		a = recorded
	}
	if b == any(asRecorded{}) {
		b = recorded
	}
	why := fmt.Sprintf("came as %s, then %s when played again", inLine(a), inLine(b))
	e := *alike(a, b, why)
	if e.Like == model.Pattern && ok && !meets(e, recorded) {
		e = *alike(recorded, a, why)
	}
	if e.Like == model.Typed && isTree(a) {
		e.Value = jsonText(rootType(a))
		if rootType(a) != rootType(b) {
			e = model.Expected{Like: model.Present, Why: why}
		}
	}
	e.In, e.Name = p.in, p.name
	return e, true
}

func meets(e model.Expected, v any) bool {
	text, is := v.(string)
	found, err := regexp.MatchString(whole(e), text)
	return is && err == nil && found
}

func isTree(v any) bool {
	return rootType(v) == "object" || rootType(v) == "array"
}

// inLine is a value in a few words.
func inLine(v any) string { return shown(strings.Trim(string(encoded(v)), `"`)) }

// recordedAt is the value that was recorded in a place.
func recordedAt(all []model.Expected, p place) (any, bool) {
	for _, e := range all {
		if e.In == p.in && e.Name == p.name && e.Like == model.Equals {
			return decode(e.Value)
		}
	}
	for _, e := range all {
		if e.In == model.InBody && p.in == model.InBody && e.Name == "" {
			if whole, ok := decode(e.Value); ok {
				return pointer.At(whole, p.name)
			}
		}
	}
	return nil, false
}

// unmatch takes what changes out of what stubs ask for: of all that stand for calls of
// that operation, in all tests.
func (l *learner) unmatch(like model.Stub, e model.Expected) {
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

// without is a match that does not ask for a place.
func without(m model.Match, e model.Expected) model.Match {
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
		left, keep := pruned(body, "", func(at string) bool { return at != e.Name && !strings.HasPrefix(at, e.Name+"/") })
		m.JSON = ""
		if keep && !emptyObject(left) {
			m.JSON = string(encoded(left))
		}
	case model.InSaid:
		m.Equals = ""
		if e.Like == model.Pattern {
			m.Regexp = whole(e)
		}
	}
	return m
}

func emptyObject(v any) bool {
	object, ok := v.(map[string]any)
	return ok && len(object) == 0
}

// merged is a test in which stubs that have come to stand for the same messages are one.
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
	for i, w := range t.Mimic.Wanted {
		t.Mimic.Wanted[i].Stub = to[w.Stub]
	}
	return t
}

// cloned is a test that can be changed.
func cloned(t model.Test) model.Test {
	m := *t.Mimic
	m.Output, m.Wanted = slices.Clone(m.Output), slices.Clone(m.Wanted)
	for i := range m.Wanted {
		m.Wanted[i].Params = slices.Clone(m.Wanted[i].Params)
	}
	t.Mimic, t.Stubs = &m, slices.Clone(t.Stubs)
	return t
}
