package generate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// maxBody is the maximum size of a body that a test compares, in bytes.
const maxBody = 16 << 20

// output returns the expectations of the output oracle (OO) on the answer of the call under test.
func (b *testBuilder) output() []model.Expectation {
	all := []model.Expectation{{In: model.InStatus, Comparison: model.CompareEquals, Value: encoded(b.exchange.Reply.Status)}}
	for _, name := range b.comparedHeaders() {
		all = append(all, b.field(model.InHeader, name))
	}
	for _, name := range b.comparedTrailers() {
		all = append(all, b.field(model.InTrailer, name))
	}
	return append(all, b.body()...)
}

// comparedHeaders returns the names of those headers of the answer that are compared: the
// Content-Type, the Location, and the headers that the spec declares.
func (b *testBuilder) comparedHeaders() []string {
	documented := []string{"Content-Type", "Location"}
	for _, r := range b.exchange.op.Responses {
		status := strconv.Itoa(b.exchange.Reply.Status)
		if r.Status == status || strings.EqualFold(r.Status, status[:1]+"XX") || r.Status == "default" {
			for _, h := range r.Headers {
				documented = append(documented, h.Name)
			}
		}
	}
	var all []string
	for _, name := range sortedKeys(b.exchange.Reply.Header) {
		if slices.ContainsFunc(documented, func(d string) bool { return strings.EqualFold(d, name) }) {
			all = append(all, name)
		}
	}
	return all
}

// comparedTrailers returns the names of the trailers of the answer. It returns none if a test does not read the body to its
// end, because the body is too long.
func (b *testBuilder) comparedTrailers() (all []string) {
	reply := b.exchange.Reply
	if len(reply.Body) > maxBody {
		return nil
	}
	for _, name := range sortedKeys(reply.Trailer) {
		if len(reply.Trailer[name]) > 0 { // without a value, it was only announced
			all = append(all, name)
		}
	}
	return all
}

// field returns the expectation on a field of the answer's header or trailer.
func (b *testBuilder) field(in model.Location, name string) model.Expectation {
	l := leaf{in: in, name: name, value: joinedHeader(fieldsIn(b.exchange.Reply, in), name), names: []string{plain(name)}}
	want := model.Expectation{Comparison: model.CompareEquals, Value: jsonText(l.text())}
	if e := b.fieldExpects(l); e != nil {
		want = *e
	}
	want.In, want.Name = in, name
	return want
}

// fieldsIn returns the header or the trailer of an answer.
func fieldsIn(r model.Reply, in model.Location) map[string][]string {
	if in == model.InTrailer {
		return r.Trailer
	}
	return r.Header
}

// fieldExpects returns how a field of a header or trailer is compared, nil if it must be equal to the recorded field.
func (b *testBuilder) fieldExpects(l leaf) *model.Expectation {
	if strings.EqualFold(l.name, "Set-Cookie") {
		return &model.Expectation{Comparison: model.ComparePresent, Why: "a cookie, which is another one each time"}
	}
	if l.in == model.InTrailer && isSecretName(l.name) {
		return &model.Expectation{Comparison: model.ComparePresent, Why: "a secret, of which the recording has a pseudonym"}
	}
	if b.isSentLiterally(b.exchange, l) {
		return nil
	}
	if e := timeExpectation(l, b.exchange.Exchange); e != nil {
		return e
	}
	e := embedding{builder: b, exchange: b.exchange, part: answerPart, l: l}
	for _, other := range b.byShape[b.exchange.shape] {
		if other != b.exchange && len(e.others) < 200 {
			e.others = append(e.others, leaf{in: l.in, name: l.name, value: joinedHeader(fieldsIn(other.Reply, l.in), l.name)})
		}
	}
	form := e.pattern(l.text())
	if len(e.reasons) == 0 || !e.isConfirmed(form) {
		return nil
	}
	return patternExpectation(form, "holds "+strings.Join(slices.Compact(e.reasons), " and "))
}

// body returns the expectations on the answer's body.
func (b *testBuilder) body() []model.Expectation {
	response := b.exchange.response
	switch {
	case response.bytes != nil && len(response.bytes) <= maxBody:
		return []model.Expectation{{In: model.InBody, Comparison: model.CompareEquals, Bytes: response.bytes}}
	case response.why != "":
		return []model.Expectation{{In: model.InBody, Comparison: model.ComparePresent, Why: "it " + response.why}}
	case len(response.text) > maxBody && response.isJSON:
		return []model.Expectation{{
			In: model.InBody, Comparison: model.CompareType, Value: jsonText(rootType(response.body)), Why: tooLong(response.text),
		}}
	case len(response.text) > maxBody:
		return []model.Expectation{{In: model.InBody, Comparison: model.ComparePresent, Why: tooLong(response.text)}}
	}
	changing := map[string]*model.Expectation{}
	for _, l := range b.exchange.responseValues {
		if l.in != model.InBody {
			continue
		}
		if e := b.expectation(b.exchange, answerPart, l); e != nil {
			changing[string(model.InBody)+l.name] = e
		}
	}
	return bodyExpectations(response, changing)
}

func tooLong(text string) string {
	return fmt.Sprintf("%d bytes are too many for a test", len(text))
}

// rootType returns the JSON type of a decoded value.
func rootType(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	}
	return shape.JSONType(v)
}
