package generate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// volatileExpectation returns how to compare a value that differs each time. It returns nil for
// any other value.
func (r *recordingIndex) volatileExpectation(x *recordedExchange, part int, l leaf) *model.Expectation {
	if e := timeExpectation(l, x.Exchange); e != nil {
		return e
	}
	others, text := r.valuesInSameShape(x, part, l), l.text()
	if e := r.differedForSameRequest(x, part, l); e != nil {
		return e
	}
	switch {
	case part == answerPart && r.isNewID(x, l):
		return differentTextExpectation(l, "a new id: "+shortened(text)+valueElsewhere(l, others))
	case part == answerPart && isSecretName(l.lastName()) && text != "" && shape.JSONType(l.value) == "string":
		return differentTextExpectation(l, "a secret, which is another one each time")
	case looksGenerated(text) && !isConstant(l, others):
		return differentTextExpectation(l, "made up each time: "+shortened(text)+valueElsewhere(l, others))
	case part == answerPart && r.increases(x, l, others):
		return typeExpectation(l.value, "it counts up: "+shortened(text)+valueElsewhere(l, others))
	}
	return nil
}

// valuesInSameShape returns values at the same location in other exchanges of the same shape, at most 200.
func (r *recordingIndex) valuesInSameShape(x *recordedExchange, part int, l leaf) []leaf {
	var all []leaf
	for _, other := range r.byShape[x.shape] {
		if other == x || len(all) >= 200 {
			continue
		}
		at := slices.IndexFunc(other.leaves(part), func(o leaf) bool { return o.in == l.in && o.name == l.name })
		if at >= 0 {
			all = append(all, other.leaves(part)[at])
		}
	}
	return all
}

// answerPart is the number of the answer in an exchange. Each part of an exchange has a number: the outward calls are
// numbered from 0.
const answerPart = -1

// leaves returns the values in a part of the exchange, nil if there is no such part.
func (r *recordedExchange) leaves(part int) []leaf {
	if part == answerPart {
		return r.responseValues
	}
	if part >= len(r.outward) {
		return nil
	}
	return r.outward[part].request.leaves
}

// isConstant reports whether others, the values at the same location in other exchanges, all have the same text as l.
// It returns false if there are no others.
func isConstant(l leaf, others []leaf) bool {
	return len(others) > 0 && !slices.ContainsFunc(others, func(o leaf) bool { return o.text() != l.text() })
}

// shortened returns the start of a value for a message to the user.
func shortened(text string) string {
	text = model.Printable(text, 60)
	return text[:min(len(text), 40)]
}

// valueElsewhere returns the end of a message about the value l. It names a different value at the same location in
// another exchange, if there is one.
func valueElsewhere(l leaf, others []leaf) string {
	for _, o := range others {
		if o.text() != l.text() {
			return " here, " + shortened(o.text()) + " in another recording"
		}
	}
	return " here"
}

// isNewID reports whether a value in the answer of x is the id of a resource that the call created.
func (r *recordingIndex) isNewID(x *recordedExchange, l leaf) bool {
	if !l.isID || !x.isWrite() || shape.JSONType(l.value) == "boolean" {
		return false
	}
	return slices.ContainsFunc(r.origins[l.text()], func(origin valueOrigin) bool {
		return origin.isNew && origin.recordedExchange == x && origin.leaf.in == l.in && origin.leaf.name == l.name
	})
}

// differedForSameRequest returns how to compare a value if an equal request got another value, although no write came
// between the two requests. It returns nil for any other value.
func (r *recordingIndex) differedForSameRequest(x *recordedExchange, part int, l leaf) *model.Expectation {
	for _, other := range r.byShape[x.shape] {
		if other == x || !r.unchangedBetween(x, other) {
			continue
		}
		leaves := other.leaves(part)
		at := slices.IndexFunc(leaves, func(o leaf) bool { return o.in == l.in && o.name == l.name })
		if at < 0 || leaves[at].text() == l.text() {
			continue
		}
		why := fmt.Sprintf("was %s, then %s for the same request", shortened(l.text()), shortened(leaves[at].text()))
		return commonExpectation(l.value, leaves[at].value, why)
	}
	return nil
}

// unchangedBetween reports whether the exchanges a and b are close in the recording and had equal requests, and no
// request that may change state overlapped with the time from a to b.
func (r *recordingIndex) unchangedBetween(a, b *recordedExchange) bool {
	if a.index > b.index {
		a, b = b, a
	}
	if a.hasUnsafeMethod() || a.resets != b.resets || a.Request.URL != b.Request.URL || a.request.text != b.request.text ||
		a.credential != b.credential || a.User != b.User || b.index-a.index > 200 {
		return false
	}
	return !slices.ContainsFunc(r.exchanges[max(0, a.index-50):b.index], func(w *recordedExchange) bool {
		return (w.op == nil || w.hasUnsafeMethod()) && !w.EndTime().Before(a.At) && !b.EndTime().Before(w.At)
	})
}

// enoughExchanges is the minimum number of exchanges that show whether a number always increases.
const enoughExchanges = 5

// increases reports whether an integer in the answer increases from each exchange of the same shape to the next. It
// returns false if fewer than enoughExchanges exchanges have the integer, or if the request has it, too.
func (r *recordingIndex) increases(x *recordedExchange, l leaf, others []leaf) bool {
	if shape.JSONType(l.value) != "integer" || len(others) < enoughExchanges-1 ||
		slices.ContainsFunc(x.requestValues, func(a leaf) bool { return a.text() == l.text() }) {
		return false
	}
	last, found := int64(-1), 0
	for _, other := range r.byShape[x.shape] {
		at := slices.IndexFunc(other.responseValues, func(o leaf) bool { return o.in == l.in && o.name == l.name })
		if at < 0 {
			continue
		}
		n, ok := other.responseValues[at].value.(json.Number)
		if !ok {
			return false
		}
		next, err := n.Int64()
		if err != nil || next <= last {
			return false
		}
		last, found = next, found+1
	}
	return found >= enoughExchanges
}

// isMaskedSecret reports whether a value of an outward call is a secret of the service itself,
// which the recorder masked. A secret that the request has is not the service's own.
func (r *recordedExchange) isMaskedSecret(l leaf) bool {
	if !isSecretName(l.lastName()) && !(l.in == model.InHeader && strings.EqualFold(l.name, "Authorization")) {
		return false
	}
	return !slices.ContainsFunc(r.requestValues, func(a leaf) bool { return a.text() == l.text() && l.text() != "" })
}
