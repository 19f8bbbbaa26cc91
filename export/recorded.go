package export

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"sonde/model"
)

// output returns the assertions of the output oracle. reply is the variable with the answer.
func (f *function) output(reply string, status int) []string {
	var lines []string
	if f.test.Mock.IsFault {
		lines = append(lines, "// "+ServerErrorRemark(status))
	}
	lines = append(lines, f.status(reply, status)...)
	for _, c := range (expectations{f.bodies}).calls(f.test.Mock.Output, outputVerbs) {
		lines = append(lines, f.requirement(c, 1).commented(reply+".")...)
	}
	return lines
}

// status returns the assertion on the status of an answer. If the status varied in the recording, it returns
// a comment instead.
func (f *function) status(reply string, status int) []string {
	for _, e := range f.test.Mock.Output {
		if e.In == model.InStatus && e.Comparison != model.CompareEquals {
			return []string{fmt.Sprintf("// The status is not checked; it was %d: %s", status, reason(e))}
		}
	}
	return []string{fmt.Sprintf("%s.wantStatus(%d)", reply, status)}
}

// parameters returns the assertion of the parameter oracle on an outward call.
func (f *function) parameters(w model.ExpectedCall) string {
	s := stubWriter{f.test.Stubs[w.Stub]}
	start := "network.wantAsked(" + quoted(s.Host) + ", " + quoted(s.operation())
	return listed(start, func(indent int) []requirement {
		var all []requirement
		for _, c := range (expectations{f.bodies}).calls(w.Params, paramVerbs) {
			all = append(all, f.requirement(c, indent))
		}
		return all
	}, 1)
}

// requirement returns a call that compares a value as a Go expression.
func (f *function) requirement(c HelperCall, indent int) requirement {
	return requirement{goWriter{f.linkedParts}.call(c, indent), c.Why}
}

// requirement is a Go expression that compares a value. why is the reason why the comparison is not exact,
// "" if it is.
type requirement struct{ text, why string }

// commented returns the lines of a requirement, with its reason as a comment.
func (r requirement) commented(before string) []string {
	if r.why == "" {
		return []string{before + r.text}
	}
	return []string{"// " + r.why, before + r.text}
}

// listed returns a Go call with requirements as arguments. It is on one line if the line is short and no
// requirement has a reason.
func listed(start string, requirements func(indent int) []requirement, indent int) string {
	line, plain := start, true
	for _, d := range requirements(indent) {
		line += ", " + d.text
		plain = plain && d.why == ""
	}
	if first, _, _ := strings.Cut(line, "\n"); plain && len(first) <= lineWidth {
		return line + ")"
	}
	tabs := "\n" + strings.Repeat("\t", indent)
	all := start + ","
	for _, d := range requirements(indent + 1) {
		for _, text := range d.commented("") {
			all += tabs + "\t" + text
		}
		all += ","
	}
	return all + tabs + ")"
}

// The names of the helpers that compare the parts of an answer, and the parts of an outward call.
var (
	outputVerbs = map[string]string{
		"body": "wantBody", "text": "wantText", "at": "wantAt", "header": "wantHeader", "trailer": "wantTrailer",
	}
	paramVerbs = map[string]string{
		"body":   "inBody",
		"text":   "inText",
		"at":     "inPlace",
		"header": "inHeader",
		"query":  "inQuery",
		"path":   "inPath",
		"said":   "inTurn",
	}
)

// expectations writes the calls of helpers that compare expected values. bodies collects large values in files; it is
// nil if all values are in the tests.
type expectations struct{ bodies *bodyFiles }

// calls returns the comparisons of expected values. verbs has the names of the helpers.
func (x expectations) calls(expected []model.Expectation, verbs map[string]string) []HelperCall {
	var all []HelperCall
	whole, deeper := bodyOf(expected)
	for _, e := range expected {
		verb := verbs[string(e.In)]
		switch {
		case e.In == model.InBody || verb == "": // the status has an assertion of its own
		case e.In == model.InMessage:
			all = append(all, compared(helperCall(verb).with(ArgNumber, e.Name), e, true))
		default:
			all = append(all, compared(helperCall(verb, e.Name), e, true))
		}
	}
	switch text, isText := textOf(whole); {
	case whole != nil && whole.Comparison == model.CompareEquals && !isText:
		body := helperCall(verbs["body"]).with(x.bodies.arg(whole, ArgLayout, string(whole.Value)))
		return append(all, body.withCalls(atPointers("but", deeper)...))
	case whole != nil && whole.Comparison == model.CompareEquals:
		return append(all, helperCall(verbs["text"]).with(x.bodies.arg(whole, ArgLine, text)))
	case whole != nil:
		deeper = append([]model.Expectation{*whole}, deeper...)
	}
	return append(all, atPointers(verbs["at"], deeper)...)
}

