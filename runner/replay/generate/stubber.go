package generate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// stubber finds the parts of an outward call that do not vary.
type stubber struct {
	builder  *testBuilder
	exchange *recordedExchange
	part     int
	call     *outwardCall
	loose    map[string]*model.Expectation // expectations on values that vary, by location and name
	params   []model.Expectation           // expectations of the parameter oracle
}

// expectation returns how a value of the call is compared, nil if it must be equal to the recorded value.
func (s *stubber) expectation(l leaf) *model.Expectation {
	if s.exchange.isMaskedSecret(l) && l.in != model.InPath {
		return &model.Expectation{Comparison: model.ComparePresent, Why: "a secret of the service, which was masked"}
	}
	return s.builder.expectation(s.exchange, s.part, l)
}

// add adds an expectation on a location. The expectation is e or, if e is nil, that the value there is equal to the
// given one.
func (s *stubber) add(in model.Location, name string, value json.RawMessage, e *model.Expectation) {
	want := model.Expectation{In: in, Name: name, Comparison: model.CompareEquals, Value: value}
	if e != nil {
		want = *e
		want.In, want.Name = in, name
	}
	s.params = append(s.params, want)
}

// httpMatch adds the expectations on an HTTP call, and returns the match of its stub.
func (s *stubber) httpMatch() model.StubMatch {
	m := model.StubMatch{Method: s.call.Request.Method, Path: s.path()}
	for _, name := range sortedKeys(s.call.query) {
		e := s.loose[string(model.InQuery)+name]
		s.add(model.InQuery, name, jsonText(strings.Join(s.call.query[name], ", ")), e)
		if e == nil {
			if m.Query == nil {
				m.Query = map[string]string{}
			}
			m.Query[name] = s.call.query.Get(name) // a match has only one of the values
		}
	}
	for _, l := range s.call.request.leaves {
		if l.in == model.InHeader {
			s.add(model.InHeader, l.name, jsonText(l.text()), s.loose[string(l.in)+l.name])
		}
	}
	m.JSON = s.body()
	return m
}

// path returns the path of the call as a template, with a parameter for each segment that varies.
func (s *stubber) path() string {
	parts := slices.Clone(s.call.path)
	taken := map[string]bool{}
	for _, l := range s.call.request.leaves {
		e := s.loose[string(model.InPath)+l.name]
		if l.in != model.InPath || e == nil {
			continue
		}
		kind := "id"
		if len(l.names) > 0 {
			kind = l.names[0]
		}
		name := kind
		for n := 2; taken[name]; n++ {
			name = kind + strconv.Itoa(n)
		}
		taken[name] = true
		at, _ := strconv.Atoi(l.name)
		parts[at] = "{" + name + "}"
		s.add(model.InPath, name, nil, e)
	}
	return "/" + strings.Join(parts, "/")
}

// body adds the expectations on the body, and returns the members of a JSON body that do not vary. It returns
// "" if there are none.
func (s *stubber) body() string {
	r := s.call.request
	switch {
	case len(s.call.Request.Body) == 0:
		return ""
	case r.bytes != nil && len(r.bytes) <= maxBody:
		s.params = append(
			s.params,
			model.Expectation{In: model.InBody, Comparison: model.CompareEquals, Bytes: r.bytes},
		)
		return ""
	case r.why != "":
		s.add(model.InBody, "", nil, &model.Expectation{Comparison: model.ComparePresent, Why: "it " + r.why})
		return ""
	}
	s.params = append(s.params, withoutQueue(s.call, bodyExpectations(r, s.loose))...)
	if !r.isJSON {
		return ""
	}
	stable, keep := prune(r.body, "", func(at string) bool { return s.loose[string(model.InBody)+at] == nil })
	if object, ok := stable.(map[string]any); !keep || ok && len(object) == 0 {
		return ""
	}
	return string(encoded(stable))
}

// bodyExpectations returns the expectation on the whole body, followed by the expectations on the locations in the body
// that vary. varying has the expectations on these locations, by location and name. If the body varies as a whole,
// bodyExpectations returns only the expectation in varying.
func bodyExpectations(r message, varying map[string]*model.Expectation) []model.Expectation {
	whole := model.Expectation{In: model.InBody, Comparison: model.CompareEquals, Value: encoded(r.value())}
	if r.isJSON {
		whole.Value = compacted(r)
	}
	all := []model.Expectation{whole}
	for _, l := range r.leaves {
		e := varying[string(model.InBody)+l.name]
		if l.in != model.InBody || e == nil {
			continue
		}
		want := *e
		want.In, want.Name = model.InBody, l.name
		if l.name == "" {
			return []model.Expectation{want}
		}
		all = append(all, want)
	}
	return all
}

// compacted returns a JSON body without white space. Members keep their order.
func compacted(r message) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, []byte(r.text)) != nil {
		return encoded(r.body)
	}
	return b.Bytes()
}

// prune returns a copy of the JSON value v without the locations for which keeps returns false. at is the JSON pointer
// of v. If an item of a list is left out, the whole list is left out. prune returns false if v itself is left out.
func prune(v any, at string, keeps func(at string) bool) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		left := map[string]any{}
		for name, inner := range maps.All(v) {
			if value, ok := prune(inner, at+"/"+pointer.Escape(name), keeps); ok {
				left[name] = value
			}
		}
		return left, true
	case []any:
		left := make([]any, len(v))
		for i := range v {
			value, ok := prune(v[i], fmt.Sprint(at, "/", i), keeps)
			if !ok {
				return nil, false
			}
			left[i] = value
		}
		return left, true
	}
	return v, keeps(at)
}

// messageMatch adds the expectations on messages of TCP or UDP, and returns the match of its stub.
// With several messages the match is empty: the stub has the script of the whole connection.
func (s *stubber) messageMatch() model.StubMatch {
	var m model.StubMatch
	for _, l := range s.call.request.leaves {
		e := s.loose[string(l.in)+l.name]
		if l.value == nil {
			turn, _ := strconv.Atoi(l.name)
			s.params = append(s.params, model.Expectation{
				In: model.InMessage, Name: l.name, Comparison: model.CompareEquals, Bytes: s.call.Messages[turn].Request,
			})
			continue
		}
		if e != nil && e.Comparison == model.CompareLinked {
			e = patternExpectation(generatedPattern(l.text()), "what an earlier answer told")
		}
		s.add(model.InMessage, l.name, jsonText(l.text()), e)
		if len(s.call.Messages) > 1 {
			continue
		}
		switch {
		case e == nil:
			m.Equals = l.text()
		case e.Comparison == model.ComparePattern:
			m.Regexp = wholeRegexp(*e)
		}
	}
	return m
}

// wholeRegexp returns the regular expression of a pattern expectation, anchored at both ends.
func wholeRegexp(e model.Expectation) string {
	var form string
	json.Unmarshal(e.Value, &form) // patternExpectation encoded it
	return "^(?:" + form + ")$"
}
