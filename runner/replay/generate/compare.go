package generate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// nature returns how a value that changes by itself is compared, nil if it does not.
func (p *recordingIndex) nature(s *recordedExchange, part int, l leaf) *model.Expectation {
	if e := clock(l, s.Exchange); e != nil {
		return e
	}
	others, text := p.others(s, part, l), l.text()
	if e := p.differs(s, part, l); e != nil {
		return e
	}
	switch {
	case part == answerPart && p.isNew(s, l):
		return made(l, "a new id: "+shown(text)+alsoCame(l, others))
	case part == answerPart && secret(l.called()) && text != "" && shape.JSONType(l.value) == "string":
		return made(l, "a secret, which is another one each time")
	case random(text) && !constant(l, others):
		return made(l, "made up each time: "+shown(text)+alsoCame(l, others))
	case part == answerPart && p.counts(s, l, others):
		return typed(l.value, "it counts up: "+shown(text)+alsoCame(l, others))
	}
	return nil
}

// made is a value with a different text each time.
func made(l leaf, why string) *model.Expectation {
	if shape.JSONType(l.value) == "string" {
		return pattern(classOf(l.text()), why)
	}
	return typed(l.value, why)
}

// shown returns the start of a value, for people.
func shown(text string) string {
	text = model.Printable(text, 60)
	return text[:min(len(text), 40)]
}

// alsoCame lists the values of other recordings.
func alsoCame(l leaf, others []leaf) string {
	for _, o := range others {
		if o.text() != l.text() {
			return " here, " + shown(o.text()) + " in another recording"
		}
	}
	return " here"
}

// isNew reports whether an answer names a thing that the call created.
func (p *recordingIndex) isNew(s *recordedExchange, l leaf) bool {
	if !l.identity || !s.writes() || shape.JSONType(l.value) == "boolean" {
		return false
	}
	return slices.ContainsFunc(p.tellers[l.text()], func(t valueOrigin) bool {
		return t.born && t.recordedExchange == s && t.leaf.in == l.in && t.leaf.name == l.name
	})
}

// differs returns how a value is compared that differed for the same request, while nothing was
// changed.
func (p *recordingIndex) differs(s *recordedExchange, part int, l leaf) *model.Expectation {
	for _, other := range p.groups[s.shape] {
		if other == s || !p.quiet(s, other) {
			continue
		}
		leaves := other.leaves(part)
		at := slices.IndexFunc(leaves, func(o leaf) bool { return o.in == l.in && o.name == l.name })
		if at < 0 || leaves[at].text() == l.text() {
			continue
		}
		why := fmt.Sprintf("came as %s, then %s for the same request", shown(l.text()), shown(leaves[at].text()))
		return alike(l.value, leaves[at].value, why)
	}
	return nil
}

// alike returns the narrowest expectation that two values meet.
func alike(a, b any, why string) *model.Expectation {
	first, isText := a.(string)
	second, both := b.(string)
	if isText && both && classOf(first) == classOf(second) {
		return pattern(classOf(first), why)
	}
	if shape.JSONType(a) == shape.JSONType(b) {
		return typed(a, why)
	}
	if isNumber(a) && isNumber(b) {
		return &model.Expectation{Comparison: model.CompareType, Value: jsonText("number"), Why: why}
	}
	return &model.Expectation{Comparison: model.ComparePresent, Why: why}
}

func isNumber(v any) bool {
	_, is := v.(json.Number)
	return is
}

// quiet reports whether two exchanges had the same request, and nothing was changed between them.
func (p *recordingIndex) quiet(a, b *recordedExchange) bool {
	if a.at > b.at {
		a, b = b, a
	}
	if a.changes() || a.life != b.life || a.Request.URL != b.Request.URL || a.request.text != b.request.text ||
		a.cred != b.cred || a.User != b.User || b.at-a.at > 200 {
		return false
	}
	return !slices.ContainsFunc(p.all[max(0, a.at-50):b.at], func(w *recordedExchange) bool {
		return (w.op == nil || w.changes()) && !w.EndTime().Before(a.At) && !b.EndTime().Before(w.At)
	})
}

// enough is how many recordings show that a number increases.
const enough = 5

// counts reports whether a number increased from each recording to the next.
func (p *recordingIndex) counts(s *recordedExchange, l leaf, others []leaf) bool {
	if shape.JSONType(l.value) != "integer" || len(others) < enough-1 ||
		slices.ContainsFunc(s.asked, func(a leaf) bool { return a.text() == l.text() }) {
		return false
	}
	last, found := int64(-1), 0
	for _, other := range p.groups[s.shape] {
		at := slices.IndexFunc(other.told, func(o leaf) bool { return o.in == l.in && o.name == l.name })
		if at < 0 {
			continue
		}
		n, ok := other.told[at].value.(json.Number)
		if !ok {
			return false
		}
		next, err := n.Int64()
		if err != nil || next <= last {
			return false
		}
		last, found = next, found+1
	}
	return found >= enough
}

// hidden reports whether a value of the service is a secret of its own, which was masked.
func (s *recordedExchange) hidden(l leaf) bool {
	if !secret(l.called()) && !(l.in == model.InHeader && strings.EqualFold(l.name, "Authorization")) {
		return false
	}
	return !slices.ContainsFunc(s.asked, func(a leaf) bool { return a.text() == l.text() && l.text() != "" })
}