// atPointers returns the comparisons of values at JSON pointers.
func atPointers(verb string, expected []model.Expectation) []HelperCall {
	var all []HelperCall
	for _, e := range expected {
		all = append(all, compared(helperCall(verb, e.Name), e, false))
	}
	return all
}

// compared returns the call c with a matcher of the expected value as a further argument. textual is set for a value
// outside a body.
func compared(c HelperCall, e model.Expectation, textual bool) HelperCall {
	c.Why = reason(e)
	return c.withCalls(matcher(e, textual))
}

// bodyOf returns the expectation on the complete body, or nil, and the expectations on values in the body.
func bodyOf(expected []model.Expectation) (whole *model.Expectation, deeper []model.Expectation) {
	for _, e := range expected {
		switch {
		case e.In != model.InBody:
		case e.Name == "" && whole == nil:
			whole = &e
		default:
			deeper = append(deeper, e)
		}
	}
	return whole, deeper
}

// textOf returns the expected text, or the expected bytes as text. ok is false if the expected value is
// neither.
func textOf(e *model.Expectation) (text string, ok bool) {
	if e == nil || len(e.Bytes) > 0 {
		return bytesOf(e), e != nil
	}
	var value *string // nil also for null, which is no text
	if json.Unmarshal(e.Value, &value) != nil || value == nil {
		return "", false
	}
	return *value, true
}

// bytesOf returns the expected bytes as a string, "" if there are none.
func bytesOf(e *model.Expectation) string {
	if e == nil {
		return ""
	}
	return string(e.Bytes)
}

// reason returns a comment with the reason why the comparison of a value is not exact, "" if it is exact.
// It does not begin with "+", which could begin a build constraint.
func reason(e model.Expectation) string {
	if e.Comparison == model.CompareEquals || e.Comparison == model.CompareLinked {
		return ""
	}
	return strings.TrimLeft(remark(e.Why, 200), "+ ")
}

// matcher returns the call of the helper that compares a value. textual is set for a value outside a body.
func matcher(e model.Expectation, textual bool) HelperCall {
	text, isText := textOf(&e)
	switch e.Comparison {
	case model.ComparePresent:
		return helperCall("present")
	case model.ComparePattern:
		return helperCall("matching", text)
	case model.CompareType:
		if textual {
			return helperCall("spells", text)
		}
		return helperCall("ofType", text)
	case model.CompareNear:
		return nearness(e)
	case model.CompareLinked:
		return linked(e)
	}
	switch {
	case isText && (textual || len(e.Bytes) > 0):
		return helperCall("exactly").with(ArgLine, text)
	case textual:
		return helperCall("exactly", string(e.Value))
	}
	return helperCall("equals").with(ArgLayout, string(e.Value))
}

// linked returns the call that compares a value with a value of an earlier call. It compares only the last segment of
// a Location or a Content-Location.
func linked(e model.Expectation) HelperCall {
	name := "is"
	if e.In == model.InHeader && strings.HasSuffix(strings.ToLower(e.Name), "location") {
		name = "endsIn"
	}
	return HelperCall{Name: name, Args: []HelperArg{{Kind: ArgValue, link: e.Link}}}
}

// nearness returns the call that compares a number or a time with a tolerance.
func nearness(e model.Expectation) HelperCall {
	number := func(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
	if n, ok := numberOf(e); ok {
		return helperCall("near").with(ArgNumber, number(n)).with(ArgNumber, number(e.Within))
	}
	within := time.Duration(min(e.Within, 1e9) * float64(time.Second))
	return helperCall("nearNow").with(ArgDuration, within.String())
}

// numberOf returns the expected number. It returns false if the expected value is a time.
func numberOf(e model.Expectation) (float64, bool) {
	text, isText := textOf(&e)
	if !isText {
		text = string(e.Value)
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}
