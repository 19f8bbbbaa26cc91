package generate

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/replay/shape"
)

// maker makes the test of one exchange.
type maker struct {
	*userDirectory
	x     *recordedExchange
	calls []*recordedExchange // those that arrange, and x
	index map[int]int         // the calls by their index in the recording
	test  model.Test
	known []linkedValue
	// words matches the parts of texts that may be known values.
	words   *regexp.Regexp
	counted int
}

// linkedValue is a value that the test takes from an earlier answer.
type linkedValue struct {
	leaf
	from model.Link // its From, Header and Pointer
	// strict: only a value with the same name is the same, since times coincide.
	strict bool
}

// make makes the test of an exchange, or returns why there is none.
func (p *userDirectory) make(x *recordedExchange) (model.Test, string) {
	if x.bars != "" {
		return model.Test{}, x.bars
	}
	before, why := p.arrange(x)
	if why != "" {
		return model.Test{}, why
	}
	m := &maker{userDirectory: p, x: x, calls: append(before, x), index: map[int]int{}}
	m.test = model.Test{ID: "r" + strconv.Itoa(x.at+1), Origin: model.OriginRecorded}
	for i, s := range m.calls {
		m.index[s.at] = i
		m.call(i, s)
	}
	m.test.Mock = &model.MockTest{Exchange: x.ID, Call: len(before), Uncertain: x.uncertain() || p.missed(x)}
	for _, s := range before {
		m.test.Mock.Before += len(s.sent)
	}
	if why := m.stubs(); why != "" {
		return model.Test{}, why
	}
	m.test.Mock.Output = m.output()
	m.test.Mock.About = about(x)
	return m.test, ""
}

func (s *recordedExchange) uncertain() bool {
	return slices.ContainsFunc(s.sent, func(o *recordedCall) bool { return !o.Attribution.Certain() })
}

// missed reports whether the service made a call without a known cause while it answered, to a
// host whose causes are not known for certain elsewhere.
func (p *recordingIndex) missed(x *recordedExchange) bool {
	return slices.ContainsFunc(p.rec.Unattributed, func(o model.OutwardCall) bool {
		return !p.sure[o.Host] && !o.At.Before(x.At) && !o.At.After(x.EndTime())
	})
}

// call adds a call with the links into it, and learns the values of its answer.
func (m *maker) call(i int, s *recordedExchange) {
	call := s.call
	call.User, _ = m.caller(s)
	m.test.Calls = append(m.test.Calls, call)
	for _, l := range s.asked {
		t, ok := m.source(s, l)
		from, known := m.index[t.at0()]
		if !ok || !known || !linkable(s, l) {
			continue
		}
		link := model.Link{From: from, To: i, In: l.in, Name: l.name}
		link.Header, link.Pointer = origin(t.leaf)
		m.test.Links = append(m.test.Links, link)
		m.carry(l, link, false)
		m.carry(t.leaf, link, false)
	}
	if s == m.x {
		return
	}
	for _, l := range s.told {
		if e := m.nature(s, answerPart, l); e != nil && !m.literal(s, l) {
			link := model.Link{From: i}
			link.Header, link.Pointer = origin(l)
			m.carry(l, link, clock(l, s.Exchange) != nil)
		}
	}
}

// at0 returns the index of a teller in the recording, -1 for none.
func (t valueOrigin) at0() int {
	if t.recordedExchange == nil {
		return -1
	}
	return t.recordedExchange.at
}

// origin is a location in an answer as a link has it.
func origin(l leaf) (header, at string) {
	if l.in == model.InHeader {
		return l.name, ""
	}
	return "", cmp.Or(l.name, model.WholeBody)
}

func (m *maker) carry(l leaf, from model.Link, strict bool) {
	from.To, from.In, from.Name = 0, "", ""
	m.known = append(m.known, linkedValue{leaf: l, from: from, strict: strict})
}

// from finds the earlier answer that has a value. Of several equal times it is the one of the
// thing beside it, and the last one: the others coincide.
func (m *maker) from(s *recordedExchange, l leaf) (linkedValue, bool) {
	if shape.JSONType(l.value) == "boolean" || l.text() == "" {
		return linkedValue{}, false
	}
	best, found, near := linkedValue{}, false, false
	for _, c := range m.known {
		if c.text() != l.text() || !c.like(l) && (c.strict || !distinct(l.text())) {
			continue
		}
		switch {
		case !c.strict && !near:
			return c, true
		case c.strict && m.beside(s, l, c.from.From):
			best, found, near = c, true, true
		case !near:
			best, found = c, true
		}
	}
	return best, found
}

// beside reports whether the siblings of a leaf came from a call.
func (m *maker) beside(s *recordedExchange, l leaf, call int) bool {
	return slices.ContainsFunc(s.told, func(o leaf) bool {
		return o.in == l.in && o.name != l.name && pointer.Parent(o.name) == pointer.Parent(l.name) && o.identity &&
			slices.ContainsFunc(
				m.known,
				func(c linkedValue) bool { return !c.strict && c.from.From == call && c.text() == o.text() && c.like(o) },
			)
	})
}

// literal reports whether a value was sent with the request, as it is in the test.
func (m *maker) literal(s *recordedExchange, l leaf) bool {
	call := m.index[s.at]
	return slices.ContainsFunc(s.asked, func(a leaf) bool { return l.repeats(a) && !m.linked(call, a) })
}

// linked reports whether a link sets an input of a call.
func (m *maker) linked(call int, l leaf) bool {
	return slices.ContainsFunc(
		m.test.Links,
		func(k model.Link) bool { return k.To == call && k.In == l.in && k.Name == l.name },
	)
}

// stubbed reports whether a host's answer had a value before the service sent it.
func stubbed(s *recordedExchange, part int, l leaf) bool {
	last := part
	if part == answerPart {
		last = len(s.sent)
	}
	for i, sent := range s.sent {
		if i == part || i > last && part != answerPart {
			continue
		}
		for _, o := range sent.reply.leaves {
			if l.repeats(o) || len(l.text()) >= 5 && strings.Contains(o.text(), l.text()) && o.in == model.InMessage {
				return true
			}
		}
	}
	return false
}

// expect returns how a value is compared in a part of a call, nil if it must be equal.
func (m *maker) expect(s *recordedExchange, part int, l leaf) *model.Expectation {
	if shape.JSONType(l.value) == "null" {
		return nil
	}
	if m.literal(s, l) {
		return nil
	}
	if c, ok := m.from(s, l); ok {
		link := c.from
		return &model.Expectation{Comparison: model.CompareLinked, Link: &link}
	}
	if stubbed(s, part, l) {
		return nil
	}
	if e := m.nature(s, part, l); e != nil {
		return e
	}
	if part != answerPart {
		if e := m.foretold(s, l); e != nil {
			return e
		}
	}
	return m.embedded(s, part, l)
}

// foretold handles a value that a host gets before the answer has it: the id of what is being
// created.
func (m *maker) foretold(s *recordedExchange, l leaf) *model.Expectation {
	for _, o := range s.told {
		if o.text() == l.text() && o.same(l) && m.isNew(s, o) {
			return made(l, "a new id: "+shown(l.text())+" here")
		}
	}
	return nil
}
